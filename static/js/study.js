/**
 * The page of a judgement task with material of its own: its fields are kept until they are sent, its lease renewed.
 *
 * A task's own script puts its answer into fields of the form and lets them bubble `change`. Once all scripts have run,
 * what this browser kept is put back, and the form gets the event `restored`.
 */

import { AnswerLine } from "./lib/answer-line.js";
import { forgetAnswers, forgetOldAnswers, keepAnswers, keptAnswers } from "./lib/answer-store.js";
import { toggleDialog, wireDialogs, wireRemark } from "./lib/dialogs.js";
import { keepClearOf } from "./lib/layout.js";
import { Lease } from "./lib/lease.js";
import { MainButton } from "./lib/main-button.js";
import { wireMenus } from "./lib/menus.js";
import { refusalOf, Server } from "./lib/server.js";
import { Siblings } from "./lib/siblings.js";
import { sendUntilAnswered, unkeptWaits } from "./lib/submission.js";
import { wayOnAfter } from "./lib/way-on.js";
import { gettext } from "./lib/words.js";

const MAX_PAUSE_MS = 60_000; // a longer pause counts as time away
const NOT_KEPT = new Set(["csrfmiddlewaretoken", "version", "material", "then", "confirmed"]);
const NOT_SENT = new Set(["csrfmiddlewaretoken", "draft"]); // a draft is what a task keeps besides its answer

const element = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
const form = /** @type {HTMLFormElement} */ (element("study"));
const button = /** @type {HTMLButtonElement | null} */ (document.getElementById("submit"));
const name = form.dataset.task ?? "";
const isPractice = "practice" in form.dataset;

const server = new Server(form);
const answer = button && new AnswerLine(element("answer"), element("answer-live"));
const leaseLine = button && new AnswerLine(element("lease"), element("lease-live"));
const mainButton = button && new MainButton(button);
/** @type {"answering" | "sending" | "over"} */
let state = "answering";

// Keeping

/** @returns {Record<string, string>} */
function fields() {
  return Object.fromEntries([...new FormData(form)].map(([field, value]) => [field, String(value)]));
}

const without = (/** @type {Set<string>} */ names) => Object.fromEntries(Object.entries(fields()).filter(([field]) => !names.has(field)));

/** @returns {boolean} whether the browser could keep them */
function keep() {
  return state === "over" || keepAnswers(name, without(NOT_KEPT));
}

function restore() {
  const kept = keptAnswers(name);
  for (const [field, value] of Object.entries(kept)) {
    for (const input of /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll(`[name="${CSS.escape(field)}"]`))) {
      if (input.type === "radio" || input.type === "checkbox") input.checked = input.value === value;
      else input.value = value;
    }
  }
  if (kept.milliseconds !== undefined) {
    for (const box of /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll("[type=checkbox][name]"))) {
      box.checked = box.name in kept; // a box that was emptied since is not among what was kept
    }
  }
  milliseconds = Number(kept.milliseconds) || 0;
  form.dispatchEvent(new CustomEvent("restored"));
}

let milliseconds = 0;
let since = performance.now();
function creditTime() {
  const now = performance.now();
  milliseconds += Math.min(now - since, MAX_PAUSE_MS);
  since = now;
  /** @type {HTMLInputElement} */ (form.elements.namedItem("milliseconds")).value = String(Math.round(milliseconds));
}

function changed() {
  creditTime();
  form.querySelector("[name=confirmed]")?.remove(); // what is sent is not what was asked about
  keep();
}

// Sending

async function submit(/** @type {SubmitEvent} */ event) {
  event.preventDefault();
  if (state !== "answering") return;
  creditTime();
  const waits = keep() ? studyWaits : unkeptWaits;
  const pressed = /** @type {HTMLButtonElement | null} */ (event.submitter);
  const asked = pressed?.name ? { [pressed.name]: pressed.value } : {}; // such as the page to go back to
  setState("sending");
  answer?.sending();
  const sent = () => ({ ...without(NOT_SENT), ...asked });
  await handleResponse(await sendUntilAnswered(server, form.action, sent, (words) => answer?.trouble(words), waits));
}

/** What is said while the answer waits. @returns {import("./lib/submission.js").WaitingWords} */
function studyWaits() {
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
  setState("answering");
  if (refusal.code === "confirm") confirmNext();
  answer?.refuse(wordsOfRefusal(response.status, refusal.error));
}

/** The same answer is taken if it is sent once more. */
function confirmNext() {
  const input = document.createElement("input");
  Object.assign(input, { type: "hidden", name: "confirmed", value: "1" });
  form.append(input);
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
  if (how === "submitted") forgetAnswers(name);
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
  leaseLine?.clear();
  element("way-on").textContent = wayOnAfter(code);
  element("way-on").hidden = false;
  answer?.end(words);
}

function setState(/** @type {"answering" | "sending" | "over"} */ next) {
  state = next;
  form.dispatchEvent(new CustomEvent("state", { detail: state }));
  mainButton?.show(state === "answering" ? "ready" : state);
}

const siblings = new Siblings(`study:${name}`, { onMet: () => {}, onOver: over });

if (button) {
  if (!isPractice) form.addEventListener("submit", submit);
  form.addEventListener("change", changed);
  form.addEventListener("input", keep);
  form.addEventListener("corrected", () => state === "answering" && answer?.clear()); // nothing is wrong any more
  document.addEventListener("DOMContentLoaded", restore);
  keepClearOf(/** @type {HTMLElement} */ (form.querySelector(".dock")));
}
document.addEventListener("keydown", (event) => {
  if (!event.altKey || event.ctrlKey || event.metaKey || event.code !== "KeyG" || event.getModifierState("AltGraph")) return;
  event.preventDefault();
  toggleDialog("guidelines");
});
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) since = performance.now();
  else {
    creditTime();
    keep();
  }
});
form.querySelector("a.give-up")?.addEventListener("click", () => {
  setState("over");
  forgetAnswers(name);
});
window.addEventListener("pageshow", (event) => event.persisted && location.reload());

wireDialogs();
wireMenus();
forgetOldAnswers();
for (const dialog of document.querySelectorAll("dialog form")) {
  wireRemark(/** @type {HTMLFormElement} */ (dialog), server, ({ next = "" }) => leaveFor(next, "skipped"));
}

if (button) {
  element("go-on").addEventListener("submit", async (event) => {
    event.preventDefault();
    const response = await sendUntilAnswered(server, /** @type {HTMLFormElement} */ (event.target).action, () => ({}), () => {});
    if (response.ok) location.assign((await response.json()).next);
    else location.reload();
  });
}

/** A submitted task and practice have no lease. */
const lease = button && form.dataset.leaseSeconds && !form.querySelector("[name=then]") ? watchedLease() : null;

function watchedLease() {
  const watched = new Lease({
    server,
    form,
    onShort: (words, mayRenew) => {
      leaseLine?.trouble(words, mayRenew ? [{ words: gettext("Keep this text"), act: () => watched.renew() }] : []);
    },
    onEnough: () => {
      if (element("lease").contains(document.activeElement)) button?.focus();
      if (leaseLine?.words) leaseLine.clear();
    },
    onLost: ({ error, code }) => end(error, code),
    onOver: over,
  });
  return watched;
}
