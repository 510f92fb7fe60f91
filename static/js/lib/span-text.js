/**
 * A text in which spans are marked: by dragging, by tapping the first and the last word, and by keys. The whole text is
 * one stop of the Tab key.
 *
 * @typedef {import("./text-places.js").Span} Span
 * @typedef {ReturnType<typeof paintedPieces>[number]} Piece
 * @typedef {{
 *   onRange: (span: Span, by: "mouse" | "touch" | "keys") => void,
 *   onPick: (ids: string[], by: "mouse" | "touch" | "keys") => boolean,
 *   onEnd: (which: "start" | "end", span: Span) => void,
 *   onKey: (event: KeyboardEvent, span: Span | null) => boolean,
 *   onBegun: (words: string) => void,
 *   onHandle: (which: "start" | "end") => void,
 * }} Listeners
 */

import { oncePerFrame } from "./layout.js";
import { paintedPieces } from "./span-paint.js";
import { gettext } from "./words.js";

const ENDS = /** @type {const} */ (["start", "end"]);
const ABOVE_PX = 30; // a finger on a handle lies below the line that it points to

export class SpanText {
  /** @type {Piece[]} */
  #pieces = [];
  /** @type {Span | null} */
  #chosen = null;
  /** Words, as places in `places.words`: where a selection began, and where the cursor is. */
  #anchor = -1;
  #cursor = -1;
  /** Whether the first word was tapped and the last one is awaited. */
  #isBegun = false;
  /** @type {"start" | "end" | null} */
  #moving = null;
  #isDragged = false;

  /**
   * @param {HTMLElement} root  what holds the text and nothing else, in a frame that is positioned
   * @param {import("./text-places.js").TextPlaces} places
   * @param {Listeners} listeners
   */
  constructor(root, places, listeners) {
    this.root = root;
    this.places = places;
    this.listeners = listeners;
    this.handles = ENDS.map((which) => this.#handle(which));
    root.after(...this.handles);
    root.addEventListener("keydown", (event) => this.#pressed(event));
    root.addEventListener("click", (event) => this.#tapped(event));
    root.addEventListener("blur", () => this.#isBegun || this.#show());
    root.addEventListener("focus", () => this.#show());
    root.addEventListener("pointerdown", () => {
      this.#isDragged = false;
    });
    document.addEventListener("mouseup", () => this.#dragged());
    new ResizeObserver(oncePerFrame(() => this.#placeHandles())).observe(root);
  }

  /** Paint the marks. @param {import("./span-paint.js").Drawn[]} spans @param {Span | null} chosen  the one whose ends can be moved */
  paint(spans, chosen) {
    this.#chosen = chosen;
    this.#pieces = paintedPieces(this.places, spans);
    this.root.replaceChildren(...this.#pieces.map(({ el }) => el));
    if (!chosen) this.#moving = null;
    this.#show();
    this.#placeHandles();
  }

  /** What is selected by keys or has been begun by a tap. @returns {Span | null} */
  get reach() {
    if (this.#cursor < 0) return null;
    const [first, last] = [this.#anchor, this.#cursor].sort((one, other) => one - other);
    return { start: this.places.words[first].start, end: this.places.words[last].end };
  }

  /** Forget what was begun. @returns {boolean} whether there was anything */
  forget() {
    const isBegun = this.#isBegun || this.#moving !== null || this.#anchor !== this.#cursor;
    this.#isBegun = false;
    this.#moving = null;
    this.#anchor = this.#cursor;
    this.#show();
    return isBegun;
  }

  /** The marks at a word, the shortest first. @param {Span | null} span @returns {string[]} */
  idsIn(span) {
    const piece = span && this.#pieces.find(({ start, end }) => start <= span.start && end > span.start);
    return piece ? piece.ids.toReversed() : [];
  }

  // Keys

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    const { words } = this.places;
    if (event.altKey || event.isComposing || !words.length) return;
    const isRightToLeft = getComputedStyle(this.root).direction === "rtl";
    /** @type {Record<string, number>} */
    const steps = { ArrowLeft: isRightToLeft ? 1 : -1, ArrowRight: isRightToLeft ? -1 : 1, Home: -Infinity, End: Infinity };
    const to = event.ctrlKey || event.metaKey ? null : this.#target(event.key, steps[event.key]);
    if (to !== null) {
      event.preventDefault();
      this.#isBegun = false;
      this.#cursor = to;
      if (!event.shiftKey || this.#anchor < 0) this.#anchor = to;
      this.#show();
      this.#pieceAt(words[to].start)?.el.scrollIntoView({ block: "nearest" });
      if (event.shiftKey) this.listeners.onBegun(this.#words());
      else this.listeners.onPick(this.idsIn(words[to]), "keys");
    } else if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      const { reach } = this;
      this.#anchor = this.#cursor;
      if (reach) this.listeners.onRange(reach, "keys");
    } else if (event.key === "Escape") {
      if (this.forget()) event.preventDefault();
    } else if (this.listeners.onKey(event, this.reach)) {
      event.preventDefault();
    }
  }

  /** The word that a key leads to. @param {string} key @param {number | undefined} step @returns {number | null} */
  #target(key, step) {
    const last = this.places.words.length - 1;
    if (step !== undefined) {
      const from = this.#cursor < 0 ? (step > 0 ? -1 : 1) : this.#cursor;
      return Math.max(0, Math.min(last, from + step));
    }
    if (key !== "ArrowUp" && key !== "ArrowDown") return null;
    return this.#cursor < 0 ? 0 : this.#onNextLine(key === "ArrowDown" ? 1 : -1);
  }

  /** The word above or below the cursor. @param {1 | -1} direction @returns {number} */
  #onNextLine(direction) {
    const { words } = this.places;
    const boxOf = (/** @type {number} */ word) => /** @type {Piece} */ (this.#pieceAt(words[word].start)).el.getBoundingClientRect();
    const here = boxOf(this.#cursor);
    let found = this.#cursor;
    /** @type {DOMRect | null} */
    let line = null;
    for (let word = this.#cursor + direction; word in words; word += direction) {
      const box = boxOf(word);
      if (Math.abs(box.top - here.top) < here.height / 2) continue;
      line ??= box;
      if (Math.abs(box.top - line.top) > line.height / 2) break;
      if (found === this.#cursor || Math.abs(box.left - here.left) < Math.abs(boxOf(found).left - here.left)) found = word;
    }
    return found;
  }

  // Mouse and touch

  #dragged() {
    const selection = getSelection();
    if (!selection || selection.isCollapsed || !selection.rangeCount) return;
    const range = selection.getRangeAt(0);
    if (!range.intersectsNode(this.root) || !this.root.contains(selection.anchorNode)) return;
    const [start, end] = [this.#placeIn(range, true), this.#placeIn(range, false)];
    const span = this.places.snapped(start, end);
    selection.removeAllRanges();
    this.#isDragged = true;
    this.#isBegun = false;
    if (!span) return;
    this.#put(span);
    this.listeners.onRange(span, "mouse");
  }

  /** Where a range of the page begins or ends in the text. @param {Range} range @param {boolean} isStart @returns {number} */
  #placeIn(range, isStart) {
    const before = document.createRange();
    before.selectNodeContents(this.root);
    const [node, offset] = isStart ? [range.startContainer, range.startOffset] : [range.endContainer, range.endOffset];
    if (this.root.contains(node)) before.setEnd(node, offset);
    else if (isStart) before.collapse(true);
    return this.places.placeOf(before.toString().length);
  }

  /** @param {MouseEvent} event */
  #tapped(event) {
    if (this.#isDragged) {
      this.#isDragged = false;
      return;
    }
    const by = /** @type {PointerEvent} */ (event).pointerType === "touch" ? "touch" : "mouse";
    const word = this.#wordOf(event.target);
    if (word < 0) return;
    const { words } = this.places;
    if (this.#moving && this.#chosen) return this.#moveTo(this.#moving, word);
    if (this.#isBegun) {
      this.#isBegun = false;
      this.#cursor = word;
      const reach = /** @type {Span} */ (this.reach);
      this.#anchor = word;
      return this.listeners.onRange(reach, by);
    }
    this.#anchor = this.#cursor = word;
    const ids = this.idsIn(words[word]);
    const isChosen = this.#chosen && words[word].start < this.#chosen.end && words[word].end > this.#chosen.start;
    if (ids.length && !isChosen && this.listeners.onPick(ids, by)) return;
    this.#isBegun = true;
    this.#show();
    this.listeners.onBegun(gettext("Now tap or click the last word of it."));
  }

  /** Let one end of the chosen mark be at a word. @param {"start" | "end"} which @param {number} word */
  #moveTo(which, word) {
    this.#moving = null;
    const span = this.#withEnd(which, word);
    if (span) this.listeners.onEnd(which, span);
    else this.#show();
  }

  /** @param {"start" | "end"} which @param {number} word @returns {Span | null} */
  #withEnd(which, word) {
    if (!this.#chosen || !(word in this.places.words)) return null;
    const span = { ...this.#chosen, [which]: this.places.words[word][which] };
    return span.start < span.end ? span : null;
  }

  /** A handle at an end of the chosen mark: dragged, or tapped before the word that is to be the end. @param {"start" | "end"} which */
  #handle(which) {
    const handle = document.createElement("button");
    Object.assign(handle, { type: "button", className: "span-handle", hidden: true, tabIndex: -1 });
    handle.dataset.which = which;
    handle.setAttribute("aria-label", which === "start" ? gettext("Move the beginning of the mark") : gettext("Move the end of the mark"));
    /** @type {number | null} */
    let word = null;
    handle.addEventListener("pointerdown", (event) => {
      word = null;
      handle.setPointerCapture(event.pointerId);
    });
    handle.addEventListener("pointermove", (event) => {
      if (!handle.hasPointerCapture(event.pointerId)) return;
      const under = document.elementsFromPoint(event.clientX, event.clientY - ABOVE_PX).find((each) => this.root.contains(each));
      const found = this.#wordOf(under ?? null);
      if (found < 0 || !this.#withEnd(which, found) || (word === null && this.#isEnd(which, found))) return;
      word = found;
      this.#show(this.#withEnd(which, found));
    });
    handle.addEventListener("click", () => {
      if (word !== null) return this.#moveTo(which, word);
      this.#moving = this.#moving === which ? null : which;
      this.#isBegun = false;
      this.#show();
      if (this.#moving) this.listeners.onHandle(which);
    });
    return handle;
  }

  /** @param {"start" | "end"} which @param {number} word */
  #isEnd(which, word) {
    return this.#chosen?.[which] === this.places.words[word][which];
  }

  // Looks

  /** @param {Span} span */
  #put({ start, end }) {
    const touched = this.places.wordsIn(start, end);
    if (touched) this.#anchor = this.#cursor = touched[1];
  }

  /** @param {Span | null} span  what is highlighted; by itself what is selected */
  #show(span = this.#isBegun || document.activeElement === this.root ? this.reach : null) {
    for (const { start, end, el } of this.#pieces) {
      el.classList.toggle("is-reached", Boolean(span && start >= span.start && end <= span.end));
    }
    for (const handle of this.handles) handle.setAttribute("aria-pressed", String(handle.dataset.which === this.#moving));
  }

  #placeHandles() {
    const frame = /** @type {HTMLElement} */ (this.root.parentElement).getBoundingClientRect();
    const isRightToLeft = getComputedStyle(this.root).direction === "rtl";
    for (const handle of this.handles) {
      const isStart = handle.dataset.which === "start";
      const place = this.#chosen && (isStart ? this.#chosen.start : this.#chosen.end - 1);
      const box = place === null ? undefined : this.#pieceAt(place)?.el.getClientRects();
      handle.hidden = !box?.length;
      if (!box?.length) continue;
      const line = box[isStart ? 0 : box.length - 1];
      handle.style.left = `${(isStart === isRightToLeft ? line.right : line.left) - frame.left}px`;
      handle.style.top = `${line.bottom - frame.top}px`;
    }
  }

  /** @param {EventTarget | null} target @returns {number} the word that was hit; -1 if there is none */
  #wordOf(target) {
    const start = target instanceof Element ? target.closest("[data-start]")?.getAttribute("data-start") : null;
    if (start === null || start === undefined) return -1;
    return this.places.wordsIn(Number(start), Number(start) + 1)?.[0] ?? -1;
  }

  /** @param {number} place @returns {Piece | undefined} */
  #pieceAt(place) {
    return this.#pieces.find(({ start, end }) => start <= place && place < end);
  }

  #words() {
    const { reach } = this;
    return reach ? this.places.slice(reach.start, reach.end) : "";
  }
}
