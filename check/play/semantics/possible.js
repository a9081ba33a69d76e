"use strict";
// What is still possible from a state: the questions of package check's analyses, on the graph
// of the states that can be reached from there.

/**
 * A shortest execution that shows an answer; `cycle` is the index of the first step of what goes on for ever, or -1.
 * @typedef {{actors: number[], cycle: number}} Way
 * @typedef {{most: number, way: Way | null}} Passed most is Infinity if there is no bound
 * @typedef {{complete: boolean, unknown: boolean, states: number, together: Way | null, race: Way | null, panics: Way | null,
 *   stuck: Way | null, starves: (Way | null)[], exits: (Way | null)[], passed: Passed[], pastDoorway: Passed[] | null}} Possible
 */

/** Reports whether two processes are in their critical sections. @param {Graph} g @param {number} id */
function together(g, id) {
  let critical = 0;
  for (let pid = 0; pid < g.sys.n; pid++) critical += Number(g.section(id, pid) === CRITICAL);
  return critical > 1;
}

/** Reports whether two processes are about to access one register, one to write and one plainly. @param {Graph} g @param {number} id */
function races(g, id) {
  const next = Array.from({ length: g.sys.n }, (_, pid) => g.sys.local(g.at(id), pid));
  return next.some((a, p) => next.slice(0, p).some((b) => a.register >= 0 && a.register === b.register && !/^(pass|stop|)$/.test(a.op + b.op) &&
    (a.plain || b.plain) && (a.writes || b.writes)));
}

/** Reports whether a process has stopped with a fault of the lock. @param {Graph} g @param {number} id */
function panicked(g, id) {
  for (let pid = 0; pid < g.sys.n; pid++) {
    const l = g.sys.local(g.at(id), pid);
    if (l.flags & STOPS && !l.rest.refused) return true;
  }
  return false;
}

/** The questions about one graph. */
class Questions {
  /** @param {Graph} g */
  constructor(g) {
    this.g = g;
    this.n = g.sys.n;
    const { machine, local } = g.sys.a;
    /** Whether there may be states in which it is not known what a process does next. */
    this.open = Boolean(machine.partial) || machine.registers.some((r) => r.cut) || local.some((all) => all.some((l) => l.rest.refused));
  }

  /** The nearest state for which something holds. @param {(g: Graph, id: number) => boolean} holds @returns {Way | null} */
  nearest(holds) {
    for (let id = 0; id < this.g.count; id++) if (holds(this.g, id)) return { actors: this.g.path(id), cycle: -1 };
    return null;
  }

  /** Calls each with the successors of a state by a party. @param {number} id @param {number} party @param {(actor: number, to: number) => boolean} some */
  steps(id, party, some) {
    for (let actor = party; actor < this.g.actors; actor += this.g.sys.parties) {
      const to = this.g.successor(id, actor);
      if (to !== NONE && some(actor, to)) return true;
    }
    return false;
  }

  /** Reports whether a party may stay as it is for ever. @param {number} id @param {number} party */
  excused(id, party) {
    if (this.open && party < this.n && this.g.sys.unknown(this.g.at(id), party)) return false;
    return party < this.n && this.g.section(id, party) === REMAINDER || !this.steps(id, party, () => true);
  }

  /**
   * Reports whether an execution can stay in a component in which every process that can step does so again and again.
   * @param {number[]} states @param {(from: number, actor: number, to: number) => boolean} keep
   */
  fair(states, keep) {
    const member = new Set(states);
    for (let p = 0; p < this.g.sys.parties; p++) {
      const moves = states.some((id) => this.excused(id, p) || this.steps(id, p, (actor, to) => member.has(to) && keep(id, actor, to)));
      if (!moves) return false;
    }
    return true;
  }

  /**
   * A fair execution that stays in a part of the graph, and there meets what is wanted.
   * @param {(id: number) => boolean} within
   * @param {(from: number, actor: number, to: number) => boolean} keep
   * @param {(id: number) => boolean} wanted
   * @returns {Way | null}
   */
  stays(within, keep, wanted) {
    /** @type {number[] | null} */
    let best = null;
    let least = Infinity;
    this.g.components(within, keep, (states) => {
      const first = Math.min(...this.least(states));
      if (first >= least || !states.some(wanted) || !this.fair(states, keep)) return;
      best = states;
      least = first;
    });
    return best ? this.lasso(best, keep) : null;
  }

  /** The least of some numbers, which may be many. @param {number[]} states */
  least(states) { return [states.reduce((a, b) => Math.min(a, b))]; }

  /** Goes to a component, and there around, so that each party steps that need not stay. @param {number[]} states @param {(from: number, actor: number, to: number) => boolean} keep @returns {Way} */
  lasso(states, keep) {
    const member = new Set(states), [begin] = this.least(states);
    const actors = this.g.path(begin), cycle = actors.length;
    /** @param {number} from @param {number} actor @param {number} to */
    const inside = (from, actor, to) => member.has(to) && keep(from, actor, to);
    let at = begin;
    for (let p = 0; p < this.g.sys.parties; p++) {
      if (states.some((id) => this.excused(id, p))) {
        const idle = states.find((id) => this.excused(id, p));
        const way = idle === at || idle === undefined ? null : this.g.way(at, inside, (_from, _actor, to) => to === idle);
        if (way) {
          actors.push(...way.actors);
          at = way.to;
        }
        continue;
      }
      const way = this.g.way(at, inside, (_from, actor) => actor % this.g.sys.parties === p);
      if (!way) continue;
      actors.push(...way.actors);
      at = way.to;
    }
    const back = at === begin ? null : this.g.way(at, inside, (_from, _actor, to) => to === begin);
    if (back) actors.push(...back.actors);
    return { actors, cycle: actors.length > cycle ? cycle : -1 };
  }

  /** Can all get stuck: some process tries to enter, and none ever does? */
  stuck() {
    const { g, n } = this;
    const tries = (/** @type {number} */ id) => Array.from({ length: n }, (_, pid) => g.section(id, pid)).includes(ENTRY);
    return this.stays(() => true, (from, actor, to) => !g.enters(from, actor, to), tries);
  }

  /** Can a process stay in a section for ever? @param {number} pid @param {number} section */
  stay(pid, section) {
    const within = (/** @type {number} */ id) => this.g.section(id, pid) === section;
    return this.stays(within, () => true, () => true);
  }

  /**
   * How often others can enter while a process is in a part of its entry section.
   * @param {number} pid @param {(l: Local) => boolean} part
   * @returns {Passed}
   */
  passed(pid, part) {
    const { g } = this, most = new Float64Array(g.count), step = new Int32Array(g.count).fill(-1);
    const within = (/** @type {number} */ id) => g.section(id, pid) === ENTRY && part(g.sys.local(g.at(id), pid));
    /** @type {Way | null} */
    let endless = null;
    let best = -1;
    g.components(within, () => true, (states) => {
      const member = new Set(states);
      let unbounded = false;
      for (const id of states) {
        for (let actor = 0; actor < g.actors; actor++) {
          const to = g.successor(id, actor);
          if (to === NONE || to === id) continue;
          const weight = g.enters(id, actor, to) && actor % g.sys.parties !== pid ? 1 : 0;
          unbounded ||= weight > 0 && member.has(to);
          const value = weight + (!member.has(to) && within(to) ? most[to] : 0);
          if (!member.has(to) && value > most[id]) {
            most[id] = value;
            step[id] = actor;
          }
        }
      }
      const top = states.reduce((a, id) => Math.max(a, most[id]), 0);
      for (const id of states) most[id] = top;
      if (unbounded && !endless) endless = this.overtaken(states, pid);
      for (const id of states) if (best < 0 || most[id] > most[best] || most[id] === most[best] && id < best) best = id;
    });
    if (endless) return { most: Infinity, way: endless };
    if (best < 0 || most[best] === 0) return { most: 0, way: null };
    return { most: most[best], way: { actors: g.path(best).concat(this.follow(best, pid, most, within)), cycle: -1 } };
  }

  /** The way through a component on which a process is passed again and again. @param {number[]} states @param {number} pid @returns {Way} */
  overtaken(states, pid) {
    const { g } = this, member = new Set(states), [begin] = this.least(states);
    const actors = g.path(begin), cycle = actors.length;
    /** @param {number} _from @param {number} _actor @param {number} to */
    const inside = (_from, _actor, to) => member.has(to);
    const enters = g.way(begin, inside, (from, actor, to) => g.enters(from, actor, to) && actor % g.sys.parties !== pid);
    if (!enters) return { actors, cycle: -1 };
    const back = enters.to === begin ? null : g.way(enters.to, inside, (_from, _actor, to) => to === begin);
    return { actors: actors.concat(enters.actors, back ? back.actors : []), cycle };
  }

  /** The steps from a state on which a process is passed most often. @param {number} at @param {number} pid @param {Float64Array} most @param {(id: number) => boolean} within */
  follow(at, pid, most, within) {
    const { g } = this, actors = [];
    while (most[at] > 0) {
      const left = most[at];
      const way = g.way(at, (_from, _actor, to) => within(to) && most[to] === left, (from, actor, to) => g.enters(from, actor, to) && actor % g.sys.parties !== pid) ||
        g.way(at, (from, actor, to) => within(to) && (most[to] === left || this.weight(from, actor, to, pid) + most[to] === left),
          (from, actor, to) => this.weight(from, actor, to, pid) + most[to] === left && most[to] < left);
      if (!way) break;
      actors.push(...way.actors);
      at = way.to;
      if (!within(at)) break;
    }
    return actors;
  }

  /** @param {number} from @param {number} actor @param {number} to @param {number} pid */
  weight(from, actor, to, pid) { return Number(this.g.enters(from, actor, to) && actor % this.g.sys.parties !== pid); }

  /** @returns {Possible} */
  answers() {
    const { g, n } = this, pids = Array.from({ length: n }, (_, pid) => pid);
    let unknown = false;
    for (let id = 0; this.open && !unknown && id < g.count; id++) unknown = pids.some((pid) => g.sys.unknown(g.at(id), pid));
    const whole = g.complete;
    return { complete: whole, unknown, states: g.count,
      together: this.nearest(together), race: this.nearest(races), panics: this.nearest(panicked),
      stuck: whole ? this.stuck() : null,
      starves: pids.map((pid) => (whole ? this.stay(pid, ENTRY) : null)),
      exits: pids.map((pid) => (whole ? this.stay(pid, EXIT) : null)),
      passed: whole ? pids.map((pid) => this.passed(pid, () => true)) : [],
      pastDoorway: whole && g.sys.a.machine.doorway ? pids.map((pid) => this.passed(pid, (l) => (l.flags & PAST_DOORWAY) !== 0)) : null };
  }
}

/** What is possible from a state, as far as the search of at most so many states shows. @param {Consistent} sys @param {State} from @param {number} most */
function possibleOf(sys, from, most) { return new Questions(new Graph(sys, from, most).explore()).answers(); }
