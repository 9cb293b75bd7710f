// overview.js - what was run, and how it went: tables and charts of the figures.

class Overview {
  constructor(root, model, actions) {
    this.root = root;
    this.model = model;
    this.actions = actions;
    this.open = new Set();  // charts that show all their rows
    const group = (field) => [`by-${field}`, () => this.group(field)];
    const has = model.keys.length > 0;
    const parts = [["decision", () => has && this.decision()], ["runs", () => has && this.runs()],
      ["pairs", () => model.runs.length > 1 && this.pairs()],
      [["reasons", () => has && this.reasons()], group("hardness"), group("category"), group("db"), group("feature")],
      ["suspects", () => this.suspects()],
      ["ladder", () => this.ladder()], ["agreement", () => this.agreement()], ["told", () => this.told()],
      ["made", () => this.made()]];
    this.sections = [];
    this.waiting = [];
    const place = ([id, draw]) => {
      this.sections.push({ node: h("section", { id, "aria-labelledby": `${id}-title` }), draw });
      return this.sections.at(-1).node;
    };
    root.replaceChildren(...parts.map((part) => typeof part[0] === "string" ? place(part)
      : h("div", { class: "columns" }, part.map(place))));
  }

  // What is in sight is drawn at once, the rest when there is time.
  render(filters) {
    this.filters = filters;
    this.known = {};
    const isInSight = ({ top, bottom }) => bottom === undefined || (top < scrollY + innerHeight && bottom > scrollY);
    const now = this.sections.filter(isInSight);
    this.waiting = this.sections.filter((section) => !now.includes(section));
    now.forEach((section) => this.draw(section));
    this.root.setAttribute("aria-busy", "true");
    whenIdle(() => this.drawWaiting());
  }

  drawWaiting() {
    this.waiting.splice(0).forEach((section) => this.draw(section));
    this.root.setAttribute("aria-busy", "false");
    // To ask for places before drawing would lay out what is drawn anew.
    for (const section of this.root.hidden ? [] : this.sections) {
      section.top = section.node.offsetTop;
      section.bottom = section.top + section.node.offsetHeight;
    }
  }

  // What had the focus has it again.
  draw({ node, draw }) {
    const held = node.contains(document.activeElement) ? [...node.querySelectorAll("button")].indexOf(document.activeElement) : -1;
    const label = document.activeElement.textContent;
    const drawn = draw();
    node.hidden = !drawn;
    node.replaceChildren(...drawn || []);
    if (held < 0) return;
    const buttons = [...node.querySelectorAll("button")];
    const same = buttons.filter((b) => b.textContent === label);
    (same.includes(buttons[held]) ? buttons[held] : same[0] ?? buttons[held])?.focus({ preventScroll: true });
  }

  // By run and metric; of the filters that hold.
  get rates() {
    return this.known.rates ??= this.model.rates();
  }

  section(id, title, about, ...body) {
    return [h("h2", { id: `${id}-title` }, title), about && h("p", { class: "about" }, about), body].flat(3).filter(Boolean);
  }

  isOn(field, value) {
    return (this.filters[field] ?? []).includes(value);
  }

  // A button that adds a filter, or takes it back.
  filterButton(field, value, label, extra) {
    const on = this.isOn(field, value);
    return h("button", { type: "button", class: "link" + (on ? " on" : ""), "aria-pressed": String(on),
      onclick: () => this.actions.toggle(field, value), ...extra }, label);
  }

  legend() {
    const { model } = this;
    return model.runs.length < 2 ? null : h("p", { class: "legend", "aria-hidden": "true" },
      model.runs.map((run, i) => h("span", {}, mark(i), shown(run))));
  }

  /* --- the decision -------------------------------------------------------- */

  // Which run is best, by how much, and whether chance explains it; of what.
  decision() {
    const { model } = this;
    const { key } = model.chosen;
    const [best, next] = model.runs;
    const sentence = [this.runName(best), ` ${this.rateOf(best)}`, next !== undefined && this.lead(best, next)];
    const made = model.head.journals.map((j) => j.head).filter(Boolean);
    const of = (get) => [...new Set(made.map(get).filter(Boolean))].join(", ");
    const about = [`Right by ${key}`, of((m) => m.gold?.file.replace(/^.*[/]/, "")), plural(model.questions.length, "question"),
      of((m) => m.assay && `assay ${m.assay}`), of((m) => m.clock && `clock ${m.clock}`)].filter(Boolean);
    return [h("h2", { class: "off", id: "decision-title" }, "Result"), h("p", { class: "decision" }, sentence), h("p", { class: "about" }, about.map(shown).join(" · "))];
  }

  // What the best run is ahead of the next, as assay compare has it.
  lead(best, next) {
    const { head, metric } = this.model;
    const pair = metric === head.main && (head.versus?.pairs ?? []).find((p) => p.difference !== null
      && [p.a, p.b].includes(best) && [p.a, p.b].includes(next));
    if (!pair) return [", then ", this.runName(next), ` ${this.rateOf(next)}`];
    const points = Math.abs(pair.difference).toFixed(1);
    const of = pair.cases < this.model.questions.length ? ` on the ${plural(pair.cases, "question")} scored in both` : "";
    return [`, ${points} ${points === "1.0" ? "point" : "points"} above `, this.runName(next), `${of}: `,
      pair.conclusion === "no_evidence" ? "may be chance" : "beyond chance"];
  }

  rateOf(run) {
    const c = this.rates[this.model.runIndex(run)][this.model.metric];
    return `${percent(c.right, c.n)} %`;
  }

  /* --- runs --------------------------------------------------------------- */

  runs() {
    const { model, rates } = this;
    const golds = model.golds();
    const hasMean = rates.some((row) => row[model.metric].mean !== null);
    const scale = zoom(rates.map((row) => row[model.metric]).filter((c) => c.n).flatMap((c) => wilson(c.right, c.n)));
    const rows = model.runs.map((run, i) => {
      const c = rates[i][model.metric];
      return h("tr", {}, h("th", { scope: "row" }, mark(i), this.filterButton("run", run, h("bdi", {}, shown(run)))),
        this.rateCells(c, i, scale),
        hasMean && h("td", { class: "num" }, c.mean === null ? "–" : c.mean.toFixed(3)),
        h("td", { class: "num" }, this.outcome(run, "no", c.no)),
        h("td", {}, this.unknown(run, c)),
        h("td", {}, this.goldCell(run, golds[i])));
    });
    return this.section("runs", `Right by ${model.metric}`, metricText(model.metric),
      h("div", { class: "wide" }, h("table", { class: "figures" },
        h("thead", {}, h("tr", {}, ["run", "right", "of", "percent", "95 % interval", zoomed(scale), hasMean && "mean", "wrong", "unknown, and why", "problem golds"]
          .map((t, i) => t !== false && h("th", { scope: "col", class: i > 0 && i < 5 || i === 6 || i === 7 ? "num" : null }, t)))),
        h("tbody", {}, rows))));
  }

  rateCells(c, run, scale) {
    const [low, high] = wilson(c.right, c.n);
    const range = `${(low * 100).toFixed(1)} – ${(high * 100).toFixed(1)}`;
    return [
      h("td", { class: "num" }, number(c.yes)),
      h("td", { class: "num soft" }, number(c.n)),
      h("td", { class: "num big" }, percent(c.right, c.n)),
      h("td", { class: "num soft" }, c.n ? range : "–"),
      h("td", { class: "range" }, c.n ? intervalBar(c.right / c.n, low, high, scale, run) : null),
    ];
  }

  outcome(run, v, n) {
    return n === 0 ? "0" : h("button", { type: "button", class: "link", "aria-label": `${n} ${v} of ${run}: show`,
      onclick: () => this.actions.show({ run: [run], v: [v] }) }, number(n));
  }

  unknown(run, c) {
    if (c.unknown === 0) return "0";
    const causes = [...c.causes].sort((x, y) => y[1] - x[1]);
    return causes.map(([word, n], i) => [i > 0 ? ", " : null,
      h("button", { type: "button", class: "link", title: this.model.head.reasons[word],
        onclick: () => this.actions.show({ run: [run], v: ["unknown"], reason: [word] }) }, `${number(n)} ${shown(word)}`)]);
  }

  goldCell(run, counts) {
    if (counts.size === 0) return h("span", { class: "soft" }, "none");
    return [...counts].map(([word, n], i) => [i > 0 ? ", " : null,
      h("button", { type: "button", class: "link", title: this.model.head.reasons[word],
        onclick: () => this.actions.show({ run: [run], gold: [word] }) }, `${number(n)} ${shown(word)}`)]);
  }

  /* --- the ladder ---------------------------------------------------------- */

  ladder() {
    const { model } = this;
    if (model.keys.length < 2) return null;
    const { rates } = this;
    const rows = model.keys.map((key) => {
      const on = key === model.metric;
      const cells = model.runs.map((run, i) => {
        const c = rates[i][key];
        return { x: c.n ? c.right / c.n : null, text: `${run}: ${percent(c.right, c.n)} %` };
      });
      return h("tr", { class: on ? "on" : null },
        h("th", { scope: "row" }, h("button", { type: "button", class: "link", "aria-pressed": String(on),
          onclick: () => this.actions.metric(key) }, shown(key))),
        h("td", { class: "soft" }, metricText(key)),
        h("td", { class: "track" }, dots(cells)),
        model.runs.length <= 4 && cells.map((cell, i) => h("td", { class: "num" }, percent(rates[i][key].right, rates[i][key].n))));
    });
    return this.section("ladder", "From strict to lenient",
      "Percent right by each metric; later ones tend to accept more. Choose one to use it on the whole page.",
      this.legend(),
      h("div", { class: "wide" }, h("table", { class: "chart ladder" },
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "metric"), h("th", { scope: "col" }, "a pass means"),
          h("th", { scope: "col", class: "track" }, axis()),
          model.runs.length <= 4 && model.runs.map((run, i) => h("th", { scope: "col", class: "num" }, model.runs.length > 1 ? [mark(i), h("span", { class: "off" }, shown(run))] : "%")))),
        h("tbody", {}, rows))));
  }

  /* --- groups -------------------------------------------------------------- */

  group(field) {
    const found = this.model.groups(field);
    if (found.length < 2 && !this.filters[field]) return null;
    found.sort((x, y) => field === "hardness" ? rankOf(HARDNESS, x.name) - rankOf(HARDNESS, y.name)
      : (field === "feature" && gap(y) - gap(x)) || y.n - x.n || (x.name < y.name ? -1 : 1));
    const most = this.open.has(field) ? Infinity : 8;
    const rows = found.slice(0, most).map((g) => this.groupRow(field, g));
    const more = this.more(field, found.length, 8);
    const isOpen = found.some((g) => g.runs.some((c) => c.unknown > 0));
    return this.section(`by-${field}`, `By ${FIELDS[field].label}`, `Percent right by ${this.model.metric}${isOpen ? "; dashed: unknown" : ""}`
      + `${field === "feature" && this.model.runs.length > 1 ? "; features on which the runs differ most come first" : ""}.`,
      barTable([FIELDS[field].label, "questions", "verdicts", "percent right"], rows), more);
  }

  // Where a chart shows the first rows only: a button, and on paper how many.
  more(field, n, most) {
    const isOpen = this.open.has(field);
    return n > most && [h("button", { type: "button", class: "link", "aria-expanded": String(isOpen),
      onclick: () => this.actions.expand(this.open, field) }, isOpen ? "show fewer" : `show all ${n}`),
    !isOpen && h("p", { class: "only-print" }, `the first ${most} of ${n}`)];
  }

  groupRow(field, g) {
    const on = this.isOn(field, g.name);
    const dim = (this.filters[field]?.length ?? 0) > 0 && !on;
    return h("tr", { class: dim ? "dim" : on ? "on" : null },
      h("th", { scope: "row" }, this.filterButton(field, g.name, h("bdi", {}, breakable(g.name)))),
      h("td", { class: "num soft" }, number(g.n)),
      this.track(`the questions of ${g.name}`, { [field]: [g.name] }, stackedBars(this.model, g.runs)),
      this.lines(g.runs.map((c) => percent(c.right, c.n))));
  }

  // Bars that lead to their cases.
  track(of, filters, drawn) {
    return h("td", { class: "track" }, h("button", { type: "button", class: "bar-link", "aria-label": `Show ${of}`, tabindex: "-1",
      onclick: () => this.actions.show(filters) }, drawn));
  }

  // A figure for each run, beside its bar.
  lines(texts) {
    return h("td", { class: "num lines" }, texts.map((text, i) => h("div", {},
      this.model.runs.length > 1 && mark(i, 8), h("span", {}, text))));
  }

  /* --- reasons ------------------------------------------------------------- */

  reasons() {
    const { model } = this;
    const found = model.reasons();
    if (found.length === 0) return null;
    const most = this.open.has("reason") ? Infinity : 10;
    const top = Math.max(...found.map((r) => Math.max(...r.counts)));
    const rows = found.slice(0, most).map((r) => {
      const on = this.isOn("reason", r.name);
      const dim = (this.filters.reason?.length ?? 0) > 0 && !on;
      return h("tr", { class: dim ? "dim" : on ? "on" : null },
        h("th", { scope: "row" }, this.filterButton("reason", r.name, breakable(r.name), { title: model.head.reasons[r.name] }),
          r.v === "unknown" && h("span", { class: "soft" }, " unknown")),
        h("td", {}),
        this.track(`the answers with ${r.name}`, { reason: [r.name] }, countBars(r.counts, top)),
        this.lines(r.counts.map(number)));
    });
    const more = this.more("reason", found.length, 10);
    return this.section("reasons", "Why answers failed", `Answers that ${model.metric} does not call right, by reason.`,
      barTable(["reason", "", "verdicts", "answers"], rows), more);
  }

  /* --- who is wrong --------------------------------------------------------- */

  // What assay lint says, where the report was asked for it.
  suspects() {
    const { classes, list } = this.model.suspects();
    if (classes.size === 0) return null;
    const counts = [...classes].sort((x, y) => y[1] - x[1] || (x[0] < y[0] ? -1 : 1)).map(([is, n], i) =>
      [i > 0 && ", ", this.filterButton("who", is, `${number(n)} ${shown(is)}`)]);
    const most = this.open.has("who") ? Infinity : 10;
    const rows = list.slice(0, most).map((a) => h("tr", {},
      h("th", { scope: "row" }, h("button", { type: "button", class: "link", onclick: () => this.actions.open(a) }, h("bdi", {}, shown(a.id))),
        a.db && h("span", { class: "soft" }, " ", h("bdi", {}, shown(a.db)))),
      h("td", {}, shown(a.who.is)),
      h("td", { class: "num" }, number(a.who.suspicion)),
      h("td", { class: "num soft" }, `${number(a.who.against)} to ${number(a.who.with)}`),
      h("td", {}, h("bdi", {}, shown(a.question ?? "").slice(0, 160)))));
    return this.section("suspects", "Who is wrong",
      ["Questions by the signals against the gold, the prediction or both (assay lint): ", counts],
      rows.length > 0 && h("div", { class: "wide" }, h("table", { class: "figures" },
        h("thead", {}, h("tr", {}, ["case", "", "suspicion", "runs against and with the gold", "question"]
          .map((t, i) => h("th", { scope: "col", class: i === 2 || i === 3 ? "num" : null }, t)))),
        h("tbody", {}, rows))),
      this.more("who", list.length, 10));
  }

  /* --- runs and metrics against each other --------------------------------- */

  pairs() {
    const { model } = this;
    const only = model.pairs();
    return this.section("pairs", "Run against run", null, this.differences(),
      h("p", { class: "about" }, "Number of questions that the run on the left answers right and the run at the top wrong:"),
      h("div", { class: "wide" }, h("table", { class: "matrix" },
        h("thead", {}, h("tr", {}, h("td", {}), model.runs.map((run, i) => h("th", { scope: "col" }, mark(i), h("bdi", {}, shown(run)))))),
        h("tbody", {}, model.runs.map((x, i) => h("tr", {}, h("th", { scope: "row" }, mark(i), h("bdi", {}, shown(x))),
          model.runs.map((y, k) => h("td", { class: "num" }, i === k ? "–" : only[i][k] === 0 ? "0"
            : h("button", { type: "button", class: "link", "aria-label": `${only[i][k]} questions right in ${x}, wrong in ${y}: show`,
              onclick: () => this.actions.show({ only: [`${x}\t${y}`] }) }, number(only[i][k]))))))))));
  }

  // What assay compare says of all answers, by the metric of the report.
  differences() {
    const { head } = this.model;
    if (head.not_compared) return h("p", { class: "about" }, `Differences are not computed: ${shown(head.not_compared)}.`);
    // What cannot be computed is null: no shared cases, a single database.
    const pairs = (head.versus?.pairs ?? []).filter((p) => p.difference !== null);
    if (pairs.length === 0 || this.model.metric !== head.main) return null;
    const points = (x) => (x > 0 ? "+" : x < 0 ? "−" : "") + Math.abs(x).toFixed(1);
    // The run that comes first on this page against the other.
    const turned = (p) => this.model.runIndex(p.b) < this.model.runIndex(p.a) ? [p.b, p.a, p.difference, p.low, p.high]
      : [p.a, p.b, -p.difference, p.high === null ? null : -p.high, p.low === null ? null : -p.low];
    const row = (p) => {
      const [one, other, difference, low, high] = turned(p);
      return h("tr", {},
        h("th", { scope: "row" }, this.runName(one), h("span", { class: "soft" }, " against "), this.runName(other)),
        h("td", { class: "num big" }, points(difference)),
        h("td", { class: "num soft" }, low === null ? "–" : `${points(low)} to ${points(high)}`),
        h("td", { class: "num" }, p.p_holm === null ? "–" : p.p_holm < 0.001 ? "< 0.001" : p.p_holm.toFixed(3)),
        h("td", {}, p.conclusion === "no_evidence"
          ? "may be chance" + (p.detectable === null ? "" : `; ${p.detectable.toFixed(1)} points could be detected`)
          : [this.runName(p.conclusion === "a_better" ? p.a : p.b), " is better, beyond chance"]));
    };
    return [h("div", { class: "wide" }, h("table", { class: "figures pairs" },
      h("thead", {}, h("tr", {}, ["pair", "points", "95 % interval", "p", ""].map((t, i) => h("th", { scope: "col", class: i > 0 && i < 4 ? "num" : null }, t)))),
      h("tbody", {}, pairs.map(row)))),
    h("p", { class: "about note" }, `Over all answers, like assay compare: paired, ${this.clusters(pairs)}; p by McNemar's exact test, adjusted by Holm.`
      + this.clock(head.versus.reads_clock))];
  }

  // What one observation of the intervals is.
  clusters(pairs) {
    const byCase = pairs.filter((p) => p.cluster === "none");
    if (byCase.length === 0) return "databases as clusters";
    const few = Math.min(...byCase.map((p) => p.databases));
    return (byCase.length < pairs.length ? "databases as clusters if there are enough, otherwise cases" : "each case a cluster")
      + (few === 1 ? ", as there is only one database" : `, as ${few} databases are too few or too unequal in size`) + "; others may give another result";
  }

  clock(n) {
    return n > 0 ? ` ${number(n)} ${n === 1 ? "case is" : "cases are"} left out: a query reads the clock, which differs between the runs.` : "";
  }

  runName(run) {
    return [mark(this.model.runIndex(run)), h("bdi", {}, shown(run))];
  }

  agreement() {
    const { model } = this;
    const n = model.keys.length;
    if (n < 2) return null;
    const { both, same } = model.agreement();
    const cell = (x, y) => {
      const all = both[x * n + y];
      if (all === 0) return h("td", {}, "–");
      const share = same[x * n + y] / all;
      const text = (100 * share).toFixed(share === 1 ? 0 : 1);
      const shade = `shade-${Math.max(0, Math.min(9, Math.floor((share - 0.5) * 20)))}`;
      if (share === 1) return h("td", { class: `num ${shade}` }, text);
      return h("td", { class: `num ${shade}` }, h("button", { type: "button", class: "link",
        "aria-label": `${model.keys[x]} and ${model.keys[y]} agree on ${text} %: show the others`,
        onclick: () => this.actions.show({ differ: [`${model.keys[x]}\t${model.keys[y]}`] }) }, text));
    };
    return this.section("agreement", "Agreement of metrics",
      "Percent of answers on which both metrics agree, if both say yes or no. Choose a figure to see the answers on which they differ.",
      h("div", { class: "wide" }, h("table", { class: "matrix" },
        h("thead", {}, h("tr", {}, h("td", {}), model.keys.slice(0, -1).map((k) => h("th", { scope: "col" }, breakable(k))))),
        h("tbody", {}, model.keys.slice(1).map((k, i) => h("tr", {}, h("th", { scope: "row" }, shown(k)),
          model.keys.slice(0, i + 1).map((_, y) => cell(i + 1, y))))))));
  }

  /* --- what answers cost, how sure they are, who abstains -------------------- */

  told() {
    const { told } = this.model.head;
    if (!told) return null;
    const rows = (row, tag) => h("tr", {}, row.map((text, i) => h(i === 0 ? "th" : tag, i === 0 ? { scope: "row" } : { class: "num" }, shown(text))));
    const tables = told.tables.map(([head, ...body]) => h("div", { class: "wide" }, h("table", {},
      h("thead", {}, rows(head, "th")), h("tbody", {}, body.map((row) => rows(row, "td"))))));
    const charts = told.runs.filter((r) => r.confidence?.bins).map(({ run, confidence }) => h("figure", { class: "plot" },
      square(confidence.bins.filter((b) => b.answers).map((b) => [b.confidence, b.right]), `${shown(run)}: share of right answers by confidence`),
      h("figcaption", {}, shown(run), ": right answers over confidence; on the diagonal, the confidence equals the share of right answers")));
    return this.section("told", "Cost, confidence and abstention",
      "What the prediction files say about tokens, cost, time and confidence, over all cases, without filters.", charts, tables);
  }

  /* --- what was run -------------------------------------------------------- */

  made() {
    const { head } = this.model;
    const journals = head.journals.map(({ file, head: made }) => [
      head.journals.length > 1 && h("h3", {}, shown(file)),
      made ? h("dl", { class: "made" }, madeRows(made).map(([term, text]) => [h("dt", {}, term), h("dd", {}, shown(text))]))
        : h("p", { class: "soft" }, "The run file does not say how it was made."),
    ]);
    const about = [this.model.keys.length === 0 && "The run file has no verdicts.", head.redacted && "Values are left out of this report (--redact)."];
    return this.section("made", "What was run", about.filter(Boolean).join(" "), journals);
  }
}

// Points from 0 to 1, joined, over the diagonal.
function square(points, label) {
  const at = ([x, y]) => `${8 + 144 * x},${152 - 144 * y}`;
  return s("svg", { viewBox: "0 0 160 160", width: "160", height: "160", role: "img", "aria-label": label },
    s("path", { class: "axis", d: "M8,8V152H152" }), s("path", { class: "axis", d: "M8,152L152,8" }),
    s("path", { class: "curve", d: points.map((p, i) => (i ? "L" : "M") + at(p)).join("") }),
    points.map((p) => s("circle", { class: "point", r: "3", cx: at(p).split(",")[0], cy: at(p).split(",")[1] })));
}

function barTable(titles, rows) {
  return h("table", { class: "chart bars" }, h("colgroup", {}, titles.map(() => h("col"))),
    h("thead", { class: "off" }, h("tr", {}, titles.map((t) => h("th", { scope: "col" }, t)))),
    h("tbody", {}, rows));
}

// How far the best and the worst run are apart in a group.
function gap(group) {
  const shares = group.runs.filter((c) => c.n > 0).map((c) => c.right / c.n);
  return shares.length < 2 ? 0 : Math.max(...shares) - Math.min(...shares);
}

// The part of the axis that holds all of the shares, in tenths.
function zoom(shares) {
  if (shares.length === 0) return [0, 1];
  return [Math.floor(10 * Math.min(...shares)) / 10, Math.ceil(10 * Math.max(...shares)) / 10];
}

function zoomed([low, high]) {
  return h("span", { class: "ends" }, h("span", {}, `${Math.round(100 * low)}`), h("span", {}, `${Math.round(100 * high)} %`));
}

function rankOf(order, name) {
  const at = order.indexOf(name);
  return at < 0 ? order.length : at;
}

function metricText(key) {
  const [, word, rules, sample] = keyParts(key);
  const text = METRIC_TEXT[word];
  const which = sample === "vote" ? ", by the vote" : sample ? `, pass@${sample}` : "";
  return !text ? "" : text + (rules ? ` (${rules})` : "") + which;
}

// The members of a journal's first line, in words.
function madeRows(made) {
  const file = (f) => f && `${f.file}  ${f.hash}`;
  const list = (l) => l?.length ? l.join(", ") : null;
  const switches = ["plug_values", "same_column_order", "extra_rows"].filter((k) => made[k]);
  const chosen = [made.limit !== null && made.limit !== undefined && `first ${made.limit}`, made.shard && `shard ${made.shard}`,
    made.seed !== null && made.seed !== undefined && `seed ${made.seed}`, list(made.only) && `only ${list(made.only)}`,
    made.filters?.length && `filter ${made.filters.map((f) => f[0] + f[1] + f.slice(2).join(",")).join("; ")}`].filter(Boolean);
  const limits = made.limits && `${made.limits.timeout_ms / 1000} s, ${number(made.limits.max_rows)} rows, ${number(made.limits.max_bytes / 1048576)} MB per query`;
  return [
    ["assay", `${made.assay ?? ""}, ${made.engine ?? ""}`],
    ["gold", file(made.gold)],
    ...Object.entries(made.runs ?? {}).map(([run, f]) => [`run ${shown(run)}`, file(f) ?? "in the gold file"]),
    ["found in", made.source?.db],
    ["databases", list(Object.entries(made.databases ?? {}).map(([db, hash]) => `${db} ${hash ?? "(not read)"}`))],
    ["metrics", list(made.metrics)],
    ["rules", list(made.rules)],
    ["row order", made.ordered],
    ["switches", list(switches)],
    ["suite", made.suite],
    ["cases", list(chosen)],
    ["limits", limits],
    ["clock", made.clock],
  ].filter(([, text]) => text);
}

/* --- marks in tables -------------------------------------------------------- */

// Widths are percent of the column, heights pixels: marks keep their shape.

function at(share) {
  return `${(share * 100).toFixed(3)}%`;
}

function chart(height, label, ...children) {
  return s("svg", { width: "100%", height, role: "img", "aria-label": label }, children);
}

function line(y) {
  return s("line", { class: "grid", x1: 0, x2: "100%", y1: y, y2: y });
}

function axis() {
  return s("svg", { width: "100%", height: 14, "aria-hidden": "true" },
    [0, 25, 50, 75, 100].map((x) => s("text", { class: x % 50 ? "quarter" : null, x: `${x}%`, y: 11, "text-anchor": x === 0 ? "start" : x === 100 ? "end" : "middle" }, `${x}`)));
}

function intervalBar(p, low, high, [from, to], run) {
  const x = (share) => (share - from) / (to - from);
  return chart(20, `${(p * 100).toFixed(1)} %, between ${(low * 100).toFixed(1)} and ${(high * 100).toFixed(1)}`,
    line(10), s("g", { class: `run-${run % 6}` },
      s("rect", { class: "spread", x: at(x(low)), y: 7, width: at(Math.max(0.002, x(high) - x(low))), height: 6, rx: 3 }),
      s("svg", { x: at(x(p)), y: 10, overflow: "visible" }, dot(run, 0, 0))));
}

function dots(cells) {
  return chart(20, cells.map((c) => c.text).join(", "), line(10),
    cells.map((c, i) => c.x === null ? null : s("svg", { class: `run-${i % 6}`, x: at(c.x), y: 10, overflow: "visible" },
      s("title", {}, c.text), dot(i, 0, 0))));
}

const BAR = 8;
const STEP = 20;

function bars(runs, label, draw) {
  return chart(runs.length * STEP, label,
    runs.map((c, i) => s("g", { class: `run-${i % 6}` }, draw(c, i * STEP + (STEP - BAR) / 2, i))));
}

function stackedBars(model, runs) {
  const text = (c, i) => `${model.runs[i]}: ${c.yes} yes, ${c.no} no, ${c.unknown} unknown`;
  return bars(runs, runs.map(text).join("; "), (c, y, i) => c.n === 0 ? null : [
    s("title", {}, text(c, i)),
    s("rect", { class: "rest", x: 0, y, width: "100%", height: BAR, rx: 1 }),
    s("rect", { x: 0, y, width: at(c.right / c.n), height: BAR, rx: 1 }),
    c.unknown > 0 && s("rect", { class: "open", x: at(c.right / c.n), y: y + 0.5, width: at(c.unknown / c.n), height: BAR - 1 }),
  ]);
}

function countBars(counts, top) {
  return bars(counts, counts.join(", "), (n, y) => s("rect", { x: 0, y, width: at(n / top), height: BAR, rx: 1 }));
}
