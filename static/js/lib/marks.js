/** DOM nodes for the parts of a difference: deletions and insertions are marked. */

const TAGS = { gone: "del", new: "ins" };

/** @param {import("./word-diff.js").Part} part @returns {Node} */
export function nodeOf({ kind, text }) {
  if (kind === "same") return document.createTextNode(text);
  const element = document.createElement(TAGS[kind]);
  element.textContent = text;
  return element;
}
