/** The editing page: live length check, edit log, drafts in the browser and on the server, lease, submission. */

import { AlertBox } from "./lib/alert-box.js";
import { Counter, wordsFor } from "./lib/counter.js";
import { toggleDialog, wireDialogs, wireRemark } from "./lib/dialogs.js";
import { Difference } from "./lib/difference.js";
import { forgetDraft, forgetOldDrafts, keepDraft, keptDrafts, newPageName, pageOfTab } from "./lib/draft-store.js";
import { DraftSync } from "./lib/draft-sync.js";
import { Lease } from "./lib/lease.js";
import { ruleFor } from "./lib/length.js";
import { fetchDrafts } from "./lib/older-drafts.js";
import { Recorder } from "./lib/recorder.js";
import { titleOfLoss } from "./lib/lost-text.js";
import { reasonOf, Server } from "./lib/server.js";
import { Siblings } from "./lib/siblings.js";
import { StatusLine } from "./lib/status-line.js";
import { sendUntilAnswered } from "./lib/submission.js";
import { VersionList } from "./lib/version-list.js";
import { versionsAmong } from "./lib/versions.js";

const KEEP_MS = 300;

const element = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
const form = /** @type {HTMLFormElement} */ (element("editor"));
const draft = /** @type {HTMLTextAreaElement} */ (element("draft"));
const comment = /** @type {HTMLTextAreaElement} */ (element("comment"));
const startedFrom = /** @type {HTMLInputElement} */ (element("started-from"));
const submitButton = /** @type {HTMLButtonElement} */ (element("submit"));

const source = element("source").textContent ?? "";
const task = form.dataset.task ?? "";
const check = ruleFor(source, Number(form.dataset.keepPercent));
const beginning = (/** @type {string} */ start) => (start === "empty" ? "" : source);

const server = new Server(form);
const counter = new Counter(element);
const status = new StatusLine(element("saved"), element("saved-live"));
const alertBox = new AlertBox(element("refusal"), element("refusal-title"), element("refusal-words"));
const recorder = new Recorder(draft, changed);
const difference = new Difference({
  button: element("compare"),
  source: element("source"),
  view: element("difference"),
  text: () => draft.value,
});
const sync = new DraftSync({
  server,
  url: () => draftUrl(page),
  content: () => ({ log: recorder.log, after: continuedFrom, ...otherFields() }),
  onState: showSaveState,
});

/** The fields sent along with the edit log. */
function otherFields() {
  return { started_from: startedFrom.value, comment: comment.value };
}

function draftUrl(/** @type {string} */ name) {
  return (form.dataset.draftUrl ?? "").replace("PAGE", name);
}

/** This page's name among the drafts of the task. */
let page = newPageName();
/** The name of the draft that this page continues. */
let continuedFrom = "";
/** Whether the server has rejected the log, so that only a new one can be accepted. */
let logIsRefused = false;
/** @type {"writing" | "sending" | "over"} */
let state = "writing";
const others = new VersionList(element("versions"), element("versions-list"), choose);
/** The addresses of older drafts that were too much for this page. @type {string[]} */
let olderDrafts = JSON.parse(form.dataset.olderDrafts || "[]").map(draftUrl);

// The text and its drafts

/** Resume this tab's draft, or else the newest version in this browser or on the server. */
function begin() {
  const drafts = [...keptDrafts(task), ...JSON.parse(form.dataset.drafts || "[]")];
  const versions = versionsAmong(drafts, beginning);
  const previousPage = pageOfTab(task, page);
  const own = versions.find((version) => version.page === previousPage && version.log.length) ?? versions[0];
  others.show(versions.filter((version) => version !== own));
  if (own) resume(own);
  else recorder.start({ beginning: beginning(startedFrom.value), log: [], sinceMs: 0 });
  offerOlder();
}

function offerOlder() {
  element("older-versions").hidden = olderDrafts.length === 0;
  if (olderDrafts.length) element("versions").hidden = false;
}

async function showOlder() {
  const { drafts, left } = await fetchDrafts(server, olderDrafts);
  olderDrafts = left;
  const mine = { ...thisDraft(), text: draft.value };
  const versions = versionsAmong([...others.versions, ...drafts, mine], beginning);
  others.show(versions.filter(({ text }) => text !== mine.text));
  offerOlder();
}

/** @param {import("./lib/versions.js").Version} version */
function resume(version) {
  continuedFrom = version.page;
  startedFrom.value = version.startedFrom;
  comment.value = version.comment;
  showComment();
  draft.value = version.text;
  const sinceMs = Math.max(0, Date.now() - version.savedAt);
  recorder.start({ beginning: beginning(version.startedFrom), log: version.log, sinceMs });
}

/** Open the comment box if it is not empty. */
function showComment() {
  if (comment.value) /** @type {HTMLDetailsElement} */ (comment.closest("details")).open = true;
}

/** Load another version into the box; the current text is kept as a version of its own. */
function choose(/** @type {import("./lib/versions.js").Version} */ version) {
  if (state !== "writing") return;
  keep();
  sync.saveWhileLeaving();
  others.exchange(version, { ...thisDraft(), text: draft.value });
  page = newPageName();
  pageOfTab(task, page);
  resume(version);
  changed();
  draft.focus();
}

/** Once the text is kept under this page's name, forget the drafts that it continues. */
function forgetSuperseded() {
  const superseded = keptDrafts(task).filter(({ page: name }) => name !== page && !others.versions.some((other) => other.page === name));
  if (hasWork() && keep()) superseded.forEach(({ page: name }) => forgetDraft(task, name));
}

/** @returns {import("./lib/draft-store.js").Draft} */
function thisDraft() {
  return { page, startedFrom: startedFrom.value, log: recorder.log, comment: comment.value, savedAt: changedAt };
}

let keepTimer = 0;
let changedAt = Date.now();
function changed() {
  changedAt = Date.now();
  counter.show(check(draft.value));
  difference.changed();
  draft.removeAttribute("aria-invalid");
  status.edited();
  clearTimeout(keepTimer);
  keepTimer = setTimeout(keep, KEEP_MS);
  sync.changed();
}

function hasWork() {
  return recorder.hasEdits || comment.value !== "";
}

/** Keep the draft in this browser. */
function keep() {
  clearTimeout(keepTimer);
  if (state === "over" || !hasWork()) return true;
  return keepDraft(task, thisDraft());
}

function showSaveState(/** @type {import("./lib/draft-sync.js").SaveState} */ saveState, reason = "", taskState = "") {
  if (state !== "writing") return;
  if (taskState === "submitted" || taskState === "skipped") return over(taskState);
  const here = keep() ? "Your text is kept in this browser." : "Please do not close this page.";
  if (saveState === "offline") status.trouble(`No connection. ${here}`);
  else if (saveState === "refused") saveRefused(`${reason} ${here}`);
  else status[saveState]();
}

function saveRefused(/** @type {string} */ words) {
  logIsRefused = true;
  status.trouble(words);
}

/** Reset the box to a starting text, as an edit that can be undone. */
function startAgain(/** @type {string} */ start) {
  if (state !== "writing") return;
  if (!recorder.hasEdits || logIsRefused) {
    logIsRefused = false;
    startedFrom.value = start;
    draft.value = beginning(start);
    recorder.restart(beginning(start));
    changed();
  } else {
    recorder.replaceAll(beginning(start));
  }
  draft.focus();
}

// Submitting

async function submit(/** @type {SubmitEvent} */ event) {
  event.preventDefault();
  recorder.record("other");
  if (state !== "writing") return;
  const verdict = check(draft.value);
  if (verdict.reasons.length) {
    status.notice(`Not sent yet: ${wordsFor(verdict)}.`);
    draft.focus();
    return;
  }
  keep();
  setState("sending");
  status.notice("Sending …");
  const fields = () => ({ text: draft.value, log: JSON.stringify(recorder.log), ...otherFields() });
  await handleResponse(await sendUntilAnswered(server, form.action, fields, (words) => status.notice(words)));
}

/** @param {Response} response */
async function handleResponse(response) {
  if (response.ok) return leaveFor((await response.json()).next, "submitted");
  const reason = await reasonOf(response);
  if (response.status === 409) return lost(reason);
  setState("writing");
  logIsRefused ||= response.status === 422;
  const signedOut = response.status === 403 || response.status === 404;
  refuse(signedOut ? "Your session has ended. Open the link you came by in another tab, then submit again here." : reason);
}

function refuse(/** @type {string} */ reason) {
  status.clear();
  alertBox.show("Not sent yet", `${reason || "The text could not be taken in. Please try again."} Your text is kept.`);
  draft.setAttribute("aria-invalid", "true");
  draft.focus();
}

/** Leave for the next page; this draft is no longer needed. */
function leaveFor(/** @type {string} */ next, /** @type {"submitted" | "skipped"} */ how) {
  forgetDraft(task, page);
  setState("over");
  sync.stop();
  siblings.tell(how);
  location.assign(next);
}

/** Somebody else has taken the slot: the text stays readable so that it can be copied. */
function lost(/** @type {string} */ reason) {
  sync.save();
  end(titleOfLoss(reason), `${reason} What you wrote stays in the box: copy it if you want to keep it.`);
}

/** Handle the task being submitted or skipped in another tab. */
function over(/** @type {string} */ taskState) {
  if (state === "over") return;
  sync.stop();
  const done = taskState === "submitted" ? "submitted this text in another tab: that version counts" : "skipped this text";
  end("This text is done with", `You have ${done}. What stands in the box was not sent.`);
}

/** Freeze the page: the text can only be read and copied. */
function end(/** @type {string} */ title, /** @type {string} */ words) {
  keep();
  setState("over");
  status.clear();
  alertBox.show(title, words);
  element("lease").textContent = "";
  element("go-on").hidden = false;
  draft.focus();
}

function setState(/** @type {"writing" | "sending" | "over"} */ next) {
  state = next;
  const writing = state === "writing";
  draft.readOnly = !writing;
  submitButton.setAttribute("aria-disabled", String(!writing));
  submitButton.hidden = state === "over";
  if (writing) alertBox.clear();
}

// Keys, tabs, lease

function pressKey(/** @type {KeyboardEvent} */ event) {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !document.querySelector("dialog[open]")) {
    event.preventDefault();
    form.requestSubmit(submitButton);
  } else if (event.altKey && event.code === "KeyG" && !event.ctrlKey && !event.getModifierState("AltGraph")) {
    event.preventDefault();
    toggleDialog("guidelines");
  }
}

function leavePage() {
  recorder.record("other");
  keep();
  sync.saveWhileLeaving();
}

const siblings = new Siblings(task, {
  onMet: () => {
    element("elsewhere").hidden = false;
  },
  onOver: (taskState) => over(taskState),
});

form.addEventListener("submit", submit);
comment.addEventListener("input", changed);
document.addEventListener("keydown", pressKey);
window.addEventListener("pagehide", leavePage);
window.addEventListener("pageshow", (event) => event.persisted && location.reload());
document.addEventListener("visibilitychange", () => (document.hidden ? leavePage() : recorder.markReturn()));
for (const button of document.querySelectorAll("[data-start]")) {
  button.addEventListener("click", () => startAgain(/** @type {HTMLElement} */ (button).dataset.start ?? ""));
}

element("older-versions").addEventListener("click", showOlder);

wireDialogs();
wireRemark(/** @type {HTMLFormElement} */ (element("problem-form")), server, ({ message = "" }) => {
  /** @type {HTMLDialogElement} */ (element("problem")).close();
  status.notice(message);
});
wireRemark(/** @type {HTMLFormElement} */ (element("skip-form")), server, ({ next = "" }) => leaveFor(next, "skipped"));

element("go-on").addEventListener("submit", async (event) => {
  event.preventDefault();
  const response = await sendUntilAnswered(server, /** @type {HTMLFormElement} */ (event.target).action, () => ({}), () => {});
  if (response.ok) location.assign((await response.json()).next);
  else location.reload();
});

const lease = new Lease({
  server,
  form,
  onTime: (words, isShort) => {
    if (element("lease").textContent !== words) element("lease").textContent = words;
    const warning = isShort ? words : "";
    if (element("lease-live").textContent !== warning) element("lease-live").textContent = warning;
    if (!isShort && document.activeElement === element("renew")) draft.focus();
    element("renew").hidden = !isShort;
  },
  onLost: lost,
  onOver: (taskState) => over(taskState),
});
element("renew").addEventListener("click", () => lease.renew());

forgetOldDrafts();
begin();
recorder.record("other");
counter.show(check(draft.value));
difference.changed();
forgetSuperseded();
if (hasWork()) changed();
draft.readOnly = false;
draft.focus();
draft.setSelectionRange(draft.value.length, draft.value.length);
