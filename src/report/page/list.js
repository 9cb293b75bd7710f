// list.js - the questions whose answers pass the filters: only the rows in sight
// exist. An item is a question's answers, of which the first is what a row shows.

const ROW = 52;

class List {
  constructor(model, actions) {
    this.model = model;
    this.actions = actions;
    this.box = document.getElementById("list");
    this.rows = document.getElementById("rows");
    this.about = document.getElementById("list-about");
    this.items = [];
    this.at = -1;
    this.kinds = document.getElementById("list-kinds");
    this.box.addEventListener("scroll", () => this.draw(), { passive: true });
    this.box.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => {
      this.reveal();
      this.draw();
    }).observe(this.box);
  }

  show(items, open, filters) {
    this.items = items;
    this.at = open ? items.findIndex((of) => of[0].question_no === open.question_no) : -1;
    this.rows.style.height = `${items.length * ROW}px`;
    const answers = items.reduce((sum, of) => sum + of.length, 0);
    this.about.replaceChildren(...items.length === 0 ? ["No answer matches these filters. ",
      h("button", { type: "button", class: "link", onclick: () => this.actions.clear() }, "Clear all filters")]
      : [`${plural(items.length, "question")} of ${number(this.model.questions.length)}`
        + (this.model.runs.length > 1 ? `, ${plural(answers, "answer")}` : "")]);
    this.drawKinds(filters);
    this.reveal();
    this.draw();
  }

  // All, or what went wrong in some way.
  drawKinds(filters) {
    const kinds = [["All", {}], ["Wrong", { v: ["no"] }],
      this.model.runs.length > 1 && ["Runs differ", { split: ["differ"] }], ["Unknown", { v: ["unknown"] }]].filter(Boolean);
    const set = (f) => JSON.stringify([f.v ?? [], f.split ?? []]);
    this.kinds.replaceChildren(...kinds.map(([name, wanted]) => h("button", { type: "button", class: "kind",
      "aria-pressed": String(set(filters) === set(wanted)), onclick: () => this.actions.kind(wanted) }, name)));
  }

  reveal() {
    if (this.at < 0 || this.box.clientHeight === 0) return;
    const top = this.at * ROW;
    const room = this.box.clientHeight - ROW;
    const from = this.box.scrollTop;
    // A step scrolls by a row, a jump puts the row into the middle.
    if (top < from - ROW || top > from + room + ROW) this.box.scrollTop = top - room / 2;
    else if (top < from) this.box.scrollTop = top;
    else if (top > from + room) this.box.scrollTop = top - room;
  }

  draw() {
    const first = Math.max(0, Math.floor(this.box.scrollTop / ROW) - 4);
    const last = Math.min(this.items.length, Math.ceil((this.box.scrollTop + this.box.clientHeight) / ROW) + 4);
    const rows = [];
    for (let i = first; i < last; i++) rows.push(this.row(i));
    this.rows.replaceChildren(...rows);
    if (this.at >= 0) this.box.setAttribute("aria-activedescendant", `row-${this.at}`);
    else this.box.removeAttribute("aria-activedescendant");
  }

  row(i) {
    const [a] = this.items[i];
    const v = this.model.verdict(a);
    const signs = this.model.runs.length > 1 && this.items[i].slice(0, 12).map((o) => {
      const said = this.model.verdict(o)?.v;
      return h("span", { class: `said ${said ?? "none"}`, title: `${shown(o.run)}: ${said ?? "no verdict"}` },
        mark(this.model.runIndex(o.run), 8), SIGN[said] ?? "·");
    });
    const row = h("div", { class: "row", role: "option", id: `row-${i}`, "aria-selected": String(i === this.at),
      "aria-posinset": i + 1, "aria-setsize": this.items.length, onclick: () => this.actions.open(a) },
    h("span", { class: `sign ${v?.v ?? "none"}`, role: "img", "aria-label": v?.v ?? "no verdict" }, SIGN[v?.v] ?? "·"),
    h("span", { class: "line" }, h("bdi", { class: "id" }, shown(a.id).slice(0, 80)),
      signs && h("span", { class: "who" }, signs),
      h("span", { class: "why" }, v?.v === "yes" ? "" : [shown(v?.reason ?? ""), SUSPECT.includes(a.who?.is) && `, ${shown(a.who.is)}`])),
    h("span", { class: "text" }, h("bdi", {}, shown(a.question ?? [a.gold].flat()[0] ?? "").slice(0, 160))));
    row.style.transform = `translateY(${i * ROW}px)`;
    return row;
  }

  key(event) {
    const page = Math.max(1, Math.floor(this.box.clientHeight / ROW) - 1);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    if (event.key in steps) {
      event.preventDefault();
      this.move(steps[event.key]);
    } else if (event.key === "Enter" && this.at >= 0) {
      event.preventDefault();
      document.getElementById("case").focus();
    }
  }

  move(step) {
    if (this.items.length === 0) return;
    const to = Math.max(0, Math.min(this.items.length - 1, this.at + step));
    if (to !== this.at) this.actions.open(this.items[to][0], true);
  }
}
