"use strict";
// A stepper shows an execution, step by step.

/**
 * An act is what one process does in a step; `says` is the step as a sentence.
 * @typedef {{by: number, file?: string, line?: number, label?: string, text: string, section?: string, turn?: string, buffer?: boolean}} Act
 * @typedef {{part?: string, acts: Act[], sets?: {cell: number, value: string, by: number}[], under?: string[], says?: string}} Shown
 * @typedef {{id: string, columns: string[], kind: string, cells: {name: string, value: string}[], steps: Shown[], cycle: number,
 *   under?: string, code?: string[], says?: string, note?: string, command?: string}} Execution
 * @typedef {{file?: string, line?: number, text?: string} | null} Next
 */

/** @param {string} tag @param {unknown} [text] @param {string} [name] @returns {HTMLElement} */
function make(tag, text, name) {
  const it = document.createElement(tag);
  if (text !== undefined) it.textContent = String(text);
  if (name) it.className = name;
  return it;
}

/** What an act says in a table. @param {Act} a */
const said = (a) => (a.label ? a.label + "  " : "") + a.text + (a.turn ? " [" + a.turn + "]" : "");

/** The class of a process, by which its marker has a color and a shape. @param {number} p */
const processClass = (p) => "p" + (p % 4);

class Stepper {
  /**
   * @param {Execution} e
   * @param {Record<string, string>} sources texts of functions, by the place where each begins
   * @param {(s: Stepper) => void} changed is called when another step is shown
   */
  constructor(e, sources, changed) {
    this.e = e;
    this.changed = changed;
    this.step = Math.min(1, e.steps.length);
    this.timer = 0;
    const template = /** @type {HTMLTemplateElement} */ (document.getElementById("viewer"));
    this.root = /** @type {HTMLElement & {viewer?: Stepper}} */ (/** @type {Element} */ (template.content.firstElementChild).cloneNode(true));
    this.root.viewer = this;
    /** The rows of the table of all steps, and the one that is marked. @type {HTMLElement[]} */
    this.rows = [];
    /** @type {HTMLElement | null} */
    this.current = null;
    /** @type {Map<string, HTMLElement>} */
    this.lines = new Map();
    this.of = /** @type {HTMLInputElement} */ (this.get(".of"));
    /** What a process does next after the step that is shown, and which processes poll a cell; null where only steps tell. @type {((p: number) => Next) | null} */
    this.next = null;
    /** @type {((cell: number) => string) | null} */
    this.polls = null;
    this.fill(sources);
  }

  /** @param {string} selector @returns {HTMLElement} */
  get(selector) { return /** @type {HTMLElement} */ (this.root.querySelector(selector)); }

  /** @param {string} how */
  button(how) { return /** @type {HTMLButtonElement} */ (this.get(`[data-go=${how}]`)); }

  /** @param {Record<string, string>} sources */
  fill(sources) {
    const { e } = this;
    this.get(".says").textContent = e.says || "";
    this.get(".note").textContent = e.note || "";
    this.get(".command code").textContent = e.command || "";
    this.get(".command").hidden = !e.command;
    this.get(".under").hidden = !e.under;
    this.get(".kind").textContent = e.kind;
    this.get(".held").setAttribute("aria-label", e.kind);
    this.get(".left").hidden = !(e.code && e.code.length);
    this.get(".under .name").textContent = e.under || "";
    this.get(".columns").append(...e.columns.map((name) => this.column(name)));
    this.get(".cells tbody").replaceChildren(...e.cells.map((c) => this.cell(c.name)));
    this.get(".all thead tr").append(...e.columns.map((name) => Object.assign(make("th", name), { scope: "col" })));
    this.code(sources);
    e.steps.forEach((s, k) => this.listed(s, k));
    this.root.addEventListener("click", (event) => this.clicked(event));
    this.get(".jump input").addEventListener("input", (event) => this.go(Number(/** @type {HTMLInputElement} */ (event.target).value)));
    this.of.addEventListener("input", () => {
      this.show();
      this.changed(this);
    });
  }

  /** @param {string} name */
  column(name) {
    const it = make("section", undefined, "column"), head = make("div", name, "name");
    head.append(make("span", "", "place"));
    it.append(head, make("div", "", "did"));
    return it;
  }

  /** @param {string} name */
  cell(name) {
    const row = make("tr");
    row.append(Object.assign(make("th", name), { scope: "row" }), make("td"), make("td"), make("td", "", "polled"));
    return row;
  }

  /** @param {Record<string, string>} sources */
  code(sources) {
    for (const place of this.e.code || []) {
      const [file, first] = place.split(/:(?=\d+$)/);
      this.get(".code").append(make("div", place, "file"));
      sources[place].split("\n").forEach((text, k) => {
        const line = make("span", undefined, "line");
        line.append(make("span", "", "marks"), make("i", Number(first) + k), make("span", text, "text"));
        this.lines.set(file + ":" + (Number(first) + k), line);
        this.get(".code").append(line);
      });
    }
  }

  /** Adds a step to the table of all. @param {Shown} s @param {number} k */
  listed(s, k) {
    const body = this.get(".all tbody"), { e } = this;
    const part = (k === e.cycle ? "from here on, again and again" : "") || s.part;
    if (part) {
      const row = make("tr", undefined, "part");
      row.append(Object.assign(make("td", part), { colSpan: e.columns.length + 1 }));
      body.append(row);
    }
    const row = make("tr"), head = Object.assign(make("th"), { scope: "row" });
    row.dataset.step = String(k + 1);
    row.classList.toggle("loop", e.cycle >= 0 && k >= e.cycle);
    head.append(Object.assign(make("button", k + 1), { type: "button" }));
    row.append(head, ...e.columns.map((_, p) => make("td", s.acts.filter((a) => a.by === p).map(said).join("; "))));
    body.append(row);
    this.rows.push(row);
  }

  /** Adds steps after the one that is shown, in place of those that follow it, and shows the last. @param {Shown[]} steps */
  append(steps) {
    const { e } = this;
    e.steps.length = this.step;
    for (const row of this.rows.splice(this.step)) row.remove();
    for (const s of steps) {
      e.steps.push(s);
      this.listed(s, e.steps.length - 1);
    }
    this.step = e.steps.length;
    this.show();
  }

  /** @param {Event} event */
  clicked(event) {
    const at = /** @type {HTMLElement} */ (event.target);
    const row = /** @type {HTMLElement | null} */ (at.closest("[data-step]")), button = /** @type {HTMLElement | null} */ (at.closest("[data-go]"));
    if (row) this.go(Number(row.dataset.step));
    if (!button) return;
    const how = button.dataset.go || "";
    if (how !== "copy") return this.act(how);
    /** @type {Selection} */ (getSelection()).selectAllChildren(this.get(".command code"));
    button.textContent = document.execCommand("copy") ? "copied" : "select it and copy";
  }

  /** @param {string} how */
  act(how) {
    if (how === "play") return this.play(!this.timer);
    this.play(false);
    const to = how === "first" ? 0 : how === "back" ? this.step - 1 : how === "last" ? this.e.steps.length : this.following();
    this.go(to);
  }

  /** The step after the one that is shown: after the last of a loop its first. */
  following() { return this.step === this.e.steps.length && this.e.cycle >= 0 ? this.e.cycle + 1 : this.step + 1; }

  /** @param {boolean} on */
  play(on) {
    const { e } = this, button = this.button("play");
    clearInterval(this.timer);
    this.timer = on ? setInterval(() => {
      this.go(this.following());
      if (this.step === e.steps.length && e.cycle < 0) this.play(false);
    }, 1000) : 0;
    button.setAttribute("aria-pressed", String(on));
    button.textContent = on ? "stop" : "play";
    if (on && this.step === e.steps.length && e.cycle < 0) this.go(0);
  }

  /** @param {number} step */
  go(step) {
    this.step = Math.max(0, Math.min(this.e.steps.length, step || 0));
    this.moved();
    this.show();
    this.changed(this);
  }

  /** Is called before another step is shown. */
  moved() {}

  /** Shows what is after the step that the stepper is at. */
  show() {
    const { e, step } = this, now = step > 0 ? e.steps[step - 1] : { acts: [] };
    const values = e.cells.map((c) => ({ value: c.value, by: -1, changed: false }));
    /** @type {(Act | null)[]} */
    const at = e.columns.map(() => null);
    const sections = e.columns.map(() => "");
    for (let k = 0; k < step; k++) {
      for (const a of e.steps[k].acts) {
        if (!a.buffer) at[a.by] = a;
        sections[a.by] = a.section || sections[a.by];
      }
      for (const s of e.steps[k].sets || []) values[s.cell] = { value: s.value, by: s.by, changed: k === step - 1 };
    }
    this.places(at, sections, now);
    this.registers(values);
    this.get(".under ul").replaceChildren(...(now.under || []).map((text) => make("li", text)));
    this.tracks(sections);
    this.position(now);
  }

  /** Marks the lines and the columns of the processes. @param {(Act | null)[]} at @param {string[]} sections @param {Shown} now */
  places(at, sections, now) {
    const { e } = this;
    for (const line of this.root.querySelectorAll(".line.at")) line.classList.remove("at");
    for (const marks of this.root.querySelectorAll(".marks")) if (marks.firstChild) marks.replaceChildren();
    const rest = this.next ? [] : e.steps.slice(this.step).concat(e.cycle >= 0 ? e.steps.slice(e.cycle) : []).flatMap((s) => s.acts);
    /** @type {HTMLElement | undefined} */
    let seen;
    this.root.querySelectorAll(".column").forEach((it, p) => {
      const column = /** @type {HTMLElement} */ (it), place = /** @type {HTMLElement} */ (it.querySelector(".place")), last = at[p];
      const inside = /critical|inside/.test(sections[p]), acts = now.acts.some((a) => a.by === p);
      place.textContent = (inside ? "▣ " : "") + sections[p];
      place.classList.toggle("inside", inside);
      it.classList.toggle("acts", acts);
      column.dataset.at = last && last.line ? String(last.line) : "";
      const then = this.next ? this.next(p) : rest.find((a) => a.by === p && !a.buffer) || null;
      /** @type {HTMLElement} */ (it.querySelector(".did")).textContent = this.next ? (then && then.text) || "" : last ? last.text : "nothing yet";
      const executed = last && this.lines.get(last.file + ":" + last.line);
      if (acts && executed) executed.classList.add("at");
      const line = then && then.line ? this.lines.get(then.file + ":" + then.line) : executed;
      if (!line) return;
      const mark = make("b", p, "mark " + processClass(p) + (then && then.line ? "" : " last"));
      mark.title = (then && then.line ? "next: " : "last: ") + e.columns[p];
      /** @type {HTMLElement} */ (line.querySelector(".marks")).append(mark);
      if (acts || !seen) seen = executed && acts ? executed : line;
    });
    const code = this.get(".code");
    if (seen) code.scrollTop = seen.offsetTop - code.clientHeight / 2;
  }

  /** @param {{value: string, by: number, changed: boolean}[]} values */
  registers(values) {
    const { e } = this;
    for (const it of this.root.querySelectorAll(".polled")) /** @type {HTMLElement} */ (it).hidden = !this.polls;
    this.root.querySelectorAll(".cells tbody tr").forEach((it, c) => {
      const row = /** @type {HTMLTableRowElement} */ (it);
      row.cells[1].textContent = values[c].value;
      row.cells[2].textContent = values[c].by < 0 ? "" : e.columns[values[c].by] + (values[c].changed ? ", now" : "");
      row.cells[3].textContent = this.polls ? this.polls(c) : "";
      row.classList.toggle("changed", values[c].changed);
      row.hidden = !e.cells[c].name.includes(this.of.value);
    });
  }

  /** Draws the last steps, a row for each process: a thick line in its critical section, a thin one in its remainder section. @param {string[]} _sections */
  tracks(_sections) {
    const { e, step } = this, most = 60, from = Math.max(0, step - most), wide = 14, high = 20;
    if (e.columns.length > 8) return;
    const sections = e.columns.map(() => "remainder");
    let shapes = "";
    for (let k = 0; k < step; k++) {
      const x = (k - from) * wide + 34;
      for (const a of e.steps[k].acts) sections[a.by] = a.section || sections[a.by];
      if (k < from) continue;
      sections.forEach((section, p) => {
        const y = p * high + high / 2, kind = /critical|inside/.test(section) ? "in" : /remainder|outside/.test(section) ? "out" : "on";
        shapes += `<path class="${kind} ${processClass(p)}" d="M${x - wide / 2} ${y}h${wide}"/>`;
      });
      for (const a of e.steps[k].acts) shapes += `<circle class="${processClass(a.by)}${a.buffer ? " buffer" : ""}" cx="${x}" cy="${a.by * high + high / 2}" r="4"/>`;
    }
    const names = e.columns.map((_, p) => `<text x="2" y="${p * high + high / 2 + 4}">${p}</text>`).join("");
    const width = Math.min(step, most) * wide + 40;
    this.get(".tracks").innerHTML = `<svg width="${width}" height="${e.columns.length * high}" aria-hidden="true">${names}${shapes}</svg>`;
    this.get(".tracks").scrollLeft = width;
  }

  /** @param {Shown} now */
  position(now) {
    const { e, step } = this, loops = e.cycle >= 0, part = e.steps.slice(0, step).findLast((s) => s.part);
    this.current?.removeAttribute("aria-current");
    this.current = this.rows[step - 1] || null;
    this.current?.setAttribute("aria-current", "step");
    const jump = /** @type {HTMLInputElement} */ (this.get(".jump input"));
    jump.max = String(e.steps.length);
    jump.value = String(step);
    this.get("output").textContent = "step " + step + " of " + e.steps.length + (loops && step > e.cycle ? ", in the loop" : "") + (part ? ", " + part.part : "");
    this.button("first").disabled = this.button("back").disabled = step === 0;
    this.button("last").disabled = step === e.steps.length;
    this.button("forward").disabled = step === e.steps.length && !loops;
    this.get(".now").textContent = step === 0 ? "The beginning." : now.says ||
      now.acts.map((a) => e.columns[a.by] + ": " + said(a) + (a.file && now.acts.length === 1 ? " (" + a.file + ":" + a.line + ")" : "")).join(" · ");
  }
}
