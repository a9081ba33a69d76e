"use strict";
// What is chosen is in the fragment: #section?only=a,b&name=text&scale=linear
const state = { only: new Set(), name: "", scale: "log" };
const series = document.querySelectorAll(".plot [data-series]");
const buttons = document.querySelectorAll(".legend button");
const rows = document.querySelectorAll("tbody tr");
const filter = document.getElementById("filter"), scale = document.getElementById("scale"), said = document.getElementById("said");

function read() {
  const given = new URLSearchParams(location.hash.split("?")[1] || "");
  state.only = new Set(given.getAll("only"));
  state.name = given.get("name") || "";
  state.scale = given.get("scale") === "linear" ? "linear" : "log";
}

// write writes it, and leaves alone what is there of executions.
function write(section = location.hash.slice(1).split("?")[0]) {
  const chosen = new URLSearchParams(location.hash.split("?")[1] || "");
  for (const key of ["only", "name", "scale"]) chosen.delete(key);
  for (const name of state.only) chosen.append("only", name);
  if (state.name) chosen.set("name", state.name);
  if (state.scale !== "log") chosen.set("scale", state.scale);
  const rest = chosen.toString();
  history.replaceState(null, "", "#" + section + (rest ? "?" + rest : ""));
}

function show() {
  const wanted = (name) => !name.includes("/") || name.includes(state.name); // others are no locks
  for (const s of series) {
    const name = s.dataset.series;
    s.classList.toggle("gone", !wanted(name));
    s.classList.toggle("faint", state.only.size > 0 && !state.only.has(name));
    s.classList.toggle("bold", state.only.has(name));
  }
  for (const b of buttons) {
    b.classList.toggle("gone", !wanted(b.dataset.series));
    b.setAttribute("aria-pressed", state.only.has(b.dataset.series));
  }
  for (const r of rows) {
    const name = r.cells[0].textContent;
    if (name.includes("/")) r.classList.toggle("gone", !wanted(name));
  }
  for (const l of document.querySelectorAll("[data-lock]")) l.classList.toggle("gone", !wanted(l.dataset.lock));
  document.body.dataset.scale = state.scale;
  filter.value = state.name;
  scale.value = state.scale;
  said.textContent = state.only.size ? "only " + [...state.only].join(", ") : "";
}

function change(how) {
  how();
  write();
  show();
}

// hover shows one series above the others for as long as the pointer is on it.
function hover(name) {
  for (const s of series) {
    const it = s.dataset.series === name;
    s.classList.toggle("bold", it || state.only.has(s.dataset.series));
    s.classList.toggle("faint", name !== null ? !it && !state.only.has(s.dataset.series) : state.only.size > 0 && !state.only.has(s.dataset.series));
  }
}

for (const it of [...buttons, ...series]) {
  const name = it.dataset.series;
  it.addEventListener("click", () => change(() => state.only.delete(name) || state.only.add(name)));
  it.addEventListener("mouseenter", () => hover(name));
  it.addEventListener("mouseleave", () => hover(null));
}
filter.addEventListener("input", () => change(() => { state.name = filter.value; }));
scale.addEventListener("change", () => change(() => { state.scale = scale.value; }));
document.getElementById("all").addEventListener("click", () => change(() => { state.only.clear(); state.name = ""; }));
document.getElementById("controls").addEventListener("submit", (e) => e.preventDefault());
for (const a of document.querySelectorAll("nav a")) {
  a.addEventListener("click", (e) => {
    e.preventDefault();
    write(a.hash.slice(1));
    document.getElementById(a.hash.slice(1)).scrollIntoView();
  });
}
addEventListener("hashchange", () => { read(); show(); });
document.getElementById("controls").hidden = false;
read();
show();
const section = document.getElementById(location.hash.slice(1).split("?")[0]);
if (section) section.scrollIntoView();
