#!/usr/bin/env python3
"""wheel.py LIBRARY PROGRAM FOLDER - packs the Python package as a wheel.

Into FOLDER, with the built library and program inside; prints its path. The
wheel's form is that of PEP 427; it is written here, byte for byte the same for
the same input, and needs no index and no package beside Python's own.
"""
import base64
import hashlib
import pathlib
import re
import sys
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
TAG = "py3-none-linux_x86_64"
EPOCH = (1980, 1, 1, 0, 0, 0)
WITHIN = ("libutf8proc-dev", "zlib1g-dev")  # Debian's packages linked statically


def metadata(version):
    """The core metadata, 2.1."""
    page = (ROOT / "docs/python.md").read_text(encoding="utf-8")
    return f"""Metadata-Version: 2.1
Name: assay
Version: {version}
Summary: Tells whether SQL written by a language model is right
License: Apache-2.0
Requires-Python: >=3.9
Requires-External: libsqlite3
Requires-External: libseccomp
Classifier: Operating System :: POSIX :: Linux
Classifier: Typing :: Typed
Provides-Extra: pandas
Requires-Dist: pandas; extra == "pandas"
Description-Content-Type: text/markdown

{page}""".encode()


def members(library, program, version):
    """{name in the wheel: (bytes, whether it is run)}, without RECORD."""
    info = f"assay-{version}.dist-info/"
    files = {
        "assay/lib/libassay.so.0": (library.read_bytes(), True),
        "assay/bin/assay": (program.read_bytes(), True),
        info + "METADATA": (metadata(version), False),
        info + "WHEEL": (f"Wheel-Version: 1.0\nGenerator: assay {version}\n"
                         f"Root-Is-Purelib: false\nTag: {TAG}\n".encode(),
                         False),
        info + "entry_points.txt": (
            b"[console_scripts]\nassay = assay.__main__:main\n", False),
        info + "LICENSE": ((ROOT / "LICENSE").read_bytes(), False),
    }
    for package in WITHIN:
        terms = pathlib.Path("/usr/share/doc", package, "copyright")
        if not terms.exists():
            sys.exit(f"wheel.py: no {terms}: the terms of a library that is in "
                     "the wheel; Debian's package has them")
        files[f"{info}LICENSE.{package}"] = (terms.read_bytes(), False)
    for path in (ROOT / "python/assay").iterdir():
        if path.suffix == ".py" or path.name == "py.typed":
            files["assay/" + path.name] = (path.read_bytes(), False)
    return dict(sorted(files.items())), info + "RECORD"


def record(files, name):
    """A line for each file: its name, hash and size."""
    lines = []
    for member, (data, _) in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest())
        lines.append(f"{member},sha256={digest.decode().rstrip('=')},{len(data)}\n")
    return "".join([*lines, name + ",,\n"]).encode()


def write(path, files):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
        for name, (data, is_run) in files.items():
            member = zipfile.ZipInfo(name, EPOCH)
            member.compress_type = zipfile.ZIP_DEFLATED
            member.create_system = 3  # Unix, whose modes these are
            member.external_attr = (0o100755 if is_run else 0o100644) << 16
            out.writestr(member, data)


def main():
    if len(sys.argv) != 4:
        print(__doc__, file=sys.stderr)
        return 2
    library, program, folder = map(pathlib.Path, sys.argv[1:])
    text = (ROOT / "python/assay/__init__.py").read_text(encoding="utf-8")
    version = re.search(r'__version__ = "([^"]+)"', text)[1]
    files, name = members(library, program, version)
    files[name] = (record(files, name), False)
    path = folder / f"assay-{version}-{TAG}.whl"
    write(path, files)
    print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
