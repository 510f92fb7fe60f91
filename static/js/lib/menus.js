/** Menus of rare actions, as <details>: they close by Escape, by a choice, and when the reader turns elsewhere. */

export function wireMenus() {
  for (const menu of /** @type {NodeListOf<HTMLDetailsElement>} */ (document.querySelectorAll("details.menu"))) {
    const handle = /** @type {HTMLElement} */ (menu.querySelector("summary"));
    menu.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !menu.open) return;
      menu.open = false;
      handle.focus();
    });
    menu.addEventListener("click", (event) => {
      if (/** @type {Element} */ (event.target).closest("button, a")) menu.open = false;
    });
    for (const kind of ["pointerdown", "focusin"]) {
      document.addEventListener(kind, ({ target }) => {
        if (!menu.contains(/** @type {Node} */ (target))) menu.open = false;
      });
    }
  }
}
