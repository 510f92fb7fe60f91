/** The original with the marks of the editor's pen: what is gone and what is new. */

import { wordDiff, wordsOf } from "./word-diff.js";

const TAGS = { gone: "del", new: "ins" };
const WANTED = "precis:difference";

export class Difference {
  #frame = 0;

  /** @param {{ button: HTMLElement, source: HTMLElement, view: HTMLElement, text: () => string }} parts */
  constructor({ button, source, view, text }) {
    this.button = button;
    this.source = source;
    this.view = view;
    this.text = text;
    this.words = wordsOf(source.textContent ?? "");
    button.addEventListener("click", () => this.#want(!this.isOn));
    if (remembered() === "1") this.#want(true);
  }

  get isOn() {
    return this.button.getAttribute("aria-pressed") === "true";
  }

  /** The text has changed: at most once a frame the marks are made anew. */
  changed() {
    if (!this.isOn || this.#frame) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#draw();
    });
  }

  /** @param {boolean} on */
  #want(on) {
    this.button.setAttribute("aria-pressed", String(on));
    this.source.hidden = on;
    this.view.hidden = !on;
    remember(on ? "1" : "");
    if (on) this.#draw();
  }

  #draw() {
    const parts = wordDiff(this.words, wordsOf(this.text().trimEnd()));
    this.view.replaceChildren(...parts.map(({ kind, text }) => (kind === "same" ? text : marked(TAGS[kind], text))));
  }
}

/** @param {string} tag @param {string} text */
function marked(tag, text) {
  const element = document.createElement(tag);
  element.textContent = text;
  return element;
}

function remembered() {
  try {
    return localStorage.getItem(WANTED);
  } catch {
    return null;
  }
}

/** @param {string} value */
function remember(value) {
  try {
    localStorage.setItem(WANTED, value);
  } catch {
    // It is off again on the next page.
  }
}
