/**
 * Saves drafts on the server. Saves are numbered, so that one can be sent again until it gets through.
 *
 * @typedef {"saving" | "saved" | "offline" | "refused"} SaveState
 */

const IDLE_MS = 1500;
const MAX_UNSAVED_MS = 5000;
const MIN_BETWEEN_MS = 1100; // the server takes one a second from each page
const TOO_MANY = 429;
const MAX_KEEPALIVE_LENGTH = 20_000; // UTF-16 units, each up to three bytes
const TRANSIENT = [408, 425, 429];
const RETRY_MS = [1000, 2000, 4000, 8000, 15_000];

export class DraftSync {
  #sequence = 0;
  #timer = 0;
  #unsavedSince = 0;
  #sentAt = -Infinity;
  #failures = 0;
  #sending = false;
  #stopped = false;

  /**
   * @param {{
   *   server: import("./server.js").Server,
   *   url: () => string,
   *   content: () => { started_from: string, log: unknown[], comment: string },
   *   onState: (state: SaveState, reason?: string, task?: string) => void,
   * }} options
   */
  constructor({ server, url, content, onState }) {
    this.server = server;
    this.url = url;
    this.content = content;
    this.onState = onState;
    window.addEventListener("online", () => this.isUnsaved && this.save());
  }

  get isUnsaved() {
    return this.#unsavedSince > 0;
  }

  /** Save once typing pauses, or after `MAX_UNSAVED_MS` at the latest. */
  changed() {
    if (this.#stopped) return;
    this.#unsavedSince ||= Date.now();
    if (this.#failures) return; // a retry is already scheduled
    this.#schedule(Math.min(IDLE_MS, Math.max(0, this.#unsavedSince + MAX_UNSAVED_MS - Date.now())));
  }

  /** Stop saving, because the text is submitted. */
  stop() {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  /** Save once more while the page unloads, without waiting for the response. */
  saveWhileLeaving() {
    if (!this.isUnsaved || this.#stopped) return;
    const request = this.#request({ leaving: true });
    // Browsers limit keepalive requests to 64 KiB; longer ones are sent without it and may be lost.
    this.server.send(this.url(), { ...request, keepalive: request.body.length < MAX_KEEPALIVE_LENGTH }).catch(() => {});
  }

  async save() {
    clearTimeout(this.#timer);
    if (this.#sending || this.#stopped) return;
    const wait = this.#sentAt + MIN_BETWEEN_MS - performance.now();
    if (wait > 0) return this.#schedule(wait);
    const since = this.#unsavedSince;
    this.#sending = true;
    this.#unsavedSince = 0;
    this.#sentAt = performance.now();
    this.onState("saving");
    const saved = await this.#send();
    this.#sending = false;
    if (saved) this.#failures = 0;
    else this.#retry(since);
    if (saved && this.isUnsaved) this.changed();
  }

  /** @returns {Promise<boolean>} false if the save should be retried */
  async #send() {
    try {
      const response = await this.server.send(this.url(), this.#request());
      if (response.status === TOO_MANY && !this.#failures) return false; // sent again in a second, with what is newer
      if (response.status >= 500 || TRANSIENT.includes(response.status)) throw new Error(response.statusText);
      if (response.ok) this.onState("saved");
      else await this.#refused(response);
      return true;
    } catch {
      this.onState("offline");
      return false;
    }
  }

  /** @param {Response} response */
  async #refused(response) {
    const { error = "", state = "" } = await response.json().catch(() => ({}));
    if (state === "submitted" || state === "skipped") this.stop();
    this.onState("refused", error, state);
  }

  /** @param {number} since */
  #retry(since) {
    this.#unsavedSince = since || Date.now();
    this.#schedule(RETRY_MS[Math.min(this.#failures, RETRY_MS.length - 1)]);
    this.#failures += 1;
  }

  /** @param {number} delay */
  #schedule(delay) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.save(), delay);
  }

  /** @param {{ leaving?: boolean }} [how]  a page that goes away cannot save again later, so it need not wait */
  #request(how = {}) {
    this.#sequence += 1;
    return { method: "PUT", body: JSON.stringify({ sequence: this.#sequence, ...how, ...this.content() }) };
  }
}
