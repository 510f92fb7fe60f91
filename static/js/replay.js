/** Replays how a compression was written: play, step, seek on the timeline. */

import { apply } from "./lib/edit-log.js";
import { filled, gettext, ngettext } from "./lib/words.js";

const MAX_WAIT_MS = 2000;
const MIN_WAIT_MS = 15;
const SNAPSHOT_INTERVAL = 100;

const element = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
const player = element("player");
const slider = /** @type {HTMLInputElement} */ (element("line"));
const playButton = element("play");
const speed = /** @type {HTMLSelectElement} */ (element("speed"));
const skipPauses = /** @type {HTMLInputElement} */ (element("skip-pauses"));

/** @type {import("./lib/edit-log.js").Operation[]} */
const log = JSON.parse(player.dataset.log ?? "[]");
const marks = [...document.querySelectorAll("[data-x]")].map((mark) => /** @type {HTMLElement} */ (mark).dataset.x ?? "0");
/** Every hundredth text; the others are computed from these, so that a long log needs little memory. */
const snapshots = [Array.from(player.dataset.start ?? "")];
for (let done = 0; done + SNAPSHOT_INTERVAL <= log.length; done += SNAPSHOT_INTERVAL) {
  snapshots.push(log.slice(done, done + SNAPSHOT_INTERVAL).reduce(apply, snapshots[snapshots.length - 1]));
}

let step = log.length;
let timer = 0;

/** The text after `count` operations, as code points. @param {number} count */
function textAfter(count) {
  const index = Math.floor(count / SNAPSHOT_INTERVAL);
  return log.slice(index * SNAPSHOT_INTERVAL, count).reduce(apply, snapshots[index]);
}

/** Show the text after the first `next` operations. */
function show(/** @type {number} */ next) {
  step = Math.min(log.length, Math.max(0, next));
  slider.value = String(step);
  slider.setAttribute("aria-valuetext", filled(gettext("edit %(step)s of %(all)s"), { step, all: log.length }));
  const text = textAfter(step);
  element("text").replaceChildren(...marked(text));
  element("playhead").setAttribute("x", `${step ? marks[step - 1] : 0}%`);
  element("now").textContent = words(text.length);
  for (const row of document.querySelectorAll("tr[aria-current]")) row.removeAttribute("aria-current");
  document.getElementById(`edit-${step}`)?.setAttribute("aria-current", "step");
}

/** The text with the last operation marked: insertions underlined, deletions struck out. */
function marked(/** @type {string[]} */ text) {
  if (step === 0) return [text.join("")];
  const [position, removed, inserted] = log[step - 1];
  const end = position + Array.from(inserted).length;
  return [
    text.slice(0, position).join(""),
    ...(removed ? [tagged("del", removed)] : []),
    ...(inserted ? [tagged("ins", inserted)] : []),
    text.slice(end).join(""),
  ];
}

/** @param {string} tag @param {string} text */
function tagged(tag, text) {
  const node = document.createElement(tag);
  node.textContent = text;
  return node;
}

function words(/** @type {number} */ length) {
  const all = log.length;
  if (step === 0) {
    return filled(ngettext("The beginning, before the only edit", "The beginning, before the first of %(all)s edits", all), { all });
  }
  const [, , , kind, at] = log[step - 1];
  const sentence = ngettext(
    "Edit %(step)s of %(all)s: %(kind)s, %(seconds)s s after the page was shown, %(length)s character",
    "Edit %(step)s of %(all)s: %(kind)s, %(seconds)s s after the page was shown, %(length)s characters",
    length,
  );
  return filled(sentence, { step, all, kind, seconds: (at / 1000).toFixed(1), length });
}

function play() {
  if (step >= log.length) show(0);
  playButton.textContent = gettext("Pause");
  next();
}

function stop() {
  clearTimeout(timer);
  timer = 0;
  playButton.textContent = gettext("Play");
}

function next() {
  if (step >= log.length) return stop();
  const pause = log[step][4] - (step ? log[step - 1][4] : 0);
  const wait = (skipPauses.checked ? Math.min(pause, MAX_WAIT_MS) : pause) / Number(speed.value);
  timer = setTimeout(() => {
    show(step + 1);
    next();
  }, Math.max(MIN_WAIT_MS, wait));
}

function moveTo(/** @type {number} */ to) {
  stop();
  show(to);
}

playButton.addEventListener("click", () => (timer ? stop() : play()));
element("first").addEventListener("click", () => moveTo(0));
element("back").addEventListener("click", () => moveTo(step - 1));
element("forward").addEventListener("click", () => moveTo(step + 1));
element("last").addEventListener("click", () => moveTo(log.length));
slider.addEventListener("input", () => moveTo(Number(slider.value)));
for (const button of document.querySelectorAll("[data-step]")) {
  button.addEventListener("click", () => {
    moveTo(Number(/** @type {HTMLElement} */ (button).dataset.step));
    player.scrollIntoView({ block: "nearest" });
  });
}

player.hidden = false;
show(log.length);
