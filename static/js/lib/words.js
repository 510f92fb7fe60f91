/**
 * What scripts say, in the language of the page. The words in the scripts are English; pages in other languages load a
 * script with the others first (crowd/page_words.py).
 */

/** @type {{ gettext: (words: string) => string, ngettext: (one: string, many: string, count: number) => string } | undefined} */
const catalogue = /** @type {any} */ (globalThis).django;

/** @param {string} words @returns {string} */
export function gettext(words) {
  return catalogue?.gettext(words) ?? words;
}

/** @param {string} one @param {string} many @param {number} count @returns {string} */
export function ngettext(one, many, count) {
  return catalogue?.ngettext(one, many, count) ?? (count === 1 ? one : many);
}

/**
 * Put values in the places of a sentence: filled("%(n)s characters", { n: 3 }).
 *
 * @param {string} words @param {Record<string, string | number>} values @returns {string}
 */
export function filled(words, values) {
  return words.replace(/%\((\w+)\)s/g, (_, name) => String(values[name]));
}
