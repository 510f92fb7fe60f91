/**
 * Keeps what is filled in on a page of a task on the server, and shows the time that is left where there is a limit.
 *
 * The server's clock decides: when this one has run down, the page is handed in, and what was saved last counts if that
 * arrives too late. An element of the form has the address in `data-saved-at`, and perhaps `data-seconds`.
 */

import { Server } from "./lib/server.js";
import { filled, gettext, ngettext } from "./lib/words.js";

const BETWEEN_SAVES_MS = 5_000;
const TOLD_AT = new Set([300, 60]); // seconds left at which people who cannot see the clock are told
const NOT_SAVED = new Set(["csrfmiddlewaretoken", "milliseconds", "version", "confirmed"]);

const form = /** @type {HTMLFormElement} */ (document.getElementById("study"));
const place = /** @type {HTMLElement | null} */ (form.querySelector("[data-saved-at]"));
const server = new Server(form);
const clock = document.getElementById("clock");
const ends = clock ? performance.now() + 1000 * Number(clock.dataset.seconds) : Infinity;
let saved = "";
let isOver = false;
if (clock?.parentElement) clock.parentElement.hidden = false;

/** @returns {Record<string, string>} */
function fields() {
  const all = [...new FormData(form)].map(([name, value]) => [name, String(value)]);
  return Object.fromEntries(all.filter(([name]) => !NOT_SAVED.has(name)));
}

async function save() {
  const now = fields();
  const text = JSON.stringify(now);
  if (!place?.dataset.savedAt || isOver || text === saved) return;
  try {
    const response = await server.post(place.dataset.savedAt, now);
    if (response.ok) saved = text;
  } catch {
    // Offline: the browser keeps the answers, and the next turn tries again.
  }
}

function tick() {
  if (!clock || isOver) return;
  const left = Math.max(0, Math.ceil((ends - performance.now()) / 1000));
  clock.textContent = [Math.floor(left / 60), String(left % 60).padStart(2, "0")].join(":");
  if (TOLD_AT.has(left)) {
    const minutes = left / 60;
    const words = ngettext("%(n)s minute left", "%(n)s minutes left", minutes);
    /** @type {HTMLElement} */ (document.getElementById("clock-live")).textContent = filled(words, { n: minutes });
  }
  if (!left) handIn();
}

function handIn() {
  isOver = true;
  /** @type {HTMLElement} */ (document.getElementById("clock-live")).textContent = gettext("Your time is over.");
  form.requestSubmit(/** @type {HTMLElement} */ (document.getElementById("submit")));
}

form.addEventListener("state", (event) => {
  isOver = /** @type {CustomEvent} */ (event).detail !== "answering";
});
form.addEventListener("change", save);
document.addEventListener("visibilitychange", () => document.hidden && save());
form.addEventListener("restored", () => {
  tick();
  save();
});
if (place) setInterval(save, BETWEEN_SAVES_MS);
if (clock) setInterval(tick, 1000);
