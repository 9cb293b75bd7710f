// model.js - answers, filters and figures; nothing here touches the page.
//
// An answer is one line of a journal: a run's prediction for a question.
// A filter is a field and the values that pass; several values of a field are
// alternatives, several fields must all pass. Rates leave out filters on
// outcomes (verdicts, reasons), which would only show themselves, and a chart
// leaves out the filter on its own field, so that its other rows stay.

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
const CODES = { yes: 1, no: 2, unknown: 3 };

class Model {
  constructor(head) {
    this.head = head;
    this.answers = [];
    this.runs = [];
    this.questions = [];      // by number: the answers to it, by run
    this.numbers = new Map();  // of questions, by id and database
    this.keys = head.keys.slice().sort((x, y) => ladderRank(x) - ladderRank(y));
    this.codes = this.keys.map(() => []);  // by metric, by answer
    this.scoring = [];         // by metric: some verdict has a score
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
    for (let k = 0; k < this.keys.length; k++) {
      const v = a.verdicts[this.keys[k]];
      this.codes[k].push(v ? CODES[v.v] ?? 3 : 0);
      this.scoring[k] ||= scoreOf(v) !== undefined;
    }
  }

  // All answers are there.
  end() {
    this.codes = this.codes.map((column) => Uint8Array.from(column));
    this.runOf = Uint16Array.from(this.runOf);
    this.patterns = [];  // of verdicts by all metrics: few differ
    const numbers = new Map();
    this.patternOf = Uint32Array.from(this.answers, (_, i) => {
      const said = this.codes.map((column) => column[i]);
      const key = String.fromCharCode(...said);
      if (!numbers.has(key)) numbers.set(key, this.patterns.push(said) - 1);
      return numbers.get(key);
    });
  }

  // A field as numbers, made when it is first asked for: names, and by answer
  // which of them; of features a list of them.
  column(field) {
    const key = FIELDS[field].isOutcome ? `${field} ${this.metric}` : field;
    this.columns[key] ??= this.makeColumn(FIELDS[field]);
    return this.columns[key];
  }

  makeColumn({ of, list }) {
    const numbers = new Map();
    const numberOf = (name) => {
      if (!numbers.has(name)) numbers.set(name, numbers.size);
      return numbers.get(name);
    };
    const lists = new Map();  // answers share their objects
    const listOf = (a) => {
      if (!lists.has(a.features)) lists.set(a.features, list(a).map(numberOf));
      return lists.get(a.features);
    };
    const values = of ? Int32Array.from(this.answers, (a) => numberOf(of(a, this.metric) ?? ""))
      : this.answers.map(listOf);
    return { names: [...numbers.keys()], numbers, values };
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

  // The column of the metric that is chosen.
  get chosen() {
    return this.codes[this.keys.indexOf(this.metric)] ?? new Uint8Array(this.answers.length);
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
      const bit = this.bits[field];
      const passes = this.passer(field, filters[field]);
      for (let i = 0; i < this.answers.length; i++) {
        if (!passes(i)) this.fails[i] |= bit;
      }
    }
    if (words.length) {
      this.answers.forEach((a, i) => {
        const text = this.haystack(a);
        if (!words.every((w) => text.includes(w))) this.fails[i] |= 1;
      });
    }
    this.shown = this.answers.filter((a, i) => this.fails[i] === 0);
  }

  passer(field, wanted) {
    const { of, test } = FIELDS[field];
    if (test) return (i) => wanted.some((x) => test(this.answers[i], x, this));
    const { numbers, values } = this.column(field);
    const known = wanted.map((x) => numbers.get(x)).filter((x) => x !== undefined);
    return of ? (i) => known.includes(values[i]) : (i) => values[i].some((x) => known.includes(x));
  }

  // Numbers of the answers for rates; `field`: the chart that shows this field.
  rated(field) {
    const over = ~(this.outcomes | (this.bits[field] ?? 0));
    const found = [];
    for (let i = 0; i < this.fails.length; i++) {
      if ((this.fails[i] & over) === 0) found.push(i);
    }
    return found;
  }

  // [{name, n, runs: [{yes, no, unknown, n}]}] by the values of a field.
  groups(field) {
    const { chosen, runOf } = this;
    const { names, values } = this.column(field);
    const n = this.runs.length;
    const counts = new Int32Array(names.length * n * 4);
    const scores = new Float64Array(names.length * n);
    const share = isShare(this.metric);
    const add = (name, i) => {
      const at = name * n + runOf[i];
      counts[at * 4 + chosen[i]]++;
      if (share) scores[at] += scoreOf(this.verdict(this.answers[i])) ?? Number(chosen[i] === CODES.yes);
    };
    for (const i of this.rated(field)) {
      const value = values[i];
      if (typeof value === "number") add(value, i);
      else for (const name of value) add(name, i);
    }
    return names.map((name, k) => {
      const runs = this.runs.map((_, run) => countsOf(this.metric, counts, scores, k * n + run));
      return { name, runs, n: runs.reduce((sum, c) => sum + c.n, 0) };
    }).filter((group) => group.name !== "" && group.n > 0);
  }

  // By run and metric: {yes, no, unknown, n, causes}, and mean, where it scores.
  rates() {
    const rated = this.rated("run");
    const table = this.runs.map(() => ({}));
    this.keys.forEach((key, k) => {
      const column = this.codes[k];
      const counts = new Int32Array(this.runs.length * 4);
      const causes = this.runs.map(() => new Map());
      const scores = new Float64Array(this.runs.length);
      for (const i of rated) {
        counts[this.runOf[i] * 4 + column[i]]++;
        if (this.scoring[k] || isShare(key)) scores[this.runOf[i]] += scoreOf(this.answers[i].verdicts[key]) ?? Number(column[i] === CODES.yes);
        if (column[i] === CODES.unknown) count(causes[this.runOf[i]], this.answers[i].verdicts[key].reason ?? "unknown");
      }
      table.forEach((row, run) => {
        const c = countsOf(key, counts, scores, run);
        row[key] = { ...c, causes: causes[run], mean: !this.scoring[k] || c.n === 0 ? null : scores[run] / c.n };
      });
    });
    return table;
  }

  golds() {
    const table = this.runs.map(() => new Map());
    for (const i of this.rated("run")) {
      const status = this.answers[i].gold_status;
      if (status && status !== "ok") count(table[this.runOf[i]], status);
    }
    return table;
  }

  // Reasons of the metric, the most frequent first: {name, v, counts by run}.
  reasons() {
    const over = ~(this.bits.reason ?? 0);
    const { chosen, runOf } = this;
    const { names, values } = this.column("reason");
    const n = this.runs.length;
    const counts = new Int32Array(names.length * n);
    const isOpen = new Uint8Array(names.length);
    for (let i = 0; i < values.length; i++) {
      if ((this.fails[i] & over) !== 0 || chosen[i] < CODES.no) continue;
      counts[values[i] * n + runOf[i]]++;
      if (chosen[i] === CODES.unknown) isOpen[values[i]] = 1;
    }
    const found = names.map((name, k) => {
      const of = [...counts.subarray(k * n, k * n + n)];
      return { name, v: isOpen[k] ? "unknown" : "no", counts: of, n: of.reduce((x, y) => x + y) };
    }).filter((r) => r.name !== "" && r.n > 0);
    return found.sort((x, y) => y.n - x.n || (x.name < y.name ? -1 : 1));
  }

  // For two metrics: answers that both judge, and those they judge alike.
  agreement() {
    const n = this.keys.length;
    const both = new Int32Array(n * n);
    const same = new Int32Array(n * n);
    const times = new Int32Array(this.patterns.length);
    for (const i of this.rated("")) times[this.patternOf[i]]++;
    this.patterns.forEach((said, pattern) => {
      for (let x = 1; x < n; x++) {
        if (said[x] !== CODES.yes && said[x] !== CODES.no) continue;
        for (let y = 0; y < x; y++) {
          if (said[y] !== CODES.yes && said[y] !== CODES.no) continue;
          both[x * n + y] += times[pattern];
          if (said[x] === said[y]) same[x * n + y] += times[pattern];
        }
      }
    });
    return { both, same };
  }

  // only[x][y]: questions that run x gets right and run y wrong.
  pairs() {
    const n = this.runs.length;
    const only = this.runs.map(() => new Int32Array(n));
    const { chosen, runOf } = this;
    const seen = new Uint8Array(this.questions.length);
    for (const i of this.rated("run")) {
      const number = this.answers[i].question_no;
      if (seen[number]) continue;
      seen[number] = 1;
      for (const x of this.questions[number]) {
        if (chosen[x.at] !== CODES.yes) continue;
        for (const y of this.questions[number]) {
          if (chosen[y.at] === CODES.no) only[runOf[x.at]][runOf[y.at]]++;
        }
      }
    }
    return only;
  }
}

function scoreOf(v) {
  return v?.score ?? v?.similarity;
}

// pass@k of a question is a share; of all other metrics a yes counts as one.
function isShare(key) {
  return key.includes("@");
}

// How many answers of a run say what, of counts by run and code; `scores`: by
// run, of a share their sum.
function countsOf(key, counts, scores, run) {
  const [, yes, no, unknown] = counts.subarray(run * 4, run * 4 + 4);
  return { yes, no, unknown, n: yes + no + unknown, right: isShare(key) ? scores[run] : yes };
}

function count(map, key) {
  map.set(key, (map.get(key) ?? 0) + 1);
}
