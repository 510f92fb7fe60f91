// The rating page: keys for the two scales, one submission only, and a lease that lives as long as the page.

import { Lease } from "./lib/lease.js";
import { Server } from "./lib/server.js";

const form = /** @type {HTMLFormElement} */ (document.getElementById("rating"));
const button = /** @type {HTMLButtonElement} */ (document.getElementById("submit"));
const status = /** @type {HTMLElement} */ (document.getElementById("saved"));
const scales = [...form.querySelectorAll("fieldset")];
let sending = false;
/** @type {HTMLFieldSetElement | undefined} */
let answeredLast;

/** @param {HTMLFieldSetElement} scale @returns {boolean} */
const isAnswered = (scale) => scale.querySelector("input:checked") !== null;

/** @returns {HTMLFieldSetElement | undefined} */
const nextUnanswered = () => scales.find((scale) => !isAnswered(scale));

/** The scale a key is meant for: the focused one, else the first that is open, else the one answered last. */
const currentScale = () =>
  scales.find((scale) => scale.contains(document.activeElement)) ?? nextUnanswered() ?? answeredLast;

/** @param {HTMLFieldSetElement | undefined} scale */
function focus(scale) {
  const input = scale?.querySelector("input:checked") ?? scale?.querySelector("input");
  if (input instanceof HTMLInputElement) input.focus();
  else button.focus();
}

/** @param {string} point @returns {boolean} whether there was a scale to answer */
function choose(point) {
  const scale = currentScale();
  const input = scale?.querySelector(`input[value="${point}"]`);
  if (!(input instanceof HTMLInputElement)) return false;
  input.checked = true;
  answeredLast = scale;
  focus(nextUnanswered());
  return true;
}

/** Enter: send when both scales are answered, else go to the open one. */
function goOn() {
  const open = nextUnanswered();
  if (open) focus(open);
  else form.requestSubmit(button);
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const target = /** @type {Element} */ (event.target);
  if (event.key === "Enter" && !target.closest("button, a, summary")) {
    event.preventDefault();
    if (!event.repeat) goOn();
  } else if (/^[123]$/.test(event.key) && choose(event.key)) {
    event.preventDefault();
  }
});

form.addEventListener("submit", (event) => {
  if (sending) event.preventDefault();
  sending = true;
  button.setAttribute("aria-disabled", "true");
});

window.addEventListener("pageshow", () => {
  sending = false; // also after Back, when the page comes out of the browser's memory
  button.removeAttribute("aria-disabled");
});

new Lease({
  server: new Server(form),
  form,
  onLost: (reason) => {
    status.textContent = reason;
  },
});
