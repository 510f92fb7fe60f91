/** What style sheets cannot do for the layout of a task page. */

/** Whether there is a keyboard to type on, and no touch screen whose keyboard would cover half of the page. */
export function hasKeyboard() {
  return matchMedia("(hover: hover) and (pointer: fine)").matches;
}

/** Let something be done at most once per frame, before it is painted. @param {() => void} act @returns {() => void} */
export function oncePerFrame(act) {
  let frame = 0;
  const now = () => {
    frame = 0;
    act();
  };
  return () => {
    frame ||= requestAnimationFrame(now);
  };
}

/** The part of the window that is seen: on an iPhone, the keyboard lies in front of the page. */
function seenPart() {
  const view = window.visualViewport;
  if (!view || view.scale > 1.01) return { top: 0, bottom: innerHeight };
  return { top: view.offsetTop, bottom: Math.min(innerHeight, view.offsetTop + view.height) };
}

const isSticky = (/** @type {HTMLElement} */ element) => getComputedStyle(element).position === "sticky";

/**
 * Let nothing end up behind what stands in front: the bar at the bottom with its messages, and on a narrow screen the
 * original on top. Where a keyboard covers the page, they stay in the part that is seen.
 *
 * @param {HTMLElement} dock @param {{ strip?: HTMLElement, box?: HTMLTextAreaElement, copy?: HTMLElement }} [writing]
 */
export function keepClearOf(dock, { strip, box, copy } = {}) {
  const answers = /** @type {HTMLElement} */ (dock.querySelector(".answers"));
  const { style } = document.documentElement;
  let covered = 0;

  const update = () => {
    const { top, bottom } = seenPart();
    style.setProperty("--covered-top", `${top}px`);
    covered = innerHeight - bottom;
    style.setProperty("--covered-bottom", `${covered}px`);
    const inFront = isSticky(dock) ? dock.offsetHeight + (answers.dataset.place === "above" ? answers.offsetHeight : 0) : 0;
    const below = inFront && covered + inFront + 8;
    style.setProperty("--in-front", `${below}px`);
    style.scrollPaddingBottom = `${below}px`;
    style.scrollPaddingTop = strip && isOver(strip, box) ? `${top + shownHeight(strip) + 8}px` : "";
  };
  const seenAnew = () => {
    update();
    placeAnswers(answers);
    bringCaret();
  };
  const bringCaret = () => {
    if (!box || !copy || document.activeElement !== box) return;
    const [above, below] = [parseFloat(style.scrollPaddingTop) || 0, innerHeight - (parseFloat(style.scrollPaddingBottom) || 0)];
    const { top, bottom } = lineOfCaret(box, copy);
    if (bottom > below) scrollBy(0, bottom - below);
    else if (top < above) scrollBy(0, top - above);
  };

  const observer = new ResizeObserver(update);
  for (const each of [dock, answers, strip]) if (each) observer.observe(each);
  window.addEventListener("resize", seenAnew);
  window.visualViewport?.addEventListener("resize", seenAnew);
  window.visualViewport?.addEventListener("scroll", update);
  window.addEventListener("scroll", () => placeAnswers(answers), { passive: true });
  // A browser whose keyboard covers the page does not know of the bar that stands above the keyboard. How much is covered
  // is not asked here: that would lay out the page once more for every letter.
  box?.addEventListener("input", () => covered > 0 && requestAnimationFrame(bringCaret));
}

/** @param {HTMLElement} strip @param {HTMLElement} [box] */
function isOver(strip, box) {
  if (!box || !isSticky(strip)) return false;
  const [over, under] = [strip.getBoundingClientRect(), box.getBoundingClientRect()];
  return over.right > under.left + 8 && over.left < under.right - 8;
}

/** How much of the strip is seen when it stands in front. @param {HTMLElement} strip */
function shownHeight(strip) {
  return strip.lastElementChild?.getBoundingClientRect().height ?? 0;
}

/** Where the line of the caret is, measured by a copy of the text up to it. @param {HTMLTextAreaElement} box @param {HTMLElement} copy */
function lineOfCaret(box, copy) {
  const measured = /** @type {HTMLElement} */ (copy.cloneNode());
  measured.removeAttribute("id");
  measured.style.insetBlockEnd = "auto";
  measured.style.contain = "none";
  measured.style.minHeight = "0";
  measured.textContent = `${box.value.slice(0, box.selectionEnd)}\u200b`;
  box.before(measured);
  const { lineHeight, paddingBottom } = getComputedStyle(measured);
  const bottom = measured.getBoundingClientRect().bottom - parseFloat(paddingBottom);
  measured.remove();
  return { top: bottom - parseFloat(lineHeight), bottom };
}

/**
 * Put what is said where the main button need not move for it: in its row, below it where there is room, else in front
 * of what stands above it.
 *
 * @param {HTMLElement} answers
 */
export function placeAnswers(answers) {
  const said = [...answers.children].filter((each) => each instanceof HTMLElement && (each.dataset.kind ?? "step") !== "step");
  const dock = /** @type {HTMLElement} */ (answers.closest(".dock"));
  if (!said.length) put(answers, "row");
  else if (said.length === 1 && "instead" in /** @type {HTMLElement} */ (said[0]).dataset) put(answers, "instead");
  else {
    put(answers, "above");
    const room = seenPart().bottom - dock.getBoundingClientRect().bottom;
    if (!isSticky(dock) || room >= answers.offsetHeight) put(answers, "below");
  }
}

/** @param {HTMLElement} answers @param {string} place */
function put(answers, place) {
  if (answers.dataset.place !== place) answers.dataset.place = place;
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
