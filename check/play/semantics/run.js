"use strict";
// An execution, step by step, in the words of the checker's traces.

/**
 * @typedef {{actor: number, process: number, file: string, line: number, label: string, op: string, plain: boolean, buffered: boolean,
 *   register: string, before: string, after: string, may: string[], section: string, turn: string}} Step
 */

/** What a step from one section to another means. @param {number} before @param {number} after */
function turnOf(before, after) {
  if (before === after) return "";
  if (after === CRITICAL) return "enters";
  if (after === REMAINDER) return before === ENTRY ? "fails" : "is done";
  return after === EXIT ? "leaves" : "";
}

/** An execution of a system from its initial state on. */
class Run {
  /** @param {Consistent} system */
  constructor(system) {
    this.sys = system;
    this.state = system.initial();
    /** The places of the stores in the buffers. @type {(Place | null)[][]} */
    this.places = Array.from({ length: system.n }, () => []);
  }

  /** The actors that can step. */
  actors() {
    const all = [];
    for (let actor = 0; actor < this.sys.actors; actor++) if (this.sys.enabled(this.state, actor)) all.push(actor);
    return all;
  }

  /** Makes the step of an actor that is enabled. @param {number} actor @returns {Step} */
  take(actor) {
    const { sys, state } = this, pid = actor % sys.parties % sys.n;
    const flushes = actor % sys.parties >= sys.n;
    const before = sys.local(state, pid), was = state.slice();
    const oldest = flushes ? sys.buffer(state, pid)[0] : null;
    const found = flushes ? 0 : sys.sees(state, actor);
    const may = sys instanceof Weak && before.next.length && !flushes ? sys.may(state, pid) : [];
    sys.make(state, actor);
    const after = sys.local(state, pid);
    const place = flushes ? this.places[pid].shift() : before.place;
    const buffered = !flushes && (before.flags & BUFFERED) !== 0;
    if (buffered) this.places[pid].push(before.place);
    const register = oldest ? oldest.register : before.register;
    const names = sys.a.registers[register], named = names.name !== "";
    /** @param {number} v */
    const text = (v) => (named ? names.values[v] : "");
    let op = flushes ? "flush" : before.op, values = flushes ? [sys.value(was, register), oldest ? oldest.value : 0] : [found, this.left(before, found, pid, was)];
    if (sys instanceof Weak && sys.weak(before) && !before.next.length) {
      op = before.flags & STARTS ? "begin" : "end";
      values = op === "begin" ? [found, sys.stored(pid, before)] : [sys.stored(pid, before), sys.value(state, register)];
    }
    return { actor, process: pid, file: place ? place.file : "", line: place ? place.line : 0, label: (place && place.label) || "", op, plain: Boolean(place && place.plain),
      buffered, register: named ? names.name : "", before: text(values[0]), after: text(values[1]), may: may.length > 1 ? may.map(text) : [],
      section: SECTIONS[after.section], turn: turnOf(before.section, after.section) };
  }

  /** The value that an access leaves, in its register or the store buffer. @param {Local} l @param {number} found @param {number} pid @param {State} was */
  left(l, found, pid, was) {
    if (l.to[found] !== BINDS) return l.leaves(found);
    const bound = this.sys.bind(was, l, found);
    return bound ? bound.as.leaves(found) : found;
  }

  /** The line that play.Walk gives of a step. @param {number[]} actors @param {Step} s */
  line(actors, s) {
    const { sys, state } = this;
    let text = `${s.actor} of [${actors.join(" ")}]: ${s.process} ${s.op} ${s.register} |${s.before}|${s.after}|${s.may.join(" or ")}|${s.file}:${s.line} ${s.label} ${s.section} ${s.turn} ${s.buffered} ${s.plain};`;
    for (let pid = 0; pid < sys.n; pid++) text += " " + SECTIONS[sys.local(state, pid).section];
    sys.a.registers.forEach((r, i) => { text += " " + r.values[sys.value(state, i)]; });
    for (let pid = 0; pid < sys.n; pid++) for (const { register, value } of sys.buffer(state, pid)) text += ` ${pid}:${register}=${value}`;
    return text;
  }
}

/** Marsaglia's xorshift of 32 bits. @param {number} seed */
function xorshift(seed) {
  seed ^= seed << 13;
  seed ^= seed >>> 17;
  return (seed ^ seed << 5) >>> 0;
}

/**
 * Makes a random execution, as play.Walk does, and calls each with its lines.
 * @param {Consistent} system @param {number} seed @param {number} steps @param {(line: string) => void} each
 */
function walk(system, seed, steps, each) {
  let run = new Run(system);
  for (let i = 0; i < steps; i++) {
    const actors = run.actors();
    if (!actors.length) {
      each("again");
      run = new Run(system);
      continue;
    }
    seed = xorshift(seed);
    each(run.line(actors, run.take(actors[seed % actors.length])));
  }
}
