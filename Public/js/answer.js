/**
 * Shows the outcome of a submitted form in the sheet, with a button for the next step. The notice looks like the server's own
 * notices, which the page contains as templates.
 */
export function answer(form, kind, text, title, act) {
  const notice = document.querySelector(`template[data-notice="${kind}"]`).content.firstElementChild.cloneNode(true);
  notice.classList.add("answer");
  notice.querySelector("p").textContent = text;
  const actions = document.createElement("div");
  actions.className = "actions";
  const button = document.createElement("button");
  button.type = "button";
  button.className = "button";
  button.textContent = title;
  button.addEventListener("click", act);
  actions.append(button);
  notice.append(actions);
  form.querySelector(".sheet-body").prepend(notice);
  notice.scrollIntoView({ block: "nearest" });
  return notice;
}
