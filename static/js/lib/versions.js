/**
 * One task may have been open in several pages, tabs and browsers. This says which versions of its text there are.
 *
 * @typedef {import("./draft-store.js").Draft} Draft
 * @typedef {Draft & { text: string }} Version
 */

import { replay } from "./edit-log.js";

/**
 * The versions among drafts, the newest first. Left out are those that lead nowhere, those that another went on
 * from, and those whose text another has too.
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
    if (newestFirst.some((other) => other !== draft && goesOnFrom(other, draft))) continue;
    versions.push({ ...draft, text });
  }
  return versions;
}

/** @param {Draft} draft @param {Draft} earlier */
function hasCommentOf(draft, earlier) {
  return draft.comment.startsWith(earlier.comment);
}

/** @param {Draft} draft @param {Draft} earlier */
function goesOnFrom(draft, earlier) {
  if (draft.startedFrom !== earlier.startedFrom || draft.log.length <= earlier.log.length) return false;
  if (!hasCommentOf(draft, earlier)) return false;
  return earlier.log.every((operation, index) => operation.every((part, field) => part === draft.log[index][field]));
}
