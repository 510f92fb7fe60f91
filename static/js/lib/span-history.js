/**
 * What was done to the marks of a text, undone and redone in whole actions, and kept as text in a field of the form.
 *
 * @typedef {import("./span-marks.js").State} State
 * @typedef {import("./span-marks.js").Mark} Mark
 * @typedef {import("./span-marks.js").Act} Act
 * @typedef {{ marks: Record<string, [Mark | null, Mark | null]>, rest: [Rest, Rest] }} Change  before and after
 * @typedef {Omit<State, "marks">} Rest
 */

const DEPTH = 200;
const MOST_ACTS = 4_000;

export class SpanHistory {
  /** @type {Change[]} */
  #done = [];
  /** @type {Change[]} */
  #undone = [];
  /** @type {Act[]} */
  acts = [];

  /** @param {State} state */
  constructor(state) {
    this.state = state;
  }

  /** @param {State} state @param {Act} act */
  become(state, act) {
    this.#done = [...this.#done, changeBetween(this.state, state)].slice(-DEPTH);
    this.#undone = [];
    this.state = state;
    this.#log(act);
  }

  /** @param {number} atMs @returns {boolean} whether there was anything to undo */
  undo(atMs) {
    const change = this.#done.pop();
    if (change) this.#undone.push(change);
    return this.#apply(change, 0, [atMs, "undo", ""]);
  }

  /** @param {number} atMs @returns {boolean} */
  redo(atMs) {
    const change = this.#undone.pop();
    if (change) this.#done.push(change);
    return this.#apply(change, 1, [atMs, "redo", ""]);
  }

  get canUndo() {
    return this.#done.length > 0;
  }

  get canRedo() {
    return this.#undone.length > 0;
  }

  /** @param {string} digest  of the texts that the marks refer to @returns {string} */
  dump(digest) {
    return JSON.stringify({ digest, state: this.state, done: this.#done, undone: this.#undone, acts: this.acts });
  }

  /** What a field of the form keeps; null if it keeps nothing, or something of other texts. @param {string} kept @param {string} digest @returns {SpanHistory | null} */
  static of(kept, digest) {
    try {
      const found = JSON.parse(kept);
      if (found.digest !== digest) return null;
      const history = new SpanHistory(found.state);
      [history.#done, history.#undone, history.acts] = [found.done, found.undone, found.acts];
      return history;
    } catch {
      return null;
    }
  }

  /** @param {Change | undefined} change @param {0 | 1} which @param {Act} act @returns {boolean} */
  #apply(change, which, act) {
    if (!change) return false;
    const marks = { ...this.state.marks };
    for (const [id, both] of Object.entries(change.marks)) {
      const mark = both[which];
      if (mark) marks[id] = mark;
      else delete marks[id];
    }
    this.state = { ...change.rest[which], marks };
    this.#log(act);
    return true;
  }

  /** @param {Act} act */
  #log(act) {
    if (this.acts.length < MOST_ACTS) this.acts.push(act);
  }
}

/** @param {State} before @param {State} after @returns {Change} */
function changeBetween({ marks: old, ...before }, { marks, ...after }) {
  const ids = new Set([...Object.keys(old), ...Object.keys(marks)]);
  const changed = [...ids].filter((id) => old[id] !== marks[id]);
  return { marks: Object.fromEntries(changed.map((id) => [id, [old[id] ?? null, marks[id] ?? null]])), rest: [before, after] };
}
