/** The counter next to the box: how much must still be removed, in words and as a bar. */

import { MAX_MARKS_IN_A_ROW } from "./length.js";

const ANNOUNCE_MS = 1000;

/** @type {Record<string, string>} */
const WORDS = {
  empty: "the text is empty",
  "no letters": "there are no letters in it",
  "cut in mid-word": "it stops in the middle of a word",
  "stretched characters": "some characters stand for several letters: please write them out",
  "forbidden character": "it holds a control character: please type it again",
};

/** @param {import("./length.js").Verdict} verdict @returns {string} */
export function wordsFor({ length, allowed, reasons, stackedAt }) {
  const excess = length - allowed;
  if (reasons.includes("too long")) return `remove ${excess} more ${excess === 1 ? "character" : "characters"}`;
  if (stackedAt !== null) return stackedWords(stackedAt);
  if (reasons.length) return WORDS[reasons[0]];
  return excess === 0 ? "exactly short enough" : `${-excess} to spare`;
}

/** The letter is the character before its first mark. @param {number} stackedAt @returns {string} */
function stackedWords(stackedAt) {
  const what = `more than ${MAX_MARKS_IN_A_ROW} accents or marks stand on one letter`;
  return `${what}, at character ${Math.max(1, stackedAt)}: please remove them`;
}

export class Counter {
  #timer = 0;

  /** @param {(id: string) => HTMLElement} element  looks up an element by id */
  constructor(element) {
    this.box = element("counter");
    this.words = element("counter-words");
    this.live = element("counter-live");
    this.bar = /** @type {HTMLProgressElement} */ (element("bar"));
  }

  /** @param {import("./length.js").Verdict} verdict */
  show(verdict) {
    const words = wordsFor(verdict);
    if (this.words.textContent !== words) this.words.textContent = words;
    this.box.classList.toggle("is-accepted", verdict.reasons.length === 0);
    const toRemove = Math.max(1, verdict.sourceLength - verdict.allowed);
    this.bar.value = Math.min(100, Math.max(0, (100 * (verdict.sourceLength - verdict.length)) / toRemove));
    this.#announce(words);
  }

  /** Announce to screen readers once typing pauses. @param {string} words */
  #announce(words) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.live.textContent = words;
    }, ANNOUNCE_MS);
  }
}
