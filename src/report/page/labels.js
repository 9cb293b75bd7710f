// labels.js - what a person says of answers, kept while the browser keeps it and
// saved as a file that `assay agree --labels` reads.

class Labels {
  constructor(title, onChange) {
    this.store = `assay labels ${title}`;
    this.onChange = onChange;
    this.said = new Map();  // by answer, as a line of the file
    try {
      for (const line of JSON.parse(localStorage.getItem(this.store) ?? "[]")) this.said.set(this.key(line), line);
    } catch { /* a browser may keep nothing of files */ }
  }

  key(a) {
    return [a.id, a.run, a.db ?? ""].join("\n");
  }

  of(a) {
    return this.said.get(this.key(a)) ?? {};
  }

  // Says it, or takes it back if it was said.
  toggle(a, member, value) {
    const line = { id: a.id, run: a.run, ...(a.db ? { db: a.db } : {}), ...this.of(a) };
    if (line[member] === value) delete line[member];
    else line[member] = value;
    if (line.label === undefined && line.gold === undefined) this.said.delete(this.key(a));
    else this.said.set(this.key(a), line);
    try {
      localStorage.setItem(this.store, JSON.stringify([...this.said.values()]));
    } catch { /* as above */ }
    this.onChange();
  }

  lines() {
    return [...this.said.values()].map((line) => JSON.stringify(line) + "\n").join("");
  }

  save() {
    const link = h("a", { href: URL.createObjectURL(new Blob([this.lines()], { type: "application/jsonl" })), download: "labels.jsonl" });
    link.click();
    URL.revokeObjectURL(link.href);
  }

  // Buttons under a question.
  choices(a) {
    const said = this.of(a);
    const choice = (member, value, text) => h("button", { type: "button", class: "kind", "aria-pressed": String(said[member] === value),
      onclick: () => this.toggle(a, member, value) }, text);
    return h("p", { class: "kinds", role: "group", "aria-label": "Your label" }, h("span", { class: "soft" }, "Your label:"),
      choice("label", "correct", "right"), choice("label", "incorrect", "wrong"), choice("gold", "wrong", "gold is wrong"));
  }
}
