import { forgetPending, notePending } from "./pending-draft.js";
import { localized } from "./text.js";

const pause = 400;
const longestPause = 2_000;
const patience = 15_000;
const retryPause = 3_000;
const largestParting = 60_000;
const overtaking = 2_000;

const kept = localized("Draft saved in this browser. Changes apply once you save.");
const unanswered = localized("Draft not saved: the server isn’t responding. Still trying.");
const offline = localized("Draft not saved: you’re offline. Still trying.");
const refused = localized("Draft not saved. Save now, or your changes are lost when you leave.");

/**
 * Keeps the form of the sheet as a draft during typing. There is one request at a time, and the newest input wins. The form
 * receives an event for each kept draft. `stop` and `resume` suspend the drafts while the form is submitted.
 */
export function keepDrafts(form, { signal }) {
  const status = form.querySelector("[data-draft-status]");
  const opened = contents();
  let settled = opened;
  let sending = null;
  let request = null;
  let arriving = null;
  let parted = null;
  let turn = 0;
  let timer = null;
  let changedAt = null;
  let isOver = false;

  function contents() {
    return new URLSearchParams(new FormData(form)).toString();
  }

  function schedule(delay = pause) {
    if (isOver) return;
    changedAt ??= Date.now();
    clearTimeout(timer);
    timer = setTimeout(keep, Math.min(delay, Math.max(0, changedAt + longestPause - Date.now())));
  }

  async function keep(isParting = false) {
    clearTimeout(timer);
    if (isOver || (request && !isParting)) return;
    changedAt = null;
    const body = contents();
    if (body === sending) return notePending(form, turn);
    // The input is unchanged again, so nothing is sent and the next page need not wait for it.
    if (body === settled && !request) return forgetPending();
    request?.abort();
    sending = body;
    turn += 1;
    notePending(form, turn);
    const own = (request = new AbortController());
    const impatience = setTimeout(() => own.abort(), patience);
    let outcome;
    try {
      arriving = fetch(form.dataset.draft, {
        method: "POST",
        body: new URLSearchParams(`${body}&.turn=${turn}`),
        headers: { "X-Requested-With": "fetch", Accept: "application/json" },
        redirect: "manual",
        // A kept-alive request outlives the page. Browsers reject it for larger bodies.
        keepalive: body.length < largestParting,
        signal: own.signal,
      });
      outcome = await judge(await arriving);
    } catch {
      outcome = { warning: navigator.onLine ? unanswered : offline, isRetried: true };
    }
    clearTimeout(impatience);
    // A newer request has replaced this one, or the form was submitted.
    if (own !== request || isOver) return;
    request = sending = null;
    if (!outcome.isRetried) settled = body;
    if (outcome.warning && !outcome.isRetried) forgetPending();
    show(outcome.warning);
    if (outcome.isSaved || !outcome.warning) form.dispatchEvent(new CustomEvent("draft", { detail: outcome }));
    if (outcome.isRetried) timer = setTimeout(keep, retryPause);
    else if (contents() !== settled) schedule();
  }

  function show(warning) {
    const text = warning ?? kept;
    // Screen readers would announce the same text again with every request.
    if (status.textContent !== text) status.textContent = text;
    status.classList.toggle("warning", Boolean(warning));
    if (warning) addEventListener("beforeunload", hold);
    else {
      removeEventListener("beforeunload", hold);
      nameDraft(form);
    }
  }

  /** Sends the latest input. */
  function part() {
    // The page sees a kept-alive request fail while it unloads. The request continues, so it must not be sent again.
    if (contents() === parted) return;
    keep(true);
    parted = sending;
    setTimeout(() => (parted = null), retryPause);
  }

  /** Stops, and waits for the current request: its cookie after the answer to Save would be a draft of the saved input. */
  async function stop() {
    const own = request;
    isOver = true;
    clearTimeout(timer);
    request = sending = null;
    forgetPending();
    removeEventListener("beforeunload", hold);
    if (!own) return;
    await Promise.race([arriving.catch(() => null), new Promise((resolve) => setTimeout(resolve, overtaking))]);
    own.abort();
  }

  function resume() {
    isOver = false;
    if (contents() !== settled) schedule();
  }

  /** Returns whether there is no unsaved input. A page with errors contains the input of the previous page. */
  function isUntouched() {
    return contents() === opened && !isKept() && !form.querySelector(".notice:is(.warning, .failure), .wrong");
  }

  function isKept() {
    return status.textContent.trim() === kept;
  }

  if (isKept()) nameDraft(form);
  form.addEventListener("input", () => nameDraft(form), { once: true });
  form.addEventListener("input", () => {
    if (isOver) return;
    // The unload event is too late, because the next page may check before it.
    notePending(form, turn + 1);
    schedule();
  });
  // The event precedes the request for the next page. Browsers that do not send it send `pagehide`.
  addEventListener("beforeunload", part, { signal });
  addEventListener("pagehide", part, { signal });
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") part();
  }, { signal });
  addEventListener("pageshow", (event) => {
    if (event.persisted) resume();
  }, { signal });

  return { stop, resume, isUntouched };
}

async function judge(reply) {
  if (reply.ok) return {};
  if (reply.status >= 500) return { warning: unanswered, isRetried: true };
  const isAnswer = reply.headers.get("Content-Type")?.startsWith("application/json");
  const answer = isAnswer ? await reply.json() : null;
  return { warning: answer?.error ?? refused, isSaved: answer?.outcome === "saved" };
}

function hold(event) {
  event.preventDefault();
}

/** Puts the draft into the address, so that Reload and Back find it, and do not submit a form again with older input. */
export function nameDraft(form) {
  const draft = form.querySelector('input[name="draft"]')?.value;
  const address = new URL(form.dataset.address, location.href);
  if (!draft || address.origin !== location.origin) return;
  if (location.pathname === address.pathname) address.search = location.search;
  if (address.pathname.endsWith("/new")) address.searchParams.set("draft", draft);
  address.searchParams.delete("fresh");
  history.replaceState(history.state, "", address);
}
