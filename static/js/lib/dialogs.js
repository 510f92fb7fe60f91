/** Dialogs of a task page: guidelines, skipping, reporting a problem. */

import { reasonOf } from "./server.js";

/** Buttons with data-opens open the dialog of that id; those with data-closes close their own. */
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

/** What the server has against a form. */
class Refusal extends Error {}

/**
 * A form in a dialog that is sent without leaving the page. What is filled in stays until it has been taken in.
 *
 * @param {HTMLFormElement} form @param {import("./server.js").Server} server
 * @param {(answer: { next?: string, message?: string }) => void} onTaken
 */
export function wireRemark(form, server, onTaken) {
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
      onTaken(await response.json());
    } catch (error) {
      const said = error instanceof Refusal ? error.message : "No connection. Please try again in a moment.";
      status.textContent = said;
    }
    sending = false;
  });
}

/** @param {HTMLFormElement} form @returns {Record<string, string>} */
function fieldsOf(form) {
  return Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));
}
