"use strict";
// Executions, step by step. What is looked at is in the fragment:
// #…?at=execution:step&of=part+of+a+register's+name
const executions = JSON.parse(document.getElementById("steps").textContent);
let viewed = null; // the viewer that keys are for

function fragment() {
  const [section, rest] = location.hash.slice(1).split("?");
  return { section, given: new URLSearchParams(rest || "") };
}

function keep(viewer) {
  const { section, given } = fragment();
  given.set("at", viewer.e.id + ":" + viewer.step);
  if (viewer.of.value) given.set("of", viewer.of.value); else given.delete("of");
  history.replaceState(null, "", "#" + section + "?" + given);
}

function make(tag, text, name) {
  const it = document.createElement(tag);
  if (text !== undefined) it.textContent = text;
  if (name) it.className = name;
  return it;
}

// view makes the viewer of an execution, in what unfolds.
function view(details) {
  const e = executions.executions.find((x) => x.id === details.dataset.execution);
  const root = document.getElementById("viewer").content.firstElementChild.cloneNode(true);
  const get = (what) => root.querySelector(what);
  const v = { e, root, details, step: Math.min(1, e.steps.length), timer: 0, of: get(".of"), lines: [] };
  details.viewer = root.viewer = v;
  get(".says").textContent = e.says || "";
  get(".jump input").max = e.steps.length;
  get(".note").textContent = e.note || "";
  get(".command code").textContent = e.command || "";
  get(".command").hidden = !e.command;
  get(".under").hidden = !e.under;
  get(".kind").textContent = e.kind;
  get(".held").setAttribute("aria-label", e.kind);
  get(".key").hidden = !(e.code && e.code.length);
  get(".under .name").textContent = e.under || "";
  e.columns.forEach((name, p) => get(".columns").append(column(v, name, p)));
  for (const c of e.cells) {
    const row = get(".cells tbody").insertRow();
    row.append(Object.assign(make("th", c.name), { scope: "row" }), make("td"), make("td"));
  }
  for (const name of e.columns) get(".all thead tr").append(Object.assign(make("th", name), { scope: "col" }));
  e.steps.forEach((s, k) => listed(v, s, k));
  root.addEventListener("click", (event) => clicked(v, event));
  get(".jump input").addEventListener("input", (event) => go(v, Number(event.target.value)));
  v.of.addEventListener("input", () => { show(v); keep(v); });
  root.addEventListener("focusin", () => { viewed = v; });
  details.append(root);
  viewed = v;
  show(v);
}

// column is that of process p: its code, or what it has done last.
function column(v, name, p) {
  const it = make("section", undefined, "column");
  const head = make("div", name, "name");
  head.append(make("span", "", "place"));
  it.append(head);
  v.lines[p] = new Map();
  if (!v.e.code || !v.e.code.length) {
    it.append(make("div", "", "did"));
    return it;
  }
  const code = make("div", undefined, "code");
  code.tabIndex = 0;
  code.setAttribute("role", "group");
  code.setAttribute("aria-label", "code of " + name);
  for (const place of v.e.code) {
    const [file, first] = place.split(/:(?=\d+$)/);
    code.append(make("div", place, "file"));
    executions.sources[place].split("\n").forEach((text, k) => {
      const line = make("span", undefined, "line");
      line.append(make("i", Number(first) + k), make("span", text));
      v.lines[p].set(file + ":" + (Number(first) + k), line);
      code.append(line);
    });
  }
  it.append(code);
  return it;
}

// listed adds a step to the table of all.
function listed(v, s, k) {
  const body = v.root.querySelector(".all tbody");
  const part = (k === v.e.cycle ? "from here on, again and again" : "") || s.part;
  if (part) {
    const row = body.insertRow();
    row.className = "part";
    row.append(Object.assign(make("td", part), { colSpan: v.e.columns.length + 1 }));
  }
  const row = body.insertRow();
  row.dataset.step = k + 1;
  row.classList.toggle("loop", v.e.cycle >= 0 && k >= v.e.cycle);
  const head = row.appendChild(Object.assign(make("th"), { scope: "row" }));
  head.append(Object.assign(make("button", k + 1), { type: "button" }));
  v.e.columns.forEach((_, p) => row.append(make("td", s.acts.filter((a) => a.by === p).map(said).join("; "))));
}

const said = (a) => (a.label ? a.label + "  " : "") + a.text + (a.turn ? " [" + a.turn + "]" : "");

function clicked(v, event) {
  const row = event.target.closest("[data-step]"), button = event.target.closest("[data-go]");
  if (row) go(v, Number(row.dataset.step));
  if (!button) return;
  const how = button.dataset.go;
  if (how !== "copy") return act(v, how);
  const code = v.root.querySelector(".command code");
  getSelection().selectAllChildren(code);
  button.textContent = document.execCommand("copy") ? "copied" : "select it and copy";
}

function act(v, how) {
  const last = v.e.steps.length;
  if (how === "play") return play(v, !v.timer);
  play(v, false);
  go(v, { first: 0, back: v.step - 1, forward: next(v), last }[how]);
}

// next is the step after the one that is shown: after the last of a loop its first.
function next(v) {
  return v.step === v.e.steps.length && v.e.cycle >= 0 ? v.e.cycle + 1 : v.step + 1;
}

function play(v, on) {
  clearInterval(v.timer);
  v.timer = on ? setInterval(() => {
    go(v, next(v));
    if (v.step === v.e.steps.length && v.e.cycle < 0) play(v, false);
  }, 1000) : 0;
  const button = v.root.querySelector("[data-go=play]");
  button.setAttribute("aria-pressed", on);
  button.textContent = on ? "stop" : "play";
  if (on && v.step === v.e.steps.length && v.e.cycle < 0) go(v, 0);
}

function go(v, step) {
  v.step = Math.max(0, Math.min(v.e.steps.length, step || 0));
  show(v);
  keep(v);
}

// show shows what is after the step that v is at.
function show(v) {
  const { e, root, step } = v, now = step > 0 ? e.steps[step - 1] : { acts: [], sets: [] };
  const values = e.cells.map((c) => ({ value: c.value, by: -1, changed: false }));
  const at = e.columns.map(() => null), sections = e.columns.map(() => "");
  for (let k = 0; k < step; k++) {
    for (const a of e.steps[k].acts) {
      if (!a.buffer) at[a.by] = a;
      sections[a.by] = a.section || sections[a.by];
    }
    for (const s of e.steps[k].sets || []) values[s.cell] = { value: s.value, by: s.by, changed: k === step - 1 };
  }
  const loops = e.cycle >= 0, part = e.steps.slice(0, step).findLast((s) => s.part);
  const rest = e.steps.slice(step).concat(loops ? e.steps.slice(e.cycle) : []).flatMap((s) => s.acts);
  root.querySelectorAll(".column").forEach((it, p) => {
    const place = it.querySelector(".place"), last = at[p];
    const inside = /critical|inside/.test(sections[p]);
    place.textContent = (inside ? "▣ " : "") + sections[p];
    place.classList.toggle("inside", inside);
    it.classList.toggle("acts", now.acts.some((a) => a.by === p));
    const did = it.querySelector(".did");
    if (did) did.textContent = last ? last.text : "nothing yet";
    for (const line of it.querySelectorAll(".at, .next")) line.classList.remove("at", "next");
    const then = rest.find((a) => a.by === p && !a.buffer);
    for (const [a, name] of [[then, "next"], [last, "at"]]) {
      const line = a && v.lines[p].get(a.file + ":" + a.line);
      if (!line) continue;
      line.classList.add(name);
      if (name === "at" || !last) line.parentNode.scrollTop = line.offsetTop - line.parentNode.clientHeight / 2;
    }
  });
  root.querySelectorAll(".cells tbody tr").forEach((row, c) => {
    row.cells[1].textContent = values[c].value;
    row.cells[2].textContent = values[c].by < 0 ? "" : e.columns[values[c].by] + (values[c].changed ? ", now" : "");
    row.classList.toggle("changed", values[c].changed);
    row.hidden = !e.cells[c].name.includes(v.of.value);
  });
  root.querySelector(".under ul").replaceChildren(...(now.under || []).map((text) => make("li", text)));
  for (const row of root.querySelectorAll(".all [aria-current]")) row.removeAttribute("aria-current");
  if (step > 0) root.querySelector(`.all [data-step="${step}"]`).setAttribute("aria-current", "step");
  root.querySelector(".jump input").value = step;
  root.querySelector("output").textContent = "step " + step + " of " + e.steps.length + (loops && step > e.cycle ? ", in the loop" : "") + (part ? ", " + part.part : "");
  root.querySelector("[data-go=first]").disabled = root.querySelector("[data-go=back]").disabled = step === 0;
  root.querySelector("[data-go=last]").disabled = step === e.steps.length;
  root.querySelector("[data-go=forward]").disabled = step === e.steps.length && !loops;
  root.querySelector(".now").textContent = step === 0 ? "The beginning." :
    now.acts.map((a) => e.columns[a.by] + ": " + said(a) + (a.file && now.acts.length === 1 ? " (" + a.file + ":" + a.line + ")" : "")).join(" · ");
}

// unfolded is called where something unfolds: what is late is made then.
function unfolded(details) {
  const late = details.querySelector(":scope > template");
  if (late) {
    details.append(late.content);
    late.remove();
    link(details);
    details.dispatchEvent(new Event("unfolded", { bubbles: true }));
  }
  if (details.dataset.execution && !details.viewer) view(details);
  if (details.viewer) viewed = details.viewer;
}

addEventListener("toggle", ({ target }) => {
  if (!target.open) return;
  unfolded(target);
  if (!target.dataset.lock) return;
  const { given } = fragment();
  history.replaceState(null, "", "#lock/" + target.dataset.lock + (String(given) && "?" + given));
}, true);

function inSight(it) {
  const { top, bottom } = it.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
}

const keys = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last", " ": "play" };
addEventListener("keydown", (event) => {
  const it = event.target, v = it.closest && it.closest(".viewer") ? it.closest(".viewer").viewer : viewed;
  if (!keys[event.key] || !v || !v.details.open || !inSight(v.root) || event.ctrlKey || event.metaKey || event.altKey) return;
  if (/^(INPUT|SELECT|TEXTAREA)$/.test(it.tagName) || event.key === " " && /^(BUTTON|SUMMARY)$/.test(it.tagName)) return;
  if (/^Arrow/.test(event.key) && it.tabIndex === 0 && it.scrollWidth > it.clientWidth) return; // it scrolls
  event.preventDefault();
  act(v, keys[event.key]);
});

// restore shows what the fragment says.
function restore() {
  const { section, given } = fragment(), name = decodeURIComponent(section).replace(/^lock\//, "");
  const lock = name !== section && reveal(`[data-lock="${CSS.escape(name)}"]`);
  if (lock) lock.scrollIntoView();
  const [id, step] = (given.get("at") || "").split(":");
  const it = reveal(`[data-execution="${CSS.escape(id)}"]`);
  if (!it) return false;
  it.viewer.of.value = given.get("of") || "";
  it.viewer.step = Math.max(0, Math.min(it.viewer.e.steps.length, parseInt(step, 10) || 0));
  show(it.viewer);
  it.scrollIntoView();
  return true;
}

// reveal unfolds what a selector is of, and all that it is in.
function reveal(selector) {
  for (const late of document.querySelectorAll("details > template")) {
    if (late.content.querySelector(selector)) open(late.parentNode);
  }
  const it = document.querySelector(selector);
  for (let d = it; d; d = d.parentNode && d.parentNode.closest("details")) if (d.tagName === "DETAILS") open(d);
  return it;
  function open(details) {
    details.open = true;
    unfolded(details);
  }
}

// Names of locks in tables lead to their pages; what is chosen stays.
const pages = new Set([...document.querySelectorAll("[data-lock]")].map((l) => l.dataset.lock));
function link(within) {
  for (const th of within.querySelectorAll("tbody th")) {
    if (pages.has(th.textContent)) th.replaceChildren(Object.assign(make("a", th.textContent), { href: "#lock/" + th.textContent }));
  }
}
addEventListener("click", (event) => {
  const to = event.target.closest("th a");
  if (!to) return;
  const { given } = fragment();
  for (const key of ["at", "of"]) given.delete(key); // of another page
  event.preventDefault();
  history.replaceState(null, "", to.hash + (String(given) && "?" + given));
  restore();
});

link(document);
addEventListener("hashchange", restore);
const first = document.querySelector(".execution");
if (!restore() && first && !document.getElementById("overview")) first.open = true;
