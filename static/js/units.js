/**
 * Units of content: the words of one text or several that express each. What is marked belongs to the unit that is
 * chosen. Units are given, or people make them.
 *
 * @typedef {[number, number, number]} Part  the number of a text, and where the part begins and ends in code points
 * @typedef {{ id?: string, label: string, parts: Part[], none: boolean }} Unit
 */

import { SpanText } from "./lib/span-text.js";
import { TextPlaces } from "./lib/text-places.js";
import { filled, gettext } from "./lib/words.js";

const element = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
const input = (/** @type {string} */ id) => /** @type {HTMLInputElement | null} */ (document.getElementById(id));
const given = JSON.parse(element("page-data").textContent ?? "");
const isGiven = given.units !== null;
const form = /** @type {HTMLFormElement} */ (element("study"));
const field = /** @type {HTMLInputElement} */ (form.elements.namedItem("answer"));
const LONGEST_QUOTE = 60;

/** @type {Unit[]} */
let units = [];
let chosen = 0;
/** @type {SpanText[]} */
const texts = given.texts.map((/** @type {{ text: string, joined: number[] }} */ { text, joined }, /** @type {number} */ place) => {
  const root = element(`text-${place}`);
  const places = new TextPlaces(text, joined, root.lang || given.language, "word");
  return new SpanText(root, places, {
    onRange: ({ start, end }) => mark([given.texts[place].index, start, end]),
    onPick: (_, by) => {
      const { reach } = texts[place];
      if (by === "keys" && reach) say(places.slice(reach.start, reach.end));
      return false; // words that belong to one unit can belong to another
    },
    onEnd: () => {},
    onKey: (event, reach) => pressed(event, given.texts[place].index, reach),
    onBegun: say,
    onHandle: () => {},
  });
});

// Changes

/** @param {Part} part */
function mark(part) {
  if (!units.length) make();
  const unit = units[chosen];
  if (!unit) return;
  unit.parts = joined([...unit.parts, part]);
  unit.none = false;
  changed();
  say(filled(gettext("Statement %(n)s: %(words)s"), { n: chosen + 1, words: quoteOf(part) }));
}

/** Parts in order; those that touch or overlap are one. @param {Part[]} parts @returns {Part[]} */
function joined(parts) {
  /** @type {Part[]} */
  const found = [];
  for (const [text, start, end] of parts.toSorted((one, other) => one[0] - other[0] || one[1] - other[1])) {
    const last = found.at(-1);
    if (last && last[0] === text && last[2] >= start) last[2] = Math.max(last[2], end);
    else found.push([text, start, end]);
  }
  return found;
}

function make() {
  if (units.length >= given.most) return;
  units.push({ label: "", parts: [], none: false });
  chosen = units.length - 1;
}

/** @param {number} place */
function choose(place) {
  if (!(place in units)) return;
  chosen = place;
  show();
  say(titleOf(place));
}

/** @param {KeyboardEvent} event @param {number} text @param {import("./lib/text-places.js").Span | null} reach @returns {boolean} */
function pressed(event, text, reach) {
  if (event.ctrlKey || event.metaKey) return false;
  if (event.key === "[" || event.key === "]") choose(chosen + (event.key === "[" ? -1 : 1));
  else if (event.key === "Delete" || event.key === "Backspace") takeAway(text, reach);
  else return false;
  return true;
}

/** Take the parts of the chosen unit away that lie at the cursor. @param {number} text @param {import("./lib/text-places.js").Span | null} reach */
function takeAway(text, reach) {
  const unit = units[chosen];
  if (!unit || !reach) return;
  const kept = unit.parts.filter(([of, start, end]) => of !== text || end <= reach.start || start >= reach.end);
  if (kept.length === unit.parts.length) return;
  unit.parts = kept;
  changed();
  say(gettext("Taken away."));
}

function changed() {
  write();
  field.dispatchEvent(new Event("change", { bubbles: true })); // keeps it
  show();
}

function write() {
  field.value = JSON.stringify({ units: units.map(({ id, label, parts, none }) => (isGiven ? { id, parts, none } : { label, parts })) });
}

/** Begin with what was kept or answered. */
function restore() {
  let stored;
  try {
    stored = JSON.parse(field.value).units;
  } catch {
    stored = []; // nothing was answered yet
  }
  /** @type {Unit[]} */
  const before = stored.map((/** @type {Partial<Unit>} */ each) => ({ id: each.id, label: each.label ?? "", parts: each.parts ?? [], none: each.none ?? false }));
  units = isGiven
    ? given.units.map((/** @type {Unit} */ each) => ({ parts: [], none: false, ...before.find(({ id }) => id === each.id), id: each.id, label: each.label }))
    : before;
  if (!isGiven && !units.length) make();
  chosen = Math.min(chosen, units.length - 1);
  write();
  show();
}

// Looks

/** @param {number} place */
function titleOf(place) {
  const { label } = units[place];
  return label ? filled(gettext("%(n)s. %(statement)s"), { n: place + 1, statement: label }) : filled(gettext("Statement %(n)s"), { n: place + 1 });
}

/** @param {Part} part */
function quoteOf([text, start, end]) {
  const place = given.texts.findIndex((/** @type {{ index: number }} */ { index }) => index === text);
  const words = texts[place].places.slice(start, end).replace(/\s+/g, " ");
  const short = [...words].length > LONGEST_QUOTE ? `${[...words].slice(0, LONGEST_QUOTE - 1).join("")}…` : words;
  const letter = given.texts.length > 1 ? String.fromCharCode(65 + place) : "";
  const quote = filled(gettext("“%(words)s”"), { words: short });
  return letter ? filled(gettext("Text %(letter)s: %(words)s"), { letter, words: quote }) : quote;
}

function show() {
  texts.forEach((text, place) => {
    const { index } = given.texts[place];
    const spans = units.flatMap((unit, number) =>
      unit.parts
        .filter(([of]) => of === index)
        .map(([, start, end]) => ({ start, end, mark: /** @type {any} */ ({ id: String(number) }), look: number === chosen ? "marked is-chosen" : "marked" })),
    );
    text.paint(spans, null);
  });
  showChosen();
  element("unit-list").replaceChildren(...units.map(lineOf));
}

function showChosen() {
  const unit = units[chosen];
  const group = /** @type {HTMLElement} */ (document.querySelector(".unit-now"));
  group.hidden = false;
  element("unit-title").textContent = !unit ? gettext("No statement yet") : isGiven ? titleOf(chosen) : filled(gettext("Statement %(n)s"), { n: chosen + 1 });
  const label = input("unit-label");
  if (label) {
    label.disabled = !unit;
    if (document.activeElement !== label) label.value = unit?.label ?? "";
  }
  element("unit-parts").replaceChildren(...(unit?.parts ?? []).map(partOf));
  /** @type {HTMLButtonElement} */ (element("unit-back")).disabled = chosen <= 0;
  /** @type {HTMLButtonElement} */ (element("unit-next")).disabled = chosen >= units.length - 1;
  const [none, remove] = [input("unit-none"), /** @type {HTMLButtonElement | null} */ (document.getElementById("unit-remove"))];
  if (none) Object.assign(none, { checked: unit.none, disabled: unit.parts.length > 0 });
  if (remove) remove.disabled = !unit;
}

/** A part of the chosen unit, with a button that takes it away. @param {Part} part */
function partOf(part) {
  const line = document.createElement("li");
  const button = document.createElement("button");
  Object.assign(button, { type: "button", className: "quiet", textContent: "×" });
  button.setAttribute("aria-label", filled(gettext("Take away: %(words)s"), { words: quoteOf(part) }));
  button.addEventListener("click", () => {
    units[chosen].parts = units[chosen].parts.filter((each) => each !== part);
    changed();
    element("units").focus({ preventScroll: true });
    say(gettext("Taken away."));
  });
  line.append(quoteOf(part), " ", button);
  return line;
}

/** A unit in the list of all. @param {Unit} unit @param {number} place */
function lineOf(unit, place) {
  const line = document.createElement("li");
  const button = document.createElement("button");
  Object.assign(button, { type: "button", className: "span-row" });
  line.classList.toggle("is-chosen", place === chosen);
  if (place === chosen) button.setAttribute("aria-current", "true");
  const said = unit.parts.length ? unit.parts.map(quoteOf).join(" ") : unit.none ? gettext("not in the text") : gettext("still open");
  const words = document.createElement("span");
  Object.assign(words, { className: "muted", textContent: said });
  button.append(unit.label || filled(gettext("Statement %(n)s"), { n: place + 1 }), " ", words);
  button.addEventListener("click", () => {
    choose(place);
    element("unit-title").scrollIntoView({ block: "nearest" });
    /** @type {HTMLElement | null} */ (element("unit-list").children[place]?.querySelector("button"))?.focus({ preventScroll: true });
  });
  line.append(button);
  return line;
}

/** Say something to whoever does not see it. @param {string} words */
function say(words) {
  const live = element("unit-live");
  live.textContent = live.textContent === words ? `${words}\u00a0` : words;
}

element("unit-back").addEventListener("click", () => choose(chosen - 1));
element("unit-next").addEventListener("click", () => choose(chosen + 1));
input("unit-none")?.addEventListener("change", (event) => {
  units[chosen].none = /** @type {HTMLInputElement} */ (event.target).checked;
  changed();
});
input("unit-label")?.addEventListener("input", (event) => {
  units[chosen].label = /** @type {HTMLInputElement} */ (event.target).value;
  changed();
});
document.getElementById("unit-new")?.addEventListener("click", () => {
  make();
  changed();
  input("unit-label")?.focus();
});
document.getElementById("unit-remove")?.addEventListener("click", () => {
  units.splice(chosen, 1);
  chosen = Math.max(0, Math.min(chosen, units.length - 1));
  changed();
  element("units").focus({ preventScroll: true });
});
form.addEventListener("restored", restore);
form.addEventListener("state", (event) => {
  element("units").inert = /** @type {CustomEvent} */ (event).detail === "over";
});
