/** The page on which errors are marked in a text, and the page that shows one's own marks beside the expected ones. */

import { SpanHistory } from "./lib/span-history.js";
import { answerOf, byId, counted, inOrder, isSame, isUndecided, kindOf, lackingOf, lettersOf, markFrom, markedSides, newMark, possibleKinds, possibleSeverities, stateFrom, wantsSide, withKind } from "./lib/span-marks.js";
import { showList, showPanel } from "./lib/span-panel.js";
import { SpanText } from "./lib/span-text.js";
import { lackingWords, lookOf, quoteOf, saidOf, severityWords } from "./lib/span-words.js";
import { paint } from "./lib/span-paint.js";
import { TextPlaces } from "./lib/text-places.js";
import { filled, gettext } from "./lib/words.js";

/** @typedef {import("./lib/span-marks.js").Mark} Mark @typedef {import("./lib/span-marks.js").Side} Side */
/** @typedef {import("./lib/span-marks.js").State} State @typedef {import("./lib/text-places.js").Span} Span */

const SIDES = /** @type {Side[]} */ (["source", "output"]);

const AGAIN = "\u00a0"; // a blank is added to what is said again: screen readers announce only what has changed

const element = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
const read = (/** @type {string} */ id) => JSON.parse(document.getElementById(id)?.textContent ?? "null");
const given = read("page-data");
/** @type {import("./lib/span-marks.js").Preset} */
const preset = given.preset;
const { lang: language } = /** @type {HTMLElement} */ (document.querySelector(".span-text"));
/** @type {import("./lib/span-panel.js").Task} */
const task = {
  preset,
  texts: {
    source: new TextPlaces(given.source, given.joined.source, language, preset.snap),
    output: new TextPlaces(given.output, given.joined.output, language, preset.snap),
  },
  language,
};

/** The spans of marks on a side, as they are drawn. @param {State} state @param {Side} side @returns {(Span & { mark: Mark, look: string })[]} */
function spansOf(state, side) {
  return counted(state).flatMap((mark) =>
    mark.places.filter(([each]) => each === side).map(([, start, end]) => ({ start, end, mark, look: lookOf(mark) })),
  );
}

/** What is marked, and what was chosen of it. */
class SpansPage {
  /** @type {string | null} */
  #chosen = null;
  /** Whether the next words that are selected belong to the mark that is chosen. */
  #isAdding = false;
  /** The number of a kind as far as it was typed. */
  #typed = "";
  #isOver = false;
  #begun = performance.now();

  constructor() {
    this.form = /** @type {HTMLFormElement} */ (element("study"));
    const stored = read("stored-answer");
    const first = { marks: byId(given.marks.map(markFrom)), noErrors: false, done: false, score: null };
    this.history = new SpanHistory(stored ? stateFrom(stored) : first);
    if (stored) this.history.acts = stored.actions;
    /** @type {Partial<Record<Side, SpanText>>} */
    this.texts = Object.fromEntries(
      markedSides(preset).map((side) => [side, new SpanText(element(`text-${side}`), task.texts[side], this.#listeners(side))]),
    );
    this.acts = {
      change: (/** @type {Mark} */ mark, /** @type {string} */ act) => this.#change(mark, act),
      setKind: (/** @type {string | null} */ kind) => this.#setKind(kind),
      keep: () => this.#mark && this.#put({ ...this.#mark, fate: "kept" }, "keep"),
      remove: (/** @type {string} */ id) => this.#remove(id),
      restore: (/** @type {string} */ id) => this.#put({ ...this.#state.marks[id], fate: null }, "restore"),
      choose: (/** @type {string | null} */ id) => this.#choose(id, true),
      addWords: () => this.#add(),
    };
    this.#wire();
    this.#show();
  }

  get #state() {
    return this.history.state;
  }

  /** The mark that is chosen. @returns {Mark | null} */
  get #mark() {
    const mark = this.#chosen === null ? undefined : this.#state.marks[this.#chosen];
    return mark && mark.fate !== "deleted" ? mark : null;
  }

  /** Milliseconds since the text was first seen, without the time while the page was closed. */
  get #now() {
    return Math.round((this.history.acts.at(-1)?.[0] ?? 0) + performance.now() - this.#begun);
  }

  #wire() {
    const { form } = this;
    form.addEventListener("restored", () => this.#restore());
    form.addEventListener("state", (event) => {
      this.#isOver = /** @type {CustomEvent} */ (event).detail === "over";
      element("spans").inert = this.#isOver;
    });
    form.addEventListener("submit", (event) => this.#isReady() || stop(event), { capture: true });
    document.addEventListener("keydown", (event) => this.#pressed(event));
    element("span-undo").addEventListener("click", () => this.#undo());
    element("span-redo").addEventListener("click", () => this.#redo());
    element("no-errors").addEventListener("change", () => {
      const { checked } = /** @type {HTMLInputElement} */ (element("no-errors"));
      this.#become({ ...this.#state, noErrors: checked }, checked ? "no errors" : "errors", "");
    });
    document.getElementById("span-missing")?.addEventListener("click", () => this.#create({ missing: true }, true));
    document.getElementById("span-group")?.addEventListener("click", () => {
      this.#create({ kind: preset.kinds.find(({ composite }) => composite)?.key ?? null }, true);
    });
    document.getElementById("spans-done")?.addEventListener("click", () => this.#finish());
    const [slider, number] = scoreFields();
    for (const input of [slider, number]) {
      input?.addEventListener("change", () => this.#setScore(input.value));
    }
    slider?.addEventListener("input", () => showScore(slider.valueAsNumber));
    slider?.addEventListener("click", () => this.#setScore(slider.value)); // where it stands already, nothing has changed
  }

  /** @param {Side} side @returns {import("./lib/span-text.js").Listeners} */
  #listeners(side) {
    return {
      onRange: (span, by) => this.#range(side, span, by === "touch"),
      onPick: (ids, by) => {
        const isAwaited = this.#isAdding || (this.#mark !== null && wantsSide(this.#mark, side, preset));
        if (!isAwaited) this.#choose(ids[0] ?? null, by === "touch");
        const { reach } = /** @type {SpanText} */ (this.texts[side]);
        if (by === "keys" && reach) say([task.texts[side].slice(reach.start, reach.end), ...ids.map((id) => this.#words(id))].join(". "));
        return !isAwaited;
      },
      onEnd: (which, span) => this.#moveEnd(side, which, span),
      onBegun: say,
      onHandle: (which) =>
        say(which === "start" ? gettext("Now tap the word where the mark is to begin.") : gettext("Now tap the word where the mark is to end.")),
      onKey: (event, reach) => this.#key(side, event, reach),
    };
  }

  // Changes

  /** @param {State} state @param {string} act @param {string} id */
  #become(state, act, id) {
    const now = this.#now;
    this.history.become(state, [now, act, id]);
    this.#begun = performance.now();
    this.#keep();
    this.#show();
  }

  /** Store a mark as it is now. @param {Mark} mark @param {string} act */
  #put(mark, act) {
    const changed = { ...mark, at_ms: this.#now };
    this.#become({ ...this.#state, noErrors: false, marks: { ...this.#state.marks, [mark.id]: changed } }, act, mark.id);
    const lacking = lackingOf(changed, preset);
    say([`${this.#words(mark.id)}.`, lackingWords(lacking), lacking[0] === "severity" ? severityKeys(changed) : ""].filter(Boolean).join(" "));
  }

  /** Change a mark, unless another one says the same; a mark that was there before is decided by it. @param {Mark} mark @param {string} act */
  #change(mark, act) {
    const before = this.#state.marks[mark.id];
    const twin = counted(this.#state).find((each) => each.id !== mark.id && each.places.length && isSame(each, mark));
    if (twin && !isSame(before, mark)) {
      this.#show(); // the fields say again what is stored
      return say(gettext("These words are marked so already."));
    }
    const isMoved = !isSame(before, mark);
    const fate = mark.origin === "person" ? null : isMoved || before.fate === "changed" ? "changed" : "kept";
    this.#put({ ...mark, fate }, act);
  }

  /** @param {Side} side @param {Span} span @param {boolean} isSeen  whether the page moves to the fields of the mark */
  #range(side, { start, end }, isSeen) {
    const mark = this.#mark;
    /** @type {import("./lib/span-marks.js").Place} */
    const place = [side, start, end];
    if (mark && (this.#isAdding || wantsSide(mark, side, preset))) {
      this.#isAdding = false;
      const isAnother = kindOf(mark, preset)?.several;
      const others = mark.places.filter(([each, from, to]) => each !== side || (isAnother && (to <= start || from >= end)));
      this.#change({ ...mark, places: [...others, place].sort((one, other) => SIDES.indexOf(one[0]) - SIDES.indexOf(other[0]) || one[1] - other[1]) }, "words");
      return;
    }
    this.#create({ places: [place] }, isSeen);
  }

  /** @param {Partial<Mark>} more @param {boolean} isSeen */
  #create(more, isSeen) {
    const numbers = Object.keys(this.#state.marks).map((id) => Number(/^m(\d+)$/.exec(id)?.[1] ?? 0));
    const next = Math.max(0, ...numbers) + 1;
    const mark = newMark(`m${next}`, more);
    const kinds = possibleKinds(mark, preset);
    if (kinds.length === 1) mark.kind = kinds[0].key;
    const severities = possibleSeverities(mark, preset);
    if (severities.length === 1) mark.severity = severities[0];
    const twin = mark.places.length && counted(this.#state).find((each) => isSame(each, mark));
    if (twin) return this.#choose(twin.id, isSeen);
    if (preset.max_spans !== null && counted(this.#state).length >= preset.max_spans) {
      return say(filled(gettext("You can mark at most %(n)s errors in this text."), { n: preset.max_spans }));
    }
    this.#chosen = mark.id;
    this.#put(mark, "add");
    if (isSeen) seePanel();
    if (isSeen && !mark.places.length) element("chosen-title").focus({ preventScroll: true });
  }

  /** @param {string | null} kind */
  #setKind(kind) {
    const mark = this.#mark;
    if (!mark) return;
    const changed = withKind(mark, kind, preset, task.texts.output.length);
    if (kindOf(changed, preset)?.side !== "whole") return this.#change(changed, "kind");
    // A mark of the whole text replaces all others.
    const fate = mark.origin === "person" ? null : "changed";
    const others = Object.values(this.#state.marks).filter(({ id }) => id !== mark.id);
    const gone = others.filter(({ origin }) => origin !== "person").map((each) => ({ ...each, fate: /** @type {const} */ ("deleted") }));
    this.#become({ ...this.#state, marks: byId([...gone, { ...changed, fate, at_ms: this.#now }]) }, "kind", mark.id);
  }

  /** @param {Side} side @param {"start" | "end"} which @param {Span} span */
  #moveEnd(side, which, span) {
    const mark = this.#mark;
    const place = mark && this.#placeOn(side);
    if (!mark || !place || (place[1] === span.start && place[2] === span.end)) return;
    this.#change({ ...mark, places: mark.places.map((each) => (each === place ? [side, span.start, span.end] : each)) }, which);
  }

  /** The place of the chosen mark whose ends can be moved: the one at the cursor, or the first. @param {Side} side */
  #placeOn(side) {
    const reach = this.texts[side]?.reach;
    const own = (this.#mark?.places ?? []).filter(([each, start, end]) => each === side && start < end);
    return own.find(([, start, end]) => reach && reach.start < end && reach.end > start) ?? own[0];
  }

  /** @param {string} id */
  #remove(id) {
    const mark = this.#state.marks[id];
    if (!mark || mark.fate === "deleted") return;
    const words = this.#words(id);
    const { [id]: _, ...others } = this.#state.marks;
    /** @type {Record<string, Mark>} */
    const marks = mark.origin === "person" ? others : { ...others, [id]: { ...mark, fate: "deleted", at_ms: this.#now } };
    for (const each of Object.values(marks)) {
      if (each.parts.includes(id)) marks[each.id] = { ...each, parts: each.parts.filter((part) => part !== id) };
    }
    const isInside = element("chosen").contains(document.activeElement) || element("marks").contains(document.activeElement);
    if (this.#chosen === id) this.#chosen = null;
    this.#become({ ...this.#state, marks }, "remove", id);
    if (isInside && !this.#isFocused) element("marks-title").focus({ preventScroll: true });
    say(filled(gettext("Removed: %(mark)s"), { mark: words }));
  }

  /** Whether something that is still there has the focus. */
  get #isFocused() {
    return document.activeElement !== null && document.activeElement !== document.body;
  }

  #add() {
    this.#isAdding = true;
    say(gettext("Now select the words that belong to it."));
    this.#show();
  }

  /** @param {string} written */
  #setScore(written) {
    const score = written.trim() === "" ? null : Number(written);
    const isScore = score === null || (Number.isInteger(score) && score >= 0 && score <= 100);
    if (isScore && score !== this.#state.score) this.#become({ ...this.#state, score }, "score", String(score ?? ""));
    else this.#show();
  }

  /** The marks are done: ask for the score. */
  #finish() {
    if (!this.#areMarksReady()) return;
    this.#become({ ...this.#state, done: true }, "done", "");
    element("score-title").focus();
  }

  #undo() {
    this.#went(this.history.undo(this.#now), gettext("Undone."));
  }

  #redo() {
    this.#went(this.history.redo(this.#now), gettext("Done again."));
  }

  /** @param {boolean} isChanged @param {string} words */
  #went(isChanged, words) {
    if (!isChanged) return;
    this.#begun = performance.now();
    this.#keep();
    this.#show();
    say(words);
  }

  // Keys

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (!(event.ctrlKey || event.metaKey) || event.altKey || this.#isOver) return;
    if (target.matches("textarea, input:not([type=radio], [type=checkbox], [type=range])") || target.closest("dialog")) return;
    const key = event.key.toLowerCase();
    if (key === "z" && !event.shiftKey) this.#undo();
    else if (key === "y" || key === "z") this.#redo();
    else return;
    event.preventDefault();
  }

  /** A key in a text. @param {Side} side @param {KeyboardEvent} event @param {Span | null} reach @returns {boolean} whether it means something */
  #key(side, event, reach) {
    if (event.ctrlKey || event.metaKey) return false;
    const mark = this.#mark;
    const typed = this.#typed;
    this.#typed = "";
    if (event.key === " ") return this.#chooseNext(/** @type {SpanText} */ (this.texts[side]).idsIn(reach));
    if (event.key === "+" && mark) {
      this.#add();
      return true;
    }
    if (!mark) return false;
    if (event.key === "Delete" || event.key === "Backspace") this.#remove(mark.id);
    else if (event.key === "[" || event.key === "]") this.#moveNearer(side, event.key === "[" ? -1 : 1, reach);
    else if (/^\d$/.test(event.key)) return this.#typeKind(mark, typed, event.key);
    else return this.#typeSeverity(mark, event.key.toLowerCase());
    return true;
  }

  /** Choose the next of the marks that overlap at a word. @param {string[]} ids */
  #chooseNext(ids) {
    if (!ids.length) return false;
    this.#choose(ids[(ids.indexOf(this.#chosen ?? "") + 1) % ids.length], false);
    say(this.#words(/** @type {string} */ (this.#chosen)));
    return true;
  }

  /** Move the end of the chosen mark that is nearer to the cursor. @param {Side} side @param {1 | -1} direction @param {Span | null} reach */
  #moveNearer(side, direction, reach) {
    const place = this.#placeOn(side);
    if (!place) return;
    const [, start, end] = place;
    const isStart = reach !== null && Math.abs(reach.start - start) < Math.abs(reach.end - end);
    const which = isStart ? "start" : "end";
    this.#moveEnd(side, which, task.texts[side].moved({ start, end }, which, direction));
  }

  /** @param {Mark} mark @param {string} typed @param {string} digit */
  #typeKind(mark, typed, digit) {
    const kinds = possibleKinds(mark, preset);
    const number = [typed + digit, digit].find((each) => kinds[Number(each) - 1]);
    if (!number) return false;
    this.#typed = number;
    this.#setKind(kinds[Number(number) - 1].key);
    return true;
  }

  /** @param {Mark} mark @param {string} letter */
  #typeSeverity(mark, letter) {
    const severity = lettersOf(possibleSeverities(mark, preset))[letter];
    if (!severity) return false;
    this.#change({ ...mark, severity }, "severity");
    return true;
  }

  /** @param {string | null} id @param {boolean} isSeen */
  #choose(id, isSeen) {
    const isOpen = this.#chosen === null && id === null;
    const back = this.#chosen;
    this.#isAdding = false;
    this.#chosen = id;
    if (!isOpen) this.#show();
    if (isSeen && id !== null) seePanel();
    if (isSeen && id !== null && document.activeElement?.id === `mark-${id}`) element("chosen-title").focus({ preventScroll: true });
    if (id === null && back !== null && !this.#isFocused) document.getElementById(`mark-${back}`)?.focus({ preventScroll: true });
  }

  // Ready to be sent

  /** Whether the answer lacks nothing; else lead to what it lacks. */
  #isReady() {
    if (!this.#areMarksReady()) return false;
    if (preset.score === "none" || this.#state.score !== null) return true;
    if (!this.#state.done) {
      this.#finish();
    } else {
      scoreFields()[0]?.focus();
    }
    this.#refuse(gettext("Give the whole text a score."));
    return false;
  }

  #areMarksReady() {
    const lacking = counted(this.#state).find((each) => lackingOf(each, preset).length);
    if (lacking) {
      this.#choose(lacking.id, true);
      element("chosen-title").focus({ preventScroll: true });
      const undecided = counted(this.#state).filter(isUndecided).length;
      this.#refuse(
        undecided > 1
          ? filled(gettext("%(n)s marks wait for your decision."), { n: undecided })
          : `${this.#words(lacking.id)}. ${lackingWords(lackingOf(lacking, preset))}`,
      );
      return false;
    }
    if (counted(this.#state).length || this.#state.noErrors) return true;
    this.#refuse(gettext("Mark the errors, or say that there are none."));
    element("no-errors").focus();
    return false;
  }

  /** @param {string} words */
  #refuse(words) {
    element("span-problem").textContent = words;
    element("span-problem").style.visibility = "";
  }

  /** The problem is over; its place stays, so that no button moves under the pointer. */
  #hideProblem() {
    element("span-problem").style.visibility = "hidden";
  }

  // Looks

  #restore() {
    const kept = SpanHistory.of(draftField().value, given.digest);
    const sent = answerField().value;
    if (kept) this.history = kept;
    else if (sent) this.#takeBack(sent);
    this.#begun = performance.now();
    this.#chosen = null;
    this.#show();
    this.#write();
  }

  /** What was just sent and refused. @param {string} sent */
  #takeBack(sent) {
    try {
      const answer = JSON.parse(sent);
      this.history = new SpanHistory(stateFrom(answer));
      this.history.acts = answer.actions ?? [];
    } catch {
      // It is no answer, so there is nothing to take back.
    }
  }

  #write() {
    answerField().value = JSON.stringify(answerOf(this.#state, preset, given.digest, this.history.acts));
    draftField().value = this.history.dump(given.digest);
  }

  #keep() {
    this.#write();
    this.#hideProblem();
    answerField().dispatchEvent(new Event("change", { bubbles: true }));
  }

  #show() {
    const [state, mark] = [this.#state, this.#mark];
    for (const side of SIDES) {
      const place = mark && this.#placeOn(side);
      const spans = spansOf(state, side).map((each) => (each.mark === mark ? { ...each, look: `${each.look} is-chosen` } : each));
      this.texts[side]?.paint(spans, place ? { start: place[1], end: place[2] } : null);
    }
    showPanel(element("chosen"), mark, state, task, this.acts);
    showList(element("marks"), state, this.#chosen, task, this.acts);
    const there = counted(state).length;
    const box = /** @type {HTMLInputElement} */ (element("no-errors"));
    box.checked = state.noErrors;
    box.disabled = there > 0;
    element("no-errors-field").hidden = there > 0;
    element("marks-title").hidden = inOrder(state).length === 0;
    /** @type {HTMLButtonElement} */ (element("span-undo")).disabled = !this.history.canUndo;
    /** @type {HTMLButtonElement} */ (element("span-redo")).disabled = !this.history.canRedo;
    if (preset.score === "none") return;
    element("spans-done").hidden = state.done;
    element("score").hidden = !state.done;
    showScore(state.score);
  }

  /** @param {string} id */
  #words(id) {
    const mark = this.#state.marks[id];
    return mark ? [quoteOf(mark, task.texts, preset), saidOf(mark, preset)].filter(Boolean).join(", ") : "";
  }
}

const answerField = () => /** @type {HTMLInputElement} */ (document.querySelector("[name=answer]"));
const draftField = () => /** @type {HTMLInputElement} */ (document.querySelector("[name=draft]"));
const scoreFields = () => ["score-slider", "score-number"].map((id) => /** @type {HTMLInputElement | null} */ (document.getElementById(id)));

/** @param {Event} event */
function stop(event) {
  event.preventDefault();
  event.stopImmediatePropagation();
}

/** @param {number | null} score */
function showScore(score) {
  const [slider, number] = /** @type {HTMLInputElement[]} */ (scoreFields());
  slider.classList.toggle("is-unset", score === null);
  slider.setAttribute("aria-valuetext", score === null ? gettext("no score yet") : String(score));
  slider.value = String(score ?? 0);
  number.value = score === null ? "" : String(score);
}

/** The keys that say how bad a mark is. @param {Mark} mark */
function severityKeys(mark) {
  const letters = Object.entries(lettersOf(possibleSeverities(mark, preset)));
  return letters.map(([letter, severity]) => `${letter.toUpperCase()}: ${severityWords(severity)}`).join(", ");
}

function seePanel() {
  element("chosen").scrollIntoView({ block: "nearest" });
}

/** Say something to whoever does not see it. @param {string} words */
function say(words) {
  const live = element("span-live");
  live.textContent = live.textContent === words ? words + AGAIN : words;
}

/** Show the marks of an answer over the texts and as a list. @param {HTMLElement} shown */
function showAnswer(shown) {
  const state = stateFrom(read(shown.dataset.shown ?? ""));
  for (const text of /** @type {NodeListOf<HTMLElement>} */ (shown.querySelectorAll("[data-side]"))) {
    const side = /** @type {Side} */ (text.dataset.side);
    const spans = spansOf(state, side);
    text.hidden = side === "source" && !spans.length;
    paint(text, task.texts[side], spans);
  }
  showList(/** @type {HTMLElement} */ (shown.querySelector("ol")), state, null, task, null);
}

if (document.getElementById("spans")) new SpansPage();
for (const shown of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-shown]"))) showAnswer(shown);
