/** The menu of all pages of a campaign: typing narrows it, and Enter follows the first link that is left. */

import { wireMenus } from "./lib/menus.js";

const menu = /** @type {HTMLDetailsElement | null} */ (document.querySelector(".all-pages"));
if (menu) wire(menu);
wireMenus();

/** @param {HTMLDetailsElement} menu */
function wire(menu) {
  const field = /** @type {HTMLInputElement} */ (menu.querySelector("input"));
  const none = /** @type {HTMLElement} */ (menu.querySelector("[role=status]"));
  const groups = [.../** @type {NodeListOf<HTMLElement>} */ (menu.querySelectorAll(".group"))];
  field.hidden = false;
  field.addEventListener("input", narrow);
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter") /** @type {HTMLElement | null} */ (menu.querySelector("li:not([hidden]) a"))?.click();
  });
  menu.addEventListener("toggle", () => {
    field.value = "";
    narrow();
    if (menu.open) field.focus();
  });

  /** Leave the pages whose name, or that of their group, has all words that are typed. */
  function narrow() {
    const words = field.value.toLowerCase().split(/\s+/);
    for (const group of groups) {
      const title = group.querySelector("p")?.textContent ?? "";
      const items = [...group.querySelectorAll("li")];
      for (const item of items) {
        const name = `${title} ${item.textContent}`.toLowerCase();
        item.hidden = !words.every((word) => name.includes(word));
      }
      group.hidden = items.every((item) => item.hidden);
    }
    none.textContent = groups.every((group) => group.hidden) ? (none.dataset.words ?? "") : "";
  }
}
