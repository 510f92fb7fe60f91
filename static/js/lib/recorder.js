/** Writing down every change of a text field, from the moment the page was first shown. */

import { kindOf, operationBetween, replay } from "./edit-log.js";

/** As many milliseconds as a log may last: a clock that was set wrong must not spoil it. */
const MAX_MS = 30 * 24 * 3600 * 1000;

export class Recorder {
  /** @type {import("./edit-log.js").Operation[]} */
  log = [];
  hasEdits = false;
  #text = "";
  #zero = 0;
  #hadSelection = false;
  #kind = "";

  /** @param {HTMLTextAreaElement} field @param {() => void} onChange */
  constructor(field, onChange) {
    this.field = field;
    this.onChange = onChange;
    field.addEventListener("beforeinput", () => {
      this.#hadSelection = field.selectionStart !== field.selectionEnd;
    });
    field.addEventListener("input", (event) => {
      const { inputType = "", isComposing = false } = /** @type {InputEvent} */ (event);
      this.record(inputType, isComposing);
    });
  }

  /**
   * Begin a log, or go on with one: its time goes on, counting what has passed since it was kept.
   *
   * @param {{ beginning: string, log: import("./edit-log.js").Operation[], sinceMs: number }} from
   */
  start({ beginning, log, sinceMs }) {
    this.log = [...log];
    this.#text = replay(beginning, log) ?? beginning;
    this.#zero = performance.now() - (log.at(-1)?.[4] ?? 0) - sinceMs;
    this.hasEdits = log.some(([, removed, inserted]) => removed || inserted);
    if (log.length) this.markReturn();
  }

  /** Begin anew from another beginning; the clock goes on. @param {string} beginning */
  restart(beginning) {
    this.log = this.log.filter(([, removed, inserted]) => !removed && !inserted);
    this.#text = beginning;
    this.hasEdits = false;
  }

  /** The page came back to sight, or was opened again; twice without an edit between is once. */
  markReturn() {
    if (this.log.at(-1)?.[3] === "return") return;
    this.log.push([0, "", "", "return", this.#now()]);
  }

  /**
   * Write down how the field changed. The log always leads from the beginning to what the field holds.
   *
   * @param {string} inputType @param {boolean} [isComposing]
   */
  record(inputType, isComposing = false) {
    const change = operationBetween(this.#text, this.field.value, "other", this.#now());
    if (!change) return;
    const replaces = change[1] !== "" && !this.#hadSelection;
    change[3] = this.#kind || kindOf(inputType, isComposing, replaces);
    this.log.push(change);
    this.#text = this.field.value;
    this.hasEdits = true;
    this.onChange();
  }

  /** Put another text into the field, as an edit that is not typing. @param {string} text */
  replaceAll(text) {
    this.#kind = "other";
    this.field.focus();
    this.field.select();
    // Unlike setting the value, this leaves the browser's undo intact.
    if (!document.execCommand(text ? "insertText" : "delete", false, text)) this.field.value = text;
    this.record("");
    this.#kind = "";
  }

  /** Milliseconds since the page was first shown; never back, whatever the clock does. */
  #now() {
    const now = Math.min(MAX_MS, Math.round(performance.now() - this.#zero));
    return Math.max(this.log.at(-1)?.[4] ?? 0, now);
  }
}
