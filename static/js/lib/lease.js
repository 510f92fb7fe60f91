/** Renews a task's lease while its page is open, and shows the time left. */

import { reasonOf } from "./server.js";

const RENEW_MS = 120_000;
const SHOW_MS = 15_000;
const WARN_MINUTES = 5;

export class Lease {
  #endsAt = 0;
  #lost = false;

  /**
   * Renews every two minutes while the page is visible, and when it becomes visible again.
   *
   * @param {{
   *   server: import("./server.js").Server,
   *   form: HTMLFormElement,
   *   onTime?: (words: string, isShort: boolean) => void,
   *   onLost: (reason: string) => void,
   *   onOver?: (state: string) => void,
   * }} options  the form has data-renew-url and data-lease-seconds
   */
  constructor({ server, form, onTime = () => {}, onLost, onOver = () => {} }) {
    this.server = server;
    this.url = form.dataset.renewUrl ?? "";
    this.onTime = onTime;
    this.onLost = onLost;
    this.onOver = onOver;
    const seconds = form.dataset.leaseSeconds;
    if (seconds) this.#endsIn(Number(seconds));
    else this.renew(); // the lease has expired: reclaim it if the slot is still open
    setInterval(() => document.hidden || this.renew(), RENEW_MS);
    setInterval(() => this.#show(), SHOW_MS);
    document.addEventListener("visibilitychange", () => document.hidden || this.renew());
  }

  async renew() {
    if (this.#lost) return;
    try {
      const response = await this.server.post(this.url, {});
      if (response.status === 409) this.#lose(await reasonOf(response));
      else if (response.ok) this.#renewed(await response.json());
    } catch {
      // No network: the text is kept, and the next renewal may succeed.
    }
  }

  /** @param {{ state: string, lease_seconds: number | null }} answer */
  #renewed({ state, lease_seconds: seconds }) {
    if (seconds !== null) this.#endsIn(seconds);
    else if (state === "submitted" || state === "skipped") this.onOver(state);
  }

  /** @param {string} reason */
  #lose(reason) {
    this.#lost = true;
    this.onLost(reason);
  }

  /** @param {number} seconds */
  #endsIn(seconds) {
    this.#endsAt = performance.now() + 1000 * seconds;
    this.#show();
  }

  #show() {
    if (this.#lost || !this.#endsAt) return;
    const minutes = Math.ceil((this.#endsAt - performance.now()) / 60_000);
    const words = `${minutes} ${minutes === 1 ? "minute" : "minutes"}`;
    if (minutes > WARN_MINUTES) this.onTime(`This text is kept for you for ${words}.`, false);
    else if (minutes > 0) this.onTime(`Only ${words} left before others may get this text.`, true);
    else this.onTime("The time for this text is over. You can submit it as long as nobody else has taken it.", true);
  }
}
