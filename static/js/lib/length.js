/**
 * The length rule, as in measures/text/normalization.py and measures/text/length_rule.py: the browser and the server
 * must agree on every string.
 *
 * Letters, digits, marks and normal forms follow the browser's version of Unicode here, and Python's on the server
 * (Unicode 14 with Python 3.11). They may differ on characters that are unknown to one of them; the server decides.
 *
 * @typedef {object} Verdict
 * @property {number} length  of the compression, in characters
 * @property {number} allowed  the maximum length
 * @property {number} sourceLength
 * @property {string[]} reasons  for refusing the compression, in the server's words and order; empty if accepted
 * @property {number | null} stackedAt  where the first run of too many marks begins, in code points as typed
 */

// General category Cf of Unicode 15.1 and the variation selectors, frozen because browsers differ in Unicode version.
const INVISIBLE =
  /[\u00AD\u0600-\u0605\u061C\u06DD\u070F\u0890\u0891\u08E2\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u206F\uFE00-\uFE0F\uFEFF\uFFF9-\uFFFB\u{110BD}\u{110CD}\u{13430}-\u{1343F}\u{1BCA0}-\u{1BCA3}\u{1D173}-\u{1D17A}\u{E0001}\u{E0020}-\u{E007F}\u{E0100}-\u{E01EF}]/gu;

// The property White_Space; JavaScript's \s lacks U+0085.
const WHITE_SPACE = /[\u0009-\u000D\u0020\u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]+/gu;

// Letters by category that are invisible: the Hangul fillers and two hieroglyphic blanks of Unicode 15.
const BLANK_LETTER = /[\u115F\u1160\u3164\uFFA0\u{13441}\u{13442}]/u;

const FORBIDDEN = /(?<control>(?![\t\n\r])\p{Cc})|(?<surrogate>\p{Cs})|\p{Noncharacter_Code_Point}/u;

/** Letters of scripts without spaces between words, as in measures/text/segmentation.py, for a class of characters. */
export const UNSPACED = String.raw`\u0E00-\u0EFF\u0F00-\u0FFF\u1000-\u109F\u1780-\u17FF\u3005-\u3007\u3040-\u30FF\u31F0-\u31FF\u3400-\u4DBF\u4E00-\u9FFF\uF900-\uFAFF\uFF66-\uFF9F\u{20000}-\u{3FFFF}`;
const IS_UNSPACED = new RegExp(`[${UNSPACED}]`, "u");

const FRACTION_SLASH = "\u2044";

/** The greatest number of marks on one letter, as in measures/text/normalization.py: normalizing more takes too long. */
export const MAX_MARKS_IN_A_ROW = 30;

const MAX_TYPED_LENGTH = 20_000;

/** Marks, and the halfwidth letters that become marks in form KC. */
const MARK = /[\p{M}\uFF9E\uFF9F]/u;

/** The normalized form whose length counts. @param {string} text @returns {string} */
export function canonical(text) {
  const visible = text.normalize("NFC").replace(INVISIBLE, "");
  return visible.normalize("NFC").replace(WHITE_SPACE, " ").replace(/^ | $/g, "");
}

/** The number of code points of the canonical text. @param {string} text @returns {number} */
export function length(text) {
  return Array.from(canonical(text)).length;
}

/**
 * The length rule for compressions of one source. The source is analysed once, since the rule runs on every keystroke.
 *
 * @param {string} source @param {number} keepPercent @returns {(compression: string) => Verdict}
 */
export function ruleFor(source, keepPercent) {
  const whole = Array.from(canonical(source));
  const ofSource = countsOf(whole);
  const allowed = Math.floor((keepPercent * whole.length) / 100);
  return (compression) => {
    const refusal = refusalAsTyped(compression);
    if (refusal) return { ...refusal, allowed, sourceLength: whole.length };
    const part = Array.from(canonical(compression));
    const findings = {
      empty: part.length === 0,
      "too long": part.length > allowed,
      "stretched characters": part.length <= allowed && writtenOutLength(part, ofSource) > allowed,
      "no letters": part.length > 0 && !part.some(isLetter),
      "cut in mid-word": stopsInWord(whole, part),
      "forbidden character": forbiddenCharacter(compression) !== null,
    };
    const reasons = Object.entries(findings).flatMap(([reason, isFound]) => (isFound ? [reason] : []));
    return { length: part.length, allowed, sourceLength: whole.length, reasons, stackedAt: null };
  };
}

/**
 * Why a text must not even be normalized, its length being the number of characters as typed; null if it may be.
 *
 * @param {string} text @returns {{ length: number, reasons: string[], stackedAt: number | null } | null}
 */
function refusalAsTyped(text) {
  const characters = Array.from(text);
  if (characters.length > MAX_TYPED_LENGTH) return { length: characters.length, reasons: ["too long"], stackedAt: null };
  const stackedAt = stackedMarks(characters);
  return stackedAt === null ? null : { length: characters.length, reasons: ["stacked marks"], stackedAt };
}

/**
 * Where the first run of too many marks begins; null if there is none. Invisible characters neither count nor end it.
 *
 * @param {string[]} characters @returns {number | null}
 */
function stackedMarks(characters) {
  let start = 0;
  let inARow = 0;
  for (const [position, character] of characters.entries()) {
    if (isMark(character)) {
      if (inARow === 0) start = position;
      inARow += 1;
      if (inARow > MAX_MARKS_IN_A_ROW) return start;
    } else if (!isInvisible(character)) inARow = 0;
  }
  return null;
}

/** @param {string} character @returns {boolean} */
function isMark(character) {
  return MARK.test(character) && !isInvisible(character);
}

/** @param {string} character @returns {boolean} */
function isInvisible(character) {
  INVISIBLE.lastIndex = 0;
  return INVISIBLE.test(character);
}

/**
 * Position, in code points, and name of the first forbidden character; null if there is none.
 *
 * @param {string} text @returns {[number, string] | null}
 */
export function forbiddenCharacter(text) {
  const match = FORBIDDEN.exec(text);
  if (!match) return null;
  const { control, surrogate } = /** @type {Record<string, string | undefined>} */ (match.groups);
  const code = /** @type {number} */ (match[0].codePointAt(0)).toString(16).toUpperCase().padStart(4, "0");
  const name = control ? "control character" : surrogate ? "lone surrogate" : "noncharacter";
  return [Array.from(text.slice(0, match.index)).length, `U+${code} ${name}`];
}

/** @param {string[]} characters @returns {Map<string, number>} */
function countsOf(characters) {
  const counts = new Map();
  for (const character of characters) counts.set(character, (counts.get(character) ?? 0) + 1);
  return counts;
}

/**
 * The length after writing out characters that stand for several letters and are not from the source.
 *
 * @param {string[]} part @param {Map<string, number>} ofSource @returns {number}
 */
function writtenOutLength(part, ofSource) {
  let total = part.length;
  for (const [character, count] of countsOf(part)) {
    const added = Math.max(0, count - (ofSource.get(character) ?? 0));
    if (added) total += added * extraLetters(character);
  }
  return total;
}

/** How many letters and digits beyond one a character stands for. @param {string} character @returns {number} */
function extraLetters(character) {
  const written = character.normalize("NFKC");
  if (written.includes(FRACTION_SLASH)) return 0;
  return Math.max(0, (written.match(/[\p{L}\p{N}]/gu)?.length ?? 0) - 1);
}

/** @param {string[]} whole @param {string[]} part @returns {boolean} */
function stopsInWord(whole, part) {
  const isPrefix = part.length < whole.length && part.every((character, index) => character === whole[index]);
  const cut = whole.slice(part.length - 1, part.length + 1);
  return part.length > 0 && isPrefix && cut.every(isWordCharacter) && !IS_UNSPACED.test(cut.join(""));
}

/** @param {string} character @returns {boolean} */
function isLetter(character) {
  return /\p{L}/u.test(character) && !BLANK_LETTER.test(character);
}

/** Marks count too, since they combine with the letter before them. @param {string} character @returns {boolean} */
function isWordCharacter(character) {
  return /[\p{L}\p{N}\p{M}]/u.test(character) && !BLANK_LETTER.test(character);
}
