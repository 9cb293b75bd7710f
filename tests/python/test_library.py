"""_library.py says what include/assay/assay.h says."""
import ctypes
import os
import re
import shlex
import shutil
import subprocess

import assay
from assay import _library as lib
from place import ROOT, InFolder

HEADER = ROOT / "include/assay/assay.h"
PREFIXES = {
    "ASSAY_ERR_": lib.STATUS,
    "ASSAY_RULES_": lib.RULES,
    "ASSAY_RELATION_": lib.RELATION,
    "ASSAY_DIALECT_": lib.DIALECT,
    "ASSAY_LAYOUT_": lib.LAYOUT,
}
# Those whose names do not say what they are of.
PLAIN = {
    "ASSAY_OK": lib.STATUS["ok"],
    "ASSAY_UNKNOWN": lib.ANSWER["unknown"],
    "ASSAY_NO": lib.ANSWER["no"],
    "ASSAY_YES": lib.ANSWER["yes"],
    "ASSAY_EQUIVALENT": lib.RELATION["equivalent"],
    "ASSAY_DIFFERENT": lib.RELATION["different"],
    **{f"ASSAY_{word.upper()}": n for word, n in lib.TYPE.items()},
}


def number(name):
    """What the package takes for a constant of the header."""
    if name in PLAIN:
        return PLAIN[name]
    for prefix, numbers in PREFIXES.items():
        if name.startswith(prefix):
            return numbers[name[len(prefix):].lower()]
    return lib.METRIC[name[len("ASSAY_"):].lower()]


def names_of_enums():
    text = re.sub(r"//.*", "", HEADER.read_text())
    bodies = re.findall(r"typedef enum \w+ \{(.*?)\}", text, re.S)
    return [name for body in bodies for name in re.findall(r"\bASSAY_\w+", body)]


class Header(InFolder):
    def test_functions(self):
        """the functions are those of the header, and the library has them"""
        declared = set(re.findall(r"^ASSAY_API [\w *]*?(assay_\w+)\(",
                                  HEADER.read_text(), re.M))
        self.assertEqual(declared, set(lib.FUNCTIONS))
        lib.library()

    def test_parameters(self):
        """each function has as many parameters as in the header"""
        text = re.sub(r"//.*", "", HEADER.read_text())
        for name, inside in re.findall(
                r"^ASSAY_API [\w *]*?(assay_\w+)\(([^)]*)\)", text, re.M):
            count = 0 if inside == "void" else inside.count(",") + 1
            self.assertEqual(len(lib.FUNCTIONS[name]) - 1, count, name)

    def test_numbers(self):
        """constants, sizes and offsets are those that the compiler has"""
        cc = shlex.split(os.environ.get("CC") or "cc")
        if not shutil.which(cc[0]):
            self.skipTest("no C compiler")
        names = names_of_enums()
        known = sum(map(len, (lib.STATUS, lib.METRIC, lib.RULES, lib.ANSWER,
                              lib.RELATION, lib.TYPE, lib.DIALECT,
                              lib.LAYOUT)))
        self.assertEqual(len(names), known)
        asked = [(name, number(name)) for name in names]
        for struct, kind in lib.STRUCTS.items():
            asked.append((f"sizeof({struct})", ctypes.sizeof(kind)))
            for field, *_ in kind._fields_:
                at = getattr(kind, field)
                asked += [
                    (f"offsetof({struct}, {field})", at.offset),
                    (f"sizeof((({struct} *)0)->{field})", at.size)]
        lines = "".join(f'    printf("%ld\\n", (long){what});\n'
                        for what, _ in asked)
        (self.folder / "numbers.c").write_text(
            "#include <assay/assay.h>\n#include <stdio.h>\n\n"
            f"int main(void)\n{{\n{lines}}}\n")
        subprocess.run([*cc, "-I", ROOT / "include", "-o", "numbers",
                        "numbers.c"], cwd=self.folder, check=True)
        said = subprocess.run([self.folder / "numbers"], check=True,
                              capture_output=True, text=True).stdout
        found = dict(zip((what for what, _ in asked), map(int, said.split())))
        self.assertEqual(found, dict(asked))

    def test_version(self):
        """package, library and program are of one version"""
        self.assertEqual(assay.version(), assay.__version__)
        said = subprocess.run([os.environ["ASSAY_PROGRAM"], "--version"],
                              check=True, capture_output=True, text=True).stdout
        self.assertIn(f"assay {assay.__version__}", said)

    def test_types(self):
        """mypy finds nothing"""
        if not shutil.which("mypy"):
            self.skipTest("no mypy")
        said = subprocess.run(
            ["mypy", "--strict", "--python-version", "3.9", "--cache-dir",
             self.folder, ROOT / "python/assay"],
            check=False, capture_output=True, text=True)
        self.assertEqual(said.returncode, 0, said.stdout + said.stderr)
