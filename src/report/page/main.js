// main.js - state and its place in the address, and who draws what.
//
// What is seen depends on the address alone (behind the #): the view, the
// metric, filters, words to search, the open case. Actions change it; each
// change draws the page anew.

const $ = (id) => document.getElementById(id);

function readHash() {
  const given = new URLSearchParams(location.hash.slice(1));
  const filters = {};
  for (const field of Object.keys(FIELDS)) {
    const values = given.getAll(field);
    if (values.length) filters[field] = values;
  }
  return { view: given.get("view") ?? "overview", metric: given.get("metric"), q: given.get("q") ?? "",
    id: given.get("id"), of: given.get("of"), in: given.get("in"), filters };
}

function hashOf(state, model) {
  const out = new URLSearchParams();
  if (state.view !== "overview") out.set("view", state.view);
  if (state.metric && state.metric !== model.head.main) out.set("metric", state.metric);
  for (const [field, values] of Object.entries(state.filters)) values.forEach((v) => out.append(field, v));
  if (state.q) out.set("q", state.q);
  if (state.id !== null) out.set("id", state.id);
  if (state.id !== null && state.of !== null) out.set("of", state.of);
  if (state.id !== null && state.in) out.set("in", state.in);
  return "#" + out;
}

class App {
  constructor(model) {
    this.model = model;
    this.overview = new Overview($("overview"), model, this);
    this.list = new List(model, this);
    this.labels = new Labels(document.title, () => this.draw());
    $("labels").addEventListener("click", () => this.labels.save());
    this.case = new Case($("case"), model, this);
    $("metric").append(...model.keys.map((k) => h("option", { value: k }, shown(k))));
    $("metric").addEventListener("change", () => this.metric($("metric").value));
    $("search").addEventListener("input", () => this.go({ q: $("search").value, id: null }, true));
    $("tab-overview").addEventListener("click", () => this.go({ view: "overview", id: null }));
    $("tab-cases").addEventListener("click", () => this.go({ view: "cases" }));
    $("skip").addEventListener("click", (event) => { event.preventDefault(); $("main").focus(); });
    window.addEventListener("popstate", () => this.draw());
    window.addEventListener("beforeprint", () => this.overview.drawWaiting());
    document.addEventListener("keydown", (event) => this.key(event));
    // Not on the root: styles of all elements would be computed anew.
    new ResizeObserver(() => $("cases").style.setProperty("--top", `${$("top").offsetHeight}px`)).observe($("top"));
    this.draw();
  }

  // Changes the address, and what is seen.
  go(change, isTyping = false) {
    const state = { ...this.state, ...change };
    const hash = hashOf(state, this.model);
    if (isTyping) history.replaceState(null, "", hash);
    else if (hash !== (location.hash || "#")) history.pushState(null, "", hash);
    this.draw();
  }

  toggle(field, value) {
    const now = this.state.filters[field] ?? [];
    const values = now.includes(value) ? now.filter((v) => v !== value) : [...now, value];
    const filters = { ...this.state.filters, [field]: values };
    if (values.length === 0) delete filters[field];
    this.go({ filters, id: null });
  }

  // The cases with these filters besides those that are set.
  show(more) {
    this.go({ view: "cases", filters: { ...this.state.filters, ...more }, id: null });
  }

  clear() {
    this.go({ filters: {}, q: "", id: null });
  }

  // All questions, or those of one kind.
  kind(wanted) {
    const { v, split, ...filters } = this.state.filters;
    this.go({ filters: { ...filters, ...wanted }, id: null });
  }

  metric(key) {
    const filters = { ...this.state.filters };
    delete filters.reason;
    this.go({ metric: key, filters });
  }

  expand(open, field) {
    if (!open.delete(field)) open.add(field);
    this.overview.render(this.state.filters);
  }

  open(a, isStep = false) {
    this.go({ view: "cases", id: a.id, of: a.run, in: a.db }, isStep);
    if (!isStep) $("case").focus({ preventScroll: true });
  }

  close() {
    this.go({ id: null });
    $("list").focus();
  }

  opened() {
    const { id, of, in: db } = this.state;
    if (id === null) return null;
    const is = (a) => a.id === id && (of === null || a.run === of) && (db === null || (a.db ?? "") === db);
    return this.model.shown.find(is) ?? this.model.answers.find(is) ?? null;
  }

  draw() {
    const { model } = this;
    const state = readHash();
    if (!model.keys.includes(state.metric)) state.metric = model.head.main;
    this.state = state;
    model.metric = state.metric;
    model.filter(state.filters, state.q);
    const isCases = state.view === "cases" || state.id !== null;
    $("overview").hidden = isCases;
    $("cases").hidden = !isCases;
    $("tab-overview").setAttribute("aria-current", String(!isCases));
    $("tab-cases").setAttribute("aria-current", String(isCases));
    $("n-shown").textContent = number(model.shownQuestions.length);
    $("labels").hidden = this.labels.said.size === 0;
    $("labels").textContent = `Save ${plural(this.labels.said.size, "label")}`;
    $("metric").value = state.metric;
    if ($("search").value !== state.q) $("search").value = state.q;
    this.chips();
    if (isCases) {
      // Beside the list there is room: the first case is open.
      const chosen = this.opened();
      const open = chosen ?? model.shownQuestions[0]?.[0] ?? null;
      $("cases").classList.toggle("has-case", chosen !== null);
      this.list.show(model.shownQuestions, open, state.filters);
      this.case.render(open);
    } else {
      this.overview.render(state.filters);
    }
  }

  chips() {
    const chips = Object.entries(this.state.filters).flatMap(([field, values]) => values.map((value) =>
      h("button", { type: "button", class: "chip", "aria-label": `Remove the filter ${FIELDS[field].label} ${chipText(field, value)}`,
        onclick: () => this.toggle(field, value) },
      h("span", { class: "soft" }, `${FIELDS[field].label} `), h("bdi", {}, shown(chipText(field, value))), h("span", { "aria-hidden": "true" }, " ×"))));
    const all = chips.length > 0 && h("button", { type: "button", class: "link",
      onclick: () => this.clear() }, "clear all");
    const see = chips.length > 0 && this.state.view === "overview" && this.state.id === null && h("button", { type: "button", class: "link",
      onclick: () => this.go({ view: "cases" }) }, `show ${plural(this.model.shownQuestions.length, "question")}`);
    $("chips").hidden = chips.length === 0;
    $("chips").replaceChildren(...[chips, all, see].flat().filter(Boolean));
  }

  key(event) {
    const isTyping = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
    if (event.key === "Escape" && isTyping) event.target.blur();
    else if (event.key === "Escape" && this.state.id !== null) this.close();
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "/") {
      event.preventDefault();
      $("search").focus();
    } else if (event.key === "j" || event.key === "k") {
      if ($("cases").hidden) this.go({ view: "cases" });
      else this.list.move(event.key === "j" ? 1 : -1);
    }
  }
}

function chipText(field, value) {
  if (field === "split") return "differ";
  if (field === "differ") return value.split("\t").join(" and ");
  if (field === "only") return `${value.split("\t")[0]}, not in ${value.split("\t")[1]}`;
  return value === "" ? "(none)" : value;
}

const THEMES = { "light dark": "auto", light: "light", dark: "dark" };

function setTheme(theme) {
  document.documentElement.style.colorScheme = theme;
  $("theme").textContent = `Theme: ${THEMES[theme]}`;
  $("theme").setAttribute("aria-label", `Theme: ${THEMES[theme]}; change`);
}

function themeSwitch() {
  const order = Object.keys(THEMES);
  let theme = order[0];
  $("theme").addEventListener("click", () => {
    theme = order[(order.indexOf(theme) + 1) % order.length];
    setTheme(theme);
  });
  setTheme(theme);
}

// What a search reads is made while nobody waits.
function prepareSearch(model, from = 0) {
  whenIdle((deadline) => {
    let i = from;
    do {
      for (const until = Math.min(i + 100, model.answers.length); i < until; i++) model.haystack(model.answers[i]);
    } while (i < model.answers.length && deadline.timeRemaining() > 2);
    if (i < model.answers.length) prepareSearch(model, i);
  });
}

async function start() {
  themeSwitch();
  let model = null;
  try {
    const block = $("data");
    await unpack(block.textContent, (value) => {
      if (model) model.add(value);
      else model = new Model(value);
    });
    model.end();
    block.remove();
    new App(model);
    $("wait").remove();
    document.documentElement.dataset.ready = "yes";
    prepareSearch(model);
  } catch (error) {
    $("wait").textContent = `The data of this report cannot be read: ${error.message}. It needs a browser from 2023 or later.`;
    throw error;
  }
}

start();
