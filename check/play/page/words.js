"use strict";
// Steps in words.

const MEMORIES = { sc: "sequentially consistent", released: "as written: release stores wait in store buffers", tso: "total store order: every store waits in a store buffer",
  regular: "regular registers: a read that overlaps a write", safe: "safe registers: a read that overlaps a write returns any value" };

/** What a step does, in a table. @param {Step} s */
function stepText(s) {
  const plain = s.plain ? "plain " : "";
  switch (s.op) {
    case "pass": return "passes";
    case "load": return plain + s.register + " = " + s.before + (s.may.length ? " (overlaps a write: " + s.may.join(" or ") + ")" : "");
    case "store": case "store-release": return plain + s.register + " := " + s.after + (s.buffered ? ", into the store buffer" : "");
    case "flush": return s.register + " := " + s.after + " is in memory";
    case "begin": return s.register + " := " + s.after + " begins";
    case "end": return s.register + " := " + s.before + " ends" + (s.after !== s.before ? ", leaves " + s.after : "");
  }
  return plain + s.op + " " + s.register + ": " + s.before + (s.after !== s.before ? " → " + s.after : "");
}

/** What a step does, in a sentence. @param {Step} s */
function sentenceOf(s) {
  const who = "Process " + s.process;
  const on = s.line ? ` on line ${s.label ? s.label + " (" + s.file + ":" + s.line + ")" : s.file + ":" + s.line}` : "";
  /** @type {Record<string, string>} */
  const does = { pass: `${who} passes`, load: `${who} reads ${s.before} from ${s.register}`, flush: `The oldest store of process ${s.process} is in memory: ${s.register} is ${s.after}`,
    store: `${who} stores ${s.after} in ${s.register}`, begin: `${who} begins to write ${s.after} to ${s.register}`,
    end: `${who} ends its write to ${s.register}, which holds ${s.after}` };
  does["store-release"] = does.store;
  const text = does[s.op] || `${who} makes a ${s.op} of ${s.register}, from ${s.before} to ${s.after}`;
  /** @type {Record<string, string>} */
  const turns = { enters: " and enters its critical section", leaves: " and begins its exit section", "is done": " and is in its remainder section", fails: " and gives up" };
  return text + (s.buffered ? ", in its store buffer" : "") + on + (turns[s.turn] || "") + ".";
}

/** What a process does next. @param {Consistent} sys @param {State} state @param {number} pid */
function nextText(sys, state, pid) {
  const l = sys.local(state, pid);
  if (l.flags & STOPS) return l.rest.refused ? "It is not known what comes next: " + l.rest.fault : "stopped: " + l.rest.fault;
  if (l.register < 0 || l.lacks || !l.place) return "makes no further passage";
  const r = sys.a.registers[l.register], label = l.place.label ? l.place.label + "  " : "";
  const op = l.flags & STARTS ? "begin to store" : l.flags & RUNNING ? "end the store" : l.op;
  const writes = sys instanceof Weak && sys.weak(l) && l.writes ? sys.stored(pid, l) : l.op.startsWith("store") ? l.leaves(sys.value(state, l.register)) : -1;
  const value = writes >= 0 && r.values[writes] !== undefined ? " := " + r.values[writes] : "";
  return label + (l.op === "pass" ? "passes" : op + " " + r.name + value) + (sys.waits(state, pid, l) ? " (waits for its store buffer)" : "");
}
