/** One text on a rating page, or two side by side: its scales, the time spent on it, the marked changes. */

import { nodeOf } from "./marks.js";
import { wordDiff, wordsOf } from "./word-diff.js";

export class RatedText {
  #milliseconds = 0;

  /** @param {HTMLElement} section  with data-task */
  constructor(section) {
    this.section = section;
    this.task = section.dataset.task ?? "";
    this.scales = [...section.querySelectorAll("fieldset")];
    const button = /** @type {HTMLElement | null} */ (section.querySelector(".differences"));
    button?.addEventListener("click", () => this.#showMarks(button, button.getAttribute("aria-pressed") !== "true"));
  }

  /** The name under which its answers are kept; another version of the text has its own. */
  get name() {
    return `${this.task}.${this.field("version").value}`;
  }

  /** The filled-in fields. @returns {Record<string, string>} */
  get fields() {
    const inputs = /** @type {NodeListOf<HTMLInputElement>} */ (this.section.querySelectorAll("input, textarea"));
    const filled = [...inputs].filter((input) => input.name && (input.type !== "radio" || input.checked));
    return Object.fromEntries(filled.map((input) => [input.name, input.value]));
  }

  /** The first scale without an answer. @returns {HTMLFieldSetElement | undefined} */
  get unanswered() {
    return this.scales.find((scale) => scale.querySelector("input:checked") === null);
  }

  /** Add time spent on this text. @param {number} milliseconds */
  addTime(milliseconds) {
    this.#milliseconds += milliseconds;
    this.field("milliseconds").value = String(Math.round(this.#milliseconds));
  }

  /** @param {string} name @returns {HTMLInputElement} */
  field(name) {
    return /** @type {HTMLInputElement} */ (this.section.querySelector(`[name="${name}-${this.task}"]`));
  }

  /** Restore the answers that this browser kept. @param {Record<string, string>} fields */
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
    if (on) this.field("difference").value = "1"; // recorded because it may influence the rating
    const original = this.section.querySelector(".original")?.textContent ?? "";
    for (const version of this.section.querySelectorAll(".version")) {
      const text = version.getAttribute("data-text") ?? version.textContent ?? "";
      version.setAttribute("data-text", text);
      const language = this.section.dataset.language ?? "";
      const parts = wordDiff(wordsOf(original, language), wordsOf(text, language));
      version.replaceChildren(...(on ? parts.map(nodeOf) : [document.createTextNode(text)]));
    }
  }
}
