/**
 * Drafts kept in the browser until they are submitted, so a reload, a lost network or a closed laptop loses nothing.
 * Every opened page keeps its own draft, under a key of task and page name.
 *
 * @typedef {{
 *   page: string, startedFrom: string, log: import("./edit-log.js").Operation[], comment: string, savedAt: number,
 *   earlier?: string, counts?: import("./page-record.js").Counts | null
 * }} Draft  `earlier` is a text that "Start again" has replaced, if the log does not tell it
 */

const PREFIX = "precis:draft:";
const KEPT_MS = 14 * 24 * 3600 * 1000;

/** A random name, unique to this page. @returns {string} */
export function newPageName() {
  return Array.from(crypto.getRandomValues(new Uint32Array(3)), (part) => part.toString(36)).join("");
}

/** @param {string} task @returns {Draft[]} */
export function keptDrafts(task) {
  return names(`${PREFIX}${task}:`).map(read).filter((draft) => draft !== null);
}

/** @param {string} task @param {Draft} draft @returns {boolean} whether the browser could keep it */
export function keepDraft(task, draft) {
  try {
    localStorage.setItem(`${PREFIX}${task}:${draft.page}`, JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}

/** @param {string} task @param {string} page */
export function forgetDraft(task, page) {
  remove(`${PREFIX}${task}:${page}`);
}

/**
 * Set the page name under which this tab keeps its draft of the task, and return the previous name, if any.
 *
 * @param {string} task @param {string} page @returns {string | null}
 */
export function pageOfTab(task, page) {
  try {
    const before = sessionStorage.getItem(PREFIX + task);
    sessionStorage.setItem(PREFIX + task, page);
    return before;
  } catch {
    return null;
  }
}

/** Delete abandoned drafts. */
export function forgetOldDrafts() {
  for (const name of names(PREFIX)) {
    if ((read(name)?.savedAt ?? 0) < Date.now() - KEPT_MS) remove(name);
  }
}

/** @param {string} prefix @returns {string[]} empty if storage is unavailable */
function names(prefix) {
  try {
    return Object.keys(localStorage).filter((name) => name.startsWith(prefix));
  } catch {
    return [];
  }
}

/** @param {string} name @returns {Draft | null} */
function read(name) {
  try {
    const draft = JSON.parse(localStorage.getItem(name) ?? "null");
    return Array.isArray(draft?.log) ? draft : null;
  } catch {
    return null;
  }
}

/** @param {string} name */
function remove(name) {
  try {
    localStorage.removeItem(name);
  } catch {
    // Storage is unavailable, so nothing was kept.
  }
}
