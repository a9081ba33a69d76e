"use strict";
// The page: it plays a lock, or the exercises of a course.

/**
 * @typedef {{title: string, task: string, document: number, memory: string, goal: string, why: string}} Exercise
 * @typedef {{documents: Played[], exercises?: Exercise[]}} Course
 */

/** @param {string} id @returns {HTMLElement} */
function byId(id) { return /** @type {HTMLElement} */ (document.getElementById(id)); }

/** @type {Course} */
const played = JSON.parse(byId("document").textContent || "");
const calm = matchMedia("(prefers-reduced-motion: reduce)");
/** @type {Player} */
let player;
let walking = false, flushing = false, way = 0, keeping = 0;
const search = new Search(showWay);

const select = (/** @type {string} */ id) => /** @type {HTMLSelectElement} */ (byId(id));

/** The exercise that is on the page, or null. @returns {Exercise | null} */
function exercise() { return (played.exercises || [])[Number(select("which").value) || 0] || null; }

/** What the fragment says. */
function given() { return new URLSearchParams(location.hash.slice(1)); }

/** The goal: that of the exercise, or of the link. */
function goal() { return exercise()?.goal || given().get("goal") || ""; }

/** Begins with what the fragment says. */
function begin() {
  const of = given(), all = played.exercises || [];
  if (all.length) {
    const k = Math.max(1, Math.min(all.length, Number(of.get("exercise")) || 1)) - 1;
    select("which").value = String(k);
    byId("exercise").hidden = false;
    byId("task").textContent = all[k].task;
  }
  const lock = played.documents[exercise()?.document ?? 0];
  const memory = of.get("memory") || exercise()?.memory || lock.machines[0].memory;
  const machine = lock.machines.find((m) => m.memory === memory) || lock.machines[0];
  select("memory").replaceChildren(...lock.machines.map((m) => new Option(/** @type {Record<string, string>} */ (MEMORIES)[m.memory], m.memory)));
  select("memory").value = machine.memory;
  start(lock, machine, of.get("do") || "", strange(of, lock));
}

/** What a link has that the page does not play. @param {URLSearchParams} of @param {Played} lock */
function strange(of, lock) {
  const named = (/** @type {string} */ name, /** @type {string} */ edits) => name + (edits ? " with " + edits : "");
  const here = named(lock.lock, (lock.edits || []).join("; ")), there = named(of.get("lock") || "", of.get("edit") || ""), memory = of.get("memory");
  const says = [];
  if (of.get("lock") && there !== here) says.push(`The link is of ${there}, and this page plays ${here}.`);
  if (memory && !lock.machines.some((m) => m.memory === memory)) says.push(`The link is for the memory "${memory}", which this page does not have.`);
  return says.join(" ");
}

/** @param {Played} lock @param {Machine} machine @param {string} schedule @param {string} strange */
function start(lock, machine, schedule, strange) {
  walk(false);
  player = new Player(lock, machine, show);
  search.on(machine);
  byId("stage").replaceChildren(player.stepper.root);
  player.stepper.root.querySelectorAll(".column").forEach((it, p) => {
    const choices = make("div", undefined, "choices " + processClass(p));
    choices.setAttribute("role", "group");
    choices.setAttribute("aria-label", "steps of process " + p);
    it.append(choices);
  });
  const cut = player.replay(schedule) ? "" : `Step ${player.at + 1} of the link cannot be made here.`;
  byId("limits").textContent = [strange, cut, limits(lock, machine)].filter(Boolean).join(" ");
  player.stepper.show();
  show();
}

/** What is to be known of a machine. @param {Played} lock @param {Machine} machine */
function limits(lock, machine) {
  const says = [];
  if (lock.edits?.length) says.push("Changed: " + lock.edits.join("; ") + ".");
  if (machine.passages) says.push(`Each process makes at most ${machine.passages} passages: a register grows without bound.`);
  if (machine.partial) says.push("The lock is undecided, and can be played as far as its automata are known: " + machine.partial + ".");
  for (const o of lock.omitted || []) says.push(`Not played on ${/** @type {Record<string, string>} */ (MEMORIES)[o.memory].split(":")[0]}: ${o.why}.`);
  return says.join(" ");
}

/** Shows what the player does not: buttons, goal, link and search. */
function show() {
  const { sys, run } = player, n = sys.n;
  for (let pid = 0; pid < n; pid++) choices(pid);
  player.stepper.root.querySelectorAll(".column").forEach((it, p) => {
    it.classList.toggle("critical", sys.local(run.state, p).section === CRITICAL);
    const place = /** @type {HTMLElement} */ (it.querySelector(".place"));
    if (!place.textContent) place.textContent = SECTIONS[sys.local(run.state, p).section];
    if (sys.local(run.state, p).section === ENTRY) place.textContent = sys.a.machine.doorway ? (sys.local(run.state, p).flags & PAST_DOORWAY ? "waiting" : "doorway") : "entry";
  });
  /** @type {HTMLButtonElement} */ (byId("undo")).disabled = player.at === 0;
  /** @type {HTMLButtonElement} */ (byId("redo")).disabled = player.at === player.stepper.e.steps.length;
  clearTimeout(keeping);
  if (!walking) {
    keeping = setTimeout(() => history.replaceState(null, "", "#" + link()), 100);
    search.from(player);
  }
  solved();
}

/** What a link to this position carries. */
function link() {
  const of = new URLSearchParams(), e = exercise();
  if (e) of.set("exercise", String((played.exercises || []).indexOf(e) + 1));
  of.set("lock", player.document.lock);
  if (player.document.edits?.length) of.set("edit", player.document.edits.join("; "));
  of.set("memory", player.sys.a.machine.memory);
  if (goal()) of.set("goal", goal());
  const schedule = player.schedule();
  if (schedule) of.set("do", schedule);
  return String(of).replaceAll("%2C", ",").replaceAll("%2F", "/").replaceAll("%3A", ":");
}

/** The actors of a process. @param {number} pid */
function actorsOf(pid) { return player.run.actors().filter((a) => a % player.sys.parties === pid); }

/** The buttons of a process: its steps, with a choice where there are several, and its store buffer. @param {number} pid */
function choices(pid) {
  const { sys, run } = player, actors = actorsOf(pid), box = /** @type {HTMLElement} */ (player.stepper.root.querySelectorAll(".choices")[pid]);
  const focused = box.contains(document.activeElement) ? [...box.children].indexOf(/** @type {Element} */ (document.activeElement)) : -1;
  const buttons = actors.map((actor) => {
    const button = make("button", actors.length > 1 ? outcome(pid, actor) : "step process " + pid, "step");
    button.addEventListener("click", () => take(actor));
    return button;
  });
  if (!actors.length) buttons.push(Object.assign(make("button", "step process " + pid, "step"), { disabled: true }));
  if (sys.parties > sys.n) {
    const flush = Object.assign(make("button", "flush store buffer " + pid), { disabled: !sys.enabled(run.state, sys.n + pid) });
    flush.addEventListener("click", () => take(sys.n + pid));
    buttons.push(flush);
  }
  for (const b of buttons) b.setAttribute("type", "button");
  box.replaceChildren(...buttons);
  if (focused >= 0) buttons[Math.min(focused, buttons.length - 1)].focus();
}

/** What an outcome of a step is. @param {number} pid @param {number} actor */
function outcome(pid, actor) {
  const { sys, run } = player, l = sys.local(run.state, pid), r = sys.a.registers[l.register];
  if (l.loads) return `step process ${pid}: read ${r.values[sys.sees(run.state, actor)]}`;
  const k = Math.floor(actor / sys.parties);
  if (sys instanceof Weak && sys.safe) return `step process ${pid}: leave ${r.values[k]}`;
  return `step process ${pid}: ` + (k ? "the write took effect before the other" : "the write takes effect now");
}

/** Makes a step. @param {number} actor */
function take(actor) {
  way++;
  player.take([actor]);
  show();
}

/** The goal of an exercise is reached, and why. */
function solved() {
  const g = goal(), says = byId("solved"), means = goalInWords(g, player.sys.n);
  if (!g) return;
  byId("exercise").hidden = false;
  /** @type {HTMLElement} */ (byId("which").closest("p")).hidden = !exercise();
  if (!exercise()) byId("task").textContent = means ? `The goal of this link: ${means}.` :
    `The link has the unknown goal "${g}": expected together, stuck, panic, passed:1:3 or past:1:3.`;
  if (!means) return;
  let k = 0, passes = 0, found = reaches(g, player.sys, player.history[0].state, 0);
  for (; k < player.at && !found; k++) {
    passes = passesAfter(g, player.sys, player.history[k].state, player.steps[k].actor, player.history[k + 1].state, passes);
    found = reaches(g, player.sys, player.history[k + 1].state, passes);
  }
  const text = found ? `Solved in ${k} ${k === 1 ? "step" : "steps"}. ${exercise()?.why || "The goal is reached."}` : "";
  if (says.textContent !== text) says.textContent = text;
}

/** Plays a way step by step, or at once where motion is not wanted. @param {Way} shown */
function showWay(shown) {
  const mine = ++way;
  walk(false);
  let k = 0;
  const next = () => {
    if (mine !== way || k === shown.actors.length) return;
    player.take([shown.actors[k++]]);
    show();
    setTimeout(next, 500);
  };
  if (!calm.matches) return next();
  player.take(shown.actors);
  show();
}

/** A step at random; false if there is none. */
function random() {
  const actors = player.run.actors();
  if (actors.length) player.take([actors[Math.floor(Math.random() * actors.length)]]);
  return actors.length > 0;
}

/** Steps at random, one a frame. @param {boolean} on */
function walk(on) {
  if (walking === on) return;
  walking = on;
  way++;
  byId("walk").setAttribute("aria-pressed", String(on));
  byId("walk").textContent = on ? "stop" : "random walk";
  const mine = way;
  const frame = () => {
    if (!walking || mine !== way) return;
    if (!random() || player.at >= 5000) walk(false);
    show();
    if (calm.matches) setTimeout(frame, 1000); else requestAnimationFrame(frame);
  };
  if (on) frame(); else if (player) show();
}

/** Steps at random until a process enters or leaves, or something goes wrong. */
function interesting() {
  way++;
  walk(false);
  for (let k = 0; k < 1000 && random(); k++) {
    const { turn } = player.steps[player.at - 1];
    if (turn || hopeless(player.sys, player.run.state)) break;
  }
  show();
}

/** Copies a link, or shows it. */
function copyLink() {
  const box = /** @type {HTMLTextAreaElement} */ (byId("address"));
  box.hidden = false;
  box.value = location.href.replace(/#.*/, "") + "#" + link();
  box.select();
  byId("link").textContent = document.execCommand("copy") ? "link copied" : "copy it below";
}

/** @type {Record<string, () => void>} */
const commands = {
  u: () => player.stepper.act("back"), ArrowLeft: () => player.stepper.act("back"), y: () => player.stepper.act("forward"), ArrowRight: () => player.stepper.act("forward"),
  r: () => player.stepper.act("first"), Home: () => player.stepper.act("first"), End: () => player.stepper.act("last"),
  w: () => walk(!walking), i: interesting, l: copyLink,
  "?": () => {
    byId("keys").hidden = !byId("keys").hidden;
    byId("help").setAttribute("aria-expanded", String(!byId("keys").hidden));
  },
};

addEventListener("keydown", (event) => {
  const at = /** @type {HTMLElement} */ (event.target);
  if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(at.tagName)) return;
  if (/^Arrow/.test(event.key) && at.tabIndex === 0 && at.scrollWidth > at.clientWidth) return; // it scrolls
  const pid = /^[0-3]$/.test(event.key) ? Number(event.key) : -1, flushes = flushing;
  flushing = event.key === "f";
  if (pid >= 0 && pid < player.sys.n) {
    const actors = flushes ? player.run.actors().filter((a) => a === player.sys.n + pid) : actorsOf(pid);
    if (actors.length === 1) take(actors[0]);
    else if (actors.length) /** @type {HTMLElement} */ (player.stepper.root.querySelectorAll(".choices")[pid].firstElementChild).focus();
  } else if (commands[event.key]) commands[event.key]();
  else return;
  event.preventDefault();
});

for (const [id, key] of [["undo", "u"], ["redo", "y"], ["restart", "r"], ["walk", "w"], ["interesting", "i"], ["link", "l"], ["help", "?"]]) byId(id).addEventListener("click", commands[key]);
(played.exercises || []).forEach((e, k) => select("which").append(new Option(`${k + 1}. ${e.title}`, String(k))));
select("which").addEventListener("change", () => { location.hash = "#exercise=" + (Number(select("which").value) + 1); });
select("memory").addEventListener("change", () => {
  const machine = player.document.machines.find((m) => m.memory === select("memory").value);
  if (machine) start(player.document, machine, "", "");
});
addEventListener("hashchange", () => {
  byId("solved").textContent = "";
  begin();
});
begin();
