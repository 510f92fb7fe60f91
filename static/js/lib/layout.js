/** What style sheets cannot do for the layout of a task page. */

/** Whether there is a keyboard to type on, and no touch screen whose keyboard would cover half of the page. */
export function hasKeyboard() {
  return matchMedia("(hover: hover) and (pointer: fine)").matches;
}

/** Let nothing that is scrolled into view end up behind the bar at the bottom. @param {HTMLElement} dock */
export function keepClearOf(dock) {
  const update = () => {
    const isInFront = getComputedStyle(dock).position === "sticky";
    document.documentElement.style.scrollPaddingBottom = isInFront ? `${dock.offsetHeight + 8}px` : "";
  };
  new ResizeObserver(update).observe(dock);
  window.addEventListener("resize", update);
}

/** Let a box grow with its text where the browser cannot do so by itself. @param {HTMLTextAreaElement} box @returns {() => void} */
export function growing(box) {
  if (CSS.supports("field-sizing", "content")) return () => {};
  return () => {
    box.style.height = "auto";
    box.style.height = `${box.scrollHeight + 2}px`;
  };
}

/** Focus a box unless the page would move for it. @param {HTMLElement} box @param {HTMLElement} dock */
export function focusInView(box, dock) {
  const isSeen = box.getBoundingClientRect().top < dock.getBoundingClientRect().top;
  if (hasKeyboard() && isSeen) box.focus({ preventScroll: true });
}
