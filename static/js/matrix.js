/**
 * The matrix of metrics: pointing at a square chooses a row and a column, marks both, and says how the two metrics
 * compare. The two lists below it do the same for the keyboard, and without this script the server answers.
 */
import { filled, gettext } from "./lib/words.js";

const SVG = "http://www.w3.org/2000/svg";

const frame = /** @type {HTMLElement | null} */ (document.querySelector("[data-matrix]"));
if (frame) wire(frame);

/** @param {HTMLElement} frame */
function wire(frame) {
  const { metrics, won } = JSON.parse(document.getElementById("matrix-data")?.textContent ?? "{}");
  const drawing = /** @type {SVGSVGElement} */ (frame.querySelector("svg"));
  const lists = ["matrix-first", "matrix-second"].map((id) => /** @type {HTMLSelectElement} */ (document.getElementById(id)));
  const words = /** @type {HTMLElement} */ (document.getElementById("matrix-words"));
  const bands = [band(drawing), band(drawing)];

  /** @param {number} row @param {number} column */
  function choose(row, column) {
    [row, column].forEach((place, number) => (lists[number].selectedIndex = place));
    show();
  }

  function show() {
    const [row, column] = lists.map((list) => list.selectedIndex);
    place(bands[0], 0, row, metrics.length, 1);
    place(bands[1], column, 0, 1, metrics.length);
    words.textContent = compared(metrics[row], metrics[column], won[row][column], won[column][row]);
  }

  frame.addEventListener("pointermove", (event) => event.pointerType === "mouse" && point(event));
  frame.addEventListener("pointerdown", point);

  /** @param {PointerEvent} event */
  function point(event) {
    const box = drawing.getBoundingClientRect();
    const [row, column] = [(event.clientY - box.top) / box.height, (event.clientX - box.left) / box.width].map((share) =>
      within(Math.floor(share * metrics.length), metrics.length),
    );
    if (row !== lists[0].selectedIndex || column !== lists[1].selectedIndex) choose(row, column);
  }

  for (const list of lists) list.addEventListener("change", show);
  show();
}

/** @param {number} place @param {number} size */
function within(place, size) {
  return Math.min(size - 1, Math.max(0, place));
}

/** @param {SVGSVGElement} drawing */
function band(drawing) {
  const made = document.createElementNS(SVG, "rect");
  made.setAttribute("class", "crosshair");
  drawing.append(made);
  return made;
}

/** @param {SVGRectElement} band @param {number} x @param {number} y @param {number} width @param {number} height */
function place(band, x, y, width, height) {
  Object.entries({ x, y, width, height }).forEach(([name, value]) => band.setAttribute(name, String(value)));
}

/** @param {string} first @param {string} second @param {number | null} forth @param {number | null} back */
function compared(first, second, forth, back) {
  if (first === second) return gettext("Choose two different metrics.");
  if (forth === null || back === null) {
    return filled(gettext("%(first)s and %(second)s cannot be compared on any pair of systems."), { first, second });
  }
  const sentence =
    forth + back >= 100
      ? gettext("%(first)s is shown to be better than %(second)s on %(forth)s% of the pairs of systems, and to be worse on %(back)s%.")
      : gettext(
          "%(first)s is shown to be better than %(second)s on %(forth)s% of the pairs of systems, and to be worse on %(back)s%. On the others neither is shown to be better.",
        );
  return filled(sentence, { first, second, forth, back });
}
