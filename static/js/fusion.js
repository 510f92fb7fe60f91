/**
 * The editing page on which one sentence is made of two: buttons put these in, and the edit log says of what comes from
 * them where it stood.
 */

import { recorder } from "./editor.js";

/** A shorter text may stand in a sentence by chance, as in measures/keystrokes/source_shares.py. */
const MIN_TAKEN = 10;

const field = recorder.field;
const sentences = (document.getElementById("source")?.textContent ?? "").split("\n");
const size = (/** @type {string} */ text) => Array.from(text).length;

/** What a button is about to do: the change, and the text that it leads to. */
let expected = { value: "", change: /** @type {import("./lib/edit-log.js").Operation | null} */ (null) };

recorder.refined = (change) => {
  const { change: taken, value } = expected;
  if (taken && value === field.value) return [taken[0], taken[1], taken[2], taken[3], change[4], ...taken.slice(5)];
  const [position, removed, inserted, kind, atMs] = change;
  const origin = ["paste", "drop"].includes(kind) ? originOf(inserted) : null;
  return origin ? [position, removed, inserted, "source", atMs, origin] : change;
};

/** Where a text stands in a sentence; null if it is too short, or was in the box before. @param {string} text */
function originOf(text) {
  const source = sentences.findIndex((sentence) => sentence.includes(text));
  if (source < 0 || size(text) < MIN_TAKEN || recorder.log.some(([, removed]) => removed === text)) return null;
  const start = size(sentences[source].slice(0, sentences[source].indexOf(text)));
  return [source, start, start + size(text)];
}

/** Put a text at the caret, instead of what is selected. @param {string} text @param {string} kind @param {number[]} [origin] */
function put(text, kind, ...origin) {
  const { value, selectionStart: start, selectionEnd: end } = field;
  const change = [size(value.slice(0, start)), value.slice(start, end), text, kind, 0, ...origin];
  expected = { value: value.slice(0, start) + text + value.slice(end), change };
  // Unlike setting the value, execCommand keeps the browser's undo history.
  if (!document.execCommand("insertText", false, text)) field.setRangeText(text, start, end, "end");
  recorder.record("");
  expected = { value: "", change: null };
}

/** Put a sentence at the caret, with spaces between it and other words. @param {number} source */
function take(source) {
  if (/\S$/.test(field.value.slice(0, field.selectionStart))) put(" ", "other");
  put(sentences[source], "source", [source, 0, size(sentences[source])]);
  if (/^\S/.test(field.value.slice(field.selectionEnd))) put(" ", "other");
}

for (const button of document.querySelectorAll("[data-take]")) {
  button.addEventListener("click", () => {
    if (field.readOnly) return;
    field.focus();
    for (const source of (/** @type {HTMLElement} */ (button).dataset.take ?? "").split(" ")) take(Number(source));
  });
}
