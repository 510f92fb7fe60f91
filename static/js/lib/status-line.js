/** The line below the text: how far saving is, and what else there is to say. Screen readers hear only the latter. */

export class StatusLine {
  /** @type {"step" | "trouble" | "notice"} */
  #kind = "step";

  /** @param {HTMLElement} line @param {HTMLElement} live */
  constructor(line, live) {
    this.line = line;
    this.live = live;
  }

  /** The editor goes on: what is new is not saved, and a notice has been read. */
  edited() {
    if (this.#kind === "notice" || this.line.textContent === "Saved.") this.#show("step", "Not saved yet.");
  }

  saving() {
    if (this.#kind === "step") this.#show("step", "Saving …");
  }

  saved() {
    if (this.#kind !== "notice") this.#show("step", "Saved.");
  }

  /** Saving does not work; this stays until it does. @param {string} words */
  trouble(words) {
    this.#say("trouble", words);
  }

  /** Something that the progress of saving must not wipe away. @param {string} words */
  notice(words) {
    this.#say("notice", words);
  }

  clear() {
    this.#say("step", "");
  }

  /** @param {"step" | "trouble" | "notice"} kind @param {string} words */
  #say(kind, words) {
    if (this.live.textContent !== words) this.live.textContent = words;
    this.#show(kind, words);
  }

  /** @param {"step" | "trouble" | "notice"} kind @param {string} words */
  #show(kind, words) {
    this.#kind = kind;
    if (this.line.textContent !== words) this.line.textContent = words;
  }
}
