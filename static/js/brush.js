/** Genres of a scatter plot: a pressed button leaves the outputs of its genre as they are, and fades the others. */

const frame = /** @type {HTMLElement | null} */ (document.querySelector("[data-brush]"));
if (frame) wire(frame);

/** @param {HTMLElement} frame */
function wire(frame) {
  const buttons = /** @type {HTMLButtonElement[]} */ ([...frame.querySelectorAll("[data-genre-button]")]);
  const paths = [...frame.querySelectorAll("[data-genre]")];

  function show() {
    const pressed = buttons.filter(isPressed).map((button) => button.dataset.genreButton);
    for (const path of paths) {
      const isFaded = pressed.length > 0 && !pressed.includes(path.getAttribute("data-genre") ?? "");
      path.classList.toggle("faded", isFaded);
    }
  }

  for (const button of buttons) {
    button.addEventListener("click", () => {
      button.setAttribute("aria-pressed", String(!isPressed(button)));
      show();
    });
  }
  /** @type {HTMLElement} */ (frame.querySelector("[data-genre-buttons]")).hidden = false;
}

/** @param {HTMLButtonElement} button */
function isPressed(button) {
  return button.getAttribute("aria-pressed") === "true";
}
