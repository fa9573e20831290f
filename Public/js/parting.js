import { localized } from "./words.js";

const name = "aviary.pending";
const freshness = 15_000;
const pauses = [50, 150, 300, 600, 1_200, 2_000];
const patience = 8_000;
// Where drafts wait on a page: nothing yet, one, or a line that opens.
const waiting = "template[data-drafts], .drafts, section.draft";

/** Remembers for this tab which copy of the draft is to come: its number, and nothing of what was typed. */
export function notePending(form, turn) {
  const copy = `${form.querySelector('input[name=".tab"]')?.value}.${turn}`;
  try {
    sessionStorage.setItem(name, JSON.stringify({ address: location.href, copy, time: Date.now() }));
  } catch {
    // A browser that keeps nothing: the draft is there with the next page.
  }
}

export function forgetPending() {
  try {
    sessionStorage.removeItem(name);
  } catch {
    // As above.
  }
}

/** This page was asked for before the last words of the one before it had arrived: looks again until they have. */
export async function awaitParting(sheet, form, show) {
  const parting = take();
  if (!parting || parting.address !== location.href || hasArrived(parting, form)) return;
  if (!(Date.now() - parting.time < freshness)) return;
  const status = form.querySelector("[data-draft-status]");
  // Whatever is done here now would be done to an older text.
  form.inert = true;
  status.textContent = localized("Looking for what you typed last…");
  for (const pause of pauses) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    const next = (await read())?.querySelector("[data-sheet]");
    if (hasArrived(parting, next?.querySelector("form[data-draft]"))) return show(next);
  }
  form.inert = false;
  form.querySelector("[autofocus]")?.focus();
  status.textContent = localized("What you typed last before leaving this page did not arrive in time.");
  status.classList.add("warning");
}

/** The same for a page on which the draft waits. It can be used meanwhile: only what is said of drafts is changed. */
export async function awaitDraft() {
  const parting = noted();
  if (!parting || !(Date.now() - parting.time < freshness) || !document.querySelector(waiting)) return;
  // The overview has the drafts of all models, a list those of its own.
  if (!new URL(parting.address).pathname.startsWith(`${location.pathname}/`)) return;
  const shows = (page) => [...page.querySelectorAll("section.draft")].some((draft) => hasArrived(parting, draft));
  if (shows(document)) return forgetPending();
  for (const pause of [...pauses, 4_000]) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    const next = await read();
    if (next && shows(next)) {
      forgetPending();
      return putInPlace(next.querySelector(waiting));
    }
  }
}

/** Whether this is the copy that was noted, or one that the same page sent after it. */
function hasArrived({ copy }, shown) {
  const [tab, turn] = parts(copy);
  const [shownTab, shownTurn] = parts(shown?.dataset.copy ?? "");
  return shownTab === tab && shownTurn >= turn;
}

function parts(copy) {
  const place = copy.lastIndexOf(".");
  return [copy.slice(0, place), Number(copy.slice(place + 1))];
}

function putInPlace(drafts) {
  const earlier = document.querySelector(waiting);
  const controls = (of) => [...of.querySelectorAll("summary, a, button")];
  const focused = controls(earlier).indexOf(document.activeElement);
  if (earlier.querySelector("details[open]")) drafts.querySelector("details")?.setAttribute("open", "");
  earlier.replaceWith(document.adoptNode(drafts));
  controls(drafts)[focused]?.focus();
}

async function read() {
  try {
    const reply = await fetch(location.href, { headers: { Accept: "text/html" }, signal: AbortSignal.timeout(patience) });
    return new DOMParser().parseFromString(await reply.text(), "text/html");
  } catch {
    return null; // Away for a moment: asked again.
  }
}

function take() {
  const parting = noted();
  forgetPending();
  return parting;
}

function noted() {
  try {
    return JSON.parse(sessionStorage.getItem(name));
  } catch {
    return null; // As above.
  }
}
