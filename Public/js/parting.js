import { localized } from "./words.js";

const name = "aviary.pending";
const freshness = 15_000;
const pauses = [50, 150, 300, 600, 1_200, 2_000];
const patience = 8_000;

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
  if (!parting || parting.address !== location.href || form.dataset.copy === parting.copy) return;
  if (!(Date.now() - parting.time < freshness)) return;
  const status = form.querySelector("[data-draft-status]");
  // Whatever is done here now would be done to an older text.
  form.inert = true;
  status.textContent = localized("Looking for what you typed last…");
  for (const pause of pauses) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    const next = await read();
    if (next?.querySelector("form[data-draft]")?.dataset.copy === parting.copy) return show(next);
  }
  form.inert = false;
  form.querySelector("[autofocus]")?.focus();
  status.textContent = localized("What you typed last before leaving this page did not arrive in time.");
  status.classList.add("warning");
}

async function read() {
  try {
    const reply = await fetch(location.href, { headers: { Accept: "text/html" }, signal: AbortSignal.timeout(patience) });
    return new DOMParser().parseFromString(await reply.text(), "text/html").querySelector("[data-sheet]");
  } catch {
    return null; // Away for a moment: asked again.
  }
}

function take() {
  try {
    const parting = JSON.parse(sessionStorage.getItem(name));
    sessionStorage.removeItem(name);
    return parting;
  } catch {
    return null; // As above.
  }
}
