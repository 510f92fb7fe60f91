/** Ranking texts: buttons beside each number, a list that is sorted when asked to, and dragging. Numbers are the answer. */

import { placed, sorted } from "./lib/ranks.js";
import { filled, gettext } from "./lib/words.js";

const list = /** @type {HTMLElement} */ (document.getElementById("ranking"));
const live = /** @type {HTMLElement} */ (document.getElementById("rank-live"));
const most = Number(list.dataset.most);

const texts = () => /** @type {HTMLElement[]} */ ([...list.children]);
const inputOf = (/** @type {HTMLElement} */ text) => /** @type {HTMLInputElement} */ (text.querySelector("input"));
const rankOf = (/** @type {HTMLElement} */ text) => Number(inputOf(text).value) || null;

/** @param {HTMLElement} text @param {number | null} rank */
function setRank(text, rank) {
  const input = inputOf(text);
  if (input.value === String(rank ?? "")) return;
  input.value = String(rank ?? "");
  input.dispatchEvent(new Event("change", { bubbles: true })); // keeps it
}

function say(/** @type {HTMLElement} */ text) {
  live.textContent = filled(gettext("Text %(letter)s: rank %(rank)s"), { letter: text.dataset.letter ?? "", rank: inputOf(text).value });
}

/** @param {HTMLElement} text @returns {number | null} */
function rankAbove(text) {
  const above = /** @type {HTMLElement | null} */ (text.previousElementSibling);
  return above && rankOf(above);
}

/** @type {Record<string, (text: HTMLElement) => number | null>} */
const acts = {
  up: (text) => Math.max(1, (rankOf(text) ?? 2) - 1),
  down: (text) => Math.min(most, (rankOf(text) ?? most - 1) + 1),
  tie: rankAbove,
};

list.addEventListener("click", (event) => {
  const button = /** @type {HTMLElement} */ (event.target).closest("button");
  const text = /** @type {HTMLElement | null} */ (button?.closest("li"));
  if (!button || !text) return;
  const rank = acts[button.dataset.rank ?? ""](text);
  if (rank === null) {
    live.textContent = gettext("There is no text above that has a rank.");
    return;
  }
  setRank(text, rank);
  say(text);
});

document.getElementById("rank-sort")?.addEventListener("click", () => {
  const before = texts();
  list.append(...sorted(before.map(rankOf)).map((place) => before[place]));
  live.textContent = gettext("The list is sorted by rank.");
});

// Dragging, by mouse, finger or pen: a line shows where the text will stand, behind whose rank it then gets its own. It
// moves once the finger is up, since what a touch began on must stay where it is.

/** @type {HTMLElement | null} */
let dragged = null;
/** @type {HTMLElement | null} the text above which it will stand; null at the end */
let next = null;

list.addEventListener("pointerdown", (event) => {
  const handle = /** @type {HTMLElement} */ (event.target).closest(".rank-handle");
  if (!handle || event.button !== 0) return;
  handle.setPointerCapture(event.pointerId);
  dragged = handle.closest("li");
  dragged?.classList.add("is-dragged");
  next = /** @type {HTMLElement | null} */ (dragged?.nextElementSibling ?? null);
});

list.addEventListener("pointermove", (event) => {
  if (!dragged) return;
  const isAbove = (/** @type {HTMLElement} */ each) => {
    const box = each.getBoundingClientRect();
    return event.clientY < box.top + box.height / 2;
  };
  mark(false);
  next = texts().find((each) => each !== dragged && isAbove(each)) ?? null;
  mark(true);
});

function mark(/** @type {boolean} */ isOn) {
  next?.classList.toggle("is-next", isOn);
  list.classList.toggle("is-to-end", isOn && !next);
}

list.addEventListener("pointerup", () => {
  const [text, above] = [dragged, next];
  drop();
  if (text) setTimeout(() => move(text, above));
});
list.addEventListener("pointercancel", drop);

function drop() {
  mark(false);
  dragged?.classList.remove("is-dragged");
  dragged = next = null;
}

/** @param {HTMLElement} text @param {HTMLElement | null} above the text that comes after it */
function move(text, above) {
  list.insertBefore(text, above);
  const all = texts();
  placed(all.map(rankOf), all.indexOf(text)).forEach((rank, place) => setRank(all[place], rank));
  say(text);
}

for (const each of document.querySelectorAll("[data-scripted]")) /** @type {HTMLElement} */ (each).hidden = false;
