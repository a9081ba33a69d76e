"use strict";
// Compares the semantics with what package check says of a lock: command playreference writes it.

/**
 * @typedef {{together: boolean, races: boolean, panics: boolean, stuck: boolean, starves: number[], exits: number[], passed: number[],
 *   past_doorway: number[] | null, states: number}} Verdict
 * @typedef {{lock: string, n: number, document: {machines: Machine[]}, sums: number[][], verdicts: (Verdict | null)[]}} Reference
 */

const STEPS = 200;
/** Of larger graphs only the steps are compared: their answers take many seconds. */
const MOST_ANSWERED = 400000;

/** A sum over the lines of a random execution. @param {Consistent} sys @param {number} seed */
function sum(sys, seed) {
  const text = new TextEncoder();
  let h = 0x811c9dc5;
  walk(sys, seed, STEPS, (line) => { for (const byte of text.encode(line + "\n")) h = Math.imul(h ^ byte, 0x01000193); });
  return h >>> 0;
}

/** What is not as the checker has it. @param {Reference} r @returns {string[]} */
function differ(r) {
  /** @type {string[]} */
  const wrong = [];
  r.document.machines.forEach((machine, i) => {
    if (machine.partial) return;
    const sys = systemOf(machine);
    /** @param {string} what @param {unknown} want @param {unknown} got */
    const same = (what, want, got) => {
      if (JSON.stringify(want) !== JSON.stringify(got)) wrong.push(`${machine.memory}, ${what}: ${JSON.stringify(want)} of the checker, and ${JSON.stringify(got)}`);
    };
    r.sums[i].forEach((want, k) => { if (!wrong.length) same(`execution ${k + 1}`, want, sum(sys, k + 1)); });
    const v = r.verdicts[i];
    if (v && v.states <= MOST_ANSWERED && !wrong.length) answers(sys, v, same);
  });
  return wrong;
}

/** Compares what is possible with a verdict, and runs what shows it. @param {Consistent} sys @param {Verdict} v @param {(what: string, want: unknown, got: unknown) => void} same */
function answers(sys, v, same) {
  const p = possibleOf(sys, sys.initial(), 1 << 21);
  /** @param {(Way | null)[]} ways */
  const which = (ways) => ways.flatMap((way, pid) => (way ? [pid] : []));
  /** @param {Passed[] | null} all */
  const bounds = (all) => all && all.map((q) => (q.most === Infinity ? -1 : q.most));
  same("states", v.states, p.states);
  same("two in the critical section", v.together, Boolean(p.together));
  same("races", v.races, Boolean(p.race));
  same("panics", v.panics, Boolean(p.panics));
  same("stuck", v.stuck, Boolean(p.stuck));
  same("starvation", v.starves, which(p.starves));
  same("exit", v.exits, which(p.exits));
  same("passed", v.passed, bounds(p.passed));
  same("passed past the doorway", v.past_doorway, bounds(p.pastDoorway));
  const together = p.together && playedOut(sys, p.together, -1);
  if (together) same("two enter", 2, together.critical);
  for (const way of [p.stuck, ...p.starves, ...p.exits]) if (way) same("comes round", true, playedOut(sys, way, -1).round);
  p.passed.forEach((q, pid) => {
    if (q.way) same(`passes of process ${pid}`, true, q.most === Infinity ? playedOut(sys, q.way, pid).round : playedOut(sys, q.way, pid).passes >= q.most);
  });
}

/** Runs a way: whether its cycle comes back to its beginning, how many are in their critical sections at the end, and how often a process was passed. @param {Consistent} sys @param {Way} way @param {number} pid */
function playedOut(sys, way, pid) {
  const run = new Run(sys);
  let begin = "", passes = 0;
  way.actors.forEach((actor, i) => {
    if (i === way.cycle) begin = run.state.join();
    if (!sys.enabled(run.state, actor)) throw new Error(`step ${i + 1} of a way cannot be made`);
    const waits = pid >= 0 && sys.local(run.state, pid).section === ENTRY;
    const step = run.take(actor);
    passes += Number(waits && step.turn === "enters" && step.process !== pid);
  });
  let critical = 0;
  for (let p = 0; p < sys.n; p++) critical += Number(sys.local(run.state, p).section === CRITICAL);
  return { round: way.cycle < 0 || begin === run.state.join(), critical, passes };
}

/** The reference with one transition of its first machine that goes elsewhere. @param {Reference} r */
function changed(r) {
  const states = r.document.machines[0].processes[0].states;
  states[0][4] = 0;
  return r;
}
