/** The status line below the text: the state of saving, and notices. Only troubles and notices are announced. */

export class StatusLine {
  /** @type {"step" | "trouble" | "notice"} */
  #kind = "step";

  /** @param {HTMLElement} line @param {HTMLElement} live */
  constructor(line, live) {
    this.line = line;
    this.live = live;
  }

  /** The text was edited: it is unsaved, and any notice can go. */
  edited() {
    if (this.#kind === "notice" || this.line.textContent === "Saved.") this.#show("step", "Not saved yet.");
  }

  saving() {
    if (this.#kind === "step") this.#show("step", "Saving …");
  }

  saved() {
    if (this.#kind !== "notice") this.#show("step", "Saved.");
  }

  /** Saving fails; the message stays until it succeeds. @param {string} words */
  trouble(words) {
    this.#say("trouble", words);
  }

  /** Show a message that saving must not overwrite. @param {string} words */
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
