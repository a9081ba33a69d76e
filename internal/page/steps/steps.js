"use strict";
// Executions, step by step. What is looked at is in the fragment:
// #…?at=execution:step&of=part+of+a+register's+name
const executions = JSON.parse(document.getElementById("steps").textContent);
let viewed = null; // the stepper that keys are for

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

// view makes the stepper of an execution, in what unfolds.
function view(details) {
  const e = executions.executions.find((x) => x.id === details.dataset.execution);
  const v = new Stepper(e, executions.sources, keep);
  details.viewer = v;
  v.details = details;
  v.root.addEventListener("focusin", () => { viewed = v; });
  details.append(v.root);
  viewed = v;
  v.show();
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
  v.act(keys[event.key]);
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
  it.viewer.show();
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
