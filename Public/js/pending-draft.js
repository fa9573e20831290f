import { localized } from "./text.js";

const name = "aviary.pending";
const freshness = 15_000;
const pauses = [50, 150, 300, 600, 1_200, 2_000];
const patience = 8_000;
// The place of drafts on a page: an empty template, one draft, or a list that expands.
const waiting = "template[data-drafts], .drafts, section.draft";

/** Stores for this tab the number of the draft's copy that is about to arrive, without the input. */
export function notePending(form, turn) {
  const copy = `${form.querySelector('input[name=".tab"]')?.value}.${turn}`;
  try {
    sessionStorage.setItem(name, JSON.stringify({ address: location.href, copy, time: Date.now() }));
  } catch {
    // Without session storage, the draft appears with the next page.
  }
}

export function forgetPending() {
  try {
    sessionStorage.removeItem(name);
  } catch {
    // As above.
  }
}

/** Waits for the last input of the previous page, if this page was requested before it arrived, and then shows it. */
export async function awaitPendingDraft(sheet, form, show) {
  const parting = take();
  if (!parting || !isHere(parting.address) || hasArrived(parting, form)) return;
  if (!(Date.now() - parting.time < freshness)) return;
  const status = form.querySelector("[data-draft-status]");
  // The form contains older input, so the user cannot edit it yet.
  form.inert = true;
  status.textContent = localized("Loading your latest changes…");
  for (const pause of pauses) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    const next = (await read())?.querySelector("[data-sheet]");
    if (hasArrived(parting, next?.querySelector("form[data-draft]"))) return show(next);
  }
  form.inert = false;
  form.querySelector("[autofocus]")?.focus();
  status.textContent = localized("Couldn’t load your latest changes in time. Check the fields before you save.");
  status.classList.add("warning");
}

/** Returns whether the page shows the same record or draft, whatever else its address says. */
function isHere(address) {
  const there = new URL(address);
  const draft = new URLSearchParams(location.search).get("draft");
  return there.pathname === location.pathname && there.searchParams.get("draft") === draft;
}

/** Does the same for a page that lists the draft. The page stays usable, because only the list of drafts changes. */
export async function awaitDraft() {
  const parting = noted();
  if (!parting || !(Date.now() - parting.time < freshness) || !document.querySelector(waiting)) return;
  // The overview shows the drafts of all models, a list only those of its own model.
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

/** Returns whether this is the stored copy or a later one from the same page. */
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
    return null; // The caller retries.
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
