// case.js - one answer: question, both queries, verdicts, evidence.

// Members of a verdict that have a place of their own below.
const PLACED = new Set(["v", "reason", "detail", "database", "killed_by", "neighbor", "gold_result",
  "pred_result", "gold_columns", "pred_columns", "rows", "notes", "variant", "score", "similarity", "distance", "parts", "in_gold", "in_pred", "columns"]);

class Case {
  constructor(root, model, actions) {
    this.root = root;
    this.model = model;
    this.actions = actions;
  }

  render(a) {
    if (!a) {
      this.root.replaceChildren(h("p", { class: "about" }, "Choose a case from the list."));
      return;
    }
    this.root.replaceChildren(...[this.head(a), this.queries(a), this.verdicts(a), this.who(a), this.evidence(a),
      this.notes(a), this.samples(a), this.others(a), this.again(a)].filter(Boolean));
    this.root.scrollTop = 0;
  }

  head(a) {
    const { model } = this;
    const i = model.shownQuestions.findIndex((of) => of[0].question_no === a.question_no);
    const step = (to, label) => h("button", { type: "button", class: "quiet", disabled: i < 0 || !model.shownQuestions[to],
      onclick: () => this.actions.open(model.shownQuestions[to][0]) }, label);
    const facts = [["run", a.run], ["db", a.db], ["hardness", a.hardness], ["category", a.category]]
      .filter(([, value]) => value)
      .map(([field, value]) => h("button", { type: "button", class: "link", title: `only this ${FIELDS[field].label}`,
        onclick: () => this.actions.toggle(field, value) }, field === "run" && mark(model.runIndex(value)), h("bdi", {}, shown(value))));
    return h("header", {},
      h("div", { class: "steps" }, h("button", { type: "button", class: "quiet back", onclick: () => this.actions.close() }, "‹ All cases"),
        h("span", { class: "grow" }), step(i - 1, "‹ Previous"), step(i + 1, "Next ›")),
      h("p", { class: "facts" }, h("bdi", { class: "id" }, shown(a.id)), facts),
      a.question ? h("h2", { dir: "auto" }, clipped(a.question)) : h("h2", { class: "soft" }, "No question"),
      this.actions.labels.choices(a));
  }

  /* --- both queries -------------------------------------------------------- */

  queries(a) {
    const golds = [a.gold].flat().filter((g) => g !== null && g !== undefined);
    const gold = a.view?.gold ?? golds.slice(0, 1);
    const pred = a.view?.pred ?? [a.pred].filter(Boolean);
    const [left, right] = aligned(linesOf(gold), linesOf(pred));
    const of = a.view?.golds;
    return h("section", { class: "queries", "aria-label": "Queries" },
      this.query("Gold", golds.join("\n"), left, "+", "gold"),
      pred.length ? this.query("Prediction", a.pred ?? "", right, "−", "pred")
        : h("div", { class: "query" }, h("h3", {}, "Prediction"), h("p", { class: "soft" }, "no SQL")),
      of > 1 && h("details", { class: "wide" }, h("summary", {}, `one of ${of} queries that the gold accepts`),
        h("pre", {}, clipped(golds.join("\n")))),
      a.pred_note && h("details", { class: "wide" }, h("summary", {}, "text around the prediction"), h("pre", {}, clipped(a.pred_note))));
  }

  query(title, raw, lines, sign, who) {
    return h("div", { class: `query ${who}` },
      h("h3", {}, title, copyButton(raw, title.toLowerCase())),
      h("div", { class: "code", role: "group", "aria-label": `${title}; marked words are not in the other query` },
        lines.map((line) => line === null ? h("div", { class: "gap", "aria-hidden": "true" }, "\u00a0")
          : h("div", { class: line.differs ? "other" : null },
            h("span", { class: "gutter", "aria-hidden": "true" }, line.differs ? sign : " "),
            h("code", {}, line.parts.map((part) => part.differs ? h("mark", {}, sqlText(part.text)) : sqlText(part.text)))))));
  }

  /* --- verdicts and evidence ----------------------------------------------- */

  verdicts(a) {
    const keys = Object.keys(a.verdicts).sort((x, y) => (y === this.model.metric) - (x === this.model.metric) || ladderRank(x) - ladderRank(y));
    return h("section", { "aria-labelledby": "verdicts-title" }, h("h3", { id: "verdicts-title" }, "Verdicts"),
      h("table", { class: "verdicts" }, h("thead", { class: "off" }, h("tr", {}, ["metric", "verdict", "why"].map((t) => h("th", { scope: "col" }, t)))),
        h("tbody", {}, sameVerdicts(keys, a.verdicts).map((alike) => this.verdict(alike, a.verdicts[alike[0]])))));
  }

  verdict(keys, v) {
    const sentence = this.model.head.reasons[v.reason];
    const score = scoreOf(v);
    return h("tr", { class: keys[0] === this.model.metric ? "on" : null },
      h("th", { scope: "row" }, keys.map((key) => h("div", {}, shown(key)))), h("td", {}, verdictWord(v.v)),
      h("td", {},
        v.reason && h("div", {}, h("b", {}, shown(v.reason)), sentence && `: ${sentence}`),
        score !== undefined && h("div", { class: "soft" }, `${v.similarity !== undefined ? "similarity" : "score"} ${score.toFixed(3)}`),
        v.detail && h("div", { class: "detail" }, compares(v.detail) && h("span", { class: "soft" }, "gold against prediction: "), clipped(v.detail)),
        v.notes && h("div", { class: "soft" }, v.notes.map((n, i) => [i ? "; " : "", h("b", {}, shown(n)), this.model.head.reasons[n] && `: ${this.model.head.reasons[n]}`])),
        Object.keys(v).filter((k) => !PLACED.has(k)).map((k) => h("div", { class: "more" }, h("span", { class: "soft" }, `${shown(k).replaceAll("_", " ")}: `), plain(v[k])))));
  }

  // Where the answer is not right: gold, prediction or question?
  who(a) {
    const { who } = a;
    if (!who || who.reasons.length === 0 || this.model.verdict(a)?.v === "yes") return null;
    const bare = (sql) => (sql ?? "").trim().replace(/\s+/g, " ");
    const isOther = who.prediction && bare(who.prediction) !== bare(a.pred);
    return h("section", { "aria-labelledby": "who-title" }, h("h3", { id: "who-title" }, "Who is wrong"),
      h("p", {}, h("b", {}, shown(who.is)), `, suspicion of the gold ${number(who.suspicion)}; `,
        `${plural(who.against, "run")} against the gold, ${number(who.with)} with it`),
      h("table", { class: "verdicts" }, h("thead", { class: "off" }, h("tr", {}, ["against", "why"].map((t) => h("th", { scope: "col" }, t)))),
        h("tbody", {}, who.reasons.map((r) => h("tr", {}, h("th", { scope: "row" }, shown(r.on)),
          h("td", {}, h("div", {}, h("b", {}, shown(r.signal)), `: ${shown(r.text)}`), r.detail && h("div", { class: "detail" }, clipped(r.detail))))))),
      who.variant && h("details", { class: "wide" }, h("summary", {}, "the variant of the gold that was examined"), h("pre", {}, clipped(who.variant))),
      isOther && h("details", { class: "wide" }, h("summary", {}, "the prediction that was examined, with which most of those runs agree"), h("pre", {}, clipped(who.prediction))));
  }

  evidence(a) {
    const parts = [];
    const seen = new Set();
    for (const [key, v] of Object.entries(a.verdicts)) {
      if (!v.database && !v.rows && !v.gold_result && !v.pred_result) continue;
      const same = JSON.stringify([v.database, v.rows, v.gold_result, v.pred_result]);
      if (seen.has(same)) continue;
      seen.add(same);
      parts.push(h("div", { class: "evidence" },
        h("p", {}, h("b", {}, shown(key)), v.database && [" on database ", h("bdi", {}, shown(v.database))],
          v.killed_by > 1 && `, and ${v.killed_by - 1} more`,
          v.neighbor && [", on which the gold differs from its neighbor", h("pre", {}, clipped(v.neighbor))]),
        v.rows && h("div", { class: "paste" }, h("h4", {}, v.database ? "Its rows, as SQL" : "The counterexample, as SQL", copyButton(v.rows, "the SQL")), h("pre", {}, clipped(v.rows))),
        (v.gold_result || v.pred_result) && this.results(v)));
    }
    return parts.length ? h("section", { "aria-labelledby": "evidence-title" }, h("h3", { id: "evidence-title" }, "Evidence"), parts) : null;
  }

  results(v) {
    const [gold, pred] = resultTables([v.gold_result, v.pred_result], [v.gold_columns ?? [], v.pred_columns ?? []]);
    return h("div", { class: "results" }, h("div", {}, h("h4", {}, "Gold returns"), gold),
      h("div", {}, h("h4", {}, "Prediction returns"), pred));
  }

  notes(a) {
    const rows = [
      a.clauses?.length && ["Differs in", h("ul", {}, a.clauses.map((c) => h("li", {}, clipped(c))))],
      a.gold_status && a.gold_status !== "ok" && ["Gold", h("span", {}, h("b", {}, shown(a.gold_status)), a.gold_message && [": ", clipped(a.gold_message)])],
      a.pred_status && a.pred_status !== "ok" && ["Prediction", h("span", {}, h("b", {}, shown(a.pred_status)), a.pred_message && [": ", clipped(a.pred_message)])],
      (a.gold_ms ?? null) !== null && ["Time", `gold ${a.gold_ms} ms${(a.pred_ms ?? null) !== null ? `, prediction ${a.pred_ms} ms` : ""}`],
      a.features && Object.keys(a.features).length && ["The gold uses", h("span", { class: "facts" }, Object.entries(a.features).map(([f, n]) =>
        h("button", { type: "button", class: "link", title: "only questions with this feature", onclick: () => this.actions.toggle("feature", f) }, shown(f), n > 1 && ` ×${n}`)))],
      a.interaction !== null && a.interaction !== undefined && ["Session", `${a.interaction}, turn ${a.turn}`],
    ].filter(Boolean);
    return rows.length ? h("section", { "aria-label": "More" }, h("dl", { class: "made" }, rows.map(([term, value]) => [h("dt", {}, term), h("dd", {}, value)]))) : null;
  }

  samples(a) {
    if (!a.samples) return null;
    return h("section", { "aria-labelledby": "samples-title" }, h("h3", { id: "samples-title" }, "Samples"),
      a.vote && h("p", { class: "soft" }, `the vote chose sample ${a.vote.sample + 1}: ${a.vote.votes} of ${a.vote.of} agree`),
      h("table", { class: "verdicts" }, h("thead", { class: "off" }, h("tr", {}, ["samples", "verdict", "query"].map((t) => h("th", { scope: "col" }, t)))),
        h("tbody", {}, a.samples.map((one) => h("tr", {}, h("th", { scope: "row" }, one.at.map((n) => n + 1).join(", ")),
          h("td", {}, verdictWord(one.verdicts[this.model.metric]?.v ?? "unknown")), h("td", {}, h("pre", {}, clipped(one.pred ?? "no SQL"))))))));
  }

  others(a) {
    const others = this.model.others(a).filter((o) => o !== a);
    if (others.length === 0) return null;
    return h("section", { "aria-labelledby": "others-title" }, h("h3", { id: "others-title" }, "The same question in other runs"),
      h("table", { class: "verdicts" }, h("thead", { class: "off" }, h("tr", {}, ["run", "verdict", "query"].map((t) => h("th", { scope: "col" }, t)))),
        h("tbody", {}, others.map((o) => {
          const v = this.model.verdict(o);
          return h("tr", {}, h("th", { scope: "row" }, mark(this.model.runIndex(o.run)),
            h("button", { type: "button", class: "link", onclick: () => this.actions.open(o) }, h("bdi", {}, shown(o.run)))),
          h("td", {}, v && verdictWord(v.v), v?.v !== "yes" && v?.reason && h("div", { class: "soft" }, shown(v.reason))),
          h("td", {}, h("pre", {}, clipped(o.pred ?? "no SQL"))));
        }))));
  }

  again(a) {
    const command = a.view?.again?.join(" ");
    if (!command) return null;
    return h("section", { class: "paste", "aria-labelledby": "again-title" },
      h("h3", { id: "again-title" }, "Run it again", copyButton(command, "the command")), h("pre", {}, clipped(command)));
  }
}

// Metrics with one and the same verdict, in groups.
function sameVerdicts(keys, verdicts) {
  const groups = new Map();
  for (const key of keys) {
    const said = JSON.stringify({ ...verdicts[key], gold_result: undefined, pred_result: undefined, gold_columns: undefined, pred_columns: undefined });
    if (!groups.has(said)) groups.set(said, []);
    groups.get(said).push(key);
  }
  return [...groups.values()];
}

// "('a', 1) ('b', 2) and 3 more rows": [[["'a'", "1"], …], "and 3 more rows"].
function resultRows(text) {
  const rows = [];
  let row = null;
  let quoted = false;
  let from = 0;
  const all = text ?? "";
  for (let i = 0; i < all.length; i++) {
    const c = all[i];
    if (c === "'") quoted = !quoted;
    if (quoted) continue;
    if (row === null) {
      if (c !== "(" && c !== " ") return [rows, all.slice(i)];
      if (c === "(") [row, from] = [[], i + 1];
    } else if (c === ",") {
      row.push(all.slice(from, i).trim());
      from = i + 1;
    } else if (c === ")") {
      rows.push([...row, all.slice(from, i).trim()]);
      row = null;
    }
  }
  return [rows, row === null ? "" : all.slice(from)];
}

// Two results side by side: a row that the other one, shown as a whole, lacks is
// marked; where the rows at that place differ in some cells, those cells.
function resultTables(results, columns) {
  const of = results.map(resultRows);
  const times = of.map(([rows]) => {
    const found = new Map();
    rows.forEach((row) => count(found, row.join("\t")));
    return found;
  });
  // Of a result that is cut off nobody can say what it lacks.
  const isWhole = of.map(([, rest]) => ["", "no rows"].includes(rest.trim()));
  const marked = of.map(([rows], side) => {
    const left = new Map(times[1 - side]);
    return rows.map((row) => {
      if (!isWhole[1 - side]) return false;
      const key = row.join("\t");
      const n = left.get(key) ?? 0;
      left.set(key, n - 1);
      return n <= 0;
    });
  });
  return of.map(([rows, rest], side) => {
    const others = of[1 - side][0];
    const differs = (r, c) => marked[side][r] && !(marked[1 - side][r] && others[r].length === rows[r].length && others[r][c] === rows[r][c]);
    return h("div", { class: `result ${side === 0 ? "gold" : "pred"}` }, rows.length > 0 && h("table", {},
      columns[side].length > 0 && h("thead", {}, h("tr", {}, rows[0].map((_, c) => h("th", { scope: "col" }, clipped(String(columns[side][c] ?? "")))))),
      h("tbody", {}, rows.map((row, r) =>
      h("tr", {}, row.map((cell, c) => h("td", {}, differs(r, c) ? h("mark", {}, clipped(cell)) : clipped(cell))))))),
    (rest !== "" || rows.length === 0) && h("p", { class: "soft" }, clipped(rest === "" ? "no rows" : rest)));
  });
}

/* --- words of SQL --------------------------------------------------------------- */

const SQL_WORDS = new Set(`select from where group by having order limit offset distinct all as on using join left right full
inner outer cross natural union except intersect with recursive values and or not in is null like between exists case when
then else end cast over partition asc desc collate`.split(/\s+/));

// A part of a query, words, strings and numbers told apart.
function sqlText(part) {
  if (part.length > CLIP) return clipped(part);
  return shown(part).split(/('(?:[^']|'')*'?|"[^"]*"?|[A-Za-z_]\w*|\d[\d.]*)/).map((piece, i) => {
    if (i % 2 === 0) return piece;
    const kind = piece[0] === "'" ? "string" : /\d/.test(piece[0]) ? "number" : SQL_WORDS.has(piece.toLowerCase()) ? "word" : null;
    return kind === null ? piece : h("span", { class: `sql-${kind}` }, piece);
  });
}

function compares(detail) {
  return detail.includes(" != ") || detail.includes("against");
}

// A member that a later version may add, whatever it is.
function plain(value) {
  if (value === null || typeof value !== "object") return clipped(String(value));
  const list = Array.isArray(value) ? value : Object.entries(value).map(([k, v]) => `${k}: ${typeof v === "object" ? JSON.stringify(v) : v}`);
  return h("ul", {}, list.map((x) => h("li", {}, plain(x))));
}

/* --- lines -------------------------------------------------------------------- */

// Texts in turns: in both queries, in this one only, in both, ... to lines.
function linesOf(turns) {
  const lines = [{ parts: [], differs: false }];
  turns.forEach((turn, i) => {
    turn.split("\n").forEach((text, k) => {
      if (k > 0) lines.push({ parts: [], differs: false });
      const line = lines[lines.length - 1];
      const differs = i % 2 === 1;
      const blank = line.parts.length === 0 && differs ? /^\s*/.exec(text)[0] : "";
      if (blank !== "") line.parts.push({ text: blank, differs: false });
      if (text !== blank) line.parts.push({ text: text.slice(blank.length), differs });
      line.differs ||= differs && text !== "";
    });
  });
  for (const line of lines) {
    line.text = line.parts.map((p) => p.text).join("");
    line.clause = line.text.trim().split(/[\s(]/)[0].toUpperCase();
  }
  return lines;
}

// Puts gaps into both lists, so that equal lines, else lines of one clause,
// stand side by side.
function aligned(left, right) {
  if (left.length * right.length > 40000) return [left, right];
  const worth = (x, y) => x.text === y.text ? 3 : x.clause === y.clause ? 1 : 0;
  const best = Array.from({ length: left.length + 1 }, () => new Int32Array(right.length + 1));
  for (let i = left.length - 1; i >= 0; i--) {
    for (let k = right.length - 1; k >= 0; k--) {
      const w = worth(left[i], right[k]);
      best[i][k] = Math.max(best[i + 1][k], best[i][k + 1], w ? best[i + 1][k + 1] + w : 0);
    }
  }
  const out = [[], []];
  let i = 0;
  let k = 0;
  while (i < left.length || k < right.length) {
    const w = i < left.length && k < right.length ? worth(left[i], right[k]) : 0;
    if (w && best[i][k] === best[i + 1][k + 1] + w) {
      out[0].push(left[i++]);
      out[1].push(right[k++]);
    } else if (k >= right.length || (i < left.length && best[i][k] === best[i + 1][k])) {
      out[0].push(left[i++]);
      out[1].push(null);
    } else {
      out[0].push(null);
      out[1].push(right[k++]);
    }
  }
  return out;
}
