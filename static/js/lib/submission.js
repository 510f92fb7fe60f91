/** Sending a text until there is an answer: the server takes it in once, however often it comes. */

const RETRY_MS = 3000;
const MAX_FAILURES = 10; // then it is no restart of the server, and the writer should know

/**
 * @param {import("./server.js").Server} server @param {string} url
 * @param {() => Record<string, string>} fields  asked for anew at each try
 * @param {(words: string) => void} say
 * @param {string} what  what is kept meanwhile, and its verb
 * @returns {Promise<Response>}
 */
export async function sendUntilAnswered(server, url, fields, say, what = "Your text is") {
  const kept = `${what} kept here and will be sent as soon as`;
  for (let failures = 1; ; failures += 1) {
    try {
      const response = await server.post(url, fields());
      if (response.status < 500 || failures >= MAX_FAILURES) return response;
      say(`The server cannot be reached. ${kept} it can.`);
    } catch {
      say(`No connection. ${kept} it is back.`);
    }
    await pause();
  }
}

/** A while, or until the network comes back. @returns {Promise<void>} */
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
