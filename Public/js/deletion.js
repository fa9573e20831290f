import { ask } from "./question.js";
import { tell, warn } from "./toast.js";
import { localized } from "./words.js";

const patience = 15_000;
const fade = 140;
const unanswered = localized("The server did not answer. Nothing is known to be deleted; reload to see.");
// A number that is not exact has a plus behind it.
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
    // An action of the application's own has a page that asks.
    if (event.submitter?.hasAttribute("formaction")) return;
    event.preventDefault();
    const rows = [...list.querySelectorAll("tbody .tick :checked")].map((tick) => tick.closest("tr"));
    if (rows.length > 0) remove(list, rows);
  });
}

/** Rows leave before the answer comes, and return to their places when it is not a yes. */
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
    tell(answer.message, answer.undo, answer.changeset);
    return;
  }
  comeBack();
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
  // A page instead of an answer (say, of signing in again) must not count as a yes.
  const isAnswer = reply.headers.get("Content-Type")?.startsWith("application/json");
  return { status: reply.status, answer: isAnswer ? await reply.json() : null };
}

function count(list, removed, undo) {
  // Below the list stand the same numbers, and how many rows there are; others belong to a name.
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
    // Of one, and in some languages of none, other words tell.
    if (isOne && summary.textContent.match(exact).some((digits) => value(digits) < 2)) summary.textContent = "";
  }
  // The page below has rows for the places that are free, or says that the list is empty.
  if (!list.querySelector("tbody tr")) setTimeout(() => location.assign(withNews(undo)), 1500);
}

/** The text with smaller numbers where they count what was removed: those that are given, or all. */
function lessened(text, removed, counts) {
  return text.replaceAll(exact, (digits) => {
    const number = value(digits);
    return !counts || counts.has(number) ? grouped.format(Math.max(0, number - removed)) : digits;
  });
}

function value(digits) {
  return Number(digits.replaceAll(/[.,]/g, ""));
}

/** The list with the way to take back what was just done. */
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

/** Random and well-formed also where the page is not served securely and has no `randomUUID`. */
function identifier() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
