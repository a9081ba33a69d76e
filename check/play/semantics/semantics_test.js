"use strict";
// Tests of the semantics on machines written by hand. Each test returns what is wrong with it, or "".

/** @typedef {{name: string, values: string[], weak?: boolean}} R */

/**
 * A machine of processes that each make a list of accesses and then stand still. An access is [op, register, value], where
 * value is what is stored.
 * @param {string} memory @param {R[]} registers @param {[string, number, number][][]} processes
 * @returns {Machine}
 */
function machineOf(memory, registers, processes) {
  const places = [{ file: "t.go", line: 1, op: "load" }, { file: "t.go", line: 2, op: "store" }];
  const weak = memory === "safe" || memory === "regular";
  return { memory, capacity: 2, registers: registers.map((r) => ({ ...r, weak })), places,
    processes: processes.map((accesses) => {
      /** @type {Row[]} */
      const states = [];
      for (const [op, register, value] of accesses) {
        const at = states.length, values = registers[register].values.length;
        if (op === "load") {
          // What is read decides where the process goes: to its own state for each value.
          states.push([0, ENTRY, 0, register, new Array(values).fill(at + 1), null]);
        } else if (weak) {
          states.push([1, ENTRY, STARTS, register, at + 1, null], [1, ENTRY, RUNNING, register, at + 2, value]);
        } else {
          states.push([1, ENTRY, memory === "tso" ? BUFFERED : 0, register, at + 1, value]);
        }
      }
      states.push([-1, REMAINDER, 0, -1, null, null]);
      return { init: 0, states };
    }) };
}

const BIT = { name: "x", values: ["0", "1"] }, OTHER = { name: "y", values: ["0", "1"] };

/** The texts of what is read last, over all executions of a machine. @param {Machine} machine */
function outcomes(machine) {
  /** @type {Set<string>} */
  const found = new Set();
  /** @param {number[]} actors */
  const go = (actors) => {
    const run = new Run(systemOf(machine)), read = new Array(machine.processes.length).fill("");
    for (const a of actors) {
      const step = run.take(a);
      if (step.op === "load") read[step.process] += step.before;
    }
    const next = run.actors();
    if (!next.length) found.add(read.join(","));
    for (const a of next) go([...actors, a]);
  };
  go([]);
  return [...found].sort().join(" ");
}

/** @param {string} got @param {string} want */
const same = (got, want) => (got === want ? "" : `got ${got}, want ${want}`);

/** A lock that lets both in, or only one if right: a bit that is tested and set. @param {boolean} right @returns {Machine} */
function testAndSet(right) {
  const places = [{ file: "t.go", line: 1, op: "swap" }, { file: "t.go", line: 2, op: "store" }];
  /** @type {Row[]} */
  const states = [[0, REMAINDER, 0, 0, [2, right ? 1 : 2], 1], [0, ENTRY, 0, 0, [2, 1], 1], [1, CRITICAL, 0, 0, 0, 0]];
  return { memory: "sc", registers: [BIT], places, processes: [{ init: 0, states }, { init: 0, states }] };
}

/** @type {Record<string, () => string>} */
const semanticsTests = {
  "store buffering: both processes read 0 under total store order only": () => {
    /** @type {[string, number, number][][]} */
    const accesses = [[["store", 0, 1], ["load", 1, 0]], [["store", 1, 1], ["load", 0, 0]]];
    return same(outcomes(machineOf("sc", [BIT, OTHER], accesses)), "0,1 1,0 1,1") ||
      same(outcomes(machineOf("tso", [BIT, OTHER], accesses)), "0,0 0,1 1,0 1,1");
  },
  "a process reads its own store from its buffer": () =>
    same(outcomes(machineOf("tso", [BIT], [[["store", 0, 1], ["load", 0, 0]]])), "1"),
  "stores leave a buffer in the order in which they went into it": () =>
    same(outcomes(machineOf("tso", [BIT, OTHER], [[["store", 0, 1], ["store", 1, 1]], [["load", 1, 0], ["load", 0, 0]]])), ",00 ,01 ,11"),
  "a read that overlaps a write of the same value: safe registers return any value, regular ones do not": () => {
    // The step of a load has one outcome where every value leads to one state, so the values that it may return are looked at.
    /** @param {string} memory */
    const may = (memory) => {
      const sys = /** @type {Weak} */ (systemOf(machineOf(memory, [{ name: "x", values: ["0", "1", "2"] }], [[["store", 0, 1]], [["load", 0, 0]]])));
      const run = new Run(sys);
      const before = sys.may(run.state, 1).join();
      run.take(0);
      const during = sys.may(run.state, 1).join();
      run.take(0);
      return [before, during, sys.may(run.state, 1).join()].join(" ");
    };
    return same(may("regular"), "0 0,1 1") || same(may("safe"), "0 0,1,2 1");
  },
  "two stores that overlap leave any value in a safe register": () => {
    const run = new Run(systemOf(machineOf("safe", [{ name: "x", values: ["0", "1", "2"] }], [[["store", 0, 1]], [["store", 0, 1]]])));
    run.take(0);
    run.take(1);
    return same(run.actors().join(), "0,1,2,3,4,5");
  },
  "memory that processes share gets a slot that is free, and loses its values when nothing leads there": () => {
    const heap = new Slots({ slots: [{ registers: [1] }, { registers: [2], leads: [0] }], roots: [0], leads: [[[], [1]], [], []], pools: [[0, 1]] });
    return same([...heap.reach([], () => 1)].join(), "1,0") || same([...heap.reach([], () => 0)].join(), "") ||
      same(heap.free([0], new Set([0])).join(), "1") || same(heap.free([0], new Set([0, 1])).join(), "-1");
  },
  "the search finds two processes in their critical sections, and only in the lock that is wrong": () => {
    const good = systemOf(testAndSet(true)), bad = systemOf(testAndSet(false));
    const way = possibleOf(bad, bad.initial(), 100).together;
    return same(String(possibleOf(good, good.initial(), 100).together), "null") || same(way ? way.actors.join() : "none", "0,1");
  },
  "a process can starve in test-and-set, and be passed without bound": () => {
    const sys = systemOf(testAndSet(true)), p = possibleOf(sys, sys.initial(), 100);
    return same(p.passed.map((q) => q.most).join(), "Infinity,Infinity") || same(String(p.stuck), "null") ||
      (p.starves.every((w) => w && w.cycle >= 0) ? "" : "no process starves");
  },
  "a search that reaches its bound says so": () => {
    const sys = systemOf(testAndSet(true));
    return same(String(possibleOf(sys, sys.initial(), 2).complete), "false");
  },
};
