import { localized } from "./words.js";

// The region stands before anything is said in it: screen readers hear only what is added to it.
const region = document.createElement("div");
region.className = "toasts";
region.setAttribute("aria-live", "polite");
document.body.append(region);

const secondsShown = 6;
const secondsToUndo = 10;
let last = null;

/** Says that something is done, and goes away by itself; with where it is taken back, if it can be, and as which change set. */
export function tell(message, undo, changeset) {
  for (const earlier of region.querySelectorAll(".toast:not(.failure)")) earlier.remove();
  const toast = show(message);
  if (undo) toast.append((last = undoForm(undo, changeset)));
  const leave = () => {
    // Nobody loses a button that they are about to press.
    if (toast.matches(":hover, :focus-within")) setTimeout(leave, 1000);
    else toast.remove();
  };
  setTimeout(leave, (undo ? secondsToUndo : secondsShown) * 1000);
}

/** Takes the last one back that can be, also when its message has gone. Whether there is one. */
export function undoLast() {
  // What was just taken back must not be done again by the same key.
  const isUndone = new URL(location.href).searchParams.has("undone");
  const form = last ?? (isUndone ? null : document.querySelector("main .notice.success form[action^='/admin/undo/']"));
  if (!form) return false;
  last = null;
  if (!form.isConnected) {
    form.hidden = true;
    document.body.append(form);
  }
  form.requestSubmit();
  return true;
}

/** A form, so that the page comes back with what was brought back. */
function undoForm(action, changeset) {
  const form = document.createElement("form");
  form.method = "post";
  form.action = action;
  const back = new URL(location.href);
  for (const name of ["did", "undone"]) back.searchParams.delete(name);
  // Sent twice, as by a double click, it is done once.
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
  return form;
}

/** Says that something failed, and stays until it is dismissed. */
export function warn(message) {
  const toast = show(message);
  toast.classList.add("failure");
  toast.setAttribute("role", "alert");
  const dismiss = document.createElement("button");
  dismiss.type = "button";
  dismiss.className = "button";
  dismiss.textContent = localized("Dismiss");
  dismiss.addEventListener("click", () => toast.remove());
  toast.append(dismiss);
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
