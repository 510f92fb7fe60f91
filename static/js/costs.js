/** Shows what the pay comes to while staff type it. The server works it out, as it does when the page is opened. */

const WAIT_MS = 400;
const TIMEOUT_MS = 15_000;

const form = /** @type {HTMLFormElement} */ (document.querySelector("form:has([data-costs])"));
const notes = [.../** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll("[data-costs]"))];
let timer = 0;
let last = new AbortController();

form.addEventListener("input", () => {
  clearTimeout(timer);
  timer = window.setTimeout(show, WAIT_MS);
});

/** Put what the server says of the form into the page. Without an answer nothing is shown: it would be of before. */
async function show() {
  last.abort(); // an earlier answer must not overwrite a later one
  const request = (last = new AbortController());
  try {
    const answer = await answered(request.signal);
    for (const note of notes) replace(note, answer.getElementById(note.id)?.childNodes ?? []);
  } catch {
    if (request === last) for (const note of notes) note.replaceChildren();
  }
}

/** A live region reads out what changes. @param {HTMLElement} note @param {Iterable<Node>} nodes */
function replace(note, nodes) {
  const next = document.createElement("div");
  next.append(...nodes);
  if (next.textContent?.trim() !== note.textContent?.trim()) note.replaceChildren(...next.childNodes);
}

/** @param {AbortSignal} signal */
async function answered(signal) {
  const body = new URLSearchParams(/** @type {string[][]} */ ([...new FormData(form)]));
  body.set("preview", "1");
  const response = await fetch(form.action, {
    method: "POST",
    body,
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  });
  if (response.redirected || !response.ok) throw new TypeError(`status ${response.status}`);
  return new DOMParser().parseFromString(await response.text(), "text/html");
}
