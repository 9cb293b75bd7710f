#!/usr/bin/env python3
"""wheel.py LIBRARY PROGRAM FOLDER - packs the Python package as a wheel.

Into FOLDER, with the built library and program inside; prints its path. The
wheel's form is that of PEP 427; it is written here, byte for byte the same for
the same input, and needs no index and no package beside Python's own.

Its tag is manylinux_2_N (PEP 600) for the least C library 2.N that has all
symbols which library and program ask for, but only if they ask for no other
library (-Dbundled=true). Else it is linux_MACHINE: a wheel for systems like this.
"""
import base64
import hashlib
import pathlib
import re
import subprocess
import sys
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
EPOCH = (1980, 1, 1, 0, 0, 0)
# Debian's packages linked statically.
WITHIN = ("libseccomp-dev", "libsqlite3-dev", "libutf8proc-dev", "libxxhash-dev",
          "zlib1g-dev")
# What PEP 600 lets a wheel ask of its system, of which assay needs the C library.
OF_SYSTEM = {"libc.so.6", "libm.so.6"}


def readelf(*arguments):
    """What readelf says, in English."""
    return subprocess.run(["readelf", "-W", *map(str, arguments)], check=True,
                          capture_output=True, text=True,
                          env={"PATH": "/usr/bin:/bin", "LC_ALL": "C"}).stdout


def platform_tag(programs):
    """For the newest symbol, and the libraries, that the programs ask for."""
    newest = 17  # the oldest that pip still knows
    others = False
    for program in programs:
        needed = re.findall(r"\(NEEDED\).*\[(.*)\]", readelf("-d", program))
        others |= any(name not in OF_SYSTEM and not name.startswith("ld-linux")
                      for name in needed)
        versions = re.findall(r"\bGLIBC_2\.(\d+)", readelf("-V", program))
        newest = max([newest, *map(int, versions)])
    machine = re.search(r"Machine: +(.*)", readelf("-h", programs[0]))[1]
    name = {"Advanced Micro Devices X86-64": "x86_64", "AArch64": "aarch64"}
    if machine not in name:
        sys.exit(f"wheel.py: no tag for the machine {machine}")
    system = "linux" if others else f"manylinux_2_{newest}"
    return f"{system}_{name[machine]}"


def metadata(version):
    """The core metadata, 2.1."""
    page = (ROOT / "docs/python.md").read_text(encoding="utf-8")
    return f"""Metadata-Version: 2.1
Name: assay
Version: {version}
Summary: Tells whether SQL written by a language model is right
License: Apache-2.0
Requires-Python: >=3.9
Classifier: Operating System :: POSIX :: Linux
Classifier: Typing :: Typed
Provides-Extra: pandas
Requires-Dist: pandas; extra == "pandas"
Description-Content-Type: text/markdown

{page}""".encode()


def members(library, program, version, tag):
    """{name in the wheel: (bytes, whether it is run)}, without RECORD."""
    info = f"assay-{version}.dist-info/"
    files = {
        "assay/lib/libassay.so.0": (library.read_bytes(), True),
        "assay/bin/assay": (program.read_bytes(), True),
        info + "METADATA": (metadata(version), False),
        info + "WHEEL": (f"Wheel-Version: 1.0\nGenerator: assay {version}\n"
                         f"Root-Is-Purelib: false\nTag: {tag}\n".encode(),
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
    tag = "py3-none-" + platform_tag([library, program])
    files, name = members(library, program, version, tag)
    files[name] = (record(files, name), False)
    path = folder / f"assay-{version}-{tag}.whl"
    write(path, files)
    print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
