/**
 * Says in the sheet what became of a form that was sent, and what one can do about it: as the server would say it, whose notices
 * wait in the page.
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
