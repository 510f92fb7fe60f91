/** A text in pieces, each with a line for every mark that it lies in. Pieces that stay as they are stay in the page. */

import { piecesOf } from "./text-places.js";

/**
 * @typedef {import("./text-places.js").Span} Span
 * @typedef {Span & { mark: import("./span-marks.js").Mark, look: string }} Drawn
 * @typedef {Span & { el: HTMLElement, ids: string[], key: string }} Piece
 * @param {HTMLElement} root @param {import("./text-places.js").TextPlaces} places
 * @param {Drawn[]} spans @param {Piece[]} before  what was painted there last
 * @returns {Piece[]}
 */
export function paint(root, places, spans, before = []) {
  const old = new Map(before.map((each) => [each.key, each]));
  const pieces = piecesOf(places, spans).map(({ start, end, marks }) => {
    const key = [start, end, ...marks.flatMap(({ mark, level }) => [mark.mark.id, level, mark.look])].join(" ");
    const same = old.get(key);
    old.delete(key);
    return same ?? { start, end, key, ids: marks.map((each) => each.mark.mark.id), el: pieceOf(start, places.slice(start, end), marks) };
  });
  if (!before.length) root.replaceChildren();
  for (const { el } of old.values()) el.remove();
  let next = root.firstChild;
  for (const { el } of pieces) {
    if (el === next) next = el.nextSibling;
    else root.insertBefore(el, next);
  }
  return pieces;
}

/** @param {number} start @param {string} words @param {{ mark: Drawn, level: number }[]} marks @returns {HTMLElement} */
function pieceOf(start, words, marks) {
  const piece = document.createElement("span");
  piece.dataset.start = String(start);
  let inner = piece;
  for (const { mark, level } of marks) {
    const line = document.createElement("u");
    line.className = mark.look;
    line.style.setProperty("--level", String(level));
    inner.append(line);
    inner = line;
  }
  inner.textContent = words;
  return piece;
}
