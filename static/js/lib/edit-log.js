/**
 * The log of edits: every change of a text field, so that the text at any moment can be rebuilt.
 *
 * An operation is [position, removed, inserted, kind, milliseconds]; positions count code points, as
 * measures/keystrokes/edit_log.py reads them.
 *
 * @typedef {[number, string, string, string, number]} Operation
 */

/** The kind of change, by the inputType of the browser's input event. @type {Record<string, string>} */
const KINDS = {
  insertText: "typing",
  insertLineBreak: "typing",
  insertParagraph: "typing",
  insertCompositionText: "composition",
  insertFromComposition: "composition",
  deleteCompositionText: "composition",
  insertFromPaste: "paste",
  insertFromPasteAsQuotation: "paste",
  insertFromYank: "paste",
  insertFromDrop: "drop",
  deleteByDrag: "drop",
  deleteByCut: "cut",
  historyUndo: "undo",
  historyRedo: "redo",
  insertReplacementText: "autocorrect",
};

/**
 * @param {string} inputType @param {boolean} isComposing
 * @param {boolean} replaces  whether it took the place of text that was not selected
 * @returns {string}
 */
export function kindOf(inputType, isComposing, replaces) {
  if (isComposing) return "composition";
  if (inputType === "insertText" && replaces) return "autocorrect"; // as phones and macOS put right what was typed
  return KINDS[inputType] ?? (inputType.startsWith("delete") ? "deletion" : "other");
}

const isHighSurrogate = (/** @type {number} */ unit) => unit >= 0xd800 && unit <= 0xdbff;
const isLowSurrogate = (/** @type {number} */ unit) => unit >= 0xdc00 && unit <= 0xdfff;

/**
 * The one change that leads from a text to another; null if they are the same. Never cuts a surrogate pair.
 *
 * @param {string} before @param {string} after @param {string} kind @param {number} atMs
 * @returns {Operation | null}
 */
export function operationBetween(before, after, kind, atMs) {
  if (before === after) return null;
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  if (start > 0 && isHighSurrogate(before.charCodeAt(start - 1))) start -= 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  if (end > 0 && isLowSurrogate(before.charCodeAt(before.length - end))) end -= 1;
  const position = Array.from(before.slice(0, start)).length;
  return [position, before.slice(start, before.length - end), after.slice(start, after.length - end), kind, atMs];
}

/**
 * The text after one operation, as code points.
 *
 * @param {string[]} text @param {Operation} operation @returns {string[]}
 */
export function apply(text, [position, removed, inserted]) {
  const end = position + Array.from(removed).length;
  return [...text.slice(0, position), ...Array.from(inserted), ...text.slice(end)];
}

/**
 * The text that a log leads to; null if the log does not fit.
 *
 * @param {string} start @param {Operation[]} operations @returns {string | null}
 */
export function replay(start, operations) {
  let text = Array.from(start);
  for (const operation of operations) {
    const [position, removed] = operation;
    const there = text.slice(position, position + Array.from(removed).length).join("");
    if (position > text.length || there !== removed) return null;
    text = apply(text, operation);
  }
  return text.join("");
}
