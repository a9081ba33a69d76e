"use strict";
// The states that can be reached from one, breadth first, and how they lead to one another.

const NONE = 0xffffffff;

/** The graph of the states that were visited. They are numbered in the order of a search breadth first. */
class Graph {
  /** @param {Consistent} sys @param {State} from @param {number} most how many states are visited at most */
  constructor(sys, from, most) {
    this.sys = sys;
    this.most = most;
    this.cells = sys.cells;
    this.actors = sys.actors;
    this.count = 0;
    this.room = 1 << 10;
    this.states = new Uint16Array(this.room * this.cells);
    this.next = new Uint32Array(this.room * this.actors);
    /** The edge by which a state was found first: its state, and its actor. */
    this.parent = new Uint32Array(this.room);
    this.by = new Uint16Array(this.room);
    this.table = new Uint32Array(this.room * 4);
    this.complete = false;
    this.explored = 0;
    this.lookUp(from, NONE, 0);
  }

  /** A state. @param {number} id @returns {State} */
  at(id) { return this.states.subarray(id * this.cells, (id + 1) * this.cells); }

  /** @param {State} s */
  hash(s) {
    let h = 0x811c9dc5;
    for (let i = 0; i < s.length; i++) h = Math.imul(h ^ s[i], 0x01000193);
    h = Math.imul(h ^ h >>> 15, 0x2c1b3c6d);
    return (h ^ h >>> 13) >>> 0;
  }

  /** The number of a state, which is added if it is new. @param {State} s @param {number} parent @param {number} by @returns {number} */
  lookUp(s, parent, by) {
    const mask = this.table.length - 1;
    let at = this.hash(s) & mask;
    for (; this.table[at]; at = (at + 1) & mask) {
      const id = this.table[at] - 1, begin = id * this.cells;
      let i = 0;
      while (i < s.length && this.states[begin + i] === s[i]) i++;
      if (i === s.length) return id;
    }
    if (this.count === this.room) {
      this.grow();
      return this.lookUp(s, parent, by);
    }
    const id = this.count++;
    this.table[at] = id + 1;
    this.states.set(s, id * this.cells);
    this.parent[id] = parent;
    this.by[id] = by;
    return id;
  }

  grow() {
    this.room *= 2;
    /** @template {Uint16Array | Uint32Array} T @param {T} old @param {number} per @returns {T} */
    const larger = (old, per) => {
      const all = /** @type {T} */ (old instanceof Uint16Array ? new Uint16Array(this.room * per) : new Uint32Array(this.room * per));
      all.set(old);
      return all;
    };
    this.states = larger(this.states, this.cells);
    this.next = larger(this.next, this.actors);
    this.parent = larger(this.parent, 1);
    this.by = larger(this.by, 1);
    this.table = new Uint32Array(this.room * 4);
    const mask = this.table.length - 1;
    for (let id = 0; id < this.count; id++) {
      let at = this.hash(this.at(id)) & mask;
      while (this.table[at]) at = (at + 1) & mask;
      this.table[at] = id + 1;
    }
  }

  /** Visits all states, or as many as may be. */
  explore() {
    const to = new Uint16Array(this.cells);
    while (this.explored < this.count && this.count < this.most) {
      const id = this.explored++;
      for (let actor = 0; actor < this.actors; actor++) {
        const from = this.at(id);
        let successor = NONE;
        if (this.sys.enabled(from, actor)) {
          to.set(from);
          this.sys.make(to, actor);
          successor = this.lookUp(to, id, actor);
        }
        this.next[id * this.actors + actor] = successor;
      }
    }
    this.complete = this.explored === this.count;
    return this;
  }

  /** The section of a process in a state. @param {number} id @param {number} pid */
  section(id, pid) { return this.sys.a.local[pid][this.states[id * this.cells + pid]].section; }

  /** @param {number} id @param {number} actor */
  successor(id, actor) { return this.next[id * this.actors + actor]; }

  /** Reports whether a step begins a critical section. @param {number} from @param {number} actor @param {number} to */
  enters(from, actor, to) {
    const pid = actor % this.sys.parties;
    return pid < this.sys.n && this.section(to, pid) === CRITICAL && this.section(from, pid) !== CRITICAL;
  }

  /** The actors of a shortest way to a state. @param {number} id @returns {number[]} */
  path(id) {
    const actors = [];
    for (; this.parent[id] !== NONE; id = this.parent[id]) actors.push(this.by[id]);
    return actors.reverse();
  }

  /**
   * A shortest way from a state, over edges that may be taken, to one for which found holds; null if there is none.
   * @param {number} from
   * @param {(from: number, actor: number, to: number) => boolean} may
   * @param {(from: number, actor: number, to: number) => boolean} found
   */
  way(from, may, found) {
    /** @type {Map<number, [number, number]>} */
    const before = new Map();
    /** @type {number[]} */
    const queue = [from];
    for (let i = 0; i < queue.length; i++) {
      for (let actor = 0; actor < this.actors; actor++) {
        const id = queue[i], to = this.successor(id, actor);
        if (to === NONE || !may(id, actor, to)) continue;
        if (found(id, actor, to)) {
          const actors = [actor];
          for (let at = id; at !== from;) {
            const [earlier, by] = /** @type {[number, number]} */ (before.get(at));
            actors.push(by);
            at = earlier;
          }
          return { actors: actors.reverse(), to };
        }
        if (to !== from && !before.has(to)) {
          before.set(to, [id, actor]);
          queue.push(to);
        }
      }
    }
    return null;
  }

  /**
   * Calls each with the strongly connected components of a part of the graph, every one after those that it leads to
   * (Tarjan, Depth-First Search and Linear Graph Algorithms, SIAM Journal on Computing 1(2), 1972).
   * @param {(id: number) => boolean} within
   * @param {(from: number, actor: number, to: number) => boolean} keep
   * @param {(states: number[]) => void} each
   */
  components(within, keep, each) {
    const index = new Uint32Array(this.count), low = new Uint32Array(this.count), on = new Uint8Array(this.count);
    const edge = new Uint16Array(this.count);
    /** @type {number[]} */
    const stack = [];
    /** @type {number[]} */
    const calls = [];
    let number = 0;
    for (let root = 0; root < this.count; root++) {
      if (index[root] || !within(root)) continue;
      calls.push(root);
      while (calls.length) {
        const id = calls[calls.length - 1];
        if (!index[id]) {
          index[id] = low[id] = ++number;
          stack.push(id);
          on[id] = 1;
        }
        let deeper = false;
        for (; edge[id] < this.actors; edge[id]++) {
          const to = this.successor(id, edge[id]);
          if (to === NONE || to === id || !within(to) || !keep(id, edge[id], to)) continue;
          if (!index[to]) {
            calls.push(to);
            deeper = true;
            break;
          }
          if (on[to]) low[id] = Math.min(low[id], index[to]);
        }
        if (deeper) continue;
        calls.pop();
        if (calls.length) {
          const caller = calls[calls.length - 1];
          low[caller] = Math.min(low[caller], low[id]);
        }
        if (low[id] !== index[id]) continue;
        const states = [];
        for (let s = -1; s !== id;) {
          s = /** @type {number} */ (stack.pop());
          on[s] = 0;
          states.push(s);
        }
        each(states);
      }
    }
  }
}
