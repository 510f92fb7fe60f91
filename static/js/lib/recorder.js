/** Records every change of a text field, timed from when the page was first shown. */

import { kindOf, operationBetween, replay } from "./edit-log.js";
import { boundsFor, exceeds, withinBounds } from "./log-merge.js";

/** The longest duration of a log, so that a wrong system clock cannot invalidate it. */
const MAX_MS = 30 * 24 * 3600 * 1000;

/** A longer text is not recorded until it is shorter again, since no log may hold it. */
const MAX_TEXT_LENGTH = 50_000;

/** The log is weighed whenever changes may have taken this share of a bound since the last time. */
const UNWEIGHED = 0.05;

/** How often a log says that the page was left and come back to; who does so more often is counted elsewhere. */
const MAX_LEAVES = 50;

const sourceOfPage = () => document.getElementById("source")?.textContent ?? "";

export class Recorder {
  /** @type {import("./edit-log.js").Operation[]} */
  log = [];
  hasEdits = false;
  #text = "";
  #startedAt = 0;
  #hadSelection = false;
  #isLeft = false;
  #kind = "";
  #beginning = "";
  #unweighed = { operations: 0, characters: 0, replayed: 0 };

  /** Whether the log says when the page is left, which the campaign decides. */
  recordsLeaving = false;

  /** What a page knows better of a change. @param {import("./edit-log.js").Operation} change */
  refined = (change) => change;

  /** @param {HTMLTextAreaElement} field @param {() => void} onChange @param {string} [source]  the text to shorten */
  constructor(field, onChange, source = sourceOfPage()) {
    this.bounds = boundsFor(Array.from(source).length);
    this.field = field;
    this.onChange = onChange;
    field.addEventListener("beforeinput", () => {
      this.#hadSelection = field.selectionStart !== field.selectionEnd;
    });
    field.addEventListener("input", (event) => {
      const { inputType = "", isComposing = false, isTrusted } = /** @type {InputEvent} */ (event);
      this.record(inputType, isComposing, isTrusted);
    });
  }

  /**
   * Begin a log, or resume one; its clock includes the time since it was kept.
   *
   * @param {{ beginning: string, log: import("./edit-log.js").Operation[], sinceMs: number }} from
   */
  start({ beginning, log, sinceMs }) {
    this.log = withinBounds(beginning, [...log], this.bounds);
    this.#beginning = beginning;
    this.#text = replay(beginning, log) ?? beginning;
    this.#startedAt = performance.now() - (log.at(-1)?.[4] ?? 0) - sinceMs;
    this.hasEdits = log.some(([, removed, inserted]) => removed || inserted);
    this.#isLeft = log.length > 0 && log.at(-1)?.[3] !== "return";
    this.markReturn();
  }

  /** Start over from another text; the clock keeps running. @param {string} beginning */
  restart(beginning) {
    this.log = this.log.filter(([, removed, inserted]) => !removed && !inserted);
    this.#beginning = beginning;
    this.#text = beginning;
    this.hasEdits = false;
  }

  /** Record that the page is out of sight, unless it was left already, or too often. */
  markLeave() {
    const leaves = this.log.filter(([, , , kind]) => kind === "leave").length;
    if (!this.recordsLeaving || this.#isLeft || leaves >= MAX_LEAVES) return;
    this.#isLeft = true;
    this.log.push([0, "", "", "leave", this.#now()]);
  }

  /** Record that the page that was left is visible again, or was reopened. */
  markReturn() {
    if (!this.#isLeft) return;
    this.#isLeft = false;
    this.log.push([0, "", "", "return", this.#now()]);
  }

  /**
   * Record how the field changed. Replaying the log from the starting text always gives the field's content.
   *
   * @param {string} inputType @param {boolean} [isComposing]
   * @param {boolean} [isTrusted]  whether the browser says so, and not a script
   */
  record(inputType, isComposing = false, isTrusted = true) {
    if (this.field.value.length > MAX_TEXT_LENGTH) return this.onChange();
    const change = operationBetween(this.#text, this.field.value, "other", this.#now());
    if (!change) return;
    const replaces = change[1] !== "" && !this.#hadSelection;
    change[3] = this.#kind || (isTrusted ? kindOf(inputType, isComposing, replaces) : "scripted");
    this.log.push(this.refined(change));
    this.#text = this.field.value;
    this.hasEdits = true;
    this.#keepWithinBounds(change);
    this.onChange();
  }

  /** Replace the field's text. @param {string} text @param {string} [kind]  of the edit */
  replaceAll(text, kind = "other") {
    this.#kind = kind;
    this.field.focus();
    this.field.select();
    // Unlike setting the value, execCommand keeps the browser's undo history.
    if (!document.execCommand(text ? "insertText" : "delete", false, text)) this.field.value = text;
    this.record("");
    this.#kind = "";
  }

  /** @param {import("./edit-log.js").Operation} change */
  #keepWithinBounds([, removed, inserted]) {
    const since = this.#unweighed;
    since.operations += 1;
    since.characters += removed.length + inserted.length;
    since.replayed += this.#text.length + removed.length;
    if (!exceeds(since, this.bounds, UNWEIGHED)) return;
    this.#unweighed = { operations: 0, characters: 0, replayed: 0 };
    this.log = withinBounds(this.#beginning, this.log, this.bounds);
  }

  /** Milliseconds since the page was first shown; never decreases. */
  #now() {
    const now = Math.min(MAX_MS, Math.round(performance.now() - this.#startedAt));
    return Math.max(this.log.at(-1)?.[4] ?? 0, now);
  }
}
