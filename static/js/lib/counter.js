/** The counter beside the main button: how much is too long or to spare, in words and as a bar with a mark at the limit. */

import { MAX_MARKS_IN_A_ROW } from "./length.js";
import { filled, gettext, ngettext } from "./words.js";

const ANNOUNCE_MS = 1000;

/** @param {string} reason @returns {string} */
function wordsOfReason(reason) {
  if (reason === "empty" || reason === "no letters") return gettext("Write some text.");
  if (reason === "cut in mid-word") return gettext("Your text ends in the middle of a word.");
  if (reason === "stretched characters") return gettext("Write out special characters such as ㎏ (kg).");
  return gettext("Your text contains a hidden character. Delete it and type it again.");
}

/** @param {import("./length.js").Verdict} verdict @returns {string} */
export function wordsFor({ length, allowed, reasons, stackedAt }) {
  const excess = length - allowed;
  if (reasons.includes("too long")) {
    return filled(ngettext("%(n)s character too long", "%(n)s characters too long", excess), { n: excess });
  }
  if (stackedAt !== null) return stackedWords(stackedAt);
  if (reasons.length) return wordsOfReason(reasons[0]);
  if (excess === 0) return gettext("Short enough: right at the limit");
  const words = ngettext("Short enough: %(n)s character to spare", "Short enough: %(n)s characters to spare", -excess);
  return filled(words, { n: -excess });
}

/** Why a text is not sent, as a sentence. @param {import("./length.js").Verdict} verdict @returns {string} */
export function refusalFor(verdict) {
  if (!verdict.reasons.includes("too long")) return wordsFor(verdict);
  const excess = verdict.length - verdict.allowed;
  return filled(ngettext("%(n)s character too long.", "%(n)s characters too long.", excess), { n: excess });
}

/** The letter is the character before its first mark. @param {number} stackedAt @returns {string} */
function stackedWords(stackedAt) {
  const words = gettext("Character %(place)s has more than %(most)s accents or marks on it. Remove some.");
  return filled(words, { place: Math.max(1, stackedAt), most: MAX_MARKS_IN_A_ROW });
}

export class Counter {
  #timer = 0;

  /** @param {(id: string) => HTMLElement} element  looks up an element by id */
  constructor(element) {
    this.box = element("counter");
    this.words = element("counter-words");
    this.live = element("counter-live");
    this.fill = element("length-fill");
    this.over = element("length-over");
  }

  /** @param {import("./length.js").Verdict} verdict */
  show(verdict) {
    const words = wordsFor(verdict);
    if (this.words.textContent !== words) this.words.textContent = words;
    this.box.classList.toggle("is-accepted", verdict.reasons.length === 0);
    this.#draw(verdict);
    this.#announce(words);
  }

  /** @param {import("./length.js").Verdict} verdict */
  #draw({ length, allowed, sourceLength }) {
    const whole = Math.max(1, sourceLength);
    const [limit, part] = [(100 * allowed) / whole, Math.min(100, (100 * length) / whole)];
    this.fill.setAttribute("width", Math.min(limit, part).toFixed(1));
    this.over.setAttribute("width", Math.max(0, part - limit).toFixed(1));
  }

  /** Screen readers meet the words only here, where they change once typing pauses. @param {string} words */
  #announce(words) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (this.live.textContent !== words) this.live.textContent = words;
    }, ANNOUNCE_MS);
  }
}
