/** The main button of a task page: it looks and reads as what it does. */

import { gettext } from "./words.js";

export class MainButton {
  #words;

  /** @param {HTMLButtonElement} button */
  constructor(button) {
    this.button = button;
    this.#words = button.textContent ?? "";
  }

  /** It stays focusable, so that the keyboard's place is not lost. @param {"ready" | "sending" | "over"} state */
  show(state) {
    this.button.hidden = state === "over";
    this.button.setAttribute("aria-disabled", String(state !== "ready"));
    this.button.textContent = state === "sending" ? gettext("Sending …") : this.#words;
  }
}
