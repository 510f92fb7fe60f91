/** Undoing "Start again", also after the page was loaded anew: the edit log knows the text that was in the box. */

import { apply } from "./edit-log.js";

/** @typedef {import("./edit-log.js").Operation} Operation */

/**
 * The text that "Start again" has replaced and that was not put back since; null if there is none.
 *
 * @param {string} beginning  of the log @param {Operation[]} log @param {string[]} starts  what "Start again" may lead to
 * @returns {string | null}
 */
export function replacedText(beginning, log, starts) {
  /** @type {string | null} */
  let replaced = null;
  let [characters, text] = [Array.from(beginning), beginning];
  for (const operation of log) {
    characters = apply(characters, operation);
    const after = characters.join("");
    if (operation[3] === "other" && starts.includes(after) && !starts.includes(text)) replaced = text;
    else if (after === replaced) replaced = null;
    text = after;
  }
  return replaced;
}
