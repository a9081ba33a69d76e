"use strict";
// A lock that is played: the position, the steps that led there, and the way back.

/**
 * @typedef {{lock: string, title?: string, n: number, edits?: string[], code: {file: string, line: number, text: string}[],
 *   machines: Machine[], omitted?: {memory: string, why: string}[]}} Played
 */

/** The name of an actor in a link: "0", "0f" for its store buffer, "0.2" for the outcome 2 of its step. @param {Consistent} sys @param {number} actor */
function nameOf(sys, actor) {
  const party = actor % sys.parties, outcome = Math.floor(actor / sys.parties);
  return party >= sys.n ? party - sys.n + "f" : party + (outcome ? "." + outcome : "");
}

/** The actor of a name, or -1. @param {Consistent} sys @param {string} name */
function actorOf(sys, name) {
  const m = /^(\d+)(f|\.(\d+))?$/.exec(name);
  if (!m || Number(m[1]) >= sys.n) return -1;
  return m[2] === "f" ? sys.n + Number(m[1]) : Number(m[1]) + Number(m[3] || 0) * sys.parties;
}

class Player {
  /** @param {Played} of @param {Machine} machine @param {(p: Player) => void} changed */
  constructor(of, machine, changed) {
    this.document = of;
    this.sys = systemOf(machine);
    this.run = new Run(this.sys);
    /** The positions, and the steps between them. @type {{state: State, places: (Place | null)[][]}[]} */
    this.history = [this.position()];
    /** @type {Step[]} */
    this.steps = [];
    this.named = machine.registers.flatMap((r, i) => (r.name ? [i] : []));
    /** @type {Record<string, string>} */
    const sources = {};
    for (const c of of.code) sources[c.file + ":" + c.line] = c.text;
    const buffers = this.sys instanceof Buffered;
    this.stepper = new Stepper({ id: "play", columns: Array.from({ length: of.n }, (_, p) => "process " + p), kind: "Registers",
      cells: this.named.map((i) => ({ name: machine.registers[i].name, value: machine.registers[i].values[0] })), steps: [], cycle: -1,
      under: buffers ? "Store buffers, the oldest store first" : this.sys instanceof Weak ? "Writes that are running" : undefined, code: of.code.map((c) => c.file + ":" + c.line) }, sources, () => changed(this));
    this.stepper.moved = () => this.restore();
    this.stepper.next = (p) => this.next(p);
    this.stepper.polls = (c) => this.polls(this.named[c]);
  }

  get at() { return this.stepper.step; }

  position() { return { state: this.run.state.slice(), places: this.run.places.map((p) => p.slice()) }; }

  /** Puts the run where the stepper is. */
  restore() {
    const { state, places } = this.history[this.at];
    this.run.state = state.slice();
    this.run.places = places.map((p) => p.slice());
  }

  /** What a process does next, as the stepper shows it. @param {number} p @returns {Next} */
  next(p) {
    const { place } = this.sys.local(this.run.state, p);
    return { ...(place ? { file: place.file, line: place.line } : {}), text: nextText(this.sys, this.run.state, p) };
  }

  /** Which processes poll a register: their next step reads it and changes nothing. @param {number} register */
  polls(register) {
    const all = [];
    for (let pid = 0; pid < this.sys.n; pid++) {
      const l = this.sys.local(this.run.state, pid);
      if (l.register !== register || l.section !== ENTRY && l.section !== EXIT || !l.loads || !this.sys.enabled(this.run.state, pid)) continue;
      if (l.to[this.sys.sees(this.run.state, pid)] === this.run.state[pid]) all.push(pid);
    }
    return all.join(", ");
  }

  /** Makes steps of actors, as far as they can be made; reports whether all were. @param {number[]} actors */
  take(actors) {
    const shown = [];
    this.history.length = this.at + 1;
    this.steps.length = this.at;
    for (const actor of actors) {
      if (actor < 0 || !this.sys.enabled(this.run.state, actor)) break;
      const before = this.run.state.slice();
      const step = this.run.take(actor);
      this.steps.push(step);
      this.history.push(this.position());
      shown.push(this.shown(step, before));
    }
    if (shown.length) this.stepper.append(shown);
    return shown.length === actors.length;
  }

  /** A step for the stepper. @param {Step} s @param {State} before @returns {Shown} */
  shown(s, before) {
    const { state } = this.run;
    /** @type {{cell: number, value: string, by: number}[]} */
    const sets = [];
    const wrote = ["load", "pass", "begin"].includes(s.op) || s.buffered ? "" : s.register;
    this.named.forEach((register, cell) => {
      const name = this.sys.a.registers[register].name, value = this.sys.value(state, register);
      if (this.sys.value(before, register) !== value || name === wrote && !(s.op === "compare-and-swap" && s.before === s.after)) {
        sets.push({ cell, value: this.sys.a.registers[register].values[value], by: s.process });
      }
    });
    const act = { by: s.process, file: s.file, line: s.line, label: s.label, text: stepText(s), section: s.section, turn: s.turn, buffer: s.op === "flush" };
    return { acts: [act], sets, under: this.under(), says: sentenceOf(s) };
  }

  /** What is on its way to memory. */
  under() {
    const { sys } = this, { state } = this.run, all = [];
    for (let pid = 0; pid < sys.n; pid++) {
      for (const { register, value } of sys.buffer(state, pid)) all.push(`process ${pid}: ${sys.a.registers[register].name} := ${sys.a.registers[register].values[value]}`);
      const l = sys.local(state, pid);
      if (sys instanceof Weak && l.flags & RUNNING) all.push(`process ${pid}: ${sys.a.registers[l.register].name} := ${sys.a.registers[l.register].values[sys.stored(pid, l)]}`);
    }
    return all;
  }

  /** The steps so far, as a link has them. */
  schedule() { return this.steps.slice(0, this.at).map((s) => nameOf(this.sys, s.actor)).join(","); }

  /** Makes the steps of a link, as far as they can be made; reports whether all were. @param {string} schedule */
  replay(schedule) {
    return !schedule || this.take(schedule.split(",").map((name) => actorOf(this.sys, name)));
  }
}
