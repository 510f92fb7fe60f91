/** The rating page: keys for the scales, answers kept until they are sent, the lease, sending once. */

import { AlertBox } from "./lib/alert-box.js";
import { forgetAnswers, forgetOldAnswers, keepAnswers, keptAnswers } from "./lib/answer-store.js";
import { toggleDialog, wireDialogs, wireRemark } from "./lib/dialogs.js";
import { Judged } from "./lib/judged.js";
import { Lease } from "./lib/lease.js";
import { reasonOf, Server } from "./lib/server.js";
import { Siblings } from "./lib/siblings.js";
import { StatusLine } from "./lib/status-line.js";
import { sendUntilAnswered } from "./lib/submission.js";

const MAX_PAUSE_MS = 60_000; // who is away for longer does not read

const element = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
const form = /** @type {HTMLFormElement} */ (element("rating"));
const button = /** @type {HTMLButtonElement} */ (element("submit"));
const page = form.dataset.task ?? "";
const judged = [.../** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll(".judged"))].map((each) => new Judged(each));
const scales = judged.flatMap((each) => each.scales);

const server = new Server(form);
const status = new StatusLine(element("saved"), element("saved-live"));
const alertBox = new AlertBox(element("refusal"), element("refusal-title"), element("refusal-words"));
/** @type {"judging" | "sending" | "over"} */
let state = "judging";
/** @type {HTMLFieldSetElement | undefined} */
let answeredLast;

// Answering

const isAnswered = (/** @type {HTMLFieldSetElement} */ scale) => scale.querySelector("input:checked") !== null;

const nextUnanswered = () => scales.find((scale) => !isAnswered(scale));

/** The scale a key is meant for: the focused one, else the first that is open, else the one answered last. */
const currentScale = () =>
  scales.find((scale) => scale.contains(document.activeElement)) ?? nextUnanswered() ?? answeredLast;

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
  answeredLast = scale;
  changed(input);
  focus(nextUnanswered());
  return true;
}

/** Enter: send when all scales are answered, else go to the open one. */
function goOn() {
  const open = nextUnanswered();
  if (open) focus(open);
  else form.requestSubmit(button);
}

function changed(/** @type {Element} */ where) {
  account(judged.find((each) => each.section.contains(where)));
  if (alertBox.box.hidden === false && state === "judging") alertBox.clear();
  keep();
}

let readSince = performance.now();
/** The time since the last answer goes to the text that was answered, else to the one that is still open. */
function account(/** @type {Judged | undefined} */ subject) {
  const now = performance.now();
  const spent = Math.min(now - readSince, MAX_PAUSE_MS);
  readSince = now;
  (subject ?? judged.find((each) => each.open) ?? judged.at(-1))?.spend(spent);
}

/** @returns {Record<string, string>} */
function fields() {
  const all = [...new FormData(form)].filter(([name]) => name !== "csrfmiddlewaretoken");
  return Object.fromEntries(all.map(([name, value]) => [name, String(value)]));
}

/** Keep in this browser what was not sent. @returns {boolean} whether it could keep all of it */
function keep() {
  return state === "over" || judged.map((each) => keepAnswers(each.name, each.fields)).every(Boolean);
}

function forget() {
  for (const each of judged) forgetAnswers(each.name);
}

// Sending

async function submit(/** @type {SubmitEvent} */ event) {
  event.preventDefault();
  if (state !== "judging") return;
  const open = nextUnanswered();
  if (open) {
    status.notice("Not sent yet: there is a scale without an answer.");
    focus(open);
    return;
  }
  account(undefined);
  const kept = keep();
  setState("sending");
  status.notice("Sending …");
  const say = (/** @type {string} */ words) => status.notice(kept ? words : `${words} Please do not close this page.`);
  await answered(await sendUntilAnswered(server, form.action, fields, say, "Your answer is"));
}

/** @param {Response} response */
async function answered(response) {
  if (response.ok) return leaveFor((await response.json()).next, "submitted");
  const reason = await reasonOf(response);
  if (response.status === 409) return end("This text is no longer yours", reason);
  setState("judging");
  status.clear();
  const signedOut = response.status === 403 || response.status === 404;
  const words = signedOut ? "Your session has ended. Open the link you came by in another tab, then submit again here." : reason;
  alertBox.show("Not sent yet", `${words || "The answer could not be taken in. Please try again."} Your answer is kept.`);
  button.focus();
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

/** Nothing more can be done here but go on. */
function end(/** @type {string} */ title, /** @type {string} */ words) {
  setState("over");
  status.clear();
  element("lease").textContent = "";
  alertBox.show(title, words);
  element("go-on").hidden = false;
  /** @type {HTMLElement} */ (element("go-on").querySelector("button")).focus();
}

function setState(/** @type {"judging" | "sending" | "over"} */ next) {
  state = next;
  for (const scale of scales) scale.disabled = state === "over";
  button.setAttribute("aria-disabled", String(state !== "judging"));
  button.hidden = state === "over";
  if (state === "judging") alertBox.clear();
}

// Keys, tabs, time

function pressKey(/** @type {KeyboardEvent} */ event) {
  if (event.isComposing || event.ctrlKey || event.metaKey) return;
  const target = /** @type {Element} */ (event.target);
  if (event.altKey) {
    if (event.code !== "KeyG" || event.getModifierState("AltGraph")) return;
    event.preventDefault();
    toggleDialog("guidelines");
  } else if (document.querySelector("dialog[open]")) {
    // It has keys of its own.
  } else if (target.closest("textarea")) {
    // There digits and Enter are what somebody writes.
  } else if (event.key === "Enter" && !target.closest("button, a, summary")) {
    event.preventDefault();
    if (!event.repeat) goOn();
  } else if (/^[1-7]$/.test(event.key) && choose(event.key)) {
    event.preventDefault();
  }
}

const siblings = new Siblings(`rate:${page}`, { onMet: () => {}, onOver: over });

form.addEventListener("submit", submit);
form.addEventListener("change", (event) => {
  const target = /** @type {Element} */ (event.target);
  answeredLast = target.closest("fieldset") ?? answeredLast;
  changed(target);
});
form.addEventListener("input", keep);
document.addEventListener("keydown", pressKey);
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) {
    readSince = performance.now();
    return;
  }
  account(undefined);
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

// A task that was submitted has no lease: its answer can be changed until the visit is over.
if (form.dataset.leaseSeconds || !form.querySelector("[name=then]")) {
  new Lease({
    server,
    form,
    onTime: (words, isShort) => {
      if (element("lease").textContent !== words) element("lease").textContent = words;
      const warning = isShort ? words : "";
      if (element("lease-live").textContent !== warning) element("lease-live").textContent = warning;
    },
    onLost: (reason) => end("This text is no longer yours", reason),
    onOver: over,
  });
}

forgetOldAnswers();
for (const each of judged) each.restore(keptAnswers(each.name));
