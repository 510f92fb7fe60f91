/** Dialogs of a task page: guidelines, skipping, reporting a problem. */

import { refusalOf } from "./server.js";
import { gettext } from "./words.js";

/**
 * Wire the buttons: data-opens opens the dialog with that id, data-closes closes the dialog around it. A click beside
 * a dialog closes it too; what was typed in it stays.
 */
export function wireDialogs() {
  for (const button of document.querySelectorAll("[data-opens]")) {
    button.addEventListener("click", () => toggleDialog(/** @type {HTMLElement} */ (button).dataset.opens ?? ""));
  }
  for (const button of document.querySelectorAll("[data-closes]")) {
    button.addEventListener("click", () => button.closest("dialog")?.close());
  }
  for (const dialog of document.querySelectorAll("dialog")) closeByBackdrop(dialog);
}

/** A selection of text may end beside the dialog: only a click that begins there closes it. @param {HTMLDialogElement} dialog */
function closeByBackdrop(dialog) {
  let beganBeside = false;
  dialog.addEventListener("pointerdown", (event) => {
    beganBeside = isBeside(dialog, event);
  });
  dialog.addEventListener("click", (event) => {
    if (beganBeside && isBeside(dialog, event)) dialog.close();
  });
}

/** @param {HTMLDialogElement} dialog @param {MouseEvent} event */
function isBeside(dialog, { target, clientX, clientY }) {
  const { left, right, top, bottom } = dialog.getBoundingClientRect();
  return target === dialog && (clientX < left || clientX > right || clientY < top || clientY > bottom);
}

/** @param {string} id */
export function toggleDialog(id) {
  const dialog = /** @type {HTMLDialogElement} */ (document.getElementById(id));
  if (dialog.open) dialog.close();
  else if (!document.querySelector("dialog[open]")) dialog.showModal();
}

/** The server's reason for refusing a form. */
class Refusal extends Error {}

/**
 * Send a dialog's form without leaving the page; its contents stay until the server has accepted them.
 *
 * @param {HTMLFormElement} form @param {import("./server.js").Server} server
 * @param {(answer: { next?: string, message?: string }) => void} onAccepted
 */
export function wireRemark(form, server, onAccepted) {
  const status = /** @type {HTMLElement} */ (form.querySelector("[role=status]"));
  let sending = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (sending) return;
    sending = true;
    status.textContent = gettext("Sending …");
    try {
      const response = await server.post(form.action, fieldsOf(form));
      if (!response.ok) throw new Refusal((await refusalOf(response)).error || gettext("This could not be sent. Please try again."));
      status.textContent = "";
      onAccepted(await response.json());
    } catch (error) {
      status.textContent =
        error instanceof Refusal ? error.message : gettext("We can’t reach the server. Please try again in a moment.");
    }
    sending = false;
  });
}

/** @param {HTMLFormElement} form @returns {Record<string, string>} */
function fieldsOf(form) {
  return Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));
}
