/** Sends work until there is a response. The server stores it once, however often it is sent. */

import { gettext } from "./words.js";

const RETRY_MS = 3000;
const TOO_MANY = 429;
const MAX_FAILURES = 10; // more than a server restart explains, so the person should know

/**
 * What is said while the work waits.
 *
 * @typedef {{ offline: string, busy: string, down: string }} WaitingWords
 */

/** Of an editor's text. @returns {WaitingWords} */
export function textWaits() {
  return {
    offline: gettext("You’re offline. Your text is safe and will be submitted when you’re back online."),
    busy: gettext("Please wait a moment. Your text is safe and will be submitted shortly."),
    down: gettext("We can’t reach the server. Your text is safe and will be submitted as soon as we can."),
  };
}

/** Of work that the browser cannot keep. @returns {WaitingWords} */
export function unkeptWaits() {
  return {
    offline: gettext("You’re offline, and your work isn’t saved yet. Please keep this page open."),
    busy: gettext("Please wait a moment. Your work isn’t saved yet, so please keep this page open."),
    down: gettext("We can’t reach the server, and your work isn’t saved yet. Please keep this page open."),
  };
}

/**
 * @param {import("./server.js").Server} server @param {string} url
 * @param {() => Record<string, string>} fields  called for each attempt
 * @param {(words: string) => void} say
 * @param {() => WaitingWords} waits
 * @returns {Promise<Response>}
 */
export async function sendUntilAnswered(server, url, fields, say, waits = textWaits) {
  for (let failures = 1; ; failures += 1) {
    try {
      const response = await server.post(url, fields());
      const mustWait = response.status === TOO_MANY; // for a minute at most
      if (!mustWait && (response.status < 500 || failures >= MAX_FAILURES)) return response;
      say(mustWait ? waits().busy : waits().down);
    } catch {
      say(navigator.onLine ? waits().down : waits().offline);
    }
    await pause();
  }
}

/** Wait `RETRY_MS`, or until the network is back. @returns {Promise<void>} */
function pause() {
  return new Promise((resolve) => {
    const timer = setTimeout(done, RETRY_MS);
    window.addEventListener("online", done);
    function done() {
      clearTimeout(timer);
      window.removeEventListener("online", done);
      resolve();
    }
  });
}
