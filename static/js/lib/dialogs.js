/** Dialogs of a task page: guidelines, skipping, reporting a problem. */

import { reasonOf } from "./server.js";

/** Wire the buttons: data-opens opens the dialog with that id, data-closes closes the dialog around it. */
export function wireDialogs() {
  for (const button of document.querySelectorAll("[data-opens]")) {
    button.addEventListener("click", () => toggleDialog(/** @type {HTMLElement} */ (button).dataset.opens ?? ""));
  }
  for (const button of document.querySelectorAll("[data-closes]")) {
    button.addEventListener("click", () => button.closest("dialog")?.close());
  }
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
    status.textContent = "Sending …";
    try {
      const response = await server.post(form.action, fieldsOf(form));
      if (!response.ok) throw new Refusal((await reasonOf(response)) || "This could not be sent. Please try again.");
      status.textContent = "";
      onAccepted(await response.json());
    } catch (error) {
      status.textContent =
        error instanceof Refusal ? error.message : "No connection. Please try again in a moment.";
    }
    sending = false;
  });
}

/** @param {HTMLFormElement} form @returns {Record<string, string>} */
function fieldsOf(form) {
  return Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));
}
