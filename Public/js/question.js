import { localized } from "./text.js";

/** Asks a question in a modal dialog, and resolves to true if the user confirms. */
export function ask({ title, lines, confirm }) {
  const dialog = document.createElement("dialog");
  dialog.className = "question";
  dialog.setAttribute("aria-labelledby", "question-title");

  const heading = element("h2", title);
  heading.id = "question-title";
  const actions = document.createElement("div");
  actions.className = "actions";
  actions.append(button(localized("Cancel"), "", ""), button(confirm, "danger", "yes"));
  dialog.append(heading, ...(lines ?? []).map((line) => element("p", line)), actions);

  function button(label, kind, answer) {
    const made = element("button", label);
    made.type = "button";
    made.className = `button ${kind}`;
    made.addEventListener("click", () => dialog.close(answer));
    return made;
  }

  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    });
  });
}

function element(name, text) {
  const made = document.createElement(name);
  made.dir = "auto";
  made.textContent = text;
  return made;
}
