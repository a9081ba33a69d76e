"use strict";
// Memories: how accesses take effect. A state of a system is an array of small numbers: the
// local states of the processes, the values of the registers, and what the memory adds. An
// actor is a process with one of the outcomes of its step, or a store buffer: party p of
// `parties` has the actors p, p + parties, p + 2 * parties, ….

/** @typedef {Uint16Array} State */

/** Sequentially consistent memory: each access takes effect at once. */
class Consistent {
  /** @param {Automata} automata */
  constructor(automata) {
    this.a = automata;
    this.n = automata.n;
    this.parties = this.n;
    this.outcomes = 1;
    this.cells = this.n + automata.registers.length;
  }

  get actors() { return this.parties * this.outcomes; }

  /** @returns {State} */
  initial() {
    const s = new Uint16Array(this.cells);
    this.a.init.forEach((local, pid) => { s[pid] = local; });
    return s;
  }

  /** @param {State} s @param {number} pid */
  local(s, pid) { return this.a.local[pid][s[pid]]; }

  /** @param {State} s @param {number} register */
  value(s, register) { return s[this.n + register]; }

  /** The value that the next access of an actor finds. @param {State} s @param {number} actor */
  sees(s, actor) { return this.value(s, this.local(s, actor % this.parties).register); }

  /** Reports whether an actor has a step that is known. @param {State} s @param {number} actor */
  enabled(s, actor) { return actor < this.n && this.known(s, actor, this.local(s, actor)); }

  /** Reports whether it is known what the next access of a process does. @param {State} s @param {number} pid @param {Local} l */
  known(s, pid, l) {
    if (l.register < 0 || l.lacks) return false;
    const found = this.sees(s, pid), to = l.to[found];
    if (to === undefined || to === UNKNOWN) return false;
    return to === BINDS ? this.bind(s, l, found) !== null : l.leaves(found) !== UNKNOWN;
  }

  /** Reports whether a process would step if more were known, or if its register had a larger range. @param {State} s @param {number} pid */
  unknown(s, pid) {
    const l = this.local(s, pid);
    return Boolean(l.rest.refused) || l.register >= 0 && !this.waits(s, pid, l) && !this.canStep(s, pid);
  }

  /** @param {State} s @param {number} pid */
  canStep(s, pid) {
    for (let actor = pid; actor < this.actors; actor += this.parties) if (this.enabled(s, actor)) return true;
    return false;
  }

  /** Reports whether a process waits for its store buffer. @param {State} _s @param {number} _pid @param {Local} _l */
  waits(_s, _pid, _l) { return false; }

  /** What the access of a local state is that shares memory, or null if that is not known. @param {State} s @param {Local} l @param {number} found */
  bind(s, l, found) {
    const heap = /** @type {Slots} */ (this.a.heap);
    const slots = heap.free(l.rest.pools || [], this.used(s));
    const bind = (l.rest.binds || []).find((b) => b.slots.every((slot, i) => slot === slots[i]));
    if (!bind) return null;
    const pid = this.a.local.findIndex((all) => all.includes(l));
    const as = this.a.local[pid][bind.state];
    return as.to[found] >= 0 && as.leaves(found) !== UNKNOWN ? { bind, as } : null;
  }

  /** The slots that are in use. @param {State} s */
  used(s) {
    const held = [];
    for (let pid = 0; pid < this.n; pid++) held.push(...(this.local(s, pid).rest.holds || []));
    return /** @type {Slots} */ (this.a.heap).reach(held.concat(this.pending(s)), (r) => this.value(s, r));
  }

  /** The slots that stores in buffers lead to. @param {State} _s @returns {number[]} */
  pending(_s) { return []; }

  /** Makes a step of an actor that is enabled. @param {State} s @param {number} actor */
  make(s, actor) {
    const pid = actor % this.parties, l = this.local(s, pid);
    this.access(s, pid, l, this.sees(s, actor));
    this.collect(s);
  }

  /** @param {State} s @param {number} pid @param {Local} l @param {number} found */
  access(s, pid, l, found) {
    let as = l;
    if (l.to[found] === BINDS) {
      const bound = this.bind(s, l, found);
      if (!bound) throw new Error("memory is shared in a way that is not known");
      for (const [r, v] of bound.bind.content) s[this.n + r] = v;
      as = bound.as;
    }
    this.leave(s, pid, l, as.leaves(found));
    s[pid] = as.to[found];
  }

  /** Stores what an access leaves. @param {State} s @param {number} _pid @param {Local} l @param {number} value */
  leave(s, _pid, l, value) { if (l.writes) s[this.n + l.register] = value; }

  /** Gives the registers of slots that are not in use their first value. @param {State} s */
  collect(s) {
    if (!this.a.heap) return;
    const used = this.used(s);
    this.a.heap.heap.slots.forEach((slot, i) => {
      if (!used.has(i)) for (const r of slot.registers) s[this.n + r] = 0;
    });
  }

  /** The stores in the buffer of a process, the oldest first. @param {State} _s @param {number} _pid @returns {{register: number, value: number}[]} */
  buffer(_s, _pid) { return []; }
}

/** Total store order: some stores wait in the store buffer of their process. Party n + p moves the oldest store of process p to memory. */
class Buffered extends Consistent {
  /** @param {Automata} automata */
  constructor(automata) {
    super(automata);
    this.parties = 2 * this.n;
    this.capacity = automata.machine.capacity || 1;
    this.first = this.cells;
    this.size = 1 + this.capacity;
    this.cells += this.n * this.size;
    /** @type {{register: number, value: number}[]} */
    this.stores = [];
    this.base = automata.registers.map((r, register) => {
      const base = this.stores.length;
      r.values.forEach((_, value) => this.stores.push({ register, value }));
      return base;
    });
  }

  /** Where the buffer of a process begins: how many stores it has. @param {number} pid */
  at(pid) { return this.first + pid * this.size; }

  /** @override @param {State} s @param {number} actor */
  sees(s, actor) {
    const pid = actor % this.parties, l = this.local(s, pid), at = this.at(pid);
    if (l.loads) {
      for (let i = at + s[at]; i > at; i--) {
        if (this.stores[s[i]].register === l.register) return this.stores[s[i]].value;
      }
    }
    return this.value(s, l.register);
  }

  /** @override @param {State} s @param {number} pid @param {Local} l */
  waits(s, pid, l) {
    const count = s[this.at(pid)];
    return l.flags & BUFFERED ? count === this.capacity : l.writes && count > 0;
  }

  /** @override @param {State} s @param {number} actor */
  enabled(s, actor) {
    if (actor >= this.parties) return false;
    if (actor >= this.n) return s[this.at(actor - this.n)] > 0;
    const l = this.local(s, actor);
    return !this.waits(s, actor, l) && this.known(s, actor, l);
  }

  /** @override @param {State} s @param {number} actor */
  make(s, actor) {
    if (actor < this.n) return super.make(s, actor);
    const at = this.at(actor - this.n), { register, value } = this.stores[s[at + 1]];
    s.copyWithin(at + 1, at + 2, at + 1 + s[at]);
    s[at + s[at]--] = 0;
    s[this.n + register] = value;
    this.collect(s);
  }

  /** @override @param {State} s @param {number} pid @param {Local} l @param {number} value */
  leave(s, pid, l, value) {
    if (!(l.flags & BUFFERED)) return super.leave(s, pid, l, value);
    const at = this.at(pid);
    s[at + ++s[at]] = this.base[l.register] + value;
  }

  /** @override @param {State} s */
  pending(s) {
    const heap = /** @type {Slots} */ (this.a.heap), all = [];
    for (let pid = 0; pid < this.n; pid++) {
      for (const { register, value } of this.buffer(s, pid)) {
        const slot = heap.slotOf.get(register);
        all.push(...heap.lead(register, value), ...(slot === undefined ? [] : [slot]));
      }
    }
    return all;
  }

  /** @override @param {State} s @param {number} pid */
  buffer(s, pid) {
    const at = this.at(pid);
    return Array.from(s.subarray(at + 1, at + 1 + s[at]), (store) => this.stores[store]);
  }
}

/** Safe and regular registers: a store is two steps, its start and its end, and what it overlaps may have several outcomes. */
class Weak extends Consistent {
  /** @param {Automata} automata */
  constructor(automata) {
    super(automata);
    this.safe = automata.machine.memory === "safe";
    this.marks = this.cells; // by process: its store overlaps another, or is marked
    this.cells += this.n;
    this.outcomes = this.safe ? 1 : 2;
    for (const all of automata.local) {
      for (const l of all) {
        if (!this.weak(l) || l.flags & STARTS) continue;
        if (!(l.flags & RUNNING)) l.classify();
        const outcomes = l.flags & RUNNING ? (this.safe ? l.to.length : 1) : l.next.length;
        this.outcomes = Math.max(this.outcomes, outcomes);
      }
    }
  }

  /** Reports whether a local state accesses a register that is not atomic. @param {Local} l */
  weak(l) { return l.register >= 0 && !l.lacks && Boolean(this.a.registers[l.register].weak); }

  /** The value that a store writes that starts or is running. @param {number} pid @param {Local} l */
  stored(pid, l) { return (l.flags & STARTS ? this.a.local[pid][l.to[0]] : l).leaves(0); }

  /** Reports whether a process has a store to a register running. @param {State} s @param {number} pid @param {number} register */
  running(s, pid, register) {
    const l = this.local(s, pid);
    return Boolean(l.flags & RUNNING) && l.register === register;
  }

  /** The values that a load may return, the one that is stored first. @param {State} s @param {number} pid */
  may(s, pid) {
    const l = this.local(s, pid), may = [this.value(s, l.register)];
    for (let q = 0; q < this.n; q++) {
      if (!this.running(s, q, l.register)) continue;
      if (this.safe) return may.concat(l.to.map((_, v) => v).filter((v) => v !== may[0]));
      const v = this.stored(q, this.local(s, q));
      if (!may.includes(v)) may.push(v);
    }
    return may;
  }

  /** @override @param {State} s @param {number} actor */
  sees(s, actor) {
    const pid = actor % this.n, l = this.local(s, pid);
    if (!l.next.length) return this.value(s, l.register);
    const outcome = Math.floor(actor / this.n);
    return this.may(s, pid).find((v) => l.classes[v] === outcome) ?? UNKNOWN;
  }

  /** @override @param {State} s @param {number} actor */
  enabled(s, actor) {
    const pid = actor % this.n, outcome = Math.floor(actor / this.n), l = this.local(s, pid);
    if (l.register < 0 || l.lacks) return false;
    if (!this.weak(l)) return outcome === 0 && this.known(s, pid, l);
    if (l.flags & STARTS) return outcome === 0 && this.stored(pid, l) !== UNKNOWN;
    if (!(l.flags & RUNNING)) return this.sees(s, actor) !== UNKNOWN;
    const marked = s[this.marks + pid] !== 0;
    if (this.safe && marked) return outcome < l.to.length;
    return outcome === 0 || outcome === 1 && marked && !this.safe;
  }

  /** @override @param {State} s @param {number} actor */
  make(s, actor) {
    const pid = actor % this.n, outcome = Math.floor(actor / this.n), l = this.local(s, pid);
    if (!this.weak(l)) return super.make(s, actor);
    if (l.flags & STARTS) this.start(s, pid, l);
    else if (l.flags & RUNNING) this.end(s, pid, l, outcome);
    else s[pid] = l.next[outcome];
  }

  /** @param {State} s @param {number} pid @param {Local} l */
  start(s, pid, l) {
    for (let q = 0; this.safe && q < this.n; q++) {
      if (q !== pid && this.running(s, q, l.register)) s[this.marks + q] = s[this.marks + pid] = 1;
    }
    s[pid] = l.to[this.value(s, l.register)];
  }

  /** @param {State} s @param {number} pid @param {Local} l @param {number} outcome */
  end(s, pid, l, outcome) {
    const marked = s[this.marks + pid] !== 0;
    s[this.marks + pid] = 0;
    if (this.safe && marked) {
      s[pid] = l.to[outcome];
      s[this.n + l.register] = outcome;
      return;
    }
    s[pid] = l.to[0];
    if (outcome === 1) return; // it took effect just before the store that marked it
    s[this.n + l.register] = this.stored(pid, l);
    for (let q = 0; !this.safe && q < this.n; q++) {
      if (q !== pid && this.running(s, q, l.register)) s[this.marks + q] = 1;
    }
  }
}

/** The system of a machine. @param {Machine} machine */
function systemOf(machine) {
  const automata = new Automata(machine);
  switch (machine.memory) {
    case "regular": case "safe": return new Weak(automata);
    case "released": case "tso": return new Buffered(automata);
  }
  return new Consistent(automata);
}
