import { localized } from "./words.js";

const pause = 400;
const longestPause = 2_000;
const patience = 15_000;
const retryPause = 3_000;
const largestParting = 60_000;

const kept = localized("Kept as a draft in this browser. Nothing is stored until you save.");
const unanswered = localized("Not kept as a draft: the server does not answer. Still trying.");
const refused = localized("Not kept as a draft. Saving may still work; leaving loses it.");

/** Keeps the sheet's form as a draft while one types, one request at a time, the newest last. */
export function keepDrafts(sheet, form) {
  const status = form.querySelector("[data-draft-status]");
  let settled = contents();
  let sending = null;
  let request = null;
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
    if (body === sending || (body === settled && !request)) return;
    request?.abort();
    sending = body;
    const own = (request = new AbortController());
    const impatience = setTimeout(() => own.abort(), patience);
    let outcome;
    try {
      const reply = await fetch(form.dataset.draft, {
        method: "POST",
        body: new URLSearchParams(body),
        headers: { "X-Requested-With": "fetch", Accept: "application/json" },
        redirect: "manual",
        // Goes on when the page is left; browsers refuse it for more.
        keepalive: body.length < largestParting,
        signal: own.signal,
      });
      outcome = await judge(reply);
    } catch {
      outcome = { warning: unanswered, isRetried: true };
    }
    clearTimeout(impatience);
    // Replaced by a newer request, or the form has been submitted.
    if (own !== request || isOver) return;
    request = sending = null;
    if (!outcome.isRetried) settled = body;
    show(outcome.warning);
    if (outcome.isRetried) timer = setTimeout(keep, retryPause);
    else if (contents() !== settled) schedule();
  }

  function show(warning) {
    const text = warning ?? kept;
    // Said again with every request, it would be heard again too.
    if (status.textContent !== text) status.textContent = text;
    status.classList.toggle("warning", Boolean(warning));
    if (warning) addEventListener("beforeunload", hold);
    else {
      removeEventListener("beforeunload", hold);
      rememberDraft(form);
    }
  }

  function stop() {
    isOver = true;
    clearTimeout(timer);
    request?.abort();
    request = sending = null;
    removeEventListener("beforeunload", hold);
  }

  if (status.textContent.trim() === kept) rememberDraft(form);
  form.addEventListener("input", () => schedule());
  form.addEventListener("submit", stop);
  sheet.querySelector("#discard-form")?.addEventListener("submit", stop);
  addEventListener("pagehide", () => keep(true));
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") keep(true);
  });
  addEventListener("pageshow", (event) => {
    if (event.persisted) isOver = false;
  });
}

async function judge(reply) {
  if (reply.ok) return {};
  if (reply.status >= 500) return { warning: unanswered, isRetried: true };
  const isAnswer = reply.headers.get("Content-Type")?.startsWith("application/json");
  const answer = isAnswer ? await reply.json() : null;
  return { warning: answer?.error ?? refused };
}

function hold(event) {
  event.preventDefault();
}

/** Reloading finds the draft again, also on a page that answered a form: that would be sent again, with older text. */
function rememberDraft(form) {
  const draft = form.querySelector('input[name="draft"]')?.value;
  const address = new URL(form.dataset.address, location.href);
  if (!draft || address.origin !== location.origin) return;
  if (location.pathname === address.pathname) address.search = location.search;
  if (address.pathname.endsWith("/new")) address.searchParams.set("draft", draft);
  address.searchParams.delete("fresh");
  history.replaceState(history.state, "", address);
}
