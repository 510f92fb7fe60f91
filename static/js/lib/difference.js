/**
 * The difference between the original and one's own text. Whoever wants sees it marked: in the original what is gone, in
 * one's own text what is new. By it, an original that is longer than its place follows the caret.
 */

import { choose, chosen } from "./choices.js";
import { oncePerFrame } from "./layout.js";
import { nodeOf } from "./marks.js";
import { wordDiff, wordsOf } from "./word-diff.js";

const SENTENCE = /.+?(?:[.!?…؟]["'”’»)\]]*\s+|[。！？]|$)/gsu;
/** Words of this many characters are hardly the same by chance. */
const CHANCE = 30;

export class Difference {
  #soon = oncePerFrame(() => this.#update());
  /** @type {string | null} */
  #text = null;
  /** @type {import("./word-diff.js").Part[]} */
  #parts = [];
  #scrolls = false;
  #followed = "";

  /** @param {{ button: HTMLElement, source: HTMLElement, box: HTMLTextAreaElement, marks: HTMLElement }} parts  `marks`
   * lies behind the box and is filled with the same text */
  constructor({ button, source, box, marks }) {
    this.button = button;
    this.box = box;
    const text = source.textContent ?? "";
    this.words = wordsOf(text, source.lang);
    this.sentences = Array.from(text.matchAll(SENTENCE), ({ 0: { length }, index }) => ({ start: index, end: index + length }));
    this.original = new MarkedText(source);
    this.own = new MarkedText(marks);
    button.addEventListener("click", () => this.#toggle(!this.isOn));
    if (chosen("difference")) this.#toggle(true);
    new ResizeObserver(() => this.#resized()).observe(source);
    document.addEventListener("selectionchange", () => this.#scrolls && this.changed());
  }

  get isOn() {
    return this.button.getAttribute("aria-pressed") === "true";
  }

  /** Follow a change of the text or of the caret's place, at most once per frame. */
  changed() {
    if (this.isOn || this.#scrolls) this.#soon();
  }

  /** @param {boolean} on */
  #toggle(on) {
    this.button.setAttribute("aria-pressed", String(on));
    choose("difference", on ? "1" : "");
    if (on) this.#update();
    else for (const each of [this.original, this.own]) each.clear();
  }

  /** The original scrolls where it is longer than its place; then it must be reachable by keys, too. */
  #resized() {
    const { element } = this.original;
    this.#scrolls = element.scrollHeight > element.clientHeight + 1;
    if (this.#scrolls) element.tabIndex = 0;
    else element.removeAttribute("tabindex");
    this.#followed = "";
    this.changed();
  }

  #update() {
    if (this.box.value !== this.#text) {
      this.#text = this.box.value;
      this.#parts = wordDiff(this.words, wordsOf(this.#text, this.original.element.lang));
    }
    if (this.isOn) {
      this.original.draw(this.#parts.filter(({ kind }) => kind !== "new"));
      this.own.draw(this.#parts.filter(({ kind }) => kind !== "gone").map(({ kind, own }) => ({ kind, text: own, own })));
    }
    if (this.#scrolls && document.activeElement === this.box) this.#follow(placeInOriginal(this.#parts, this.box.selectionEnd));
  }

  /** Bring the sentence at a place of the original into view; of a longer one, the line with those beside it. */
  #follow(/** @type {number} */ place) {
    const { element } = this.original;
    const { start, end } = this.sentences.find((sentence) => place < sentence.end) ?? this.sentences[this.sentences.length - 1];
    let [top, bottom] = this.original.heightsOf(start, end);
    if (bottom - top > element.clientHeight) {
      [top, bottom] = this.original.heightsOf(Math.max(0, place - 1), place || 1);
      [top, bottom] = [2 * top - bottom, 2 * bottom - top];
    }
    const followed = [top, bottom].map(Math.round).join();
    if (followed === this.#followed) return; // whoever has scrolled to another place since then wants to see that
    this.#followed = followed;
    if (top < element.scrollTop || bottom > element.scrollTop + element.clientHeight) element.scrollTop = top;
  }
}

/**
 * The place of the original that the caret stands at: in the words that both texts have, the nearest to it. A word or two
 * may be the same by chance, and count for less.
 *
 * @param {import("./word-diff.js").Part[]} parts @param {number} caret
 */
function placeInOriginal(parts, caret) {
  let [place, own, best, found] = [0, 0, -Infinity, 0];
  for (const part of parts) {
    const inside = Math.min(Math.max(caret - own, 0), part.own.length);
    const score = Math.min(part.own.length, CHANCE) - Math.abs(caret - own - inside);
    if (part.kind === "same" && score > best) [best, found] = [score, place + Math.min(inside, part.text.length)];
    if (part.kind !== "new") place += part.text.length;
    if (part.kind !== "gone") own += part.own.length;
  }
  return found;
}

/** A text with marks, of which only what changes is drawn again; for most keystrokes that is one or two parts. */
class MarkedText {
  /** @type {import("./word-diff.js").Part[]} */
  #drawn = [];

  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
    this.text = element.textContent ?? "";
  }

  clear() {
    this.element.textContent = this.text;
    this.#drawn = [];
  }

  /** @param {import("./word-diff.js").Part[]} parts */
  draw(parts) {
    if (!this.#drawn.length) this.element.replaceChildren();
    const [before, shorter] = [this.#drawn, Math.min(this.#drawn.length, parts.length)];
    let head = 0;
    while (head < shorter && isSame(before[head], parts[head])) head += 1;
    let tail = 0;
    while (tail < shorter - head && isSame(before[before.length - 1 - tail], parts[parts.length - 1 - tail])) tail += 1;
    const nodes = [...this.element.childNodes];
    for (const node of nodes.slice(head, before.length - tail)) node.remove();
    const next = nodes[before.length - tail] ?? null;
    for (const part of parts.slice(head, parts.length - tail)) this.element.insertBefore(nodeOf(part), next);
    this.#drawn = parts;
  }

  /** Where the characters from one place to another begin and end, in pixels from the top of the text. */
  heightsOf(/** @type {number} */ start, /** @type {number} */ end) {
    const range = document.createRange();
    range.setStart(...this.#at(start));
    range.setEnd(...this.#at(end));
    const { top, bottom } = range.getBoundingClientRect();
    const from = this.element.getBoundingClientRect().top - this.element.scrollTop;
    return [top - from, bottom - from];
  }

  /** @param {number} place @returns {[Node, number]} */
  #at(place) {
    const texts = document.createTreeWalker(this.element, NodeFilter.SHOW_TEXT);
    let left = place;
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const { length } = /** @type {Text} */ (node);
      if (left <= length) return [node, left];
      left -= length;
    }
    return [this.element, this.element.childNodes.length];
  }
}

/** @param {import("./word-diff.js").Part} one @param {import("./word-diff.js").Part} other */
function isSame(one, other) {
  return one.kind === other.kind && one.text === other.text;
}
