// model.js - answers, filters and figures; nothing here touches the page.
//
// An answer is one line of a journal: a run's prediction for a question.
// A filter is a field and the values that pass; several values of a field are
// alternatives, several fields must all pass. Rates leave out filters on
// outcomes (verdicts, reasons), which would only show themselves, and a chart
// leaves out the filter on its own field, so that its other rows stay.
//
// All figures are counted from columns: typed arrays by answer, which are made
// while the data are unpacked. Nothing is looked up in an answer itself.

const HARDNESS = ["easy", "medium", "hard", "extra"];

// From exact text to a person's content: how much a metric forgives.
const LADDER = ["string", "edit", "set", "equiv", "suite", "exec", "subset",
  "soft_f1", "cell_f1", "ves", "pragmatic", "judge", "state", "abstain", "link"];
const RULES = ["strict", "", "spider2", "spider", "bird", "defog", "sql_eval"];

const METRIC_TEXT = {
  string: "the same tokens",
  edit: "token edit distance 0",
  set: "the same clauses",
  equiv: "proved equal on every database",
  suite: "the same result on a test suite",
  exec: "the same result on this database",
  subset: "the gold's result, perhaps with extra columns",
  soft_f1: "BIRD's soft F1 is 1",
  cell_f1: "all cells match",
  ves: "the same result, as BIRD compares",
  pragmatic: "the person who asked would be satisfied",
  judge: "a model calls them equivalent",
  state: "the same tables, rows and schema",
  abstain: "a right answer, or rightly none",
  link: "the same tables and columns",
};

// Who is wrong, as assay lint says it, but for what blames the prediction.
const SUSPECT = ["gold suspect", "question ambiguous"];

const FIELDS = {
  run: { label: "run", of: (a) => a.run },
  db: { label: "database", of: (a) => a.db },
  category: { label: "category", of: (a) => a.category },
  hardness: { label: "hardness", of: (a) => a.hardness },
  feature: { label: "feature", list: (a) => Object.keys(a.features || {}) },
  gold: { label: "gold", of: (a) => a.gold_status },
  pred: { label: "prediction", of: (a) => a.pred_status },
  who: { label: "who is wrong", of: (a) => a.who?.is },
  v: { label: "verdict", isOutcome: true },
  reason: { label: "reason", isOutcome: true },
  // Questions that the metric says unlike things of in two runs.
  split: { label: "runs", isOutcome: true, test: (a, _, model) => model.isSplit(a) },
  // "exec\tsubset": these two metrics say different things.
  differ: { label: "metrics differ", isOutcome: true, test: (a, pair) => differs(a, pair.split("\t")) },
  // "a\tb": run a is right on this question and run b is not.
  only: { label: "right only in", isOutcome: true, test: (a, pair, model) => model.isOnly(a, pair.split("\t")) },
};

function differs(a, [x, y]) {
  const [one, two] = [a.verdicts[x]?.v, a.verdicts[y]?.v];
  return Boolean(one && two && one !== two && one !== "unknown" && two !== "unknown");
}

// "exec:bird@5": a metric, its rules, and of several samples which.
function keyParts(key) {
  return /^([^:@]*):?([^@]*)@?(.*)$/s.exec(key);
}

function ladderRank(key) {
  const [, word, rules = ""] = keyParts(key);
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

// What a verdict is in the columns; 0: the metric says nothing of this answer.
const ANSWERS = ["", "yes", "no", "unknown"];
const CODES = { yes: 1, no: 2, unknown: 3 };

// Names with numbers, from 0, in the order of their first appearance.
class Names {
  constructor(names = []) {
    this.names = [];
    this.numbers = new Map();
    names.forEach((name) => this.number(name));
  }

  number(name) {
    let n = this.numbers.get(name);
    if (n === undefined) this.numbers.set(name, n = this.names.push(name) - 1);
    return n;
  }
}

// What one metric says of all answers: its codes, numbers of its reasons (0:
// none), and where it has scores, or shares, those (a yes without one is 1).
class Said {
  constructor(key) {
    this.key = key;
    this.codes = [];
    this.reasons = [];
    this.isScored = false;
    this.scores = null;
  }

  add(v, reasons) {
    this.codes.push(v ? CODES[v.v] ?? CODES.unknown : 0);
    this.reasons.push(reasons.number(v?.reason ?? ""));
    this.isScored ||= scoreOf(v) !== undefined;
  }

  end(answers) {
    this.codes = Uint8Array.from(this.codes);
    this.reasons = Uint16Array.from(this.reasons);
    this.unknown = [];
    this.codes.forEach((code, i) => code === CODES.unknown && this.unknown.push(i));
    if (this.isScored || isShare(this.key)) {
      this.scores = Float64Array.from(answers, (a, i) => scoreOf(a.verdicts[this.key]) ?? Number(this.codes[i] === CODES.yes));
    }
  }
}

class Model {
  constructor(head) {
    this.head = head;
    this.answers = [];
    this.runs = [];
    this.questions = [];      // by number: the answers to it, by run
    this.numbers = new Map();  // of questions, by id and database
    this.keys = head.keys.slice().sort((x, y) => ladderRank(x) - ladderRank(y));
    this.said = this.keys.map((key) => new Said(key));
    this.reasonNames = new Names([""]);
    this.runOf = [];           // by answer
    this.metric = head.main;
    this.columns = {};
  }

  add(a) {
    const run = this.runs.indexOf(a.run);
    this.runOf.push(run < 0 ? this.runs.push(a.run) - 1 : run);
    // Ids may repeat in several databases.
    const key = a.id + "\n" + (a.db ?? "");
    if (!this.numbers.has(key)) this.numbers.set(key, this.questions.push([]) - 1);
    a.question_no = this.numbers.get(key);
    a.at = this.answers.push(a) - 1;
    this.questions[a.question_no].push(a);
    for (const said of this.said) said.add(a.verdicts[said.key], this.reasonNames);
  }

  // All answers are there.
  end() {
    this.silent = new Said("");  // of a journal without verdicts
    this.answers.forEach(() => this.silent.add(undefined, this.reasonNames));
    [...this.said, this.silent].forEach((said) => said.end(this.answers));
    this.sortRuns();
    this.questionOf = Uint32Array.from(this.answers, (a) => a.question_no);
    this.patterns = [];  // of verdicts by all metrics: few differ
    const numbers = new Map();
    this.patternOf = Uint32Array.from(this.answers, (_, i) => {
      const codes = this.said.map((said) => said.codes[i]);
      const key = String.fromCharCode(...codes);
      if (!numbers.has(key)) numbers.set(key, this.patterns.push(codes) - 1);
      return numbers.get(key);
    });
  }

  // The best run by the metric of the report comes first, everywhere.
  sortRuns() {
    const { codes, key, scores } = this.chosen;
    const tally = new Tally(this.runs.length);
    this.runOf.forEach((run, i) => tally.add(run, codes[i], scores ? scores[i] : 0));
    const share = this.runs.map((_, run) => {
      const c = tally.at(key, run);
      return c.n ? c.right / c.n : -1;
    });
    const order = this.runs.map((_, run) => run).sort((x, y) => share[y] - share[x] || x - y);
    const place = [];
    order.forEach((run, at) => { place[run] = at; });
    this.runs = order.map((run) => this.runs[run]);
    this.runOf = Uint16Array.from(this.runOf, (run) => place[run]);
    for (const answers of this.questions) answers.sort((x, y) => this.runOf[x.at] - this.runOf[y.at]);
  }

  // A field as numbers, made when it is first asked for: by answer one of
  // `sets`, lists of numbers of names; most hold one.
  column(field) {
    if (field === "v") return columnOf(new Names(ANSWERS), this.chosen.codes);
    if (field === "reason") return columnOf(this.reasonNames, this.chosen.reasons);
    return this.columns[field] ??= this.makeColumn(FIELDS[field]);
  }

  makeColumn({ of, list }) {
    const names = new Names();
    if (of) return columnOf(names, Int32Array.from(this.answers, (a) => names.number(of(a) ?? "")));
    const sets = new Names();
    const known = new Map();  // answers share their objects
    const setOf = (a) => {
      if (!known.has(a.features)) known.set(a.features, sets.number(list(a).map((name) => names.number(name)).join()));
      return known.get(a.features);
    };
    const values = Int32Array.from(this.answers, setOf);
    return { names, sets: sets.names.map((s) => s.split(",").filter(Boolean).map(Number)), values };
  }

  others(a) {
    return this.questions[a.question_no];
  }

  runIndex(name) {
    return this.runs.indexOf(name);
  }

  verdict(a, key = this.metric) {
    return a.verdicts[key];
  }

  // What the metric says that is chosen.
  get chosen() {
    return this.said[this.keys.indexOf(this.metric)] ?? this.silent;
  }

  isOnly(a, [x, y]) {
    const v = (run) => {
      const answer = this.others(a).find((o) => o.run === run);
      return answer && this.verdict(answer)?.v;
    };
    return (a.run === x || a.run === y) && v(x) === "yes" && v(y) === "no";
  }

  isSplit(a) {
    const said = new Set(this.others(a).map((o) => this.verdict(o)?.v));
    return said.size > 1;
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
    this.passing = new Map();
    for (const field of fields) this.mark(this.bits[field], this.passer(field, filters[field]));
    if (words.length) this.mark(1, (i) => words.every((w) => this.haystack(this.answers[i]).includes(w)));
    this.shown = [];
    for (let i = 0; i < this.fails.length; i++) {
      if (this.fails[i] === 0) this.shown.push(this.answers[i]);
    }
    this.shownQuestions = this.grouped();
  }

  // The answers that are shown, by question: those that a run answers wrong first,
  // then those that are unknown; of a question the answer that says so first.
  grouped() {
    const { codes } = this.chosen;
    const rank = [3, 2, 0, 1];  // by code
    const found = new Map();
    for (const a of this.shown) {
      if (!found.has(a.question_no)) found.set(a.question_no, []);
      found.get(a.question_no).push(a);
    }
    const groups = [...found.values()];
    for (const of of groups) of.sort((x, y) => rank[codes[x.at]] - rank[codes[y.at]] || this.runOf[x.at] - this.runOf[y.at]);
    return groups.sort((x, y) => rank[codes[x[0].at]] - rank[codes[y[0].at]] || x[0].question_no - y[0].question_no);
  }

  mark(bit, passes) {
    for (let i = 0; i < this.fails.length; i++) {
      if (!passes(i)) this.fails[i] |= bit;
    }
  }

  passer(field, wanted) {
    const { test } = FIELDS[field];
    if (test) return (i) => wanted.some((x) => test(this.answers[i], x, this));
    const { names, sets, values } = this.column(field);
    const known = new Set(wanted.map((x) => names.numbers.get(x)));
    const passes = Uint8Array.from(sets, (set) => Number(set.some((name) => known.has(name))));
    return (i) => passes[values[i]] === 1;
  }

  // Numbers of the answers for rates; `field`: the chart that shows this field.
  rated(field) {
    return this.passed(this.outcomes | (this.bits[field] ?? 0));
  }

  // Numbers of the answers that pass all filters but those.
  passed(butFor) {
    if (!this.passing.has(butFor)) {
      const found = new Uint32Array(this.fails.length);
      let n = 0;
      for (let i = 0; i < this.fails.length; i++) {
        if ((this.fails[i] & ~butFor) === 0) found[n++] = i;
      }
      this.passing.set(butFor, found.subarray(0, n));
    }
    return this.passing.get(butFor);
  }

  // [{name, n, runs: [{yes, no, unknown, n}]}] by the values of a field, n
  // counting questions.
  groups(field) {
    const { runOf, questionOf } = this;
    const { key, codes, scores } = this.chosen;
    const { names, sets, values } = this.column(field);
    const n = this.runs.length;
    const bySet = new Tally(sets.length * n);
    const questions = new Int32Array(sets.length);
    const isSeen = new Uint8Array(this.questions.length);
    for (const i of this.rated(field)) {
      bySet.add(values[i] * n + runOf[i], codes[i], scores ? scores[i] : 0);
      if (!isSeen[questionOf[i]]) questions[values[i]]++;
      isSeen[questionOf[i]] = 1;
    }
    const byName = new Tally(names.names.length * n);
    const times = new Int32Array(names.names.length);
    sets.forEach((set, at) => set.forEach((name) => {
      times[name] += questions[at];
      for (let run = 0; run < n; run++) byName.take(name * n + run, bySet, at * n + run);
    }));
    return names.names.map((name, k) => ({ name, n: times[k], runs: this.runs.map((_, run) => byName.at(key, k * n + run)) }))
      .filter((group) => group.name !== "" && group.n > 0);
  }

  // By run and pattern, how many answers for the chart of a field.
  patternTimes(field) {
    const { patternOf, runOf } = this;
    const n = this.patterns.length;
    const times = new Int32Array(this.runs.length * n);
    for (const i of this.rated(field)) times[runOf[i] * n + patternOf[i]]++;
    return this.runs.map((_, run) => times.subarray(run * n, run * n + n));
  }

  // By run and metric: {yes, no, unknown, n, causes}, and mean, where it scores.
  rates() {
    const { runOf } = this;
    const times = this.patternTimes("run");
    const rated = this.rated("run");
    const isRated = new Uint8Array(this.answers.length);
    for (const i of rated) isRated[i] = 1;
    const table = this.runs.map(() => ({}));
    this.said.forEach(({ key, scores, isScored, unknown, reasons }, k) => {
      const tally = new Tally(this.runs.length);
      times.forEach((of, run) => this.patterns.forEach((codes, p) => tally.add(run, codes[k], 0, of[p])));
      if (scores) for (const i of rated) tally.scores[runOf[i]] += scores[i];
      const causes = this.runs.map(() => new Map());
      for (const i of unknown) {
        if (isRated[i]) count(causes[runOf[i]], this.reasonNames.names[reasons[i]] || "unknown");
      }
      table.forEach((row, run) => {
        const c = tally.at(key, run);
        row[key] = { ...c, causes: causes[run], mean: !isScored || c.n === 0 ? null : tally.scores[run] / c.n };
      });
    });
    return table;
  }

  golds() {
    const { names: { names }, values } = this.column("gold");
    const table = this.runs.map(() => new Map());
    for (const i of this.rated("run")) {
      const status = names[values[i]];
      if (status !== "" && status !== "ok") count(table[this.runOf[i]], status);
    }
    return table;
  }

  // Reasons of the metric, the most frequent first: {name, v, counts by run}.
  reasons() {
    const { runOf } = this;
    const { codes, reasons } = this.chosen;
    const { names } = this.reasonNames;
    const n = this.runs.length;
    const counts = new Int32Array(names.length * n);
    const isOpen = new Uint8Array(names.length);
    for (const i of this.passed(this.bits.reason ?? 0)) {
      if (codes[i] < CODES.no) continue;
      counts[reasons[i] * n + runOf[i]]++;
      if (codes[i] === CODES.unknown) isOpen[reasons[i]] = 1;
    }
    const found = names.map((name, k) => {
      const of = [...counts.subarray(k * n, k * n + n)];
      return { name, v: isOpen[k] ? "unknown" : "no", counts: of, n: of.reduce((x, y) => x + y) };
    }).filter((r) => r.name !== "" && r.n > 0);
    return found.sort((x, y) => y.n - x.n || (x.name < y.name ? -1 : 1));
  }

  // What lint says of the questions: how often each of the classes, and the
  // golds and questions that are suspect, the most suspect first. Of a
  // question the answer that the metric does not call right.
  suspects() {
    const { codes } = this.chosen;
    const found = new Map();
    for (const i of this.passed(this.outcomes | (this.bits.who ?? 0))) {
      const a = this.answers[i];
      const was = found.get(a.question_no);
      if (a.who && (was === undefined || (codes[was.at] === CODES.yes && codes[i] !== CODES.yes))) found.set(a.question_no, a);
    }
    const classes = new Map();
    for (const a of found.values()) count(classes, a.who.is);
    const order = (a) => SUSPECT.indexOf(a.who.is);
    const list = [...found.values()].filter((a) => order(a) >= 0);
    list.sort((x, y) => y.who.suspicion - x.who.suspicion || order(x) - order(y) || x.question_no - y.question_no);
    return { classes, list };
  }

  // For two metrics: answers that both judge, and those they judge alike.
  agreement() {
    const n = this.keys.length;
    const both = new Int32Array(n * n);
    const same = new Int32Array(n * n);
    const times = this.patternTimes("");
    this.patterns.forEach((said, pattern) => {
      const all = times.reduce((sum, of) => sum + of[pattern], 0);
      for (let x = 1; x < n && all > 0; x++) {
        if (said[x] !== CODES.yes && said[x] !== CODES.no) continue;
        for (let y = 0; y < x; y++) {
          if (said[y] !== CODES.yes && said[y] !== CODES.no) continue;
          both[x * n + y] += all;
          if (said[x] === said[y]) same[x * n + y] += all;
        }
      }
    });
    return { both, same };
  }

  // only[x][y]: questions that run x gets right and run y wrong.
  pairs() {
    const { runOf, questionOf } = this;
    const { codes } = this.chosen;
    const n = this.runs.length;
    const only = this.runs.map(() => new Int32Array(n));
    const counts = new Uint8Array(this.questions.length);  // in the figures
    for (const i of this.rated("run")) counts[questionOf[i]] = 1;
    const said = new Uint8Array(this.questions.length * n);
    for (let i = 0; i < codes.length; i++) said[questionOf[i] * n + runOf[i]] = codes[i];
    for (let q = 0; q < counts.length; q++) {
      for (let x = 0; x < n && counts[q]; x++) {
        if (said[q * n + x] !== CODES.yes) continue;
        for (let y = 0; y < n; y++) {
          if (said[q * n + y] === CODES.no) only[x][y]++;
        }
      }
    }
    return only;
  }
}

// A field of which each answer has one name.
function columnOf(names, values) {
  return { names, sets: names.names.map((_, k) => [k]), values };
}

// How many answers say what, and the sum of their scores, by cells.
class Tally {
  constructor(n) {
    this.counts = new Int32Array(n * 4);
    this.scores = new Float64Array(n);
  }

  add(cell, code, score, times = 1) {
    this.counts[cell * 4 + code] += times;
    this.scores[cell] += score;
  }

  take(cell, other, from) {
    for (let code = 0; code < 4; code++) this.counts[cell * 4 + code] += other.counts[from * 4 + code];
    this.scores[cell] += other.scores[from];
  }

  // Of a metric that gives shares the sum of them is right.
  at(key, cell) {
    const [, yes, no, unknown] = this.counts.subarray(cell * 4, cell * 4 + 4);
    return { yes, no, unknown, n: yes + no + unknown, right: isShare(key) ? this.scores[cell] : yes };
  }
}

function scoreOf(v) {
  return v?.score ?? v?.similarity;
}

// pass@k of a question is a share; of all other metrics a yes counts as one.
function isShare(key) {
  return key.includes("@");
}

function count(map, key) {
  map.set(key, (map.get(key) ?? 0) + 1);
}
