/** Menus of rare actions, as <details>: they close by Escape, by a choice, and when the reader turns elsewhere. */

export function wireMenus() {
  for (const menu of /** @type {NodeListOf<HTMLDetailsElement>} */ (document.querySelectorAll("details.menu"))) {
    const handle = /** @type {HTMLElement} */ (menu.querySelector("summary"));
    menu.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !menu.open) return;
      event.preventDefault(); // it means nothing else then
      menu.open = false;
      handle.focus();
    });
    // Before the choice is acted on: a dialog that it opens gives the focus back to what had it.
    menu.addEventListener(
      "click",
      (event) => {
        if (!(/** @type {Element} */ (event.target).closest("button, a"))) return;
        menu.open = false;
        handle.focus();
      },
      true,
    );
    for (const kind of ["pointerdown", "focusin"]) {
      document.addEventListener(kind, ({ target }) => {
        if (!menu.contains(/** @type {Node} */ (target))) menu.open = false;
      });
    }
  }
}
