// model.js - answers, filters and figures; nothing here touches the page.
//
// An answer is one line of a journal: a run's prediction for a question.
// A filter is a field and the values that pass; several values of a field are
// alternatives, several fields must all pass. Rates leave out filters on
// outcomes (verdicts, reasons), which would only show themselves, and a chart
// leaves out the filter on its own field, so that its other rows stay.

const VERDICTS = ["yes", "no", "unknown"];
const HARDNESS = ["easy", "medium", "hard", "extra"];

// From exact text to a person's content: how much a metric forgives.
const LADDER = ["string", "edit", "set", "equiv", "suite", "exec", "subset",
  "soft_f1", "cell_f1", "pragmatic", "judge"];
const RULES = ["strict", "", "spider2", "spider", "bird", "defog", "sql_eval"];

const METRIC_TEXT = {
  string: "the same tokens",
  edit: "token edit distance 0",
  set: "the same clauses",
  equiv: "proved equal on every database",
  suite: "the same on a test suite",
  exec: "the same result on this database",
  subset: "the gold's result is contained",
  soft_f1: "BIRD's soft F1 is 1",
  cell_f1: "all cells paired",
  pragmatic: "the asker would be content",
  judge: "a model calls them equivalent",
};

const FIELDS = {
  run: { label: "run", of: (a) => a.run },
  db: { label: "database", of: (a) => a.db },
  category: { label: "category", of: (a) => a.category },
  hardness: { label: "hardness", of: (a) => a.hardness },
  feature: { label: "feature", list: (a) => Object.keys(a.features || {}) },
  gold: { label: "gold", of: (a) => a.gold_status },
  pred: { label: "prediction", of: (a) => a.pred_status },
  v: { label: "verdict", isOutcome: true, of: (a, m) => a.verdicts[m]?.v },
  reason: { label: "reason", isOutcome: true, of: (a, m) => a.verdicts[m]?.reason },
  // "exec\tsubset": these two metrics say different things.
  differ: { label: "metrics differ", isOutcome: true, test: (a, pair) => differs(a, pair.split("\t")) },
  // "a\tb": run a is right on this question and run b is not.
  only: { label: "right only in", isOutcome: true, test: (a, pair, model) => model.isOnly(a, pair.split("\t")) },
};

function differs(a, [x, y]) {
  const [one, two] = [a.verdicts[x]?.v, a.verdicts[y]?.v];
  return Boolean(one && two && one !== two && one !== "unknown" && two !== "unknown");
}

function ladderRank(key) {
  const [word, rules = ""] = key.split(":");
  const at = LADDER.indexOf(word);
  const rule = RULES.indexOf(rules);
  return (at < 0 ? 99 : at) * 100 + (rule < 0 ? 50 : rule);
}

// The Wilson score interval, 95 %, as src/report/wilson.c has it.
function wilson(yes, n) {
  if (n === 0) return [0, 1];
  const z = 1.959963984540054;
  const p = yes / n;
  const scale = 1 + z * z / n;
  const middle = (p + z * z / (2 * n)) / scale;
  const half = z * Math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / scale;
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
}

class Model {
  constructor(head) {
    this.head = head;
    this.answers = [];
    this.runs = [];
    this.questions = new Map();  // by id: the answers to it, by run
    this.keys = head.keys.slice().sort((x, y) => ladderRank(x) - ladderRank(y));
    this.metric = head.main;
  }

  add(a) {
    a.at = this.answers.length;
    this.answers.push(a);
    if (!this.runs.includes(a.run)) this.runs.push(a.run);
    const key = this.questionOf(a);
    if (!this.questions.has(key)) this.questions.set(key, []);
    this.questions.get(key).push(a);
  }

  // Ids may repeat in several databases.
  questionOf(a) {
    return a.id + "\n" + (a.db ?? "");
  }

  others(a) {
    return this.questions.get(this.questionOf(a));
  }

  runIndex(name) {
    return this.runs.indexOf(name);
  }

  verdict(a, key = this.metric) {
    return a.verdicts[key];
  }

  isOnly(a, [x, y]) {
    const v = (run) => {
      const answer = this.others(a).find((o) => o.run === run);
      return answer && this.verdict(answer)?.v;
    };
    return (a.run === x || a.run === y) && v(x) === "yes" && v(y) === "no";
  }

  haystack(a) {
    a.text ??= [a.id, a.db, a.question, a.pred, ...[a.gold].flat()].join("\n").toLowerCase();
    return a.text;
  }

  // Sets fails: for each answer a bit for each filter that it does not pass.
  filter(filters, query) {
    const fields = Object.keys(filters).filter((f) => FIELDS[f] && filters[f].length);
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    this.bits = Object.fromEntries(fields.map((f, i) => [f, 2 << i]));
    this.outcomes = fields.reduce((b, f) => b | (FIELDS[f].isOutcome ? this.bits[f] : 0), 0);
    this.fails = new Uint32Array(this.answers.length);
    for (const field of fields) {
      const wanted = new Set(filters[field]);
      const { of, list, test } = FIELDS[field];
      const bit = this.bits[field];
      this.answers.forEach((a, i) => {
        const passes = of ? wanted.has(of(a, this.metric) ?? "")
          : list ? list(a).some((x) => wanted.has(x))
            : filters[field].some((x) => test(a, x, this));
        if (!passes) this.fails[i] |= bit;
      });
    }
    if (words.length) {
      this.answers.forEach((a, i) => {
        const text = this.haystack(a);
        if (!words.every((w) => text.includes(w))) this.fails[i] |= 1;
      });
    }
    this.shown = this.answers.filter((a, i) => this.fails[i] === 0);
  }

  // Answers for rates; `field`: the chart that shows this field.
  *rated(field) {
    const over = ~(this.outcomes | (this.bits[field] ?? 0));
    for (let i = 0; i < this.answers.length; i++) {
      if ((this.fails[i] & over) === 0) yield this.answers[i];
    }
  }

  // [{name, runs: [{yes, no, unknown, n}]}] by the values of a field.
  groups(field) {
    const { of, list } = FIELDS[field];
    const found = new Map();
    const empty = () => this.runs.map(() => ({ yes: 0, no: 0, unknown: 0, n: 0, score: 0, scored: 0 }));
    for (const a of this.rated(field)) {
      const v = this.verdict(a);
      if (!v) continue;
      const names = of ? [of(a, this.metric)] : list(a);
      for (const name of names) {
        if (name === null || name === undefined || name === "") continue;
        if (!found.has(name)) found.set(name, empty());
        const c = found.get(name)[this.runIndex(a.run)];
        c[v.v]++;
        c.n++;
      }
    }
    return [...found].map(([name, runs]) => ({ name, runs, n: runs.reduce((s, c) => s + c.n, 0) }));
  }

  // By run and metric, for the table of runs and the ladder.
  rates() {
    const table = this.runs.map(() => Object.fromEntries(this.keys.map((k) => [k,
      { yes: 0, no: 0, unknown: 0, n: 0, score: 0, scored: 0, causes: new Map() }])));
    for (const a of this.rated("run")) {
      const row = table[this.runIndex(a.run)];
      for (const key in a.verdicts) {
        const v = a.verdicts[key];
        const c = row[key];
        if (!c) continue;
        c[v.v]++;
        c.n++;
        const score = v.score ?? v.similarity;
        if (typeof score === "number") c.score += score;
        if (score !== undefined) c.scored++;
        if (v.v === "unknown") count(c.causes, v.reason ?? "unknown");
      }
    }
    return table;
  }

  golds() {
    const table = this.runs.map(() => new Map());
    for (const a of this.rated("run")) {
      if (a.gold_status && a.gold_status !== "ok") count(table[this.runIndex(a.run)], a.gold_status);
    }
    return table;
  }

  // Reasons of the metric, the most frequent first: {name, v, counts by run}.
  reasons() {
    const found = new Map();
    const over = ~(this.bits.reason ?? 0);
    this.answers.forEach((a, i) => {
      const v = this.verdict(a);
      if ((this.fails[i] & over) !== 0 || !v?.reason || v.v === "yes") return;
      if (!found.has(v.reason)) found.set(v.reason, { name: v.reason, v: v.v, counts: this.runs.map(() => 0), n: 0 });
      const r = found.get(v.reason);
      r.counts[this.runIndex(a.run)]++;
      r.n++;
    });
    return [...found.values()].sort((x, y) => y.n - x.n || (x.name < y.name ? -1 : 1));
  }

  // For two metrics: answers that both judge, and those they judge alike.
  agreement() {
    const n = this.keys.length;
    const both = new Int32Array(n * n);
    const same = new Int32Array(n * n);
    for (const a of this.rated("")) {
      const v = this.keys.map((k) => a.verdicts[k]?.v);
      for (let x = 0; x < n; x++) {
        if (!v[x] || v[x] === "unknown") continue;
        for (let y = 0; y < x; y++) {
          if (!v[y] || v[y] === "unknown") continue;
          both[x * n + y]++;
          if (v[x] === v[y]) same[x * n + y]++;
        }
      }
    }
    return { both, same };
  }

  // only[x][y]: questions that run x gets right and run y wrong.
  pairs() {
    const n = this.runs.length;
    const only = this.runs.map(() => new Int32Array(n));
    const seen = new Set();
    for (const a of this.rated("run")) {
      const key = this.questionOf(a);
      if (seen.has(key)) continue;
      seen.add(key);
      for (const x of this.questions.get(key)) {
        for (const y of this.questions.get(key)) {
          if (this.verdict(x)?.v === "yes" && this.verdict(y)?.v === "no") {
            only[this.runIndex(x.run)][this.runIndex(y.run)]++;
          }
        }
      }
    }
    return only;
  }
}

function count(map, key) {
  map.set(key, (map.get(key) ?? 0) + 1);
}
