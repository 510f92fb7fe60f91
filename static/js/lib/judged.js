/** One text on a rating page, or two side by side: its scales, its time, the marks of what was changed. */

import { nodeOf } from "./marks.js";
import { wordDiff, wordsOf } from "./word-diff.js";

export class Judged {
  #milliseconds = 0;

  /** @param {HTMLElement} section  with data-task */
  constructor(section) {
    this.section = section;
    this.task = section.dataset.task ?? "";
    this.scales = [...section.querySelectorAll("fieldset")];
    const button = /** @type {HTMLElement} */ (section.querySelector(".differences"));
    button.addEventListener("click", () => this.#showMarks(button, button.getAttribute("aria-pressed") !== "true"));
  }

  /** Under which name its answers are kept: those to another version are others. */
  get name() {
    return `${this.task}.${this.field("version").value}`;
  }

  /** What is filled in here. @returns {Record<string, string>} */
  get fields() {
    const inputs = /** @type {NodeListOf<HTMLInputElement>} */ (this.section.querySelectorAll("input, textarea"));
    const filled = [...inputs].filter((input) => input.name && (input.type !== "radio" || input.checked));
    return Object.fromEntries(filled.map((input) => [input.name, input.value]));
  }

  /** The first scale without an answer. @returns {HTMLFieldSetElement | undefined} */
  get open() {
    return this.scales.find((scale) => scale.querySelector("input:checked") === null);
  }

  /** Time that was spent here. @param {number} milliseconds */
  spend(milliseconds) {
    this.#milliseconds += milliseconds;
    this.field("milliseconds").value = String(Math.round(this.#milliseconds));
  }

  /** @param {string} name @returns {HTMLInputElement} */
  field(name) {
    return /** @type {HTMLInputElement} */ (this.section.querySelector(`[name="${name}-${this.task}"]`));
  }

  /** Take up what this browser kept. @param {Record<string, string>} fields */
  restore(fields) {
    for (const [name, value] of Object.entries(fields)) {
      const matching = /** @type {NodeListOf<HTMLInputElement>} */ (this.section.querySelectorAll(`[name="${CSS.escape(name)}"]`));
      for (const input of matching) {
        if (input.type === "radio") input.checked = input.value === value;
        else if (!name.startsWith("version-")) input.value = value;
      }
    }
    this.#milliseconds = Number(this.field("milliseconds").value) || 0;
    const comment = this.field("comment");
    if (comment.value) /** @type {HTMLDetailsElement} */ (comment.closest("details")).open = true;
  }

  /** @param {HTMLElement} button @param {boolean} on */
  #showMarks(button, on) {
    button.setAttribute("aria-pressed", String(on));
    if (on) this.field("difference").value = "1"; // it may sway the judgement, so it is recorded
    const original = this.section.querySelector(".original")?.textContent ?? "";
    for (const version of this.section.querySelectorAll(".version")) {
      const text = version.getAttribute("data-text") ?? version.textContent ?? "";
      version.setAttribute("data-text", text);
      const parts = wordDiff(wordsOf(original), wordsOf(text));
      version.replaceChildren(...(on ? parts.map(nodeOf) : [document.createTextNode(text)]));
    }
  }
}
