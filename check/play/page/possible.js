"use strict";
// What is possible from here: the worker searches, and the page lists the answers.

const MOST_STATES = 300000;

class Search {
  /** @param {(way: Way) => void} showWay */
  constructor(showWay) {
    this.showWay = showWay;
    this.id = 0;
    this.busy = false;
    this.timer = 0;
    this.address = URL.createObjectURL(new Blob([byId("semantics").textContent || "", "\n", searcher], { type: "text/javascript" }));
    /** @type {Worker | null} */
    this.worker = null;
  }

  /** Begins anew, on another machine. @param {Machine} machine */
  on(machine) {
    this.machine = machine;
    this.start();
  }

  start() {
    this.worker?.terminate();
    this.worker = new Worker(this.address);
    this.worker.onmessage = ({ data }) => {
      this.busy = false;
      if (data.id === this.id) this.show(data.possible, data.ms);
    };
    this.fresh = true;
  }

  /** Searches from a state, once the player rests. @param {Player} player */
  from(player) {
    this.id++;
    this.player = player;
    byId("searched").textContent = "Searching…";
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (this.busy) this.start(); // what it searches is out of date
      this.busy = true;
      /** @type {Worker} */ (this.worker).postMessage({ id: this.id, machine: this.fresh ? this.machine : null, from: player.run.state.slice(), most: MOST_STATES });
      this.fresh = false;
    }, 150);
  }

  /** @param {Possible} p @param {number} ms */
  show(p, ms) {
    const count = p.states.toLocaleString("en-US") + (p.states === 1 ? " state" : " states");
    byId("searched").dataset.ms = String(Math.round(ms));
    byId("searched").textContent = (p.complete ? `All ${count} that can be reached from here were searched.` : `The search stopped at its bound, after ${count}: what it did not find may still be possible.`) +
      (p.unknown ? " Some executions end where nothing more is known." : "");
    const known = p.complete && !p.unknown;
    const items = [this.item("Two processes in the critical section at once", p.together, known, true)];
    if (p.panics) items.push(this.item("A process stops with a fault", p.panics, true, true));
    if (p.race) items.push(this.item("A data race", p.race, true, true));
    items.push(this.item("All processes get stuck: some try to enter, and none ever does", p.stuck, known, true));
    p.starves.forEach((way, pid) => items.push(this.item(`Process ${pid} waits forever to enter`, way, known, false)));
    p.passed.forEach((q, pid) => items.push(this.passed(`Process ${pid} waits`, q)));
    (p.pastDoorway || []).forEach((q, pid) => items.push(this.passed(`Process ${pid} waits past its doorway`, q)));
    byId("possible").querySelector("ul")?.replaceChildren(...items);
  }

  /** @param {string} what @param {Way | null} way @param {boolean} complete @param {boolean} bad */
  item(what, way, complete, bad) {
    const it = make("li");
    it.append(make("span", what + ": ", ""), make("span", way ? this.after(way) : complete ? "impossible from here." : "not found.", way && bad ? "bad" : ""));
    this.offer(it, way, what);
    return it;
  }

  /** @param {Way} way */
  after(way) {
    const steps = way.cycle < 0 ? way.actors.length : way.cycle;
    if (steps === 0 && way.cycle < 0) return "it is so now.";
    return (steps ? `possible after ${steps} ${steps === 1 ? "step" : "steps"}` : "possible from here") + (way.cycle >= 0 ? `, by ${way.actors.length - way.cycle} steps that repeat.` : ".");
  }

  /** @param {string} who @param {Passed} q */
  passed(who, q) {
    const it = make("li", who + ": " + (q.most === 0 ? "no other process can enter first." : q.most === Infinity ? "others can enter first forever." :
      q.most === 1 ? "others can enter first once at most." : `others can enter first ${q.most} times at most.`));
    this.offer(it, q.way, who);
    return it;
  }

  /** @param {HTMLElement} it @param {Way | null} way @param {string} what */
  offer(it, way, what) {
    if (!way || !way.actors.length) return;
    const button = make("button", "show me");
    button.setAttribute("aria-label", "show me: " + what);
    button.setAttribute("type", "button");
    button.addEventListener("click", () => this.showWay(way));
    it.append(" ", button);
  }
}
