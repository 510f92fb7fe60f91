/** The source with the editor's changes marked: deletions and insertions. */

import { nodeOf } from "./marks.js";
import { wordDiff, wordsOf } from "./word-diff.js";

const STORAGE_KEY = "precis:difference";

export class Difference {
  #frame = 0;
  /** @type {import("./word-diff.js").Part[]} */
  #parts = [];

  /** @param {{ button: HTMLElement, source: HTMLElement, view: HTMLElement, text: () => string }} parts */
  constructor({ button, source, view, text }) {
    this.button = button;
    this.source = source;
    this.view = view;
    this.text = text;
    this.words = wordsOf(source.textContent ?? "", source.lang);
    button.addEventListener("click", () => this.#toggle(!this.isOn));
    if (remembered() === "1") this.#toggle(true);
  }

  get isOn() {
    return this.button.getAttribute("aria-pressed") === "true";
  }

  /** Redraw the marks after a change of the text, at most once per frame. */
  changed() {
    if (!this.isOn || this.#frame) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#draw();
    });
  }

  /** @param {boolean} on */
  #toggle(on) {
    this.button.setAttribute("aria-pressed", String(on));
    this.source.hidden = on;
    this.view.hidden = !on;
    remember(on ? "1" : "");
    if (on) this.#draw();
  }

  /** Replace only the parts that have changed; for most keystrokes that is one or two. */
  #draw() {
    const parts = wordDiff(this.words, wordsOf(this.text().trimEnd(), this.source.lang));
    const [before, shorter] = [this.#parts, Math.min(this.#parts.length, parts.length)];
    let head = 0;
    while (head < shorter && isSame(before[head], parts[head])) head += 1;
    let tail = 0;
    while (tail < shorter - head && isSame(before[before.length - 1 - tail], parts[parts.length - 1 - tail])) tail += 1;
    const nodes = [...this.view.childNodes];
    for (const node of nodes.slice(head, before.length - tail)) node.remove();
    const next = nodes[before.length - tail] ?? null;
    for (const part of parts.slice(head, parts.length - tail)) this.view.insertBefore(nodeOf(part), next);
    this.#parts = parts;
  }
}

/** @param {import("./word-diff.js").Part} one @param {import("./word-diff.js").Part} other */
function isSame(one, other) {
  return one.kind === other.kind && one.text === other.text;
}

function remembered() {
  try {
    return localStorage.getItem(STORAGE_KEY);
  } catch {
    return null;
  }
}

/** @param {string} value */
function remember(value) {
  try {
    localStorage.setItem(STORAGE_KEY, value);
  } catch {
    // Without storage, the marks are off again on the next page.
  }
}
