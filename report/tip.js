// What a point is, in a box beside it: for a pointer that is near, a finger that touches
// near it, and the arrow keys in a chart that has the focus.
const tip = document.getElementById("tip"), near = 24; // px
const three = (v) => (v >= 100 ? v.toFixed(0) : v.toPrecision(3));

function points(svg) {
  return [...svg.querySelectorAll("use[data-x]")].filter((m) => getComputedStyle(m.closest(".series")).display !== "none");
}

function told(mark) {
  const { x, y, l, h } = mark.dataset, panel = mark.closest(".panel"), text = panel.querySelectorAll(".text text");
  const spread = l ? " [" + three(+l) + ", " + three(+h) + "]" : "", name = mark.closest(".series").dataset.series;
  if (y === undefined) return name + ": " + three(+x) + spread;
  const titles = [...text].slice(-2).map((t) => t.textContent), tick = [...panel.querySelectorAll(".grid [data-x]")].findIndex((g) => g.dataset.x === x);
  return name + ": " + three(+y) + spread + " " + titles[1] + "; " + titles[0] + " " + (tick < 0 ? three(+x) : text[tick].textContent);
}

function tell(mark) {
  document.querySelector("use.told")?.classList.remove("told");
  tip.hidden = !mark;
  if (!mark) return;
  mark.classList.add("told");
  tip.textContent = told(mark);
  const at = mark.getBoundingClientRect(), x = at.left + at.width / 2, y = at.top + at.height / 2;
  tip.style.left = Math.max(4, Math.min(innerWidth - tip.offsetWidth - 4, x + 12)) + "px";
  tip.style.top = (y > tip.offsetHeight + 16 ? y - tip.offsetHeight - 10 : y + 14) + "px";
}

function nearest(svg, x, y) {
  const box = svg.getBoundingClientRect(), scale = box.width / svg.viewBox.baseVal.width;
  let best = null, least = near;
  for (const m of points(svg)) {
    const d = Math.hypot(box.left + m.getAttribute("x") * scale - x, box.top + m.getAttribute("y") * scale - y);
    if (d < least || (d === least && !m.closest(".quiet"))) [best, least] = [m, d];
  }
  return best;
}

for (const kind of ["pointermove", "pointerdown"]) {
  addEventListener(kind, (e) => {
    const svg = e.target.closest?.("svg.plot"), mark = svg ? nearest(svg, e.clientX, e.clientY) : null;
    tell(mark);
    hover(meant(e) ?? (mark?.closest(".series:not(.row)")?.dataset.series ?? null));
  });
}
addEventListener("scroll", () => tell(null), true);
addEventListener("focusout", () => tell(null));
addEventListener("keydown", (e) => {
  const step = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] }[e.key], svg = document.activeElement;
  if (e.key === "Escape") tell(null);
  if (!step || !svg.matches("svg.plot")) return;
  e.preventDefault();
  const lines = [...svg.querySelectorAll(".series:not(.end)")].filter((s) => s.querySelector("use[data-x]") && getComputedStyle(s).display !== "none").reverse();
  if (!lines.length) return;
  const was = svg.querySelector("use.told"), on = was ? lines.indexOf(was.closest(".series")) : -1;
  const line = lines[Math.max(0, Math.min(lines.length - 1, on + (on < 0 ? 1 : step[0])))], marks = [...line.querySelectorAll("use[data-x]")];
  const at = was ? [...was.closest(".series").querySelectorAll("use[data-x]")].indexOf(was) : 0;
  tell(marks[Math.max(0, Math.min(marks.length - 1, at + (was ? step[1] : 0)))]);
});
