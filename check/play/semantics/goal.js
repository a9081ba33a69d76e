"use strict";
// The goals of exercises: what a schedule must reach.
//   together     two processes are in their critical sections
//   stuck        a process tries to enter, and no process can ever enter any more
//   panic        a process has stopped with a fault
//   passed:P:K   others begin K critical sections while process P is in its entry section
//   past:P:K     the same, past the doorway

const MOST_AHEAD = 20000;

/** A goal in words, or "" if the text is no goal of a lock for n processes. @param {string} goal @param {number} n */
function goalInWords(goal, n) {
  switch (goal) {
    case "together": return "two processes are in their critical sections at once";
    case "stuck": return "a process tries to enter, and no process can ever enter again";
    case "panic": return "a process panics";
  }
  const [, kind, p, most] = /^(passed|past):(\d+):([1-9]\d*)$/.exec(goal) || [];
  if (!kind || Number(p) >= n) return "";
  return `other processes enter ${most === "1" ? "once" : most + " times"} while process ${p} is in its entry section` + (kind === "past" ? ", past its doorway" : "");
}

/** Reports whether a process tries to enter, and no process can ever enter from here. @param {Consistent} sys @param {State} state */
function hopeless(sys, state) {
  if (!Array.from({ length: sys.n }, (_, pid) => sys.local(state, pid).section).includes(ENTRY)) return false;
  const queue = [state], seen = new Set([state.join()]);
  for (let i = 0; i < queue.length; i++) {
    if (queue.length > MOST_AHEAD) return false;
    for (let actor = 0; actor < sys.actors; actor++) {
      if (!sys.enabled(queue[i], actor)) continue;
      const to = queue[i].slice(), pid = actor % sys.parties;
      sys.make(to, actor);
      if (pid < sys.n && sys.local(to, pid).section === CRITICAL && sys.local(queue[i], pid).section !== CRITICAL) return false;
      const key = to.join();
      if (seen.has(key)) continue;
      seen.add(key);
      queue.push(to);
    }
  }
  return true;
}

/** What a goal needs to know of the past: how often the process has been passed. @param {string} goal @param {Consistent} sys @param {State} from @param {number} actor @param {State} to @param {number} passes */
function passesAfter(goal, sys, from, actor, to, passes) {
  const [kind, p] = goal.split(":");
  if (kind !== "passed" && kind !== "past") return 0;
  const pid = Number(p), waits = (/** @type {State} */ s) => sys.local(s, pid).section === ENTRY && (kind === "passed" || (sys.local(s, pid).flags & PAST_DOORWAY) !== 0);
  if (!waits(to)) return 0;
  const by = actor % sys.parties;
  const enters = by < sys.n && by !== pid && sys.local(to, by).section === CRITICAL && sys.local(from, by).section !== CRITICAL;
  return waits(from) ? passes + Number(enters) : 0;
}

/** Reports whether a state reaches a goal, where the process of the goal was passed so often. @param {string} goal @param {Consistent} sys @param {State} state @param {number} passes */
function reaches(goal, sys, state, passes) {
  const [kind, , most] = goal.split(":");
  const local = Array.from({ length: sys.n }, (_, pid) => sys.local(state, pid));
  switch (kind) {
    case "together": return local.filter((l) => l.section === CRITICAL).length > 1;
    case "stuck": return hopeless(sys, state);
    case "panic": return local.some((l) => l.flags & STOPS && !l.rest.refused);
  }
  return passes >= Number(most);
}

/** A shortest schedule to a goal, or null if there is none within so many states. @param {Consistent} sys @param {string} goal @param {number} most */
function solve(sys, goal, most) {
  /** @typedef {{state: State, passes: number, before: Node | null, actor: number}} Node */
  /** @type {Node[]} */
  const queue = [{ state: sys.initial(), passes: 0, before: null, actor: -1 }];
  const seen = new Set([queue[0].state.join() + " 0"]);
  for (let i = 0; i < queue.length && i < most; i++) {
    const node = queue[i];
    if (reaches(goal, sys, node.state, node.passes)) {
      const actors = [];
      for (let n = node; n.before; n = n.before) actors.push(n.actor);
      return actors.reverse();
    }
    for (let actor = 0; actor < sys.actors; actor++) {
      if (!sys.enabled(node.state, actor)) continue;
      const state = node.state.slice();
      sys.make(state, actor);
      const passes = passesAfter(goal, sys, node.state, actor, state, node.passes), key = state.join() + " " + passes;
      if (seen.has(key)) continue;
      seen.add(key);
      queue.push({ state, passes, before: node, actor });
    }
  }
  return null;
}
