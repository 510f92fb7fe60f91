/**
 * The difference between two texts, word by word.
 *
 * @typedef {{ kind: "same" | "gone" | "new", text: string, own: string }} Part  of words that are the same, `text` is
 *   as the first text has them, and `own` as the second: they may differ in spacing
 */

/** Letters of scripts that are written without spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** More would take too long, and too much memory, on every keystroke. */
const MAX_CELLS = 4_000_000;

/** @type {Map<string, Intl.Segmenter>} */
const segmenters = new Map();

/**
 * Words and punctuation, each with the space before it.
 *
 * @param {string} text @param {string} [language]  where words are not separated by spaces, it says how to find them
 * @returns {string[]}
 */
export function wordsOf(text, language = "") {
  const words = text.match(/\s*(?:[\p{L}\p{N}\p{M}]+(?:['’.-][\p{L}\p{N}\p{M}]+)*|[^\s])|\s+$/gu) ?? [];
  if (!UNSPACED.test(text) || !("Segmenter" in Intl)) return words;
  return words.flatMap((word) => (UNSPACED.test(word) ? segments(word, language) : [word]));
}

/** @param {string} run @param {string} language @returns {string[]} */
function segments(run, language) {
  const found = Array.from(segmenterFor(language).segment(run), ({ segment }) => segment);
  const space = found[0].trim() ? "" : found.shift();
  return [`${space}${found[0]}`, ...found.slice(1)];
}

/** @param {string} language @returns {Intl.Segmenter} */
function segmenterFor(language) {
  const known = segmenters.get(language);
  if (known) return known;
  const segmenter = new Intl.Segmenter(localeOf(language), { granularity: "word" });
  segmenters.set(language, segmenter);
  return segmenter;
}

/** A language that the browser takes; a campaign's may be one that no browser knows. @param {string} language */
function localeOf(language) {
  try {
    return Intl.getCanonicalLocales(language || [])[0];
  } catch {
    return undefined;
  }
}

/**
 * The difference as parts: without the new ones, their `text` spells `before`; without the gone ones, `own` spells `after`.
 *
 * @param {string[]} before @param {string[]} after @returns {Part[]}
 */
export function wordDiff(before, after) {
  const [a, b] = [before.map((word) => word.trim()), after.map((word) => word.trim())];
  const shorter = Math.min(a.length, b.length);
  let head = 0;
  while (head < shorter && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && a.at(-1 - tail) === b.at(-1 - tail)) tail += 1;
  const parts = new Parts();
  for (let index = 0; index < head; index += 1) parts.add("same", before[index], after[index]);
  between(before.slice(head, a.length - tail), after.slice(head, b.length - tail), parts);
  for (let index = tail; index > 0; index -= 1) parts.add("same", before[a.length - index], after[b.length - index]);
  return parts.list;
}

/** A list of parts that merges consecutive parts of the same kind. */
class Parts {
  /** @type {Part[]} */
  list = [];

  /** @param {Part["kind"]} kind @param {string} text @param {string} own */
  add(kind, text, own = text) {
    const last = this.list.at(-1);
    if (last?.kind === kind) {
      last.text += text;
      last.own += own;
    } else this.list.push({ kind, text, own });
  }
}

/** Add the parts by a longest common subsequence. @param {string[]} before @param {string[]} after @param {Parts} parts */
function between(before, after, parts) {
  const [a, b] = [before.map((word) => word.trim()), after.map((word) => word.trim())];
  if ((a.length + 1) * (b.length + 1) > MAX_CELLS) {
    parts.add("gone", before.join(""));
    parts.add("new", after.join(""));
    return;
  }
  const lengths = commonLengths(a, b);
  const width = b.length + 1;
  let [row, column] = [0, 0];
  while (row < a.length || column < b.length) {
    const down = row < a.length ? lengths[(row + 1) * width + column] : -1;
    const right = column < b.length ? lengths[row * width + column + 1] : -1;
    if (row < a.length && column < b.length && a[row] === b[column]) {
      parts.add("same", before[row], after[column]);
      [row, column] = [row + 1, column + 1];
    } else if (down >= right) {
      parts.add("gone", before[row]);
      row += 1;
    } else {
      parts.add("new", after[column]);
      column += 1;
    }
  }
}

/** LCS lengths of the suffixes from each [row, column]. @param {string[]} a @param {string[]} b */
function commonLengths(a, b) {
  const width = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * width);
  for (let row = a.length - 1; row >= 0; row -= 1) {
    for (let column = b.length - 1; column >= 0; column -= 1) {
      lengths[row * width + column] =
        a[row] === b[column]
          ? lengths[(row + 1) * width + column + 1] + 1
          : Math.max(lengths[(row + 1) * width + column], lengths[row * width + column + 1]);
    }
  }
  return lengths;
}
