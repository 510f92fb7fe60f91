/**
 * The distinct versions of a task's text, which may have been open in several pages, tabs and browsers.
 *
 * @typedef {import("./draft-store.js").Draft} Draft
 * @typedef {Draft & { text: string }} Version
 */

import { replay } from "./edit-log.js";

/**
 * The versions among drafts, newest first. Drafts with an invalid log, drafts that another one continues, and
 * duplicate texts are left out.
 *
 * @param {Draft[]} drafts @param {(startedFrom: string) => string} beginning @returns {Version[]}
 */
export function versionsAmong(drafts, beginning) {
  const newestFirst = [...drafts].sort((a, b) => b.savedAt - a.savedAt || b.log.length - a.log.length);
  /** @type {Version[]} */
  const versions = [];
  for (const draft of newestFirst) {
    const text = replay(beginning(draft.startedFrom), draft.log);
    if (text === null || versions.some((other) => other.text === text && hasCommentOf(other, draft))) continue;
    if (newestFirst.some((other) => other !== draft && continues(other, draft))) continue;
    versions.push({ ...draft, text });
  }
  return versions;
}

/** @param {Draft} draft @param {Draft} earlier */
function hasCommentOf(draft, earlier) {
  return draft.comment.startsWith(earlier.comment);
}

/** @param {Draft} draft @param {Draft} earlier */
function continues(draft, earlier) {
  if (draft.startedFrom !== earlier.startedFrom || draft.log.length <= earlier.log.length) return false;
  if (!hasCommentOf(draft, earlier)) return false;
  return earlier.log.every((operation, index) => String(operation) === String(draft.log[index]));
}
