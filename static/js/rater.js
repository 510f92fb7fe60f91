/** The rating page: keyboard control of the scales, answers kept until they are sent, lease, submission. */

import { AlertBox } from "./lib/alert-box.js";
import { forgetAnswers, forgetOldAnswers, keepAnswers, keptAnswers } from "./lib/answer-store.js";
import { toggleDialog, wireDialogs, wireRemark } from "./lib/dialogs.js";
import { RatedText } from "./lib/rated-text.js";
import { Lease } from "./lib/lease.js";
import { refusalOf, Server } from "./lib/server.js";
import { Siblings } from "./lib/siblings.js";
import { StatusLine } from "./lib/status-line.js";
import { sendUntilAnswered } from "./lib/submission.js";
import { wayOnAfter } from "./lib/way-on.js";

const MAX_PAUSE_MS = 60_000; // a longer pause counts as time away

const element = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
const form = /** @type {HTMLFormElement} */ (element("rating"));
const button = /** @type {HTMLButtonElement} */ (element("submit"));
const page = form.dataset.task ?? "";
const texts = [.../** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll(".judged"))].map((each) => new RatedText(each));
const scales = texts.flatMap((each) => each.scales);

const server = new Server(form);
const status = new StatusLine(element("saved"), element("saved-live"));
const alertBox = new AlertBox(element("refusal"), element("refusal-title"), element("refusal-words"));
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

function focus(/** @type {HTMLFieldSetElement | undefined} */ scale) {
  const input = scale?.querySelector("input:checked") ?? scale?.querySelector("input");
  if (input instanceof HTMLInputElement) input.focus();
  else button.focus();
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

/** Enter: submit if all scales are answered, else move to the next unanswered one. */
function advance() {
  const unanswered = nextUnanswered();
  if (unanswered) focus(unanswered);
  else form.requestSubmit(button);
}

function changed(/** @type {Element} */ where) {
  creditTime(texts.find((each) => each.section.contains(where)));
  if (alertBox.box.hidden === false && state === "rating") alertBox.clear();
  keep();
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
  return Object.fromEntries(all.map(([name, value]) => [name, String(value)]));
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
  const unanswered = nextUnanswered();
  if (unanswered) {
    status.notice("Not sent yet: there is a scale without an answer.");
    focus(unanswered);
    return;
  }
  creditTime(undefined);
  const kept = keep();
  setState("sending");
  status.notice("Sending …");
  const say = (/** @type {string} */ words) => status.notice(kept ? words : `${words} Please do not close this page.`);
  await handleResponse(await sendUntilAnswered(server, form.action, fields, say));
}

/** @param {Response} response */
async function handleResponse(response) {
  if (response.ok) return leaveFor((await response.json()).next, "submitted");
  const refusal = await refusalOf(response);
  const reason = refusal.error;
  if (response.status === 409) return lost(refusal);
  setState("rating");
  status.clear();
  const signedOut = response.status === 403 || response.status === 404;
  const words = signedOut ? "Your session has ended. Open the link you came by in another tab, then submit again here." : reason;
  alertBox.show("Not sent yet", `${words || "The answer could not be taken in. Please try again."} Your answer is kept.`);
  button.focus();
}

/** @param {import("./lib/server.js").Refusal} refusal */
function lost({ error, code }) {
  end("Not sent", error);
  /** @type {HTMLElement} */ (element("go-on").querySelector("button")).textContent = wayOnAfter(code);
}

function leaveFor(/** @type {string} */ next, /** @type {"submitted" | "skipped"} */ how) {
  setState("over");
  if (how === "submitted") forget();
  siblings.tell(how);
  location.assign(next);
}

function over(/** @type {string} */ taskState) {
  if (state === "over") return;
  const done = taskState === "submitted" ? "answered this in another tab: that answer counts" : "given this text back";
  end("This is done with", `You have ${done}.`);
}

/** Freeze the page: the only action left is to continue with another task. */
function end(/** @type {string} */ title, /** @type {string} */ words) {
  setState("over");
  status.clear();
  element("lease").textContent = "";
  alertBox.show(title, words);
  element("go-on").hidden = false;
  /** @type {HTMLElement} */ (element("go-on").querySelector("button")).focus();
}

function setState(/** @type {"rating" | "sending" | "over"} */ next) {
  state = next;
  for (const scale of scales) scale.disabled = state === "over";
  button.setAttribute("aria-disabled", String(state !== "rating"));
  button.hidden = state === "over";
  if (state === "rating") alertBox.clear();
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
  } else if (target.closest("textarea")) {
    // In a text area, digits and Enter are input.
  } else if (event.key === "Enter" && !target.closest("button, a, summary")) {
    event.preventDefault();
    if (!event.repeat) advance();
  } else if (/^[1-7]$/.test(event.key) && choose(event.key)) {
    event.preventDefault();
  }
}

const siblings = new Siblings(`rate:${page}`, { onMet: () => {}, onOver: over });

form.addEventListener("submit", submit);
form.addEventListener("change", (event) => {
  const target = /** @type {Element} */ (event.target);
  lastAnswered = target.closest("fieldset") ?? lastAnswered;
  changed(target);
});
form.addEventListener("input", keep);
document.addEventListener("keydown", pressKey);
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) {
    readSince = performance.now();
    return;
  }
  creditTime(undefined);
  keep();
});
element("rating").querySelector("a.give-up")?.addEventListener("click", () => {
  setState("over");
  forget();
});
window.addEventListener("pageshow", (event) => event.persisted && location.reload());

wireDialogs();
for (const dialog of document.querySelectorAll("dialog form")) {
  wireRemark(/** @type {HTMLFormElement} */ (dialog), server, ({ next = "" }) => leaveFor(next, "skipped"));
}

element("go-on").addEventListener("submit", async (event) => {
  event.preventDefault();
  const response = await sendUntilAnswered(server, /** @type {HTMLFormElement} */ (event.target).action, () => ({}), () => {});
  if (response.ok) location.assign((await response.json()).next);
  else location.reload();
});

// A submitted task has no lease; its answers can be changed until the visit ends.
if (form.dataset.leaseSeconds || !form.querySelector("[name=then]")) {
  new Lease({
    server,
    form,
    onShort: (words) => {
      if (element("lease").textContent === words) return;
      element("lease").textContent = words;
      element("lease-live").textContent = words;
    },
    onEnough: () => {
      element("lease").textContent = "";
    },
    onLost: lost,
    onOver: over,
  });
}

forgetOldAnswers();
for (const each of texts) each.restore(keptAnswers(each.name));
