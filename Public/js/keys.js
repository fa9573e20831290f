import { undoLast } from "./toast.js";
import { localized } from "./text.js";

const switchName = "aviary.keys";
const keys = [
  ["/", localized("Search")],
  ["n", localized("Add record")],
  ["↑ ↓", localized("Move up or down")],
  [localized("Enter"), localized("Open record")],
  ["x", localized("Select row")],
  [localized("Del"), localized("Delete row or selection")],
  [localized("Ctrl Z"), localized("Undo last delete")],
  ["?", localized("Show keyboard shortcuts")],
];

/** Handles the keyboard shortcuts. The user can disable them in this browser. */
export function watchKeys() {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.altKey || isElsewhere(event.target)) return;
    if (event.ctrlKey || event.metaKey) {
      if (event.key.toLowerCase() === "z" && !event.shiftKey && undoLast()) event.preventDefault();
      return;
    }
    if (isOn() && act(event.key, event)) event.preventDefault();
  });
  addButton();
}

/** Returns whether another element handles the keys: an input field, a sheet or a question. */
function isElsewhere(target) {
  return target.closest("input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]") || document.querySelector("dialog[open]");
}

function act(key, event) {
  switch (key) {
    case "/": return focus("[data-search]", (field) => field.select());
    case "n": return follow(".list-header .primary");
    case "ArrowDown": return move(1, event);
    case "ArrowUp": return move(-1, event);
    case "x": return press(row()?.querySelector(".tick input"));
    case "Delete": return remove();
    case "?": return show();
    default: return false;
  }
}

function focus(selector, then) {
  const found = document.querySelector(selector);
  if (!found) return false;
  found.focus();
  then?.(found);
  return true;
}

function follow(selector) {
  const link = document.querySelector(selector);
  if (link) location.assign(link.href);
  return Boolean(link);
}

function press(element) {
  element?.click();
  return Boolean(element);
}

function row() {
  return document.activeElement?.closest(".records tbody tr");
}

function move(step, event) {
  // The arrow keys scroll the page until a row has the focus.
  const rows = [...document.querySelectorAll(".records tbody tr:not([inert])")];
  const index = rows.indexOf(row());
  if (rows.length === 0 || (index < 0 && step < 0) || event.shiftKey) return false;
  const next = rows[Math.min(rows.length - 1, Math.max(0, index + step))];
  next.querySelector("th a").focus();
  next.scrollIntoView({ block: "nearest" });
  return true;
}

function remove() {
  if (document.querySelector(".records tbody .tick :checked")) return press(document.querySelector(".selection .danger"));
  return press(row()?.querySelector("[data-delete]"));
}

function isOn() {
  try {
    return localStorage.getItem(switchName) !== "off";
  } catch {
    return true; // The default without storage.
  }
}

function turn(isOn) {
  try {
    if (isOn) localStorage.removeItem(switchName);
    else localStorage.setItem(switchName, "off");
  } catch {
    // Without storage, the choice is lost and the default stays.
  }
}

function show() {
  const dialog = element("dialog", "question");
  const heading = element("h2", "", localized("Keyboard shortcuts"));
  heading.id = "keys-title";
  dialog.setAttribute("aria-labelledby", heading.id);
  const list = element("dl", "keys");
  for (const [names, meaning] of keys) {
    const term = element("dt");
    term.append(...names.split(" ").map((name) => element("kbd", "", name)));
    list.append(term, element("dd", "", meaning));
  }
  const label = element("label", "off");
  const box = element("input");
  box.type = "checkbox";
  box.checked = isOn();
  box.addEventListener("change", () => turn(box.checked));
  label.append(box, localized("Use keyboard shortcuts in this browser"));
  const actions = element("div", "actions");
  const close = element("button", "button primary", localized("Close"));
  close.type = "button";
  close.addEventListener("click", () => dialog.close());
  actions.append(close);
  dialog.append(heading, list, label, actions);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return true;
}

/** Adds a button that shows the shortcuts, where the user can enable them again. */
function addButton() {
  const button = element("button", "button plain keys-button", localized("Keyboard shortcuts"));
  button.type = "button";
  button.addEventListener("click", show);
  document.querySelector(".page-footer span")?.after(button);
}

function element(name, className, text) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text) made.textContent = text;
  return made;
}
