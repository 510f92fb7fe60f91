/** What is said of marks of errors. */

import { chosenOf, isComposite, kindOf } from "./span-marks.js";
import { filled, gettext } from "./words.js";

/** @typedef {import("./span-marks.js").Mark} Mark @typedef {import("./span-marks.js").Preset} Preset */
/** @typedef {Record<import("./span-marks.js").Side, import("./text-places.js").TextPlaces>} Texts */

const LONGEST_QUOTE = 60;

/** @param {string} severity */
export function severityWords(severity) {
  /** @type {Record<string, string>} */
  const words = {
    minor: gettext("minor"),
    major: gettext("major"),
    critical: gettext("critical"),
    neutral: gettext("neutral"),
  };
  return words[severity.toLowerCase()] ?? severity;
}

/** The words that are marked. @param {Mark} mark @param {Texts} texts @param {Preset} preset */
export function quoteOf(mark, texts, preset) {
  if (isComposite(mark, preset)) return gettext("Marks that belong together");
  const quotes = mark.places
    .filter(([, start, end]) => start < end)
    .map(([side, start, end]) => filled(gettext("“%(words)s”"), { words: shortened(texts[side].slice(start, end)) }));
  if (mark.missing) return quotes.length ? quotes.join(" ") : gettext("Something is missing");
  return quotes.join(" → ");
}

/** @param {string} words */
function shortened(words) {
  const characters = [...words.replace(/\s+/g, " ")];
  return characters.length > LONGEST_QUOTE ? `${characters.slice(0, LONGEST_QUOTE - 1).join("")}…` : characters.join("");
}

/** What a person said of a mark. @param {Mark} mark @param {Preset} preset @returns {string} */
export function saidOf(mark, preset) {
  const kind = kindOf(mark, preset);
  const answers = (kind?.questions ?? []).flatMap(({ key, options }) => answered(mark.answers[key], options));
  return [kind?.name, mark.severity && severityWords(mark.severity), ...answers, mark.note].filter(Boolean).join(" · ");
}

/** @param {any} answer @param {import("./span-marks.js").Options} options @returns {string[]} the names of what was chosen */
function answered(answer, options) {
  if (!Array.isArray(options)) return [];
  const option = chosenOf(answer, options);
  if (!option) return [];
  return [option.name, ...(option.options ? answered(answer[option.key], option.options) : [])];
}

/** @param {ReturnType<import("./span-marks.js").lackingOf>} lacking @returns {string} what to do next about a mark */
export function lackingWords(lacking) {
  const words = {
    decision: gettext("This was marked before you came: keep it, change it, or remove it."),
    kind: gettext("Choose a kind."),
    severity: gettext("Say how bad it is."),
    places: gettext("Now mark the words of the other text that belong to it."),
    parts: gettext("Choose the marks that belong together."),
    answers: gettext("Answer the questions about it."),
    note: gettext("Say in a note what it is."),
  };
  return lacking.length ? words[lacking[0]] : "";
}

/** How a mark is drawn: its class. @param {Mark} mark */
export function lookOf(mark) {
  const severity = mark.severity?.toLowerCase() ?? "";
  if (["major", "critical"].includes(severity)) return "marked is-major";
  return severity === "minor" ? "marked is-minor" : "marked";
}
