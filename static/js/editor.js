/** The editing page: the live rule, the log of edits, drafts, the lease. */

import { forgetOldDrafts, readDraft, writeDraft } from "./lib/draft-store.js";
import { kindOf, operationBetween, replay } from "./lib/edit-log.js";
import { keepLease } from "./lib/lease.js";
import { allowedLength, length } from "./lib/length.js";

const ANNOUNCE_MS = 1000;
const SAVE_MS = 400;

const element = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
const form = /** @type {HTMLFormElement} */ (element("editor"));
const draft = /** @type {HTMLTextAreaElement} */ (element("draft"));
const logField = /** @type {HTMLInputElement} */ (element("log"));
const startedFromField = /** @type {HTMLInputElement} */ (element("started-from"));
const submitButton = /** @type {HTMLButtonElement} */ (element("submit"));
const bar = /** @type {HTMLProgressElement} */ (element("bar"));

const source = element("source").textContent ?? "";
const allowed = allowedLength(source, Number(form.dataset.keepPercent));
const sourceLength = length(source);
const draftKey = form.dataset.draftKey ?? "";

let log = startingLog();
let text = replay(beginning(), log) ?? draft.value;
let submitting = false;
const openedAt = performance.now() - (log.at(-1)?.[4] ?? 0);

function beginning() {
  return startedFromField.value === "empty" ? "" : source;
}

/**
 * The log to go on with: what the server sent back with a refused text, else what this browser kept. A log that
 * leads nowhere is dropped: the first record then leads from the beginning to what the field holds.
 */
function startingLog() {
  const sentBack = JSON.parse(logField.value || "[]");
  const fromServer = replay(beginning(), sentBack) === null ? [] : sentBack;
  const kept = readDraft(draftKey);
  if (fromServer.length || !kept?.log.length) return fromServer;
  const keptText = replay(kept.startedFrom === "empty" ? "" : source, kept.log);
  if (keptText === null) return fromServer;
  startedFromField.value = kept.startedFrom;
  draft.value = keptText;
  return kept.log;
}

/** Write down how the field changed. The log always leads from the beginning to what the field holds. */
function record(/** @type {string} */ kind) {
  const operation = operationBetween(text, draft.value, kind, Math.round(performance.now() - openedAt));
  if (!operation) return;
  log.push(operation);
  text = draft.value;
  show();
  saveSoon();
}

function wordsFor(/** @type {number} */ now) {
  const excess = now - allowed;
  if (now === 0) return "the text is empty";
  if (excess > 0) return `remove ${excess} more ${excess === 1 ? "character" : "characters"}`;
  return excess === 0 ? "exactly short enough" : `${-excess} to spare`;
}

function show() {
  const now = length(text);
  const words = wordsFor(now);
  element("counter-words").textContent = words;
  element("counter").classList.toggle("is-accepted", now > 0 && now <= allowed);
  const toRemove = Math.max(1, sourceLength - allowed);
  bar.value = Math.min(100, Math.max(0, (100 * (sourceLength - now)) / toRemove));
  announceSoon(words);
}

let announcement = 0;
function announceSoon(/** @type {string} */ words) {
  clearTimeout(announcement);
  announcement = setTimeout(() => {
    element("counter-live").textContent = words;
  }, ANNOUNCE_MS);
}

let saving = 0;
function saveSoon() {
  clearTimeout(saving);
  saving = setTimeout(save, SAVE_MS);
}

function save() {
  clearTimeout(saving);
  if (!log.length) return;
  const kept = writeDraft(draftKey, { startedFrom: startedFromField.value, log, savedAt: Date.now() });
  element("saved").textContent = kept ? "Kept in this browser" : "This browser cannot keep your draft";
}

function submit(/** @type {SubmitEvent} */ event) {
  record("other");
  save();
  const now = length(text);
  if (submitting || now === 0 || now > allowed) {
    event.preventDefault();
    if (!submitting) {
      element("saved").textContent = `Not sent yet: ${wordsFor(now)}.`;
      draft.focus();
    }
    return;
  }
  submitting = true;
  submitButton.disabled = true;
  logField.value = JSON.stringify(log);
}

function startAgain() {
  draft.focus();
  draft.select();
  // Unlike setting the value, this leaves the browser's undo intact.
  if (!document.execCommand("insertText", false, beginning())) draft.value = beginning();
  record("other");
}

function pressKey(/** @type {KeyboardEvent} */ event) {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    form.requestSubmit(submitButton);
  } else if (event.altKey && event.code === "KeyG") {
    event.preventDefault();
    const guidelines = /** @type {HTMLDetailsElement} */ (element("guidelines"));
    guidelines.open = !guidelines.open;
    (guidelines.open ? guidelines.querySelector("summary") : draft)?.focus();
  }
}

function showLease(/** @type {string | undefined} */ endsAt) {
  const minutes = Math.max(0, Math.round((Date.parse(endsAt ?? "") - Date.now()) / 60_000));
  if (endsAt && Number.isFinite(minutes)) element("lease").textContent = `This text is yours for ${minutes} minutes.`;
}

draft.addEventListener("input", (event) => {
  const { inputType = "", isComposing = false } = /** @type {InputEvent} */ (event);
  record(kindOf(inputType, isComposing));
});
form.addEventListener("submit", submit);
element("reset").addEventListener("click", startAgain);
document.addEventListener("keydown", pressKey);
window.addEventListener("pagehide", save);
window.addEventListener("pageshow", () => {
  submitting = false;
  submitButton.disabled = false;
});
keepLease(form, {
  onRenewed: showLease,
  onLost: (reason) => {
    element("saved").textContent = reason;
  },
});

forgetOldDrafts();
record("other");
show();
showLease(form.dataset.leaseEnds);
draft.focus();
draft.setSelectionRange(draft.value.length, draft.value.length);
