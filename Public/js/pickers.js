import { localized } from "./text.js";

const pause = 200;
const unanswered = localized("The server isn’t responding. Try again.");

/** Searches on the server during typing, and shows the matching options. Without scripts a button starts the search. */
export function watchPickers(form) {
  for (const picker of form.querySelectorAll("[data-choices]")) watch(picker);
  form.addEventListener("submit", (event) => {
    // Save must not interpret the text of a search field as a search.
    if (event.submitter?.matches("[data-step]")) return;
    for (const input of form.querySelectorAll("[data-search][type=search]")) input.value = "";
  });
}

export function watch(picker) {
  const input = picker.querySelector("[data-search]");
  const list = picker.querySelector(".picks, .entries");
  const status = picker.querySelector("[data-found]");
  const isMany = list.matches(".entries");
  let timer = null;
  let request = null;

  async function find() {
    clearTimeout(timer);
    request?.abort();
    const text = input.value.trim();
    if (!text) return show([], "");
    const address = new URL(picker.dataset.choices, location.href);
    address.searchParams.set("q", text);
    const own = (request = new AbortController());
    try {
      const reply = await fetch(address, { headers: { Accept: "application/json" }, signal: own.signal });
      const answer = await reply.json();
      if (own === request) show(answer.choices ?? [], answer.message ?? answer.error ?? unanswered);
    } catch {
      if (own === request && !own.signal.aborted) status.textContent = unanswered;
    }
  }

  function show(choices, message) {
    for (const input of list.querySelectorAll("[data-result]:not(:checked)")) input.closest("li, label").remove();
    const known = new Set([...list.querySelectorAll("input")].map((input) => input.value));
    for (const choice of choices) if (!known.has(choice.id)) list.append(option(choice));
    if (status.textContent !== message) status.textContent = message;
  }

  function option({ id, title }) {
    const control = document.createElement("input");
    control.type = isMany ? "checkbox" : "radio";
    control.name = picker.dataset.name;
    control.value = id;
    control.dataset.result = "";
    const text = document.createElement("span");
    text.dir = "auto";
    text.textContent = title;
    const label = document.createElement("label");
    label.append(control, text);
    if (!isMany) return label;
    const item = document.createElement("li");
    item.append(label);
    return item;
  }

  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(find, pause);
  });
  input.addEventListener("keydown", (event) => {
    // In a list of values Enter saves, because the server finds a complete name itself.
    if (event.key !== "Enter" || isMany || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    find();
  });
  picker.querySelector("[data-step]").addEventListener("click", (event) => {
    event.preventDefault();
    find();
  });
  list.addEventListener("change", (event) => {
    // The user has chosen a result, so the server must not search for the text again.
    if (event.target.checked && event.target.matches("[data-result]")) input.value = "";
  });
}
