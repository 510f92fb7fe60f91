/** Choosing the parts of a summary: how many words are chosen, and arrow keys from part to part. */

import { filled, gettext, ngettext } from "./lib/words.js";

const parts = /** @type {HTMLFieldSetElement} */ (document.getElementById("summary"));
const boxes = /** @type {HTMLInputElement[]} */ ([...parts.querySelectorAll("[type=checkbox]")]);
const least = Number(parts.dataset.least);
const most = Number(parts.dataset.most);
const line = /** @type {HTMLElement} */ (document.getElementById("words-chosen"));
const bar = /** @type {HTMLMeterElement} */ (document.getElementById("words-bar"));

function count() {
  const words = boxes.reduce((sum, box) => sum + (box.checked ? Number(box.dataset.words) : 0), 0);
  Object.assign(bar, { max: Math.max(most, words) * 1.25, low: least, high: most, optimum: (least + most) / 2, value: words });
  bar.hidden = false;
  line.textContent = `${chosen(words)} ${verdict(words)}`;
  if (words >= least && words <= most) parts.dispatchEvent(new CustomEvent("corrected", { bubbles: true }));
}

const chosen = (/** @type {number} */ n) => filled(ngettext("%(n)s word chosen.", "%(n)s words chosen.", n), { n });

function verdict(/** @type {number} */ words) {
  const n = words < least ? least - words : words - most;
  if (words < least) return filled(gettext("Choose at least %(n)s more."), { n });
  if (words > most) return filled(gettext("Leave out at least %(n)s."), { n });
  return gettext("That is the right length.");
}

parts.addEventListener("keydown", (event) => {
  const at = boxes.indexOf(/** @type {HTMLInputElement} */ (event.target));
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (at < 0 || !step) return;
  event.preventDefault();
  boxes[Math.min(boxes.length - 1, Math.max(0, at + step))].focus();
});
parts.addEventListener("change", count);
/** @type {HTMLFormElement} */ (document.getElementById("study")).addEventListener("restored", count);
