#!/usr/bin/env python3
"""browser_report.py ASSAY [--pictures FOLDER] - the HTML report in a browser.

Speaks TAP; skipped where there is no Chromium. Times of a large report are
printed as notes, nothing depends on them. With --pictures it also writes the
pictures of the documentation.
"""
import json
import math
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import browser  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHOP = "examples/shop"
HOSTILE = [
    "</script><script>window.hacked = 1</script>", "<img src=x onerror='window.hacked = 1'>", "&lt;b&gt; &amp;amp; &#65;",
    "<!-- <script>", "\u202eright to left\u2066 \u200bzero\u200e", "nul \0 bell \x07 \x1b[31mred\x1b[0m", "\u2028\u2029 lines",
    "\U0001f469\u200d\U0001f4bb e\u0301 \u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627", "__proto__", "W" * 300,
]


class Report:
    """What was checked, as TAP."""

    def __init__(self):
        self.n = 0
        self.failed = 0

    def check(self, holds, what, found=""):
        self.n += 1
        self.failed += not holds
        name = " ".join(what.split())
        print(f"{'' if holds else 'not '}ok {self.n} - {name}", flush=True)
        if not holds:
            print(f"# found: {str(found)[:2000]}")

    def equal(self, found, wanted, what):
        self.check(found == wanted, what, f"{found!r}, wanted {wanted!r}")


def run(*words):
    subprocess.run([str(w) for w in words], check=True, cwd=ROOT, stdout=subprocess.DEVNULL)


def score(assay, folder):
    """The journal, the summary and the report of the example."""
    suite, journal, summary = folder / "suite", folder / "run.jsonl", folder / "summary.json"
    run(assay, "distill", "--gold", f"{SHOP}/questions.jsonl", "--db", SHOP, "--out", suite, "--tries", 60, "-q")
    run(assay, "score", "--gold", f"{SHOP}/questions.jsonl", "--pred", f"{SHOP}/model_a.jsonl", f"{SHOP}/model_b.sql",
        "--db", SHOP, "--suite", suite, "--metrics", "all,set,equiv,pragmatic", "--rules", "strict,assay,spider,bird",
        "--now", "2026-06-30", "--timeout", 1, "--no-times", "-q", "--out", journal, "--summary", summary)
    page = folder / "shop.html"
    run(assay, "report", journal, "-o", page)
    compared = subprocess.run([str(assay), "compare", str(journal), "--format", "json"], cwd=ROOT, check=True, capture_output=True).stdout
    return journal, {**json.loads(summary.read_text()), "pair": json.loads(compared)["pairs"][0]}, page.as_uri()


def settled(page):
    """Waits until what is out of sight is drawn, too."""
    page.until("document.getElementById('overview').getAttribute('aria-busy') !== 'true'")


def text(page, selector):
    settled(page)
    return page.js(f"document.querySelector({json.dumps(selector)})?.innerText ?? ''")


def click(page, selector, words=""):
    """Clicks the first such element whose text holds the words."""
    settled(page)
    page.js(f"""[...document.querySelectorAll({json.dumps(selector)})]
        .find((e) => e.textContent.includes({json.dumps(words)})).click()""")


def fragment(**state):
    return "#" + urllib.parse.urlencode(state, doseq=True)


def shown(page):
    return int(text(page, "#n-shown").replace(",", ""))


def interval(yes, n):
    """Wilson's, 95 %; the summary's has two decimals, and may not be rounded twice."""
    z = 1.959963984540054
    share = yes / n
    middle = share + z * z / (2 * n)
    half = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    low, high = ((middle + sign * half) / (1 + z * z / n) for sign in (-1, 1))
    return f"{100 * low:.1f} – {100 * high:.1f}"


def check_figures(report, page, url, summary):
    page.open(url)
    for key in ("exec", "string", "equiv"):
        page.js(f"(() => {{ const m = document.getElementById('metric'); m.value = '{key}'; m.dispatchEvent(new Event('change')); }})()")
        settled(page)
        rows = page.js("[...document.querySelectorAll('#runs tbody tr')].map((r) => [...r.children].map((c) => c.innerText.trim()))")
        wanted = []
        for one in summary["runs"]:
            m = one["metrics"][key]
            wanted.append([one["run"], str(m["yes"]), str(m["cases"]), f"{m['percent']:.1f}", interval(m["yes"], m["cases"]), str(m["no"])])
        report.equal([r[:5] + r[6:7] for r in rows], wanted, f"the page counts {key} as the summary does")
    page.js("(() => { const m = document.getElementById('metric'); m.value = 'exec'; m.dispatchEvent(new Event('change')); })()")
    pair = summary["pair"]
    decision = text(page, "#decision")
    report.check(all(part in decision for part in ("model_a 95.0 %, 82.1 points above", "model_b on the 39 questions scored in both: beyond chance", "questions.jsonl")),
                 "the page begins with the decision", decision)
    words = text(page, "#pairs .pairs tbody").replace("\u2212", "-").replace("+", "").split()
    wanted = [f"{-pair[k]:.1f}" for k in ("difference", "low", "high")]  # the better run first
    report.check(set(wanted) <= set(words), "runs differ as assay compare has it", (wanted, words))
    report.equal(page.js("[...document.querySelectorAll('#pairs .matrix .link')].map((b) => +b.textContent)"), [n for n in (pair["only_a"], pair["only_b"]) if n],
                 "and so do the questions that only one answers right")
    words = text(page, "#made")
    report.check("2026-06-30T00:00:00Z" in words and "questions.jsonl" in words, "what was run is there", words)


def check_filters(report, page, url, summary):
    page.open(url)
    exec_b = summary["runs"][1]["metrics"]["exec"]
    click(page, "#reasons .link", "missing_rows")
    report.equal(shown(page), exec_b["reasons"]["missing_rows"], "a click on a reason filters")  # model_a has none
    report.check("reason=missing_rows" in page.js("location.hash"), "the filter stands in the address")
    click(page, "#by-hardness .link", "medium")
    report.check(0 < shown(page) < exec_b["reasons"]["missing_rows"], "filters of two fields must both hold", shown(page))
    page.js("history.back()")
    page.until("!location.hash.includes('hardness')")
    page.until(f"document.getElementById('n-shown').textContent === '{exec_b['reasons']['missing_rows']}'")
    report.check(True, "the way back takes the filter away")
    click(page, "#chips .link", "clear all")
    report.equal(shown(page), 40, "clear all")
    click(page, "#reasons .bar-link")
    report.check("view=cases" in page.js("location.hash") and "reason=" in page.js("location.hash"), "a click on a bar shows its cases", page.js("location.hash"))
    page.open(url)
    click(page, "#runs tbody tr:nth-child(2) .link", str(exec_b["no"]))
    report.equal(shown(page), exec_b["no"], "a figure of the table leads to its cases")
    page.open(url)
    page.js("document.getElementById('search').focus()")
    page.type("GIFT card")
    page.until("document.getElementById('n-shown').textContent !== '40'")
    report.check(1 <= shown(page) <= 5, "search finds words in any case", shown(page))
    report.check("q=GIFT" in page.js("location.hash"), "the search stands in the address")


def check_case(report, page, url):
    page.open(url + fragment(id="s34", of="model_b"))
    words = text(page, "#case")
    for part in ("s34", "number of orders", "missing_rows", "the gold returns rows that the prediction does not",
                 "gold against prediction", "INSERT INTO", "Gold returns\nname\tcount(*)\n'Ada Brandt'\t4\n'Ada Brandt'\t1", "The same question in other runs", "--only s34"):
        report.check(part.lower() in words.lower(), f"the case shows '{part}'", words)
    marks = page.js("[...document.querySelectorAll('#case .queries mark')].map((m) => m.textContent)")
    report.equal(marks, ["id", "name"], "the words that differ are marked")
    cells = """[...[...document.querySelectorAll('#case .evidence')].find((e) => e.querySelector('p').textContent === 'exec:strict')
        .querySelectorAll('.results mark')].map((m) => m.textContent)"""
    report.equal(page.js(cells), [], "nothing is marked in results that are cut off")
    signs = page.js("[...document.querySelectorAll('#case .other .gutter')].map((m) => m.textContent)")
    report.equal(signs, ["+", "−"], "and their lines have a sign, not only a colour")
    lines = page.js("[...document.querySelectorAll('#case .code')].map((c) => c.children.length)")
    report.equal(lines[0], lines[1], "gold and prediction have as many lines")
    for case, wanted in (("s10", ["2", "0"]), ("l02", ["2", "4"]), ("s03", ["5", "10", "'Paring knife'", "5", "'Watering can'", "10"])):
        page.open(url + fragment(id=case, of="model_b"))
        report.equal(page.js(cells), wanted, f"the cells of {case} that differ are marked")
    page.open(url + fragment(id="s34", of="model_b"))
    click(page, "#case section .link", "model_a")
    report.check("of=model_a" in page.js("location.hash"), "the other run is one click away")
    page.open(url + fragment(id="s07", of="model_b", v="no", run="model_b"))
    report.check("order_differs" in text(page, "#case") and shown(page) == 33, "a deep link opens the case below its filters")
    page.open(url + fragment(id="nobody", view="cases", hardness="none", metric="nonsense"))
    report.check("No answer" in text(page, "#list-about"), "an address that fits nothing is no error")
    click(page, "#list-about .link", "Clear")
    report.equal(shown(page), 40, "and there is a way out")


def check_list(report, page, url, summary):
    page.open(url + fragment(view="cases"))
    first = "document.querySelector('#case .facts .id').textContent"
    report.check(page.js("document.querySelector('.row .sign').className").endswith("no") and page.js(first) == page.js("document.querySelector('.row .id').textContent"),
                 "cases begin with what is wrong, and the first is open", page.js(first))
    for kind, wanted in (("Wrong", summary["runs"][1]["metrics"]["exec"]["no"]), ("Runs differ", 32), ("Unknown", 1), ("All", 40)):
        click(page, "#list-kinds .kind", kind)
        report.equal(shown(page), wanted, f"the list of {kind}")
        report.equal(page.js("document.querySelector('#list-kinds [aria-pressed=true]').textContent"), kind, "says which it is")
    report.equal(page.js("document.querySelectorAll('.row')[0].querySelectorAll('.said').length"), 2, "a question has the verdict on each run")


def check_labels(report, page, url, assay, journal, folder):
    page.open(url + fragment(id="s34", of="model_b"))
    for words in ("right", "gold is wrong"):
        click(page, "#case .kinds .kind", words)
    click(page, "#case section .link", "model_a")
    click(page, "#case .kinds .kind", "wrong")
    report.equal(text(page, "#labels"), "Save 2 labels", "labels are counted")
    saved = page.js("""(() => { let text; const real = URL.createObjectURL; URL.createObjectURL = (blob) => { text = blob; return 'about:blank'; };
        HTMLAnchorElement.prototype.click = () => {}; document.getElementById('labels').click(); URL.createObjectURL = real; return text.text(); })()""")
    lines = [json.loads(line) for line in saved.splitlines()]
    report.equal(lines, [{"id": "s34", "run": "model_b", "db": "shop", "label": "correct", "gold": "wrong"},
                         {"id": "s34", "run": "model_a", "db": "shop", "label": "incorrect"}], "and saved, a line each")
    (folder / "labels.jsonl").write_text(saved, encoding="utf-8")
    said = subprocess.run([str(assay), "agree", str(journal), "--labels", str(folder / "labels.jsonl")], cwd=ROOT, capture_output=True, text=True)
    report.check(said.returncode == 0 and "2" in said.stdout, "assay agree reads them", said.stdout + said.stderr)
    click(page, "#case .kinds .kind", "wrong")
    report.equal(text(page, "#labels"), "Save 1 label", "a second click takes a label back")


def check_keyboard(report, page, url):
    page.open(url)
    page.key("/", "/")
    report.equal(page.js("document.activeElement.id"), "search", "/ goes to the search")
    page.key("Escape")
    page.key("j", "j")
    page.key("j", "j")
    report.equal(page.js("[new URLSearchParams(location.hash.slice(1)).get('id'), new URLSearchParams(location.hash.slice(1)).get('of')]"),
                 [page.js("document.querySelectorAll('.row .id')[1].textContent"), "model_b"], "j goes to the next case")
    page.js("document.getElementById('list').focus()")
    page.key("End")
    selected = "document.querySelector('[aria-selected=true]').getAttribute('aria-posinset')"
    report.equal(page.js(selected), "40", "End goes to the last")
    report.check(page.js("""(() => { const l = document.getElementById('list');
        return document.getElementById(l.getAttribute('aria-activedescendant'))?.getAttribute('aria-selected'); })()"""), "the list names its active row")
    page.key("ArrowUp")
    report.equal(page.js(selected), "39", "arrows go on")
    page.key("Enter")
    report.equal(page.js("document.activeElement.id"), "case", "Enter goes to the case")
    page.key("Escape")
    report.check("id=" not in page.js("location.hash"), "Esc closes it")
    page.open(url)
    page.js("document.querySelector('#by-hardness tr:nth-child(2) .link').focus()")
    page.key("Enter", "\r")
    settled(page)
    report.equal(page.js("[location.hash, document.activeElement.textContent, document.activeElement.getAttribute('aria-pressed')]"),
                 ["#hardness=medium", "medium", "true"], "a filter that is set keeps the focus")
    page.open(url)
    seen = []
    for _ in range(12):
        page.key("Tab")
        seen.append(page.js("(() => { const o = getComputedStyle(document.activeElement); return [document.activeElement.id || document.activeElement.textContent, o.outlineStyle, o.outlineWidth]; })()"))
    report.check(all(s[1] != "none" and s[2] != "0px" for s in seen), "what has the focus shows it", seen)
    report.check({"skip", "tab-overview", "metric", "search"} <= {s[0] for s in seen}, "Tab reaches the controls", seen)


NAMES = """[...document.querySelectorAll('button, select, input, [role=img], [role=listbox], nav')]
    .filter((e) => !e.closest('[hidden]') && !(e.getAttribute('aria-label') || e.textContent.trim() || e.closest('label')))
    .map((e) => e.outerHTML.slice(0, 200))"""

CONTRAST = """(() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgb = (c, under) => { canvas.fillStyle = under; canvas.fillRect(0, 0, 1, 1); canvas.fillStyle = c; canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data]; };
  const css = (p) => `rgb(${p[0]},${p[1]},${p[2]})`;
  const light = (p) => { const [r, g, b] = p.map((x) => x / 255).map((x) => x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const ground = (e) => { const above = []; for (let n = e; n; n = n.parentElement) above.unshift(getComputedStyle(n).backgroundColor);
    return above.reduce((under, c) => css(rgb(c, under)), 'white'); };
  const poor = [];
  for (const e of document.querySelectorAll('body *')) {
    const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
    if (!own || e.closest('[hidden], script, .dim, :disabled, option') || e.offsetParent === null) continue;
    const under = ground(e), a = light(rgb(getComputedStyle(e).color, under)), b = light(rgb(under, under));
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) poor.push([e.className, e.textContent.slice(0, 40), ratio]);
  }
  return poor; })()"""


def check_looks(report, driver, url):
    for scheme in ("light", "dark"):
        page = driver.page(scheme=scheme)
        for state in ({}, {"id": "s34", "of": "model_b"}):
            page.open(url + fragment(**state))
            where = f"{scheme}, {'a case' if state else 'overview'}"
            report.equal(page.js(CONTRAST), [], f"text has a contrast of 4.5 ({where})")
            report.equal(page.js(NAMES), [], f"each control has a name ({where})")
            wide = page.js("document.documentElement.scrollWidth - innerWidth")
            report.check(wide <= 0, f"nothing is wider than the window ({where})", wide)
        page.open(url)
        grounds = []
        for _ in range(3):
            grounds.append(page.js("getComputedStyle(document.documentElement).backgroundColor"))
            click(page, "#theme")
        report.equal(len(set(grounds)), 2, f"the switch changes the colours ({scheme})")
        finish(report, page, scheme)
    page = driver.page(width=390, height=800)
    for state in ({}, {"view": "cases"}, {"id": "s34", "of": "model_b"}):
        page.open(url + fragment(**state))
        wide = page.js("document.documentElement.scrollWidth - innerWidth")
        report.check(wide <= 0, f"a narrow window is wide enough {state}", wide)
        cut = page.js("[...document.querySelectorAll('.bar :is(button, select, input):not([hidden])')].filter((e) => "
                      "e.getBoundingClientRect().right > innerWidth).map((e) => e.id)")
        report.equal(cut, [], f"nothing of the header is cut off {state}")
    page = driver.page()
    for state in ({}, {"id": "s34", "of": "model_b"}):
        page.open(url + fragment(**state))
        pdf = page.pdf()
        report.check(pdf.startswith(b"%PDF") and len(pdf) > 10000, f"it can be printed {state}", len(pdf))
    page.call("Emulation.setEmulatedMedia", {"media": "print"})
    report.equal(page.js("getComputedStyle(document.querySelector('.list')).display"), "none", "a printed case is alone")
    page = driver.page(width=672)  # A4 but for its margins
    for state in ({}, {"id": "s34", "of": "model_b"}):
        page.open(url + fragment(**state))
        page.call("Emulation.setEmulatedMedia", {"media": "print"})
        wide = page.js("document.documentElement.scrollWidth - innerWidth")
        report.check(wide <= 0, f"nothing is cut off a printed page {state}", wide)
    finish(report, page, "printing")


def finish(report, page, what):
    report.equal(page.faults, [], f"no error, no request ({what})")


def hostile_journal(path):
    lines = [{"journal": 1, "assay": HOSTILE[0], "gold": {"file": HOSTILE[1], "hash": HOSTILE[4]}, "runs": {HOSTILE[0]: None}}]
    for i, one in enumerate(HOSTILE):
        verdict = {"v": "no", "reason": one, "detail": one, "database": one, "rows": one, "gold_result": one, "pred_result": one, "neighbor": one, one: one}
        lines.append({"run": HOSTILE[i % 3], "id": one, "db": one, "category": one, "hardness": one, "features": {one: 1}, "question": one, "gold": [f"SELECT '{one}'", one],
                      "pred": one, "pred_note": one, "verdicts": {"exec": verdict, one: {"v": "yes", "notes": [one]}}, "gold_status": one, "gold_message": one,
                      "pred_status": one, "pred_message": one, "clauses": [one]})
    huge = "x<" * (1 << 19)
    lines.append({"run": "m", "id": "huge", "db": "d", "question": huge, "gold": huge, "pred": f"SELECT '{huge}'",
                  "verdicts": {"exec": {"v": "no", "reason": "rows_differ", "detail": huge, "rows": huge}}, "gold_status": "ok", "pred_status": "ok"})
    data = "\n".join(json.dumps(line) for line in lines).encode()
    path.write_bytes(data.replace(b"</script>", b"</script>\xff"))


def check_hostile(report, driver, assay, folder):
    journal, lint = folder / "hostile.jsonl", folder / "hostile_lint.jsonl"
    hostile_journal(journal)
    lint.write_text("".join(json.dumps({"id": one, "db": one, "who": "gold_suspect", "suspicion": 3, "against_gold": 1, "prediction": one,
                                        "reasons": [{"signal": "missing_value", "on": one, "detail": one}]}) + "\n" for one in HOSTILE))
    words = [assay, "report", journal, "--lint", lint, "-o", folder / "hostile.html", "--title", HOSTILE[0]]
    found = subprocess.run([str(w) for w in words], capture_output=True, text=True, check=False)
    if found.returncode != 0:  # bytes that are no UTF-8 are no journal
        journal.write_bytes(journal.read_bytes().replace(b"\xff", b""))
        run(*words)
    url = (folder / "hostile.html").as_uri()
    page = driver.page()
    page.open(url)
    report.equal(text(page, "h1"), HOSTILE[0], "a title is text")
    fits = "document.documentElement.scrollWidth <= innerWidth && document.getElementById('case').scrollWidth <= document.getElementById('case').clientWidth + 1"
    for one in HOSTILE:
        page.open(url + fragment(id=one))
        words = page.js("document.getElementById('case').textContent")
        sight = re.sub("[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]", lambda m: f"\\u{ord(m[0]):04x}", one)
        report.check(words.count(sight) > 5, f"shown as text: {sight[:40]!a}", words)
        report.check(page.js(fits), "and the layout holds", page.js("document.getElementById('case').scrollWidth"))
    page.open(url + fragment(id="huge"))
    report.check(page.js(fits) and page.js("document.getElementById('case').textContent.length") < 100000, "a text of 1 MB is cut")
    click(page, "#case h2 .link", "characters")
    report.check(page.js("document.querySelector('#case h2').textContent.length") >= 1 << 20, "and a button shows all of it")
    report.equal(page.js("[typeof hacked, document.scripts.length, document.images.length]"), ["undefined", 1, 0], "nothing of it runs")
    finish(report, page, "hostile")


def check_redacted(report, driver, assay, folder, journal):
    run(assay, "report", journal, "--redact", "-o", folder / "redacted.html")
    page = driver.page()
    page.open((folder / "redacted.html").as_uri() + fragment(id="s34", of="model_b"))
    report.equal(shown(page), 40, "a redacted report has all cases")
    words = text(page, "#case")
    report.check("missing_rows" in words and "Ada Brandt" not in words and "INSERT" not in words, "but no values", words)
    report.check("assay score" not in words and SHOP not in words, "nor where the databases are", words)
    page.open((folder / "redacted.html").as_uri() + fragment(q="Ada"))
    report.equal(shown(page), 0, "nor does a search find any")
    finish(report, page, "redacted")


def check_who(report, driver, assay, folder, journal):
    """What lint says about who is wrong: a section, a filter, a panel."""
    lint = folder / "lint.jsonl"
    run(assay, "lint", "--gold", f"{SHOP}/questions.jsonl", "--pred", f"{SHOP}/model_a.jsonl", f"{SHOP}/model_b.sql", "--db", SHOP,
        "--now", "2026-06-30", "--fail-on", "never", "-q", "--out", lint)
    said = [line for line in map(json.loads, lint.read_text().splitlines()) if "who" in line]
    suspect = [line for line in said if line["who"] in ("gold_suspect", "question_ambiguous")]
    page = driver.page()
    for more in ([], ["--redact"]):
        run(assay, "report", journal, "--lint", lint, *more, "-o", folder / "who.html")
        url = (folder / "who.html").as_uri()
        page.open(url)
        rows = page.js("(async () => [...document.querySelectorAll('#suspects tbody tr')].map((r) => [...r.children].map((c) => c.innerText.trim())))()") \
            if text(page, "#suspects") else []
        found = [int(r[2]) for r in rows]
        report.check(len(rows) == min(10, len(suspect)) and found == sorted(found, reverse=True) and rows[0][0].split()[0] == "s26"
                     and rows[0][1] == "gold suspect", f"golds are ranked by suspicion {more}", rows)
        n_gold = sum(line["who"] == "gold_suspect" for line in said)
        click(page, "#suspects .about .link", f"{n_gold} gold suspect")
        report.equal(shown(page), n_gold, f"a class filters its questions {more}")
        report.check("who=gold+suspect" in page.js("location.hash"), "the filter stands in the address", page.js("location.hash"))
        page.open(url + fragment(id="s22", of="model_b"))
        words = text(page, "#case")
        report.check("Who is wrong" in words and "missing_value: the query lacks a value" in words, f"a case says who is wrong, and why {more}", words)
        report.equal("'owner'" in text(page, "#case [aria-labelledby=who-title]"), not more, f"values are quoted unless they are left out {more}")
        report.check("gold suspect" in text(page, ".row[aria-selected=true]"), "so does the list")
    page.open(url + fragment(id="s01", of="model_a"))
    report.check("Who is wrong" not in text(page, "#case"), "of what is right it says nothing")
    for state in ({}, {"id": "s22", "of": "model_b"}):
        page.open(url + fragment(**state))
        settled(page)
        report.equal([page.js(CONTRAST), page.js(NAMES), page.js("document.documentElement.scrollWidth <= innerWidth")], [[], [], True],
                     f"it can be read {state}")
    page.open((folder / "shop.html").as_uri())
    report.check(page.js("document.getElementById('suspects').hidden"), "nobody asked: there is no such section")
    finish(report, page, "who is wrong")


def check_without_scripts(report, driver, url):
    page = driver.page()
    page.call("Emulation.setScriptExecutionDisabled", {"value": True})
    page.url = url
    page.call("Page.navigate", {"url": url})
    names, ends = set(), time.monotonic() + 60
    while not {"model_a", "exec"} <= names and time.monotonic() < ends:
        tree = page.call("Accessibility.getFullAXTree")["nodes"]
        names = {n.get("name", {}).get("value") for n in tree}
    report.check({"model_a", "exec"} <= names, "without JavaScript the figures are there", names)


def timed(page, action):
    """Milliseconds from an action until what it changed is drawn."""
    return page.js(f"""(async () => {{ const from = performance.now(); {action};
        await new Promise((done) => requestAnimationFrame(() => setTimeout(done))); return performance.now() - from; }})()""")


def check_big(report, driver, assay, folder):
    journal, file = folder / "big.jsonl", folder / "big.html"
    with open(journal, "wb") as out:
        subprocess.run([sys.executable, str(ROOT / "tests/browser/big_journal.py"), "5000", "5"], check=True, stdout=out)
    begun = time.monotonic()
    run(assay, "report", journal, "-o", file)
    print(f"# 5,000 cases x 5 runs: written in {time.monotonic() - begun:.1f} s")
    size = file.stat().st_size
    report.check(size < 5 << 20, "25,000 answers with evidence take less than 5 MB", size)
    page = driver.page()
    page.open(file.as_uri())
    print(f"# opened in {page.js('performance.now()'):.0f} ms")
    report.equal(shown(page), 5000, "all are there")
    report.check(page.js("document.querySelectorAll('.row').length") < 100, "rows out of sight do not exist")
    took = {}
    for what, action in {
            "metric": "const m = document.getElementById('metric'); m.value = 'suite'; m.dispatchEvent(new Event('change'))",
            "group": "document.querySelector('#by-hardness tbody .link').click()",
            "cases": "document.getElementById('tab-cases').click()",
            "search": "const s = document.getElementById('search'); s.value = 'berlin above'; s.dispatchEvent(new Event('input'))",
            "longer search": "const s = document.getElementById('search'); s.value = 'berlin above 12'; s.dispatchEvent(new Event('input'))"}.items():
        settled(page)
        took[what] = timed(page, "{" + action + "}")
    print("# filtered in ms: " + ", ".join(f"{k} {v:.0f}" for k, v in took.items()))
    report.check(0 < shown(page) < 5000, "filters and search work on them", shown(page))
    page.js("document.getElementById('list').scrollTop = 1e9")
    page.until("document.querySelector('.row[aria-posinset=\"' + document.getElementById('n-shown').textContent.replace(',', '') + '\"]') !== null")
    report.check(True, "the list can be scrolled to its end")
    finish(report, page, "5,000 cases x 5 runs")


def pictures(driver, url, folder):
    case = {"id": "s34", "of": "model_b", "v": "no", "run": "model_b"}
    for name, state, scheme, height in (("report-overview", {}, "light", 800), ("report-case", case, "light", 660),
                                        ("report-dark", {"id": "s11", "of": "model_b"}, "dark", 600)):
        page = driver.page(width=1200, height=height, scheme=scheme)
        page.open(url + fragment(**state))
        size = page.picture(folder / f"{name}.png")
        print(f"# {name}.png: {size // 1024} KB")


def main():
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # clean up
    assay = pathlib.Path(sys.argv[1]).resolve()
    program = browser.find()
    if not program:
        print("1..0 # SKIP no Chromium here: apt-get install chromium")
        return 0
    report = Report()
    with tempfile.TemporaryDirectory() as name, browser.Browser(program) as driver:
        folder = pathlib.Path(name)
        journal, summary, url = score(assay, folder)
        if sys.argv[2:3] == ["--pictures"]:
            pictures(driver, url, pathlib.Path(sys.argv[3]))
            return 0
        page = driver.page()
        check_figures(report, page, url, summary)
        check_filters(report, page, url, summary)
        check_case(report, page, url)
        check_list(report, page, url, summary)
        check_labels(report, page, url, assay, journal, folder)
        check_keyboard(report, page, url)
        finish(report, page, "the example")
        check_looks(report, driver, url)
        check_hostile(report, driver, assay, folder)
        check_redacted(report, driver, assay, folder, journal)
        check_who(report, driver, assay, folder, journal)
        check_without_scripts(report, driver, url)
        check_big(report, driver, assay, folder)
    print(f"1..{report.n}")
    return 1 if report.failed else 0


sys.exit(main())
