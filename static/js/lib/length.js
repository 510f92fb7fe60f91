/**
 * The one count of characters, as measures/text.py has it: the browser and the server must agree on every string.
 */

// General category Cf of Unicode 15.1 and the variation selectors: frozen, since browsers differ in what they know.
const INVISIBLE =
  /[\u00AD\u0600-\u0605\u061C\u06DD\u070F\u0890\u0891\u08E2\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u206F\uFE00-\uFE0F\uFEFF\uFFF9-\uFFFB\u{110BD}\u{110CD}\u{13430}-\u{1343F}\u{1BCA0}-\u{1BCA3}\u{1D173}-\u{1D17A}\u{E0001}\u{E0020}-\u{E007F}\u{E0100}-\u{E01EF}]/gu;

// The property White_Space; \s of JavaScript lacks U+0085.
const WHITE_SPACE = /[\u0009-\u000D\u0020\u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]+/gu;

/** The form in which texts are counted. @param {string} text @returns {string} */
export function canonical(text) {
  const visible = text.normalize("NFC").replace(INVISIBLE, "");
  return visible.normalize("NFC").replace(WHITE_SPACE, " ").replace(/^ | $/g, "");
}

/** Code points of the canonical text. @param {string} text @returns {number} */
export function length(text) {
  return Array.from(canonical(text)).length;
}

/** The greatest length of a compression. @param {string} source @param {number} keepPercent @returns {number} */
export function allowedLength(source, keepPercent) {
  return Math.floor((keepPercent * length(source)) / 100);
}
