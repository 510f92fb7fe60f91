/** A text in pieces, each with a line for every mark that it lies in. */

import { piecesOf } from "./text-places.js";

/**
 * @typedef {import("./text-places.js").Span} Span
 * @typedef {Span & { mark: import("./span-marks.js").Mark, look: string }} Drawn
 * @param {import("./text-places.js").TextPlaces} places @param {Drawn[]} spans
 * @returns {(Span & { el: HTMLElement, ids: string[] })[]}
 */
export function paintedPieces(places, spans) {
  return piecesOf(places, spans).map(({ start, end, marks }) => {
    const el = document.createElement("span");
    el.dataset.start = String(start);
    let inner = el;
    for (const { mark, level } of marks) {
      const line = document.createElement("u");
      line.className = mark.look;
      line.style.setProperty("--level", String(level));
      inner.append(line);
      inner = line;
    }
    inner.textContent = places.slice(start, end);
    return { start, end, el, ids: marks.map((each) => each.mark.mark.id) };
  });
}
