import { localized } from "./text.js";

export function watchSelection(list) {
  const ticks = () => [...list.querySelectorAll("tbody tr:not([inert]) .tick input")];
  const said = list.querySelector("[data-selected]");
  const all = selectAll(list);
  let last = null;

  list.addEventListener("click", (event) => {
    const tick = event.target;
    if (!tick.matches("tbody .tick input")) return;
    if (event.shiftKey && last) {
      const every = ticks();
      const [from, to] = [every.indexOf(last), every.indexOf(tick)].sort((a, b) => a - b);
      if (from >= 0) for (const between of every.slice(from, to + 1)) between.checked = tick.checked;
      refresh();
    }
    last = tick;
  });

  // While the checkboxes show on a phone, a tap anywhere in a row selects it and opens nothing.
  list.addEventListener("click", (event) => {
    if (!list.classList.contains("selecting") || event.target.closest(".tick, .act")) return;
    const row = event.target.closest("tbody tr:not([inert])");
    if (!row) return;
    event.preventDefault();
    row.querySelector(".tick input").click();
  });

  // Enter in a checkbox would submit the form with its first button, Delete.
  list.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.target.matches(".tick input")) event.preventDefault();
  });

  list.addEventListener("change", (event) => {
    if (event.target === all) for (const tick of ticks()) tick.checked = all.checked;
    refresh();
  });

  function refresh() {
    const every = ticks();
    const selected = every.filter((tick) => tick.checked).length;
    all.checked = selected > 0 && selected === every.length;
    all.indeterminate = selected > 0 && selected < every.length;
    said.textContent = selected > 0 ? localized("%@ selected", selected) : "";
  }

  addToggle(list, () => {
    for (const tick of ticks()) tick.checked = false;
    refresh();
  });
  refresh();
}

function selectAll(list) {
  const all = document.createElement("input");
  all.type = "checkbox";
  all.setAttribute("aria-label", localized("Select all on this page"));
  const label = document.createElement("label");
  label.append(all);
  list.querySelector("[data-select-all]").replaceChildren(label);
  return all;
}

/** Adds a button that shows the checkboxes, for which a phone has no permanent space. */
function addToggle(list, clear) {
  const place = list.querySelector("thead .act");
  const toggle = document.createElement("button");
  toggle.type = "button";
  toggle.className = "button plain";
  toggle.textContent = localized("Select");
  toggle.addEventListener("click", () => {
    const isSelecting = list.classList.toggle("selecting");
    toggle.textContent = isSelecting ? localized("Done") : localized("Select");
    if (!isSelecting) clear();
  });
  place.append(toggle);
}
