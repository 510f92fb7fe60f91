/**
 * What a person is asked about before a text is sent, as in measures/text/second_thoughts.py: the browser and the server
 * must agree on every text. A question is not a refusal: whoever means it sends the text.
 */

import { canonical, UNSPACED } from "./length.js";

const SHORT_PERCENT = 20;
const SHARED_PERCENT = 15;
const FEWEST_WORDS = 4;
const WORD_LETTERS = 4;

// Of scripts whose words are not parted by spaces, and of Hangul, whose words are short, each letter stands for a word.
const SINGLE = String.raw`${UNSPACED}\uAC00-\uD7A3`;
const WORDS = new RegExp(String.raw`(?<single>[${SINGLE}])|(?:(?![${SINGLE}])[\p{L}\p{N}])+`, "gu");

/**
 * What to ask before this text is sent; null if there is nothing to ask.
 *
 * @param {{ source: string, text: string, length: number, allowed: number }} written  the lengths as in the verdict
 * @returns {"very short" | "hardly a word of the original" | null}  as in SecondThought
 */
export function secondThought({ source, text, length, allowed }) {
  if (100 * length < SHORT_PERCENT * allowed) return "very short";
  const known = words(source);
  const written = words(text);
  if (written.length < FEWEST_WORDS || known.length < FEWEST_WORDS) return null;
  const among = new Set(known);
  const shared = written.filter((word) => among.has(word)).length;
  return 100 * shared < SHARED_PERCENT * written.length ? "hardly a word of the original" : null;
}

/**
 * The question in words; null if there is nothing to ask.
 *
 * @param {{ source: string, text: string, length: number, allowed: number }} written
 * @param {(words: string) => string} [gettext]
 * @returns {string | null}
 */
export function questionBefore(written, gettext = (words) => words) {
  const thought = secondThought(written);
  if (thought === "very short") return gettext("This is very short. Submit it anyway?");
  if (thought === null) return null;
  return gettext("Your text shares very few words with the original. Submit it anyway?");
}

/** @param {string} text @returns {string[]} */
function words(text) {
  const found = canonical(text).toLowerCase().matchAll(WORDS);
  return Array.from(found).flatMap(({ 0: word, groups }) => {
    const letters = Array.from(word);
    return groups?.single || letters.length >= WORD_LETTERS ? [letters.slice(0, WORD_LETTERS).join("")] : [];
  });
}
