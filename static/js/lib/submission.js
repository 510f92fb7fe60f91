/** Sends a text until there is a response. The server stores it once, however often it is sent. */

const RETRY_MS = 3000;
const TOO_MANY = 429;
const MAX_FAILURES = 10; // more than a server restart explains, so the person should know

/**
 * @param {import("./server.js").Server} server @param {string} url
 * @param {() => Record<string, string>} fields  called for each attempt
 * @param {(words: string) => void} say
 * @param {string} what  subject and verb of the message about what is kept
 * @returns {Promise<Response>}
 */
export async function sendUntilAnswered(server, url, fields, say, what = "Your text is") {
  const kept = `${what} kept here and will be sent as soon as`;
  for (let failures = 1; ; failures += 1) {
    try {
      const response = await server.post(url, fields());
      const mustWait = response.status === TOO_MANY; // for a minute at most
      if (!mustWait && (response.status < 500 || failures >= MAX_FAILURES)) return response;
      say(mustWait ? `Please wait a moment. ${kept} possible.` : `The server cannot be reached. ${kept} it can.`);
    } catch {
      say(`No connection. ${kept} it is back.`);
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
