// Buttons that copy the text of another element: data-copy names it. Without this script they stay hidden.

import { gettext } from "./lib/words.js";

const SHOWN_MS = 2000;

for (const button of document.querySelectorAll("button[data-copy]")) wire(/** @type {HTMLButtonElement} */ (button));

function wire(/** @type {HTMLButtonElement} */ button) {
  const named = document.getElementById(button.dataset.copy ?? "");
  if (!named || !navigator.clipboard) return;
  const words = button.textContent ?? "";
  const live = liveRegionAfter(button);
  button.hidden = false;
  button.addEventListener("click", async () => {
    const said = (await isCopied(named)) ? gettext("Copied") : gettext("Not copied: press Ctrl+C or ⌘C to copy");
    button.textContent = live.textContent = said;
    setTimeout(() => {
      button.textContent = words;
      live.textContent = ""; // so that the next copy is announced again
    }, SHOWN_MS);
  });
}

/** Where screen readers hear of it: the words of a button that change are not read by all of them. */
function liveRegionAfter(/** @type {HTMLButtonElement} */ button) {
  const live = document.createElement("span");
  live.className = "visually-hidden";
  live.setAttribute("role", "status");
  button.removeAttribute("aria-live");
  button.after(live);
  return live;
}

async function isCopied(/** @type {HTMLElement} */ named) {
  try {
    await navigator.clipboard.writeText(textOf(named));
    return true;
  } catch {
    if (isField(named)) named.select();
    else getSelection()?.selectAllChildren(named);
    return false;
  }
}

function textOf(/** @type {HTMLElement} */ named) {
  return isField(named) ? named.value : (named.textContent ?? "").trim();
}

/** @param {HTMLElement} named @returns {named is HTMLInputElement | HTMLTextAreaElement} */
function isField(named) {
  return named instanceof HTMLInputElement || named instanceof HTMLTextAreaElement;
}
