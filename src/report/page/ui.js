// ui.js - making elements. Text of others is only ever set as text.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, props, children) {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(3)) {
    if (child !== null && child !== undefined && child !== false) node.append(child);
  }
  return node;
}

function h(tag, props, ...children) {
  return fill(document.createElement(tag), props, children);
}

function s(tag, props, ...children) {
  return fill(document.createElementNS(SVG, tag), props, children);
}

// Characters that would hide, or turn the direction of what follows.
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

function shown(text) {
  return String(text ?? "").replace(HIDDEN, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
}

// A name that a narrow column breaks between its words.
function breakable(name) {
  return shown(name).split(/(?<=[_:])/).flatMap((part, i) => i === 0 ? [part] : [h("wbr"), part]);
}

const CLIP = 4000;

// A long text, cut; a button shows the rest.
function clipped(text) {
  const all = shown(text);
  if (all.length <= CLIP) return all;
  const part = document.createTextNode(all.slice(0, CLIP) + " … ");
  const more = h("button", { type: "button", class: "link", onclick: () => {
    part.data = all;
    more.remove();
  } }, `all ${number(all.length)} characters`);
  return [part, more];
}

const NUMBERS = new Intl.NumberFormat("en-US");

function number(n) {
  return NUMBERS.format(n);
}

function percent(part, n) {
  return n === 0 ? "–" : (100 * part / n).toFixed(1);
}

function plural(n, word) {
  return `${number(n)} ${word}${n === 1 ? "" : "s"}`;
}

async function copy(text, button) {
  let ok = true;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = h("textarea", { readonly: true, class: "off" });
    area.value = text;
    document.body.append(area);
    area.select();
    ok = document.execCommand("copy");
    area.remove();
  }
  button.textContent = ok ? "Copied" : "Not copied";
  setTimeout(() => { button.textContent = "Copy"; }, 1500);
}

function copyButton(text, what) {
  const button = h("button", { type: "button", class: "copy", "aria-label": `Copy ${what}`,
    onclick: () => copy(text, button) }, "Copy");
  return button;
}

// A run's mark: a colour and a shape, for those who do not tell the colours.
function mark(run, size = 10) {
  return s("svg", { class: `mark run-${run % 6}`, width: size, height: size, viewBox: "-5 -5 10 10", "aria-hidden": "true" }, dot(run, 0, 0));
}

function dot(run, x, y) {
  const at = (points) => points.map(([dx, dy]) => `${x + dx},${y + dy}`).join(" ");
  switch (run % 6) {
    case 0: return s("circle", { cx: x, cy: y, r: 4.2 });
    case 1: return s("rect", { x: x - 3.8, y: y - 3.8, width: 7.6, height: 7.6 });
    case 2: return s("polygon", { points: at([[0, -4.8], [4.6, 3.6], [-4.6, 3.6]]) });
    case 3: return s("polygon", { points: at([[0, -5], [5, 0], [0, 5], [-5, 0]]) });
    case 4: return s("polygon", { points: at([[0, 4.8], [4.6, -3.6], [-4.6, -3.6]]) });
    default: return s("path", { class: "cross", d: `M${x - 3.6},${y - 3.6}L${x + 3.6},${y + 3.6}M${x + 3.6},${y - 3.6}L${x - 3.6},${y + 3.6}` });
  }
}

const SIGN = { yes: "✓", no: "✗", unknown: "?" };

function verdictWord(v) {
  return h("span", { class: `verdict ${v}` }, h("span", { class: "sign", "aria-hidden": "true" }, SIGN[v] ?? ""), v);
}

// Calls work({timeRemaining}) when nothing else is to be done.
function whenIdle(work) {
  if (window.requestIdleCallback) requestIdleCallback(work, { timeout: 1000 });
  else setTimeout(() => work({ timeRemaining: () => 0 }), 50);
}
