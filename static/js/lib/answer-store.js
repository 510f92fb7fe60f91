/**
 * A rater's answers for a text, kept in the browser until they are sent.
 *
 * @typedef {{ fields: Record<string, string>, savedAt: number }} KeptAnswers
 */

const PREFIX = "precis:answers:";
const KEPT_MS = 14 * 24 * 3600 * 1000;

/** @param {string} task @param {Record<string, string>} fields @returns {boolean} whether the browser could keep it */
export function keepAnswers(task, fields) {
  try {
    localStorage.setItem(PREFIX + task, JSON.stringify({ fields, savedAt: Date.now() }));
    return true;
  } catch {
    return false;
  }
}

/** @param {string} task @returns {Record<string, string>} empty if nothing was kept */
export function keptAnswers(task) {
  return read(PREFIX + task)?.fields ?? {};
}

/** @param {string} task */
export function forgetAnswers(task) {
  try {
    localStorage.removeItem(PREFIX + task);
  } catch {
    // Storage is unavailable, so nothing was kept.
  }
}

/** Delete abandoned answers. */
export function forgetOldAnswers() {
  try {
    for (const name of Object.keys(localStorage).filter((each) => each.startsWith(PREFIX))) {
      if ((read(name)?.savedAt ?? 0) < Date.now() - KEPT_MS) localStorage.removeItem(name);
    }
  } catch {
    // Storage is unavailable, so there is nothing to delete.
  }
}

/** @param {string} name @returns {KeptAnswers | null} */
function read(name) {
  try {
    const kept = JSON.parse(localStorage.getItem(name) ?? "null");
    return typeof kept?.fields === "object" ? kept : null;
  } catch {
    return null;
  }
}
