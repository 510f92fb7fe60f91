/** Draws an alignment as lines between joined words, which can be joined and separated by mouse or keyboard. */

import { classesOf } from "./lib/alignment-classes.js";
import { filled, gettext } from "./lib/words.js";

const KINDS = ["copied", "paraphrased", "inserted", "deleted"];
const SVG = "http://www.w3.org/2000/svg";

/**
 * A word within a sentence, isolated so that neither changes the direction of the other.
 *
 * @param {HTMLElement | null} word
 */
const apart = (word) => `\u2068${word?.textContent ?? ""}\u2069`;

for (const found of document.querySelectorAll(".alignment")) wire(/** @type {HTMLElement} */ (found));

/** @param {HTMLElement} figure */
function wire(figure) {
  const form = /** @type {HTMLFormElement | null} */ (document.getElementById("correction"));
  const box = /** @type {HTMLTextAreaElement | null} */ (form?.querySelector("textarea") ?? null);
  const state = document.getElementById("state");
  const undo = document.getElementById("undo");
  const summary = document.getElementById("summary");
  const unsavedNote = document.getElementById("unsaved-note");
  const lines = /** @type {SVGElement} */ (figure.querySelector(".joins"));
  const [above, below] = ["source", "text"].map((side) => /** @type {HTMLElement[]} */ ([...figure.querySelectorAll(`[data-side=${side}] .word`)]));
  const rows = [above, below];
  const [source, text] = rows.map((row) => row.map((word) => ({ form: word.dataset.form ?? "", isMark: "mark" in word.dataset })));

  /** @type {(number | null)[]} */
  let places = placesOf(figure.dataset.pairs ?? "");
  /** @type {(number | null)[][]} */
  const earlier = [];
  /** @type {HTMLElement | null} */
  let chosen = null;
  /** @type {HTMLElement | null} */
  let pointed = null;
  let isSending = false;

  /** @param {string} pairs */
  function placesOf(pairs) {
    /** @type {(number | null)[]} */
    const found = below.map(() => null);
    for (const pair of pairs.split(" ").filter(Boolean)) {
      const [one, other] = pair.split("-").map(Number);
      found[other - 1] = one - 1;
    }
    return found;
  }

  const pairs = () => places.flatMap((place, word) => (place === null ? [] : [`${place + 1}-${word + 1}`])).join(" ");

  /** @param {HTMLElement} word */
  function partner(word) {
    const at = Number(word.dataset.at) - 1;
    if (below.includes(word)) return places[at] === null ? null : above[/** @type {number} */ (places[at])];
    const joined = places.indexOf(at);
    return joined < 0 ? null : below[joined];
  }

  function show() {
    const classes = classesOf(source, text, places);
    above.forEach((word) => dress(word, "deleted", false));
    below.forEach((word, at) => {
      const { kind, isMoved } = classes[at];
      const place = places[at];
      dress(word, kind, isMoved);
      if (place !== null) dress(above[place], kind, isMoved);
    });
    draw();
  }

  /** @param {HTMLElement} word @param {string} kind @param {boolean} isMoved */
  function dress(word, kind, isMoved) {
    for (const each of KINDS) word.classList.toggle(each, each === kind);
    word.classList.toggle("is-moved", isMoved);
  }

  function draw() {
    const frame = figure.getBoundingClientRect();
    const marked = [pointed, pointed && partner(pointed)];
    for (const word of rows.flat()) word.classList.toggle("is-marked", marked.includes(word));
    const drawn = below.flatMap((word) => {
      const other = partner(word);
      const isMarked = marked.includes(word);
      const isShown = isMarked || word.classList.contains("is-moved") || word.classList.contains("paraphrased");
      return other && isShown ? [join(other, word, frame, isMarked)] : [];
    });
    lines.replaceChildren(...drawn);
  }

  /** @param {HTMLElement} one @param {HTMLElement} other @param {DOMRect} frame @param {boolean} isMarked */
  function join(one, other, frame, isMarked) {
    const [from, to] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
    const line = document.createElementNS(SVG, "path");
    const [x, y] = [from.left + from.width / 2 - frame.left - figure.clientLeft, from.bottom - frame.top - figure.clientTop];
    const [toX, toY] = [to.left + to.width / 2 - frame.left - figure.clientLeft, to.top - frame.top - figure.clientTop];
    const bend = (toY - y) / 2;
    line.setAttribute("d", `M${x} ${y}C${x} ${y + bend} ${toX} ${toY - bend} ${toX} ${toY}`);
    line.classList.add("join");
    line.classList.toggle("is-marked", isMarked);
    line.classList.toggle("dashed", !isMarked && other.classList.contains("paraphrased"));
    return line;
  }

  /** @param {HTMLElement} word */
  function told(word) {
    const other = partner(word);
    const values = { word: apart(word), other: apart(other), n: other?.dataset.at ?? "" };
    if (other) return filled(gettext("“%(word)s” is joined to “%(other)s”, word %(n)s"), values);
    return filled(above.includes(word) ? gettext("“%(word)s” is deleted") : gettext("“%(word)s” is inserted"), values);
  }

  /** @param {string} words */
  function say(words) {
    if (state) state.textContent = words;
  }

  /** @param {(number | null)[]} next */
  function change(next) {
    earlier.push(places);
    set(next);
  }

  /** @param {(number | null)[]} next */
  function set(next) {
    places = next;
    choose(null);
    if (box) box.value = pairs();
    if (undo) undo.hidden = earlier.length === 0;
    tellUnsaved();
    show();
  }

  /** The summary and the list describe what is saved: hide them while something else is drawn. */
  function tellUnsaved() {
    const isUnsaved = form !== null && pairs() !== form.dataset.saved;
    if (summary) summary.hidden = isUnsaved;
    if (unsavedNote) unsavedNote.hidden = !isUnsaved;
  }

  /** @param {HTMLElement | null} word */
  function choose(word) {
    chosen = word;
    if (form) for (const each of rows.flat()) each.setAttribute("aria-pressed", String(each === word));
  }

  /** @param {HTMLElement} word */
  function activate(word) {
    pointed = word;
    if (!form) return draw();
    const isAcross = chosen && above.includes(chosen) !== above.includes(word);
    if (chosen && isAcross) return joinWords(chosen, word);
    if (chosen === word) {
      choose(null);
      return say(gettext("No word is chosen."));
    }
    if (!chosen && partner(word)) return part(word);
    choose(word);
    say(filled(gettext("“%(word)s” is chosen. Choose its partner."), { word: apart(word) }));
  }

  /** @param {HTMLElement} one @param {HTMLElement} other */
  function joinWords(one, other) {
    const [up, down] = above.includes(one) ? [one, other] : [other, one];
    const place = Number(up.dataset.at) - 1;
    change(places.map((each, word) => (word === Number(down.dataset.at) - 1 ? place : each === place ? null : each)));
    say(filled(gettext("Joined: %(said)s."), { said: told(down) }));
  }

  /** @param {HTMLElement} word */
  function part(word) {
    const other = /** @type {HTMLElement} */ (partner(word));
    const down = below.includes(word) ? word : other;
    change(places.map((each, at) => (at === Number(down.dataset.at) - 1 ? null : each)));
    const values = { word: apart(word), other: apart(other) };
    say(filled(gettext("Separated: “%(word)s” and “%(other)s”."), values));
  }

  /** @param {HTMLElement[]} row @param {number} at */
  function focus(row, at) {
    const word = row[Math.max(0, Math.min(row.length - 1, at))];
    for (const each of row) each.tabIndex = each === word ? 0 : -1;
    word.focus();
  }

  /** @param {KeyboardEvent} event @param {HTMLElement} word */
  function onKey(event, word) {
    const row = above.includes(word) ? above : below;
    const at = row.indexOf(word);
    const step = getComputedStyle(/** @type {HTMLElement} */ (word.parentElement)).direction === "rtl" ? -1 : 1;
    const other = () => partner(word) ?? (row === above ? below : above)[0];
    /** @type {Record<string, () => void>} */
    const acts = {
      ArrowRight: () => focus(row, at + step),
      ArrowLeft: () => focus(row, at - step),
      ArrowDown: () => row === above && focus(below, below.indexOf(other())),
      ArrowUp: () => row === below && focus(above, above.indexOf(other())),
      Home: () => focus(row, 0),
      End: () => focus(row, row.length - 1),
      Enter: () => activate(word),
      " ": () => activate(word),
      Escape: () => choose(null),
    };
    if (!(event.key in acts) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    acts[event.key]();
  }

  for (const row of rows) {
    row.forEach((word, at) => {
      word.tabIndex = at ? -1 : 0;
      word.setAttribute("role", "button");
      word.addEventListener("click", () => {
        focus(row, at);
        activate(word);
      });
      word.addEventListener("keydown", (event) => onKey(event, word));
      for (const name of ["pointerenter", "focus"]) word.addEventListener(name, () => point(word));
      word.addEventListener("pointerleave", () => point(null));
      word.addEventListener("blur", () => point(null));
    });
  }

  /** @param {HTMLElement | null} word */
  function point(word) {
    pointed = word;
    draw();
  }

  if (form && box) {
    /** @type {HTMLElement} */ (document.getElementById("how")).hidden = false;
    /** @type {HTMLElement} */ (document.getElementById("typed-pairs")).hidden = !box.matches("[aria-invalid=true]");
    undo?.addEventListener("click", () => {
      const before = earlier.pop();
      if (before) set(before);
      say(gettext("Undone."));
    });
    box.addEventListener("input", () => (figure.dataset.pairs = box.value));
    form.addEventListener("submit", () => (isSending = true));
    window.addEventListener("beforeunload", (event) => {
      if (!isSending && box.value.trim() !== form.dataset.saved) event.preventDefault();
    });
    choose(null);
  }
  show();
  new ResizeObserver(draw).observe(figure);
  matchMedia("print").addEventListener("change", draw);
  document.fonts.ready.then(draw);
}
