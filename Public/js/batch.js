import { localized } from "./text.js";

const pause = 60;

/**
 * Continues an action on many records part by part, and shows the progress in place. The form that continues it is hidden, except
 * when the action stopped.
 */
export async function watchBatch() {
  let status = document.querySelector("[data-batch]");
  if (!status || status.hasAttribute("data-stopped")) return;
  while (form(status)) {
    form(status).hidden = true;
    await new Promise((resolve) => setTimeout(resolve, pause));
    if (!status.isConnected) return;
    status = await next(status);
    if (!status) return;
  }
}

function form(status) {
  return status.querySelector("[data-batch-form]");
}

/** Sends the next part. The answer is the page that a browser without scripts shows. Returns null when the action stopped. */
async function next(status) {
  try {
    const reply = await fetch(form(status).getAttribute("action"), { method: "POST", body: new URLSearchParams(new FormData(form(status))) });
    const page = new DOMParser().parseFromString(await reply.text(), "text/html");
    const answer = page.querySelector("[data-batch]");
    if (!answer) throw new Error("no answer");
    const isStopped = answer.hasAttribute("data-stopped");
    recount(page);
    if (reply.redirected) history.replaceState(history.state, "", reply.url);
    document.title = page.title;
    // The same element keeps the text, so that screen readers announce the change.
    const text = status.querySelector("[data-batch-text]");
    text.textContent = answer.querySelector("[data-batch-text]").textContent;
    answer.querySelector("[data-batch-text]").replaceWith(text);
    status.replaceWith(document.adoptNode(answer));
    return isStopped ? null : document.querySelector("[data-batch]");
  } catch {
    form(status).hidden = false;
    const text = status.querySelector("[data-batch-text]");
    text.textContent += " " + localized("The server isn’t responding. Select Continue when it’s back. Nothing is lost or done twice.");
    return null;
  }
}

/** Shows the numbers of the answer in the navigation. */
function recount(page) {
  for (const link of document.querySelectorAll(".sidebar a:has([data-count])")) {
    const shown = link.querySelector("[data-count]");
    const current = page.querySelector(`.sidebar a[href="${CSS.escape(link.getAttribute("href"))}"] [data-count]`);
    if (!current) continue;
    shown.dataset.count = current.dataset.count;
    shown.textContent = current.textContent;
  }
}
