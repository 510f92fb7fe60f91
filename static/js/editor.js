/** The editing page: live length check, edit log, drafts in the browser and on the server, lease, submission. */

import { AnswerLine } from "./lib/answer-line.js";
import { Counter, refusalFor } from "./lib/counter.js";
import { toggleDialog, wireDialogs, wireRemark } from "./lib/dialogs.js";
import { Difference } from "./lib/difference.js";
import { forgetDraft, forgetOldDrafts, keepDraft, keptDrafts, newPageName, pageOfTab } from "./lib/draft-store.js";
import { DraftSync } from "./lib/draft-sync.js";
import { focusInView, growing, keepClearOf, oncePerFrame } from "./lib/layout.js";
import { Lease } from "./lib/lease.js";
import { ruleFor } from "./lib/length.js";
import { fetchDrafts } from "./lib/older-drafts.js";
import { MainButton } from "./lib/main-button.js";
import { wireMenus } from "./lib/menus.js";
import { PageRecord } from "./lib/page-record.js";
import { replacedText } from "./lib/put-back.js";
import { Recorder } from "./lib/recorder.js";
import { refusalOf, Server } from "./lib/server.js";
import { questionBefore } from "./lib/second-thoughts.js";
import { Siblings } from "./lib/siblings.js";
import { sendUntilAnswered, textWaits, unkeptWaits } from "./lib/submission.js";
import { VersionList } from "./lib/version-list.js";
import { versionsAmong } from "./lib/versions.js";
import { wayOnAfter } from "./lib/way-on.js";
import { gettext } from "./lib/words.js";

const KEEP_MS = 300;

const element = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
const form = /** @type {HTMLFormElement} */ (element("editor"));
const draft = /** @type {HTMLTextAreaElement} */ (element("draft"));
const comment = /** @type {HTMLTextAreaElement} */ (element("comment"));
const startedFrom = /** @type {HTMLInputElement} */ (element("started-from"));
const submitButton = /** @type {HTMLButtonElement} */ (element("submit"));
const dock = /** @type {HTMLElement} */ (form.querySelector(".dock"));

const source = element("source").textContent ?? "";
const task = form.dataset.task ?? "";
const check = ruleFor(source, Number(form.dataset.keepPercent));
const beginning = (/** @type {string} */ start) => (start === "empty" ? "" : source);

const server = new Server(form);
const counter = new Counter(element);
const answer = new AnswerLine(element("answer"), element("answer-live"));
const leaseLine = new AnswerLine(element("lease"), element("lease-live"));
const mainButton = new MainButton(submitButton);
const grow = growing(draft);
export const recorder = new Recorder(draft, changed);
const pageRecord = new PageRecord(form);
const difference = new Difference({
  button: element("compare"),
  source: element("source"),
  box: draft,
  marks: element("marks"),
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
/** The text that "Start again" has replaced, when the log that led to it was given up. */
let setAside = "";
/** @type {"writing" | "sending" | "over"} */
let state = "writing";
const others = new VersionList(element("versions"), element("versions-list"), draft, choose);
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
  pageRecord.counts = keptDrafts(task).find(({ page: name }) => name === version.page)?.counts ?? null;
  startedFrom.value = version.startedFrom;
  comment.value = version.comment;
  setAside = version.earlier ?? "";
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
  const kept = { page, startedFrom: startedFrom.value, log: recorder.log, comment: comment.value, savedAt: changedAt };
  const counted = { ...kept, counts: pageRecord.counts };
  return setAside ? { ...counted, earlier: setAside } : counted;
}

let keepTimer = 0;
let changedAt = Date.now();
const count = oncePerFrame(() => counter.show(check(draft.value)));
function changed() {
  changedAt = Date.now();
  count();
  difference.changed();
  draft.removeAttribute("aria-invalid");
  answer.edited();
  element("put-back").hidden ||= draft.value === earlierText();
  grow();
  clearTimeout(keepTimer);
  keepTimer = setTimeout(keep, KEEP_MS);
  sync.changed();
}

function hasWork() {
  return recorder.hasEdits || comment.value !== "" || setAside !== "";
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
  if (saveState === "offline") answer.trouble(keep() ? unsavedWords() : unkeptWaits()[navigator.onLine ? "down" : "offline"]);
  else if (saveState === "refused") saveRefused(reason);
  else answer[saveState]();
}

function unsavedWords() {
  return navigator.onLine
    ? gettext("We can’t reach the server. Your text is safe in this browser.")
    : gettext("You’re offline. Your text is safe in this browser.");
}

function saveRefused(/** @type {string} */ reason) {
  logIsRefused = true;
  const kept = keep() ? gettext("Your text is safe in this browser.") : gettext("Your text isn’t saved yet. Please keep this page open.");
  answer.trouble(`${reason} ${kept}`);
}

/** Reset the box to a starting text, as an edit that can be undone. */
function startAgain(/** @type {string} */ start) {
  if (state !== "writing") return;
  if (!recorder.hasEdits || logIsRefused) {
    setAside = recorder.hasEdits && draft.value !== beginning(start) ? draft.value : setAside;
    logIsRefused = false;
    startedFrom.value = start;
    draft.value = beginning(start);
    recorder.restart(beginning(start));
    changed();
  } else {
    setAside = "";
    recorder.replaceAll(beginning(start));
  }
  offerPuttingBack();
  draft.focus();
}

/** The text that the latest "Start again" has replaced; null if it was put back, or there was none. */
function earlierText() {
  return setAside || replacedText(beginning(startedFrom.value), recorder.log, [source, ""]);
}

function offerPuttingBack() {
  const earlier = earlierText();
  element("put-back").hidden = earlier === null || earlier === draft.value;
}

/** Undo "Start again". */
function putBack() {
  const earlier = earlierText();
  if (state !== "writing" || earlier === null) return;
  setAside = "";
  recorder.replaceAll(earlier, "undo");
  element("put-back").hidden = true;
  draft.focus();
}

// Submitting

async function submit(/** @type {SubmitEvent} */ event) {
  event.preventDefault();
  recorder.record("other");
  if (state !== "writing") return;
  const verdict = check(draft.value);
  if (verdict.reasons.length) {
    draft.setAttribute("aria-invalid", "true");
    return answer.refuse(refusalFor(verdict), { focus: draft, instead: true });
  }
  const question = questionBefore({ source, text: draft.value, ...verdict }, gettext);
  if (question && !(await answer.ask(question))) return draft.focus();
  if (state === "writing") await send();
}

async function send(confirmed = "") {
  const waits = keep() ? textWaits : unkeptWaits;
  setState("sending");
  answer.sending();
  const log = () => JSON.stringify(recorder.log);
  const fields = () => ({ text: draft.value, log: log(), page_record: pageRecord.ofText, confirmed, ...otherFields() });
  await handleResponse(await sendUntilAnswered(server, form.action, fields, (words) => answer.trouble(words), waits));
}

/** @param {Response} response */
async function handleResponse(response) {
  if (response.ok) return leaveFor((await response.json()).next, "submitted");
  const refusal = await refusalOf(response);
  if (response.status === 409) return lost(refusal);
  setState("writing");
  if (refusal.code === "confirm") return (await answer.ask(refusal.error)) && state === "writing" ? send("1") : draft.focus();
  logIsRefused ||= response.status === 422;
  if (response.status === 422) draft.setAttribute("aria-invalid", "true");
  answer.refuse(wordsOfRefusal(response.status, refusal.error), { stays: true });
}

/** @param {number} status @param {string} reason */
function wordsOfRefusal(status, reason) {
  if (status === 403 || status === 404) {
    return gettext("Your session has ended. Open your study link in another tab, then submit again here. Your text is safe.");
  }
  return reason || gettext("Something went wrong. Your text is safe. Please try again.");
}

/** Leave for the next page; this draft is no longer needed. */
function leaveFor(/** @type {string} */ next, /** @type {"submitted" | "skipped"} */ how) {
  forgetDraft(task, page);
  setState("over");
  sync.stop();
  siblings.tell(how);
  location.assign(next);
}

/** The text cannot be submitted any more; it stays readable so that it can be copied. */
function lost(/** @type {import("./lib/server.js").Refusal} */ { error, code }) {
  sync.save();
  end(`${error} ${gettext("You can still copy what you wrote.")}`, code);
}

/** Handle the task being submitted or skipped in another tab. */
function over(/** @type {string} */ taskState) {
  if (state === "over") return;
  sync.stop();
  const isSubmitted = taskState === "submitted";
  end(
    isSubmitted
      ? gettext("You’ve already finished this text in another tab. What’s in the box was not submitted.")
      : gettext("You’ve skipped this text. What’s in the box was not submitted."),
  );
}

/** Freeze the page: the text can only be read and copied. @param {string} words @param {string} code */
function end(words, code = "") {
  keep();
  setState("over");
  lease.stop();
  leaseLine.clear();
  mainButton.show("over");
  element("put-back").hidden = true;
  element("way-on").textContent = wayOnAfter(code);
  element("way-on").hidden = false;
  answer.end(words);
}

function setState(/** @type {"writing" | "sending" | "over"} */ next) {
  state = next;
  draft.readOnly = state !== "writing";
  mainButton.show(state === "writing" ? "ready" : "sending");
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
  recorder.markLeave();
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

element("put-back").addEventListener("click", putBack);
element("older-versions").addEventListener("click", showOlder);

wireDialogs();
wireMenus();
keepClearOf(dock, { strip: element("strip"), box: draft, copy: element("marks") });
wireRemark(/** @type {HTMLFormElement} */ (element("problem-form")), server, ({ message = "" }) => {
  /** @type {HTMLDialogElement} */ (element("problem")).close();
  answer.notice(message);
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
  onShort: (words, mayRenew) => {
    leaseLine.trouble(words, mayRenew ? [{ words: gettext("Keep this text"), act: () => lease.renew() }] : []);
  },
  onEnough: () => {
    if (element("lease").contains(document.activeElement)) draft.focus();
    if (leaseLine.words) leaseLine.clear();
  },
  onLost: lost,
  onOver: (taskState) => over(taskState),
});

recorder.recordsLeaving = pageRecord.recordsLeaving;
pageRecord.watchBox(draft);
forgetOldDrafts();
begin();
recorder.record("other");
counter.show(check(draft.value));
difference.changed();
forgetSuperseded();
if (hasWork()) changed();
offerPuttingBack();
grow();
draft.readOnly = false;
draft.setSelectionRange(draft.value.length, draft.value.length);
if (element("answer").dataset.kind === "refusal") element("answer").focus({ preventScroll: true });
else focusInView(draft, dock);
