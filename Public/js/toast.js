import { localized } from "./words.js";

// The region stands before anything is said in it: screen readers hear only what is added to it.
const region = document.createElement("div");
region.className = "toasts";
region.setAttribute("aria-live", "polite");
document.body.append(region);

const secondsShown = 6;
const secondsToUndo = 10;
const mostShown = 3;
const undoable = "aviary.undoable";
const secondsRemembered = 60;

/** Says that something is done, and goes away by itself; with where it is taken back, if it can be, and as which change set. */
export function tell(message, undo, changeset) {
  // What can still be taken back stays for its time.
  const earlier = [...region.querySelectorAll(".toast:not(.failure)")];
  const kept = undo ? earlier.filter((toast) => toast.querySelector("form")).slice(-(mostShown - 1)) : [];
  for (const toast of earlier) if (!kept.includes(toast)) toast.remove();
  const toast = show(message);
  if (undo) {
    toast.append(undoForm(undo, changeset));
    remember([...remembered(), { undo, changeset, time: Date.now() }]);
  }
  const leave = () => {
    // Nobody loses a button that they are about to press.
    if (toast.matches(":hover, :focus-within")) setTimeout(leave, 1000);
    else toast.remove();
  };
  setTimeout(leave, (undo ? secondsToUndo : secondsShown) * 1000);
}

/** Takes the last one back that can be, also when its message has gone, then the one before. Whether there is one. */
export function undoLast() {
  // What was just taken back must not be done again by the same key.
  const isUndone = new URL(location.href).searchParams.has("undone");
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

/** Of this tab, over the pages that taking back leads to: where, and as which change set. */
function remembered() {
  try {
    const all = JSON.parse(sessionStorage.getItem(undoable)) ?? [];
    return all.filter(({ time }) => Date.now() - time < secondsRemembered * 1000);
  } catch {
    return []; // A browser that keeps nothing: the messages have their buttons.
  }
}

function remember(all) {
  try {
    sessionStorage.setItem(undoable, JSON.stringify(all));
  } catch {
    // As above.
  }
}

/** A form, so that the page comes back with what was brought back. */
function undoForm(action, changeset) {
  const form = document.createElement("form");
  form.method = "post";
  form.action = action;
  const back = new URL(location.href);
  for (const name of ["did", "undone", "saved"]) back.searchParams.delete(name);
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
  form.addEventListener("submit", () => remember(remembered().filter(({ undo }) => undo !== action)));
  return form;
}

/** Says that something failed, and stays until it is dismissed; in pieces, of which some lead to a record. */
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
