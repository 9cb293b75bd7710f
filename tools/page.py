#!/usr/bin/env python3
"""page.py PAGE STYLE SCRIPT... - prints the page of a report as one HTML file.

The style sheet and the scripts are put into it, and a policy that allows these
two and nothing else: no request to anywhere, no other script. What the program
fills in stays: @title@, @figures@, @data@.
"""
import base64
import hashlib
import re
import sys


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def source(text):
    """How a policy names the text of a <style> or <script>."""
    digest = hashlib.sha256(text.encode()).digest()
    return "'sha256-" + base64.b64encode(digest).decode() + "'"


def main(page, style, *scripts):
    style = read(style)
    script = '"use strict";\n(() => {\n' + "".join(map(read, scripts)) + "})();\n"
    for text in (style, script):
        if re.search(r"</(script|style)|<!--", text, re.I):
            sys.exit("page.py: a script or style would end early")
    policy = ("default-src 'none'; base-uri 'none'; form-action 'none'; "
              f"style-src {source(style)}; script-src {source(script)}")
    page = read(page)
    for name, text in (("policy", policy), ("style", style), ("script", script)):
        if page.count(f"@{name}@") != 1:
            sys.exit(f"page.py: no place for @{name}@")
        page = page.replace(f"@{name}@", text)
    sys.stdout.write(page)


main(*sys.argv[1:])
