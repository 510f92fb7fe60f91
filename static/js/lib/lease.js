/** Renews a task's lease while its page is open. Only a lease that runs short, and cannot be renewed, is mentioned. */

import { refusalOf } from "./server.js";
import { filled, gettext, ngettext } from "./words.js";

const RENEW_MS = 120_000;
const SHOW_MS = 15_000;
const WARN_MINUTES = 5;
const LITTLE_MS = 1000; // less is no gain of time

export class Lease {
  #endsAt = 0;
  #isOver = false;
  #isFailing = false;
  /** Whether renewing has reached the longest time that a text may be held. */
  #isLongest = false;

  /**
   * Renews every two minutes while the page is visible, and when it becomes visible again.
   *
   * @param {{
   *   server: import("./server.js").Server,
   *   form: HTMLFormElement,
   *   onShort?: (words: string, mayRenew: boolean) => void,
   *   onEnough?: () => void,
   *   onLost: (refusal: import("./server.js").Refusal) => void,
   *   onOver?: (state: string) => void,
   * }} options  the form has data-renew-url and data-lease-seconds
   */
  constructor({ server, form, onShort = () => {}, onEnough = () => {}, onLost, onOver = () => {} }) {
    this.server = server;
    this.url = form.dataset.renewUrl ?? "";
    this.onShort = onShort;
    this.onEnough = onEnough;
    this.onLost = onLost;
    this.onOver = onOver;
    const seconds = form.dataset.leaseSeconds;
    if (seconds) this.#endsIn(Number(seconds));
    else this.renew(); // the lease has expired: reclaim it if the slot is still open
    setInterval(() => document.hidden || this.renew(), RENEW_MS);
    setInterval(() => this.#show(), SHOW_MS);
    document.addEventListener("visibilitychange", () => document.hidden || this.renew());
  }

  /** The page is done with its task. */
  stop() {
    this.#isOver = true;
  }

  async renew() {
    if (this.#isOver) return;
    try {
      const response = await this.server.post(this.url, {});
      if (response.status === 409) return this.#lose(await refusalOf(response));
      this.#isFailing = !response.ok;
      if (response.ok) this.#renewed(await response.json());
    } catch {
      this.#isFailing = true; // no network: the work is kept, and the next renewal may succeed
    }
    this.#show();
  }

  /** @param {{ state: string, lease_seconds: number | null }} answer */
  #renewed({ state, lease_seconds: seconds }) {
    if (seconds !== null) this.#endsIn(seconds);
    else if (state === "submitted" || state === "skipped") this.onOver(state);
  }

  /** @param {import("./server.js").Refusal} refusal */
  #lose(refusal) {
    if (this.#isOver) return;
    this.stop();
    this.onLost(refusal);
  }

  /** @param {number} seconds */
  #endsIn(seconds) {
    const endsAt = performance.now() + 1000 * seconds;
    this.#isLongest = this.#endsAt > 0 && endsAt < this.#endsAt + LITTLE_MS;
    this.#endsAt = endsAt;
  }

  #show() {
    if (this.#isOver || !this.#endsAt) return;
    const minutes = Math.ceil((this.#endsAt - performance.now()) / 60_000);
    if (minutes > WARN_MINUTES || !(this.#isFailing || this.#isLongest)) this.onEnough();
    else this.onShort(wordsFor(minutes), !this.#isLongest || this.#isFailing);
  }
}

/** @param {number} minutes */
function wordsFor(minutes) {
  if (minutes <= 0) return gettext("Your reservation has ended. You can still submit unless someone else has taken this text.");
  const words = ngettext("Your reservation ends in %(n)s minute.", "Your reservation ends in %(n)s minutes.", minutes);
  return filled(words, { n: minutes });
}
