import { localized } from "./text.js";

// The live region exists before its first message, because screen readers announce only what is added to it.
const region = document.createElement("div");
region.className = "toasts";
region.setAttribute("aria-live", "polite");
document.body.append(region);

const secondsShown = 6;
const secondsToUndo = 10;
const mostShown = 3;
const undoable = "aviary.undoable";
const secondsRemembered = 60;
// The fields of the address by which the server tells of a change.
const news = ["did", "undone", "saved"];
// The address contains them only until the page is shown.
const isUndone = new URL(location.href).searchParams.has("undone");

/** Removes the news from the address, so that Reload, Back and a bookmark do not repeat the notice. Returns whether there was some. */
export function forgetNews() {
  const address = new URL(location.href);
  if (!news.some((name) => address.searchParams.has(name))) return false;
  // The progress of an action on many records is a page of its own, which Reload shows again.
  if (document.querySelector("[data-batch]")) return false;
  for (const name of news) address.searchParams.delete(name);
  history.replaceState(history.state, "", address);
  return true;
}

/** Shows a message that disappears by itself, with an Undo button if the change can be undone (path and change set id). */
export function tell(message, undo, changeset) {
  // Messages with Undo stay until their time is over.
  const earlier = [...region.querySelectorAll(".toast:not(.failure)")];
  const kept = undo ? earlier.filter((toast) => toast.querySelector("form")).slice(-(mostShown - 1)) : [];
  for (const toast of earlier) if (!kept.includes(toast)) toast.remove();
  const toast = show(message);
  if (undo) {
    toast.append(undoForm(undo, changeset));
    remember([...remembered(), { undo, changeset, time: Date.now() }]);
  }
  const leave = () => {
    // The message stays while the user is about to press its button.
    if (toast.matches(":hover, :focus-within")) setTimeout(leave, 1000);
    else toast.remove();
  };
  setTimeout(leave, (undo ? secondsToUndo : secondsShown) * 1000);
}

/** Undoes the latest change, even after its message disappeared, then the one before. Returns whether there was one. */
export function undoLast() {
  // After an undo the page's form would redo the change; the key must not do that.
  const last = remembered().at(-1);
  const form = last
    ? undoForm(last.undo, last.changeset)
    : isUndone ? null : document.querySelector("main :is(.notice.success, [data-batch]) form[action^='/admin/undo/']");
  if (!form) return false;
  if (!form.isConnected) {
    form.hidden = true;
    document.body.append(form);
  }
  form.requestSubmit();
  return true;
}

/** Returns the changes of this tab that can be undone, with path and change set id. They survive page loads. */
function remembered() {
  try {
    const all = JSON.parse(sessionStorage.getItem(undoable)) ?? [];
    return all.filter(({ time }) => Date.now() - time < secondsRemembered * 1000);
  } catch {
    return []; // Without storage, only the messages' buttons work.
  }
}

function remember(all) {
  try {
    sessionStorage.setItem(undoable, JSON.stringify(all));
  } catch {
    // As above.
  }
}

/** Returns a form for Undo, so that the browser loads the page with the restored records. */
function undoForm(action, changeset) {
  const form = document.createElement("form");
  form.method = "post";
  form.action = action;
  const back = new URL(location.href);
  for (const name of news) back.searchParams.delete(name);
  // The change set id makes the request idempotent, for example after a double click.
  const fields = { csrf: document.querySelector('meta[name="csrf-token"]')?.content ?? "", changeset, return: back.pathname + back.search };
  for (const [name, value] of Object.entries(fields)) {
    const field = document.createElement("input");
    [field.type, field.name, field.value] = ["hidden", name, value];
    form.append(field);
  }
  const button = document.createElement("button");
  button.className = "button";
  button.textContent = localized("Undo");
  form.append(button);
  form.addEventListener("submit", () => remember(remembered().filter(({ undo }) => undo !== action)));
  return form;
}

/** Shows an error that stays until it is dismissed. Parts of the message can be links to records. */
export function warn(message, parts) {
  const toast = show(message);
  if (Array.isArray(parts)) toast.querySelector("span").replaceChildren(...parts.map(piece));
  toast.classList.add("failure");
  toast.setAttribute("role", "alert");
  const dismiss = document.createElement("button");
  dismiss.type = "button";
  dismiss.className = "button";
  dismiss.textContent = localized("Dismiss");
  dismiss.addEventListener("click", () => toast.remove());
  toast.append(dismiss);
}

function piece({ text, href }) {
  if (!href) return text;
  const link = document.createElement("a");
  [link.href, link.textContent] = [href, text];
  return link;
}

function show(message) {
  const toast = document.createElement("div");
  toast.className = "toast";
  const text = document.createElement("span");
  text.dir = "auto";
  text.textContent = message;
  toast.append(text);
  region.append(toast);
  return toast;
}
