/** The rating page: keyboard control of the scales, answers kept until they are sent, lease, submission. */

import { AnswerLine } from "./lib/answer-line.js";
import { forgetAnswers, forgetOldAnswers, keepAnswers, keptAnswers } from "./lib/answer-store.js";
import { choose as remember, chosen as remembered } from "./lib/choices.js";
import { toggleDialog, wireDialogs, wireRemark } from "./lib/dialogs.js";
import { hasKeyboard, keepClearOf } from "./lib/layout.js";
import { Lease } from "./lib/lease.js";
import { MainButton } from "./lib/main-button.js";
import { wireMenus } from "./lib/menus.js";
import { PageRecord } from "./lib/page-record.js";
import { RatedText } from "./lib/rated-text.js";
import { refusalOf, Server } from "./lib/server.js";
import { Siblings } from "./lib/siblings.js";
import { sendUntilAnswered, unkeptWaits } from "./lib/submission.js";
import { wayOnAfter } from "./lib/way-on.js";
import { filled, gettext } from "./lib/words.js";

const MAX_PAUSE_MS = 60_000; // a longer pause counts as time away

const element = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
const form = /** @type {HTMLFormElement} */ (element("rating"));
const button = /** @type {HTMLButtonElement} */ (element("submit"));
const page = form.dataset.task ?? "";
const texts = [.../** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll(".judged"))].map((each) => new RatedText(each));
const scales = texts.flatMap((each) => each.scales);

const server = new Server(form);
const answer = new AnswerLine(element("answer"), element("answer-live"));
const leaseLine = new AnswerLine(element("lease"), element("lease-live"));
const mainButton = new MainButton(button);
const pageRecord = new PageRecord(form);
/** @type {"rating" | "sending" | "over"} */
let state = "rating";
/** @type {HTMLFieldSetElement | undefined} */
let lastAnswered;

// Answering

const isAnswered = (/** @type {HTMLFieldSetElement} */ scale) => scale.querySelector("input:checked") !== null;

const nextUnanswered = () => scales.find((scale) => !isAnswered(scale));

/** The scale that a key applies to: the focused one, else the first unanswered, else the one answered last. */
const currentScale = () =>
  scales.find((scale) => scale.contains(document.activeElement)) ?? nextUnanswered() ?? lastAnswered;

/** Where a scale takes the focus. */
const pointOf = (/** @type {HTMLFieldSetElement} */ scale) =>
  /** @type {HTMLInputElement} */ (scale.querySelector("input:checked") ?? scale.querySelector("input"));

function focus(/** @type {HTMLFieldSetElement | undefined} */ scale) {
  (scale ? pointOf(scale) : button).focus();
}

/** @param {string} point @returns {boolean} whether there was a scale to answer */
function choose(point) {
  if (state === "over") return false;
  const scale = currentScale();
  const input = scale?.querySelector(`input[value="${point}"]`);
  if (!(input instanceof HTMLInputElement)) return false;
  input.checked = true;
  lastAnswered = scale;
  changed(input);
  focus(nextUnanswered());
  return true;
}

/** Enter: submit if all scales are answered, else move to the next unanswered one; lead on once all is over. */
function advance() {
  if (state === "over") return element("way-on").hidden || element("way-on").click();
  const unanswered = nextUnanswered();
  if (unanswered) focus(unanswered);
  else form.requestSubmit(button);
}

function changed(/** @type {Element} */ where) {
  creditTime(texts.find((each) => each.section.contains(where)));
  markAnswered(where.closest("fieldset"));
  if (state === "rating" && answer.words) updateRefusal();
  keep();
}

/** Its missing answer need not be pointed out any more. @param {HTMLFieldSetElement | null} scale */
function markAnswered(scale) {
  scale?.classList.remove("wrong");
  scale?.removeAttribute("aria-describedby");
  scale?.querySelector(".error")?.remove();
}

let readSince = performance.now();
/** Credit the time since the last answer to the text that was answered, else to the first unanswered one. */
function creditTime(/** @type {RatedText | undefined} */ subject) {
  const now = performance.now();
  const spent = Math.min(now - readSince, MAX_PAUSE_MS);
  readSince = now;
  (subject ?? texts.find((each) => each.unanswered) ?? texts.at(-1))?.addTime(spent);
}

/** @returns {Record<string, string>} */
function fields() {
  const all = [...new FormData(form)].filter(([name]) => name !== "csrfmiddlewaretoken");
  return { ...Object.fromEntries(all.map(([name, value]) => [name, String(value)])), page_record: pageRecord.ofAnswers };
}

/** Keep unsent answers in this browser. @returns {boolean} whether all could be kept */
function keep() {
  return state === "over" || texts.map((each) => keepAnswers(each.name, each.fields)).every(Boolean);
}

function forget() {
  for (const each of texts) forgetAnswers(each.name);
}

// Sending

async function submit(/** @type {SubmitEvent} */ event) {
  event.preventDefault();
  if (state !== "rating") return;
  const unanswered = scales.filter((scale) => !isAnswered(scale));
  if (unanswered.length) return refuse(unanswered);
  creditTime(undefined);
  const waits = keep() ? ratingWaits : unkeptWaits;
  setState("sending");
  answer.sending();
  await handleResponse(await sendUntilAnswered(server, form.action, fields, (words) => answer.trouble(words), waits));
}

/** Say what is missing: at each question, and as a list of links to them. @param {HTMLFieldSetElement[]} unanswered */
function refuse(unanswered) {
  scales.forEach(markAnswered);
  unanswered.forEach(markMissing);
  const links = linksTo(unanswered);
  answer.refuse("", { links, focus: links[0].target });
  if (links.length === 1) unanswered[0].scrollIntoView({ block: "nearest" });
}

/** @param {HTMLFieldSetElement} scale */
function markMissing(scale) {
  const error = document.createElement("p");
  error.id = `${scale.id}-error`;
  error.className = "error";
  error.textContent = missingWords(scale);
  scale.classList.add("wrong");
  scale.setAttribute("aria-describedby", error.id);
  scale.append(error);
}

/** Name only what is still missing; the refusal goes once that is nothing. */
function updateRefusal() {
  const missing = scales.filter((scale) => scale.classList.contains("wrong"));
  if (missing.length) answer.revise("", { links: linksTo(missing) });
  else answer.clear();
}

/** @param {HTMLFieldSetElement[]} missing @returns {import("./lib/answer-line.js").Link[]} */
function linksTo(missing) {
  return missing.map((scale) => ({ words: placed(scale, missingWords(scale)), target: pointOf(scale) }));
}

function missingWords(/** @type {HTMLFieldSetElement} */ scale) {
  const question = scale.querySelector("legend strong")?.textContent?.trim() ?? "";
  return filled(gettext("Answer “%(question)s”."), { question });
}

/** On a page of several texts, say which one is meant. @param {HTMLFieldSetElement} scale @param {string} words */
function placed(scale, words) {
  if (texts.length === 1) return words;
  const number = 1 + texts.findIndex((each) => each.scales.includes(scale));
  return filled(gettext("Text %(number)s: %(question)s"), { number, question: words });
}

/** What is said while the answers wait. @returns {import("./lib/submission.js").WaitingWords} */
function ratingWaits() {
  return {
    offline: gettext("You’re offline. Your answers are safe and will be submitted when you’re back online."),
    busy: gettext("Please wait a moment. Your answers are safe and will be submitted shortly."),
    down: gettext("We can’t reach the server. Your answers are safe and will be submitted as soon as we can."),
  };
}

/** @param {Response} response */
async function handleResponse(response) {
  if (response.ok) return leaveFor((await response.json()).next, "submitted");
  const refusal = await refusalOf(response);
  if (response.status === 409) return end(refusal.error, refusal.code);
  setState("rating");
  answer.refuse(wordsOfRefusal(response.status, refusal.error), { stays: true });
}

/** @param {number} status @param {string} reason */
function wordsOfRefusal(status, reason) {
  if (status === 403 || status === 404) {
    return gettext("Your session has ended. Open your study link in another tab, then submit again here. Your answers are safe.");
  }
  return reason || gettext("Something went wrong. Your answers are safe. Please try again.");
}

function leaveFor(/** @type {string} */ next, /** @type {"submitted" | "skipped"} */ how) {
  setState("over");
  if (how === "submitted") forget();
  siblings.tell(how);
  location.assign(next);
}

function over(/** @type {string} */ taskState) {
  if (state === "over") return;
  end(
    taskState === "submitted"
      ? gettext("You’ve already submitted this in another tab. Your answers there count.")
      : gettext("You’ve skipped this text. Your answers here were not submitted."),
  );
}

/** Freeze the page: the only action left is to continue with another task. @param {string} words @param {string} code */
function end(words, code = "") {
  setState("over");
  lease?.stop();
  leaseLine.clear();
  element("way-on").textContent = wayOnAfter(code);
  element("way-on").hidden = false;
  answer.end(words);
}

function setState(/** @type {"rating" | "sending" | "over"} */ next) {
  state = next;
  for (const scale of scales) scale.disabled = state === "over";
  mainButton.show(state === "rating" ? "ready" : state);
}

// Keys, tabs, lease

function pressKey(/** @type {KeyboardEvent} */ event) {
  if (event.isComposing || event.ctrlKey || event.metaKey) return;
  const target = /** @type {Element} */ (event.target);
  if (event.altKey) {
    if (event.code !== "KeyG" || event.getModifierState("AltGraph")) return;
    event.preventDefault();
    toggleDialog("guidelines");
  } else if (document.querySelector("dialog[open]")) {
    // The dialog handles its own keys.
  } else if (!hasShortcuts || !form.contains(target) || target.closest("textarea, button, a") || opens(event)) {
    // Elsewhere, digits and Enter are no answers.
  } else if (event.key === "Enter") {
    event.preventDefault();
    if (!event.repeat) advance();
  } else if (/^[1-7]$/.test(event.key) && choose(event.key)) {
    event.preventDefault();
  }
}

/** Whether a key is for what opens and closes. Of a scale's own list, digits are still answers. */
function opens(/** @type {KeyboardEvent} */ { key, target }) {
  const summary = /** @type {Element} */ (target).closest("summary");
  return summary && (key === "Enter" || !summary.closest("fieldset"));
}

/** Whoever speaks to their computer, or rests a hand on the keys, may not want single keys to be answers. */
let hasShortcuts = remembered("shortcuts") !== "off";

function showShortcuts() {
  element("shortcuts").textContent = hasShortcuts ? gettext("Turn off keyboard shortcuts") : gettext("Turn on keyboard shortcuts");
  element("keys").hidden = !hasShortcuts;
}

element("shortcuts").addEventListener("click", () => {
  hasShortcuts = !hasShortcuts;
  remember("shortcuts", hasShortcuts ? "" : "off");
  showShortcuts();
});
showShortcuts();

const siblings = new Siblings(`rate:${page}`, { onMet: () => {}, onOver: over });

form.addEventListener("submit", submit);
form.addEventListener("change", (event) => {
  const target = /** @type {Element} */ (event.target);
  lastAnswered = target.closest("fieldset") ?? lastAnswered;
  changed(target);
});
form.addEventListener("input", keep);
// Whoever looks at the differences by the mouse answers by keys as before; by keys, the focus stays on the button.
form.addEventListener("click", ({ target, detail }) => {
  if (detail && /** @type {Element} */ (target).closest(".differences")) form.focus({ preventScroll: true });
});
document.addEventListener("keydown", pressKey);
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) {
    readSince = performance.now();
    return;
  }
  creditTime(undefined);
  keep();
});
form.querySelector("a.give-up")?.addEventListener("click", () => {
  setState("over");
  forget();
});
window.addEventListener("pageshow", (event) => event.persisted && location.reload());

pageRecord.watchAnswers(form);
wireDialogs();
wireMenus();
keepClearOf(/** @type {HTMLElement} */ (form.querySelector(".dock")));
for (const dialog of document.querySelectorAll("dialog form")) {
  wireRemark(/** @type {HTMLFormElement} */ (dialog), server, ({ next = "" }) => leaveFor(next, "skipped"));
}

element("go-on").addEventListener("submit", async (event) => {
  event.preventDefault();
  const response = await sendUntilAnswered(server, /** @type {HTMLFormElement} */ (event.target).action, () => ({}), () => {});
  if (response.ok) location.assign((await response.json()).next);
  else location.reload();
});

/** A submitted task has no lease; its answers can be changed until the visit ends. */
const hasLease = Boolean(form.dataset.leaseSeconds) || !form.querySelector("[name=then]");
const lease = hasLease ? watchedLease() : null;

function watchedLease() {
  const watched = new Lease({
    server,
    form,
    onShort: (words, mayRenew) => {
      leaseLine.trouble(words, mayRenew ? [{ words: gettext("Keep this text"), act: () => watched.renew() }] : []);
    },
    onEnough: () => {
      if (element("lease").contains(document.activeElement)) button.focus();
      if (leaseLine.words) leaseLine.clear();
    },
    onLost: ({ error, code }) => end(error, code),
    onOver: over,
  });
  return watched;
}

forgetOldAnswers();
for (const each of texts) each.restore(keptAnswers(each.name));
if (element("answer").dataset.kind === "refusal") element("answer").focus({ preventScroll: true });
else if (hasKeyboard()) form.focus({ preventScroll: true }); // keys are answers where the focus is in the form
