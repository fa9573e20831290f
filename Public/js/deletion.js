import { ask } from "./question.js";
import { tell, warn } from "./toast.js";
import { localized } from "./text.js";

const patience = 15_000;
// The newest deletion whose numbers are shown. The answers of several deletions can arrive in another order.
let counted = 0;
const fade = 140;
const unanswered = localized("Couldn’t confirm the delete: the server didn’t respond. Reload the page to check.");
// An inexact number is followed by a plus sign.
const exact = /\d+(?:[.,]\d+)*(?![\d.,]*\+)/g;
const grouped = new Intl.NumberFormat(document.documentElement.lang);

export function watchDeletions(list) {
  list.addEventListener("click", (event) => {
    const link = event.target.closest("[data-delete]");
    if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    remove(list, [link.closest("tr")]);
  });
  list.addEventListener("submit", (event) => {
    // An action of the application has a confirmation page.
    if (event.submitter?.hasAttribute("formaction")) return;
    event.preventDefault();
    const rows = [...list.querySelectorAll("tbody .tick :checked")].map((tick) => tick.closest("tr"));
    if (rows.length > 0) remove(list, rows);
  });
}

/** Hides the rows before the answer arrives, and restores them unless the server has deleted the records. */
async function remove(list, rows, allow) {
  const comeBack = leave(list, rows);
  let status, answer;
  try {
    ({ status, answer } = await send(list, rows, allow));
  } catch {
    comeBack();
    return warn(unanswered);
  }
  if (status === 200 && Array.isArray(answer?.deleted)) {
    for (const row of rows) row.remove();
    count(list, rows.length, answer.undo);
    const isMore = recount(answer);
    tell(answer.message, answer.undo, answer.changeset);
    // The records that went along may be in this list too.
    if (allow !== undefined && isMore) setTimeout(() => location.assign(withNews(answer.undo)), 1500);
    return;
  }
  comeBack();
  // The delete takes a while. A page shows its progress, and can stop it.
  if (answer?.location) return location.assign(answer.location);
  if (status === 409 && answer?.question) {
    if (await ask(answer.question)) remove(list, rows, answer.question.allow);
    return;
  }
  for (const row of rows) row.classList.add("wrong-row");
  warn(answer?.error ?? localized("Not deleted. Reload the page and try again."), answer?.parts);
}

function leave(list, rows) {
  const ticked = rows.filter((row) => tick(row).checked);
  const focused = rows.find((row) => row.contains(document.activeElement));
  for (const row of rows) {
    row.classList.remove("wrong-row");
    row.classList.add("leaving");
    row.inert = true;
    tick(row).checked = false;
  }
  list.dispatchEvent(new Event("change"));
  if (focused) neighbour(focused)?.querySelector("th a").focus();
  const hiding = setTimeout(() => rows.forEach((row) => (row.hidden = true)), fade);

  return () => {
    clearTimeout(hiding);
    for (const row of rows) {
      row.classList.remove("leaving", "swiped", "settling");
      row.inert = row.hidden = false;
    }
    for (const row of ticked) tick(row).checked = true;
    list.dispatchEvent(new Event("change"));
  };
}

async function send(list, rows, allow) {
  const body = new URLSearchParams({
    csrf: document.querySelector('meta[name="csrf-token"]')?.content ?? "",
    changeset: identifier(),
  });
  for (const row of rows) body.append("id", tick(row).value);
  if (allow !== undefined) body.append("allow", allow);
  const reply = await fetch(list.getAttribute("action"), {
    method: "POST",
    body,
    headers: { Accept: "application/json" },
    signal: AbortSignal.timeout(patience),
  });
  // A page instead of JSON, such as the sign-in page, does not mean success.
  const isAnswer = reply.headers.get("Content-Type")?.startsWith("application/json");
  return { status: reply.status, answer: isAnswer ? await reply.json() : null };
}

function count(list, removed, undo) {
  // The footer of the list contains the same numbers and the number of rows. Any other number belongs to a name.
  const counts = new Set([list.querySelectorAll("tbody tr").length + removed]);
  for (const shown of document.querySelectorAll(".list-header [data-count], .sidebar [aria-current] [data-count]")) {
    for (const [digits] of shown.textContent.matchAll(exact)) counts.add(value(digits));
    const total = Math.max(0, Number(shown.dataset.count) - removed);
    shown.dataset.count = total;
    shown.textContent = "matching" in shown.dataset ? lessened(shown.textContent, removed) : grouped.format(total);
  }
  const summary = document.querySelector("[data-summary]");
  if (summary) {
    const isOne = [...summary.textContent.matchAll(exact)].length === 1;
    summary.textContent = lessened(summary.textContent, removed, counts);
    // The text differs for one record, and in some languages for zero.
    if (isOne && summary.textContent.match(exact).some((digits) => value(digits) < 2)) summary.textContent = "";
  }
  // The reloaded page shows the following rows, or the placeholder of an empty list.
  if (!list.querySelector("tbody tr")) setTimeout(() => location.assign(withNews(undo)), 1500);
}

/**
 * Shows the numbers of the answer in the navigation: records of other models can be deleted too. Returns whether this list has lost
 * more records than its rows.
 */
function recount({ counts, undo }) {
  const commit = Number(undo?.split("/").pop());
  if (!counts || !(commit > counted)) return false;
  counted = commit;
  let isMore = false;
  for (const link of document.querySelectorAll(".sidebar a:has([data-count])")) {
    const total = counts[link.getAttribute("href")];
    const shown = link.querySelector("[data-count]");
    if (!Number.isInteger(total)) continue;
    if (link.hasAttribute("aria-current") && total < Number(shown.dataset.count)) isMore = true;
    shown.dataset.count = total;
    shown.textContent = grouped.format(total);
  }
  return isMore;
}

/** Returns the text with the removed records subtracted from the given counts, or from all numbers. */
function lessened(text, removed, counts) {
  return text.replaceAll(exact, (digits) => {
    const number = value(digits);
    return !counts || counts.has(number) ? grouped.format(Math.max(0, number - removed)) : digits;
  });
}

function value(digits) {
  return Number(digits.replaceAll(/[.,]/g, ""));
}

/** Returns the address of the list with the notice that offers Undo. */
function withNews(undo) {
  const address = new URL(location.href);
  address.searchParams.delete("saved");
  address.searchParams.set("did", undo?.split("/").pop() ?? "");
  return address;
}

function neighbour(row) {
  const rows = [...row.parentElement.rows];
  const index = rows.indexOf(row);
  const stays = (other) => !other.classList.contains("leaving");
  return rows.slice(index).find(stays) ?? rows.slice(0, index).findLast(stays);
}

function tick(row) {
  return row.querySelector(".tick input");
}

/** Returns a random UUID, also in an insecure context, which has no `randomUUID`. */
function identifier() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
