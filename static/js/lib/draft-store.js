/**
 * What is typed, kept in the browser until it is submitted: a reload, a lost network or a closed laptop lose nothing.
 *
 * @typedef {{ startedFrom: string, log: import("./edit-log.js").Operation[], savedAt: number }} Draft
 */

const PREFIX = "precis:draft:";
const KEPT_MS = 14 * 24 * 3600 * 1000;

/** @param {string} key @returns {Draft | null} */
export function readDraft(key) {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + key) ?? "null");
  } catch {
    return null;
  }
}

/** @param {string} key @param {Draft} draft @returns {boolean} whether the browser could keep it */
export function writeDraft(key, draft) {
  try {
    localStorage.setItem(PREFIX + key, JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}

/** Forget drafts that nobody came back to. */
export function forgetOldDrafts() {
  try {
    for (const name of Object.keys(localStorage)) {
      const savedAt = name.startsWith(PREFIX) ? readDraft(name.slice(PREFIX.length))?.savedAt : Infinity;
      if ((savedAt ?? 0) < Date.now() - KEPT_MS) localStorage.removeItem(name);
    }
  } catch {
    // A browser that forbids storage has nothing to forget.
  }
}
