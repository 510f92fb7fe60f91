/** What a person has chosen for all pages of this browser. */

const PREFIX = "precis:";

/** @param {string} name @returns {string} empty if nothing was chosen, or nothing can be kept */
export function chosen(name) {
  try {
    return localStorage.getItem(PREFIX + name) ?? "";
  } catch {
    return "";
  }
}

/** @param {string} name @param {string} choice */
export function choose(name, choice) {
  try {
    localStorage.setItem(PREFIX + name, choice);
  } catch {
    // Without storage, the next page begins without the choice.
  }
}
