/**
 * The edit log: every change of a text field, from which the text at any moment can be reconstructed.
 *
 * An operation is [position, removed, inserted, kind, milliseconds]; of the kind source, [source, start, end] comes
 * last. Positions count code points, as in measures/keystrokes/edit_log.py.
 *
 * @typedef {[number, string, string, string, number, number[]?]} Operation
 */

/** Kinds of operation by the inputType of the browser's input event. @type {Record<string, string>} */
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
 * @param {boolean} replaces  whether it replaced text that was not selected
 * @returns {string}
 */
export function kindOf(inputType, isComposing, replaces) {
  if (isComposing) return "composition";
  if (inputType === "insertText" && replaces) return "autocorrect"; // how phones and macOS report corrections
  return KINDS[inputType] ?? (inputType.startsWith("delete") ? "deletion" : "other");
}

const isHighSurrogate = (/** @type {number} */ unit) => unit >= 0xd800 && unit <= 0xdbff;
const isLowSurrogate = (/** @type {number} */ unit) => unit >= 0xdc00 && unit <= 0xdfff;

/**
 * The single operation that turns one text into another; null if they are equal. Never splits a surrogate pair.
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
 * The text after all operations; null if the log does not match the text.
 *
 * @param {string} start @param {Operation[]} operations @returns {string | null}
 */
export function replay(start, operations) {
  let text = Array.from(start);
  for (const operation of operations) {
    const [position, removed] = operation;
    const found = text.slice(position, position + Array.from(removed).length).join("");
    if (position > text.length || found !== removed) return null;
    text = apply(text, operation);
  }
  return text.join("");
}
