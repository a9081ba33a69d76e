// What is chosen is in the fragment: #section?only=a&only=b&name=text&family=x&base=y
const state = { only: new Set(), name: "", base: "", chosen: {} };
const choices = document.querySelectorAll("[data-choice]"), base = document.getElementById("base");
const series = () => document.querySelectorAll(".plot [data-series]"); // of what has been unfolded
const filter = document.getElementById("filter"), said = document.getElementById("said");

function read() {
  const given = new URLSearchParams(location.hash.split("?")[1] || "");
  state.only = new Set(given.getAll("only"));
  state.name = given.get("name") || "";
  state.base = given.get("base") || "";
  for (const c of choices) state.chosen[c.dataset.choice] = given.get(c.dataset.choice) || "";
}

// write writes it as a new entry of the history, and leaves alone what is there of
// executions.
function write(section = location.hash.slice(1).split("?")[0]) {
  const chosen = new URLSearchParams(location.hash.split("?")[1] || "");
  for (const key of ["only", "name", "base", ...Object.keys(state.chosen)]) chosen.delete(key);
  for (const name of state.only) chosen.append("only", name);
  if (state.name) chosen.set("name", state.name);
  for (const [key, value] of Object.entries({ base: state.base, ...state.chosen })) if (value) chosen.set(key, value);
  const rest = chosen.toString();
  const to = "#" + section + (rest ? "?" + rest : "");
  if (to !== location.hash) history.pushState(null, "", to);
}

// wanted says whether a name, if it is a lock's, is among those that are chosen.
function wanted(name) {
  if (!name.includes("/")) return true; // no lock
  const lock = name.replace(/^Passage\/alg=(\w+)-([^/]*)\/.*/, "$1/$2").replace(/, all modes$/, "");
  const has = ([key, value]) => !value || (Object.hasOwn(known, lock) && (known[lock][key] || []).includes(value));
  return named(lock) && Object.entries(state.chosen).every(has);
}

// named says whether the filter names a lock, as -alg does: the name of a lock is that
// lock, the name of a family its locks, and anything else a regular expression.
function named(lock) {
  if (Object.hasOwn(known, state.name)) return lock === state.name;
  const family = state.name.replace(/\/$/, "") + "/";
  if (Object.keys(known).some((name) => name.startsWith(family))) return lock.startsWith(family);
  try {
    return new RegExp(state.name).test(lock);
  } catch {
    return lock.includes(state.name); // not yet typed to its end
  }
}

// relate draws a chart of cost anew as multiples of the base lock's at each number of
// processes; without intervals, as quotients do not have those of their parts.
function relate(svg) {
  svg.whole ??= svg.innerHTML;
  if ((svg.base ?? "") === state.base) return;
  svg.innerHTML = svg.whole;
  svg.base = state.base;
  const all = (what) => [...svg.querySelectorAll(what)], lines = all(".series"), of = new Map();
  for (const m of lines.find((s) => s.dataset.series === state.base)?.querySelectorAll("use[data-x]") || []) of.set(m.dataset.x, +m.dataset.y);
  if (of.size === 0) return;
  const log = svg.querySelector(".panel").dataset.log.includes("y"), f = log ? Math.log10 : (v) => v;
  for (const m of all("use[data-x]")) of.has(m.dataset.x) ? m.dataset.y /= of.get(m.dataset.x) : m.remove();
  const ys = all("use[data-x]").map((m) => f(+m.dataset.y)), rect = svg.querySelector(".grid rect"), [x, y, width, height] = ["x", "y", "width", "height"].map((k) => +rect.getAttribute(k));
  const low = log ? Math.min(...ys) - 0.05 : 0, high = log ? Math.max(...ys) + 0.05 : 1.05 * Math.max(...ys);
  const place = (v) => (y + height * (1 - (f(v) - low) / (high - low))).toFixed(1);
  for (const old of all(".text text[text-anchor=end], .grid [data-y], .bars")) old.remove();
  const add = (to, kind, attributes) => {
    const it = svg.querySelector(to).appendChild(document.createElementNS("http://www.w3.org/2000/svg", kind));
    for (const [key, value] of Object.entries(attributes)) it.setAttribute(key, value);
    return it;
  };
  all(".text text").at(-1).textContent = "cost in multiples of " + state.base;
  const unit = 10 ** Math.floor(Math.log10(high)) / (high < 3 * 10 ** Math.floor(Math.log10(high)) ? 2 : 1);
  const values = log ? [-3, -2, -1, 0, 1, 2, 3, 4, 5].flatMap((e) => (high - low > 3 ? [1] : [1, 2, 5]).map((d) => +`${d}e${e}`)) : [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((d) => d * unit);
  for (const v of values.filter((v) => f(v) >= low && f(v) <= high)) {
    add(".grid", "path", { d: `M${x} ${place(v)}H${x + width}`, "data-y": v });
    add(".text", "text", { x: x - 6, y: +place(v) + 4, "text-anchor": "end" }).textContent = v + "×";
  }
  for (const s of lines.filter((s) => !s.classList.contains("end"))) {
    const marks = [...s.querySelectorAll("use[data-x]")];
    for (const m of marks) m.setAttribute("y", place(+m.dataset.y));
    s.querySelector(".line").setAttribute("d", marks.length ? "M" + marks.map((m) => m.getAttribute("x") + " " + m.getAttribute("y")).join("L") : "");
  }
  ends(svg);
}

// show shows what is chosen, in the page or in a part of it that has been unfolded.
function show(within = document) {
  const all = (what) => within.querySelectorAll(what);
  for (const svg of all(".plot")) {
    if (svg.closest("#cost")) relate(svg);
    bring(svg);
  }
  for (const s of all(".plot [data-series]")) {
    const name = s.dataset.series;
    s.classList.toggle("gone", !wanted(name));
    s.classList.toggle("faint", state.only.size > 0 && !state.only.has(name));
    s.classList.toggle("bold", state.only.has(name));
  }
  for (const r of all("tbody tr")) r.classList.toggle("gone", !wanted(r.cells[0].textContent));
  for (const l of all(".lock")) l.classList.toggle("gone", !wanted(l.dataset.lock));
  if (within !== document) return;
  const locks = Object.keys(known), left = locks.filter(wanted);
  const chosen = [...state.only].join(", ");
  said.textContent = locks.length && !left.length ? "No lock matches." : (left.length < locks.length ? left.length + " of " + locks.length + " locks. " : "") + (chosen && "Chosen: " + chosen + ". ") + (state.base && "Cost in multiples of " + state.base + ", where the chart has it.");
  filter.value = state.name;
  base.value = state.base;
  for (const c of choices) c.value = state.chosen[c.dataset.choice];
}

function change(how) {
  how();
  write();
  show();
}

let hovered = null;

// hover shows one series above the others for as long as the pointer is on it, or near it.
function hover(name) {
  if (name === hovered) return;
  hovered = name;
  for (const s of series()) {
    const it = s.dataset.series === name;
    s.classList.toggle("bold", it || state.only.has(s.dataset.series));
    s.classList.toggle("faint", name !== null ? !it && !state.only.has(s.dataset.series) : state.only.size > 0 && !state.only.has(s.dataset.series));
  }
}

const meant = (event) => event.target.closest("[data-series]")?.dataset.series ?? null;
addEventListener("click", (e) => {
  const name = meant(e);
  if (name !== null) change(() => state.only.delete(name) || state.only.add(name));
});
addEventListener("unfolded", (e) => show(e.target));
base.addEventListener("change", () => change(() => { state.base = base.value; }));
for (const c of choices) c.addEventListener("change", () => change(() => { state.chosen[c.dataset.choice] = c.value; }));
filter.addEventListener("input", () => { state.name = filter.value; show(); });
filter.addEventListener("change", () => write());
document.getElementById("all").addEventListener("click", () => change(() => { state.only.clear(); state.name = state.base = ""; for (const key in state.chosen) state.chosen[key] = ""; }));
document.getElementById("controls").addEventListener("submit", (e) => e.preventDefault());
for (const a of document.querySelectorAll("nav a")) {
  a.addEventListener("click", (e) => {
    e.preventDefault();
    write(a.hash.slice(1));
    scroll();
  });
}
addEventListener("popstate", () => { read(); show(); scroll(); });
document.getElementById("controls").hidden = false;
read();
show();
scroll();

function scroll() {
  document.getElementById(location.hash.slice(1).split("?")[0])?.scrollIntoView();
}
