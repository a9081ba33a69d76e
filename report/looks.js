// What is chosen stands out: a thin line that the user chooses gets a look that no other
// line of its chart has, with its name at its end.
const looks = [...document.querySelectorAll("defs [data-dash]")].map((mark) => ({ name: mark.id, dash: mark.dataset.dash }));
const choosing = () => state.only.size > 0 || state.name !== "" || Object.values(state.chosen).some((value) => value);

// bring gives the lines of a chart their looks.
function bring(svg) {
  svg.end ??= svg.querySelector(".end");
  if (!svg.end || !choosing() && !svg.brought) return;
  svg.brought = choosing();
  const lines = [...svg.querySelectorAll(".series:not(.end)")], given = assigned(lines);
  const others = lines.filter((line) => line.look !== given.get(line));
  for (const line of others) dress(svg, line, given.get(line));
  if (others.length) ends(svg);
}

// assigned says which look each line has: its own, unless that is needed for a chosen line.
function assigned(lines) {
  const given = new Map(), chosen = (line) => wanted(line.dataset.series) && (state.only.size === 0 || state.only.has(line.dataset.series));
  for (const line of lines) {
    if (!("own" in line)) line.own = line.look = looks.find((l) => line.classList.contains(l.name));
    if (line.own && (!choosing() || wanted(line.dataset.series))) given.set(line, line.own);
  }
  for (const line of choosing() ? lines.filter((l) => !l.own && chosen(l)) : []) {
    let look = looks.find((l) => ![...given.values()].includes(l));
    const other = look || state.only.size === 0 ? undefined : [...given.keys()].findLast((l) => !chosen(l));
    if (other) {
      look = given.get(other);
      given.delete(other);
    }
    if (look) given.set(line, look);
  }
  return given;
}

// dress gives a line a look, or makes it thin, and writes or removes its name.
function dress(svg, line, look) {
  line.look = look;
  line.classList.remove("quiet", ...looks.map((l) => l.name));
  line.classList.add(look?.name ?? "quiet");
  const path = line.querySelector(".line"), marks = [...line.querySelectorAll("use[data-x]")];
  if (look?.dash) path?.setAttribute("stroke-dasharray", look.dash);
  else path?.removeAttribute("stroke-dasharray");
  for (const mark of marks) {
    if (!look && path) mark.removeAttribute("href");
    else mark.setAttribute("href", "#" + (look?.name ?? "quiet"));
  }
  const old = svg.querySelector(`.end[data-series="${CSS.escape(line.dataset.series)}"]`);
  if (line.own) return old?.classList.toggle("out", !look);
  old?.remove();
  if (!look || !marks.length) return;
  const end = line.closest(".panel").appendChild(svg.end.cloneNode(true)), key = end.querySelector(".key"), text = end.querySelector("text");
  end.setAttribute("class", "end series " + look.name);
  end.dataset.series = text.textContent = line.dataset.series;
  key.setAttribute("href", "#" + look.name);
  if (!path) key.setAttribute("x", +marks.at(-1).getAttribute("x") + 12); // beside its point
  text.setAttribute("x", +key.getAttribute("x") + 8);
}

// ends puts the names of the lines at their ends again, none over another. The chart becomes
// wider for names that need it.
function ends(svg) {
  const rect = svg.querySelector(".grid rect"), most = +rect.getAttribute("y") + +rect.getAttribute("height");
  const all = [...svg.querySelectorAll(".end:not(.out)")].filter((end) => wanted(end.dataset.series)).map((end) => {
    const last = [...svg.querySelectorAll(`.series:not(.end)[data-series="${CSS.escape(end.dataset.series)}"] use[data-x]`)].at(-1);
    if (!last) end.classList.add("out");
    return { end, last, y: last ? +last.getAttribute("y") : 0 };
  }).filter((e) => e.last).sort((a, b) => a.y - b.y);
  for (let i = 1; i < all.length; i++) all[i].y = Math.max(all[i].y, all[i - 1].y + 13);
  for (let i = all.length - 1; i >= 0; i--) all[i].y = Math.min(all[i].y, i + 1 < all.length ? all[i + 1].y - 13 : most);
  svg.wide ??= svg.viewBox.baseVal.width;
  let width = svg.wide;
  for (const { end, last, y } of all) {
    const key = end.querySelector(".key"), text = end.querySelector("text"), x = +key.getAttribute("x");
    end.querySelector(".lead").setAttribute("d", `M${last.getAttribute("x")} ${last.getAttribute("y")}L${x - 6} ${y}`);
    key.setAttribute("y", y);
    text.setAttribute("y", y + 4);
    width = Math.max(width, x + 12 + text.getComputedTextLength());
  }
  svg.setAttribute("viewBox", `0 0 ${width} ${svg.viewBox.baseVal.height}`);
}
