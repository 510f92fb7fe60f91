/** Shows a text as participants will read it while staff write it. The server renders it, as it does for participants. */

import { gettext } from "./lib/words.js";

const WAIT_MS = 400;
const TIMEOUT_MS = 15_000;
const OUT_OF_DATE = gettext("The preview is not up to date: the server could not be reached.");

const form = /** @type {HTMLFormElement} */ (document.querySelector("form[data-preview]"));
const token = /** @type {HTMLInputElement} */ (form.elements.namedItem("csrfmiddlewaretoken"));

for (const panel of form.querySelectorAll("[data-preview-of]")) follow(/** @type {HTMLElement} */ (panel));

/** Keep a panel up to date with its text box. @param {HTMLElement} panel */
function follow(panel) {
  const name = panel.dataset.previewOf ?? "";
  const box = /** @type {HTMLTextAreaElement} */ (form.elements.namedItem(name));
  const state = /** @type {HTMLElement} */ (panel.parentElement?.querySelector("[data-preview-state]"));
  let timer = 0;
  let last = new AbortController();

  async function show() {
    last.abort(); // an earlier answer must not overwrite a later one
    const request = (last = new AbortController());
    try {
      const html = await rendered(name, box.value, request.signal);
      replace(panel, html);
      state.textContent = "";
    } catch {
      if (request === last) state.textContent = OUT_OF_DATE;
    }
  }

  box.addEventListener("input", () => {
    clearTimeout(timer);
    timer = window.setTimeout(show, WAIT_MS);
  });
}

/** Put a rendered text into a panel; what was unfolded stays so. @param {HTMLElement} panel @param {string} html */
function replace(panel, html) {
  const unfolded = [...panel.querySelectorAll("details")].map((part) => part.open);
  panel.replaceChildren(...new DOMParser().parseFromString(html, "text/html").body.childNodes);
  panel.querySelectorAll("details").forEach((part, place) => {
    part.open = unfolded[place] ?? part.open;
  });
}

/** @param {string} name @param {string} text @param {AbortSignal} signal */
async function rendered(name, text, signal) {
  const response = await fetch(form.dataset.preview ?? "", {
    method: "POST",
    headers: { "X-CSRFToken": token.value },
    body: new URLSearchParams({ name, text }),
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  });
  if (response.redirected || !(response.ok || response.status === 422)) throw new TypeError(`status ${response.status}`);
  return response.text();
}
