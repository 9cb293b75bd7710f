#!/usr/bin/env python3
"""docs_site.py FOLDER - the documentation as a static site, by MkDocs.

The pages are README.md, CHANGELOG.md, CONTRIBUTING.md and all below docs/,
examples/ and src/; the sections of docs/README.md are the site's menu. A link
to a file that is no page (source, a folder) becomes plain text: the site holds
no copy of it. Ends with 1 where MkDocs warns, where a page is in no section, or
where the site would ask another host for anything.
"""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGES = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "docs", "examples/README.md", "src/README.md")
SKIPPED = 77  # what Meson takes for a test that was skipped
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")
# What a browser would fetch by itself; links that a person follows may leave.
FETCHED = re.compile(r"""(?:src=|<link[^>]*href=|url\(|@import )["']?(?:https?:)?//[^"')\s]+""")


def files():
    for name in PAGES:
        path = ROOT / name
        yield from (p for p in sorted(path.rglob("*")) if p.is_file()) if path.is_dir() else [path]


def is_there(page, target):
    """Does the site hold what a link of the page points at?"""
    if re.match(r"[a-z]+:|#", target):
        return True
    path = (page.parent / target.split("#")[0]).resolve()
    return path.is_file() and path in set(files())


def staged(page):
    """The text of a page, links that lead out of the site made plain."""
    def plain(m):
        return m.group(0) if is_there(page, m.group(3)) else m.group(2)

    lines = page.read_text().splitlines(keepends=True)
    return "".join(line if line.startswith("    ") else LINK.sub(plain, line) for line in lines)


def title(page):
    return next(line[2:].strip() for line in page.read_text().splitlines() if line.startswith("# "))


def menu():
    """The sections of docs/README.md, each with the pages it names, once."""
    index = ROOT / "docs/README.md"
    sections, seen = [], set()
    for line in index.read_text().splitlines():
        if line.startswith("## "):
            sections.append((line[3:].strip(), []))
        for _, _, target in LINK.findall(line):
            page = (index.parent / target).resolve()
            name = str(page.relative_to(ROOT))
            if page.suffix == ".md" and page.is_file() and name not in seen:
                seen.add(name)
                sections[-1][1].append({title(page): name})
    nav = [{"Documentation": "docs/README.md"}] + [{head: pages} for head, pages in sections]
    for folder in ("tutorials", "definitions"):
        rest = [p for p in sorted((ROOT / "docs" / folder).glob("*.md")) if str(p.relative_to(ROOT)) not in seen]
        nav.append({folder.capitalize(): [{title(p): str(p.relative_to(ROOT))} for p in rest]})
        seen |= {str(p.relative_to(ROOT)) for p in rest}
    missing = [p for p in files() if p.suffix == ".md" and str(p.relative_to(ROOT)) not in seen | {"docs/README.md"}]
    if missing:
        sys.exit("docs_site: in no section of docs/README.md: " + ", ".join(str(p.relative_to(ROOT)) for p in missing))
    return nav


def build(folder):
    with tempfile.TemporaryDirectory(prefix="assay-site-") as work:
        source = pathlib.Path(work) / "pages"
        for path in files():
            to = source / path.relative_to(ROOT)
            to.parent.mkdir(parents=True, exist_ok=True)
            if path.suffix == ".md":
                to.write_text(staged(path))
            else:
                shutil.copyfile(path, to)
        config = {
            "site_name": "assay", "site_url": "", "docs_dir": str(source), "site_dir": str(folder), "nav": menu(),
            "use_directory_urls": False, "strict": True, "plugins": ["search"],
            "theme": {"name": "readthedocs", "highlightjs": False},
        }
        (pathlib.Path(work) / "mkdocs.yml").write_text(json.dumps(config))  # JSON is YAML
        return subprocess.run(["mkdocs", "build", "--quiet", "--clean", "-f", f"{work}/mkdocs.yml"]).returncode


def fetched(folder):
    """What pages, styles and scripts of the site would fetch from elsewhere."""
    for path in sorted(folder.rglob("*")):
        if path.suffix in (".html", ".css"):
            for found in FETCHED.findall(path.read_text(errors="replace")):
                yield f"{path.relative_to(folder)}: {found}"


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1]).resolve()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # takes the staged pages away
    if not shutil.which("mkdocs"):
        print("docs_site: mkdocs is missing: apt-get install mkdocs", file=sys.stderr)
        sys.exit(SKIPPED)
    if build(folder) != 0:
        sys.exit("docs_site: MkDocs found what is said above")
    outside = list(fetched(folder))
    if outside:
        sys.exit("docs_site: asks other hosts:\n" + "\n".join(outside))
    print(f"{len(list(folder.rglob('*.html')))} pages: {os.path.relpath(folder)}/README.html")


if __name__ == "__main__":
    main()
