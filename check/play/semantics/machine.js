"use strict";
// The automata of a lock, as package check/play writes them, made ready to be stepped.

const SECTIONS = ["remainder", "entry", "critical", "exit", "recovery"];
const REMAINDER = 0, ENTRY = 1, CRITICAL = 2, EXIT = 3;
const PAST_DOORWAY = 1, BUFFERED = 2, STARTS = 4, RUNNING = 8, STOPS = 16;
const UNKNOWN = -1, BINDS = -2;

/**
 * @typedef {{file: string, line: number, label?: string, op: string, plain?: boolean}} Place
 * @typedef {{name: string, values: string[], weak?: boolean, cut?: boolean}} Register
 * @typedef {{slots: number[], state: number, content: [number, number][]}} Bind
 * @typedef {{fault?: string, refused?: boolean, holds?: number[], pools?: number[], binds?: Bind[]}} Rest
 * @typedef {[number, number, number, number, number[] | number | null, number[] | number | null, Rest?]} Row
 * @typedef {{slots: {registers: number[], leads?: number[]}[], roots: number[], leads: number[][][], pools: number[][]}} Heap
 * @typedef {{memory: string, capacity?: number, passages?: number, partial?: string, states?: number, doorway?: boolean,
 *   registers: Register[], places: Place[], processes: {init: number, states: Row[]}[], heap?: Heap}} Machine
 */

/** A local state of a process. */
class Local {
  /**
   * @param {Row} row
   * @param {Machine} machine
   */
  constructor(row, machine) {
    const [place, section, flags, register, to, now, rest] = row;
    this.place = place < 0 ? null : machine.places[place];
    this.op = this.place ? this.place.op : "";
    this.section = section;
    this.flags = flags;
    this.register = register;
    const known = register >= 0 && register < machine.registers.length;
    const values = known ? machine.registers[register].values.length : 0;
    /** @param {number[] | number | null} all @returns {number[]} */
    const long = (all) => (typeof all === "number" ? new Array(values).fill(all) : all || []);
    this.to = long(to);
    /** The values that the access leaves, by value; null if it leaves each as it is. */
    this.now = now === null ? null : long(now);
    this.lacks = register >= 0 && !known;
    this.rest = rest || {};
    const reads = !["store", "store-release", "pass", "stop", ""].includes(this.op);
    const writes = !["load", "pass", "stop", ""].includes(this.op);
    this.loads = reads && !writes;
    this.writes = writes;
    this.plain = Boolean(this.place && this.place.plain);
    /** Of a load of a register that is not atomic: the class of each value, and where each class leads. */
    this.classes = /** @type {number[]} */ ([]);
    this.next = /** @type {number[]} */ ([]);
  }

  /** The value that the access leaves where it finds another. @param {number} found */
  leaves(found) { return this.now ? this.now[found] : found; }

  /** Numbers the values that lead to one local state. */
  classify() {
    for (const to of this.to) {
      if (!this.next.includes(to)) this.next.push(to);
      this.classes.push(this.next.indexOf(to));
    }
  }
}

/** The automata of all processes. */
class Automata {
  /** @param {Machine} machine */
  constructor(machine) {
    this.machine = machine;
    this.registers = machine.registers;
    this.n = machine.processes.length;
    /** @type {Local[][]} */
    this.local = machine.processes.map((p) => p.states.map((row) => new Local(row, machine)));
    this.init = machine.processes.map((p) => p.init);
    this.heap = machine.heap ? new Slots(machine.heap) : null;
  }
}

/** The slots of memory that processes have allocated and shared. */
class Slots {
  /** @param {Heap} heap */
  constructor(heap) {
    this.heap = heap;
    /** @type {Map<number, number>} */
    this.slotOf = new Map();
    heap.slots.forEach((slot, i) => slot.registers.forEach((r) => this.slotOf.set(r, i)));
  }

  /** @param {number} register @param {number} value @returns {number[]} */
  lead(register, value) { return (this.heap.leads[register] || [])[value] || []; }

  /**
   * The slots that are in use, where some are held and registers have values.
   * @param {Iterable<number>} held
   * @param {(register: number) => number} value
   */
  reach(held, value) {
    const used = new Set(held), queue = [...used];
    /** @param {number[]} more */
    const add = (more) => {
      for (const s of more) {
        if (!used.has(s)) {
          used.add(s);
          queue.push(s);
        }
      }
    };
    for (const r of this.heap.roots) add(this.lead(r, value(r)));
    for (let s = queue.pop(); s !== undefined; s = queue.pop()) {
      add(this.heap.slots[s].leads || []);
      for (const r of this.heap.slots[s].registers) add(this.lead(r, value(r)));
    }
    return used;
  }

  /**
   * The slots that variables of the given pools get.
   * @param {number[]} pools
   * @param {Set<number>} used
   */
  free(pools, used) {
    const taken = new Set(used);
    return pools.map((p) => {
      const slot = this.heap.pools[p].find((s) => !taken.has(s));
      if (slot === undefined) return -1;
      taken.add(slot);
      return slot;
    });
  }
}
