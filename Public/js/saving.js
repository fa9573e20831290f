import { answer } from "./answer.js";
import { nameDraft } from "./drafts.js";
import { localized } from "./text.js";

const patience = 30_000;
const slowness = 3_000;

const saving = {
  slow: localized("Still saving: the server is slow to respond."),
  offline: localized("Not saved: you’re offline. Your changes are still here. Try again when you’re back online."),
  unreached: localized("Couldn’t reach the server, so your changes may not be saved. They’re still here, and it’s safe to try again."),
  unanswered: localized("Couldn’t confirm the save: the server didn’t respond. Your changes are still here, and it’s safe to try again."),
  failed: localized("Not saved: something went wrong on the server. Your changes are still here, and it’s safe to try again."),
  back: localized("Not saved yet. Your changes are kept as a draft."),
};
/** The texts for the buttons that keep the form as a draft and lead to another page. */
const keeping = {
  slow: localized("Still saving the draft: the server is slow to respond."),
  offline: localized("Draft not saved: you’re offline. Leave this page open, and try again when you’re back online."),
  unreached: localized("Draft not saved: the server isn’t responding. Leave this page open, and try again in a moment."),
  unanswered: localized("Couldn’t confirm the draft: the server didn’t respond. Leave this page open, and try again."),
  failed: localized("Draft not saved: something went wrong on the server. Leave this page open, and try again in a moment."),
  back: saving.back,
};
const cancelling = {
  slow: localized("Still cancelling: the server is slow to respond."),
  offline: localized("Not cancelled: you’re offline. Your changes are still here. Try again when you’re back online."),
  unreached: localized("Not cancelled: the server isn’t responding. Your changes are still here. Try again in a moment."),
  unanswered: localized("Couldn’t confirm the cancellation: the server didn’t respond. Your changes are still here, and it’s safe to try again."),
  failed: localized("Not cancelled: something went wrong on the server. Your changes are still here. Try again in a moment."),
  back: localized("Not cancelled yet. Your changes are kept as a draft."),
};
const saved = localized("Saved earlier: only the server’s response was lost. Try again to continue.");

/**
 * Submits the forms of the sheet without leaving the page, so that a missing answer does not lose the input. Without scripts the
 * browser submits them.
 */
export function watchSaving(form, discarding, drafts, show) {
  const buttons = form.querySelectorAll("[data-save], [data-save-and], [data-keep], [data-step]");
  let request = null;
  let notice = null;
  let failure = null;

  form.addEventListener("submit", (event) => {
    if (event.defaultPrevented) return;
    event.preventDefault();
    if (!request) send(form, event.submitter, event.submitter?.matches("[data-keep], [data-step]") ? keeping : saving);
  });
  discarding.addEventListener("submit", (event) => {
    event.preventDefault();
    // Cancel aborts a request in progress.
    request?.abort();
    send(discarding, event.submitter, cancelling);
  });
  form.addEventListener("draft", ({ detail }) => {
    if (!failure) return;
    tell(detail.isSaved ? saved : failure.words.back, "warning", localized("Try again"), failure.again);
    failure = null;
  });
  addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    request = null;
    setDisabled(false);
  });

  async function send(sent, submitter, words) {
    const own = (request = new AbortController());
    const focused = document.activeElement;
    const body = new URLSearchParams(new FormData(sent));
    if (submitter?.name) body.append(submitter.name, submitter.value);
    notice?.remove();
    failure = null;
    setDisabled(true);
    await drafts.stop();
    if (own !== request) return;
    const slow = setTimeout(() => tell(words.slow, "information", localized("Stop waiting"), () => own.abort()), slowness);
    const late = setTimeout(() => own.abort(), patience);
    let outcome;
    try {
      const reply = await fetch(submitter?.getAttribute("formaction") ?? sent.getAttribute("action"), {
        method: "POST",
        body,
        headers: { Accept: "application/json, text/html" },
        redirect: "manual",
        signal: own.signal,
      });
      outcome = await read(reply, words);
    } catch {
      outcome = { failure: own.signal.aborted ? words.unanswered : navigator.onLine ? words.unreached : words.offline };
    }
    clearTimeout(slow);
    clearTimeout(late);
    // The user has cancelled in the meantime, and the newer request reports its own outcome.
    if (own !== request) return;
    notice?.remove();
    if (outcome.address) {
      leave(outcome.address, submitter);
    } else if (outcome.sheet) {
      show(outcome.sheet);
    } else if (outcome.failure) {
      request = null;
      setDisabled(false);
      failure = { words, again: () => sent.requestSubmit(submitter) };
      tell(outcome.failure, "failure", localized("Try again"), failure.again);
      drafts.resume();
      focused?.focus({ preventScroll: true });
    } else {
      // The answer is another page, such as the sign-in page, so the browser submits the form and shows it.
      sendByBrowser(sent, submitter);
    }
  }

  /** Shows the next page. Back leads from there to the page before the sheet, which is done, or else to its draft. */
  function leave(address, submitter) {
    if (!submitter?.matches("[data-step]")) return location.replace(address);
    nameDraft(form);
    location.assign(address);
  }

  function tell(text, kind, title, act) {
    notice?.remove();
    notice = answer(form, kind, text, title, act);
  }

  function sendByBrowser(sent, submitter) {
    setDisabled(false);
    if (submitter?.name) {
      const field = document.createElement("input");
      [field.type, field.name, field.value] = ["hidden", submitter.name, submitter.value];
      sent.append(field);
    }
    const address = submitter?.getAttribute("formaction");
    if (address) sent.setAttribute("action", address);
    // A field named `submit` hides the method of the form.
    HTMLFormElement.prototype.submit.call(sent);
  }

  function setDisabled(isDisabled) {
    for (const button of buttons) button.disabled = isDisabled;
  }
}

async function read(reply, { failed }) {
  const type = reply.headers.get("Content-Type") ?? "";
  const isAnswer = type.startsWith("application/json");
  if (reply.status >= 500) return { failure: told(isAnswer && (await reply.json().catch(() => null))) || failed };
  if (isAnswer && reply.ok) return { address: (await reply.json()).location };
  if (!type.startsWith("text/html")) return {};
  const page = new DOMParser().parseFromString(await reply.text(), "text/html");
  return { sheet: page.querySelector("[data-sheet]:has(form[data-draft])") };
}

/** Returns the server's error text, unless it has a reference: such a text is general and does not mention the input. */
function told(answer) {
  return answer && !answer.reference && answer.error;
}
