/** Shows the server's advice early: when the user leaves a field, never during typing. The advice does not prevent saving. */
export function watchFields(form) {
  form.addEventListener("change", (event) => judge(event.target));
}

function judge(control) {
  const field = control.closest?.("[data-advice]");
  if (!field || control.matches("[type=hidden], [type=checkbox], [type=radio]")) return;
  const earlier = field.querySelector(".courtesy");
  if (fits(control.value, field.dataset)) {
    earlier?.remove();
    return;
  }
  if (earlier) return;
  const remark = document.createElement("p");
  remark.className = "error courtesy";
  remark.setAttribute("role", "status");
  remark.textContent = field.dataset.advice;
  field.append(remark);
}

function fits(value, { pattern, least, most, longest }) {
  const text = value.trim();
  if (!text) return true;
  // The length is in grapheme clusters, as on the server.
  if (longest && [...new Intl.Segmenter().segment(value)].length > Number(longest)) return false;
  const number = Number(text);
  if (least && number < Number(least)) return false;
  if (most && number > Number(most)) return false;
  return !pattern || matches(pattern, text);
}

function matches(pattern, text) {
  try {
    return new RegExp(`^(?:${pattern})$`, "u").test(text);
  } catch {
    return true; // The server's regular expressions have more features.
  }
}
