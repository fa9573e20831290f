/** Control and Enter save from anywhere in the sheet; Escape closes it, and nothing that was typed is lost by that. */
export function watchSheet(sheet, form, drafts, { signal }) {
  const [save, keep, cancel] = ["save", "keep", "cancel"].map((name) => form.querySelector(`[data-${name}]`));

  document.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      form.requestSubmit(save);
    } else if (closes(event)) {
      event.preventDefault();
      // Cancel drops what was typed: that is never done by a slip.
      (drafts.isUntouched() ? cancel : keep).click();
    }
  }, { signal });
  document.querySelector("[data-backdrop]")?.addEventListener("click", refuse, { signal });

  function refuse() {
    sheet.classList.add("refusing");
    setTimeout(() => sheet.classList.remove("refusing"), 160);
  }
}

/** Of a record that is only looked at. */
export function watchRecord(sheet) {
  document.addEventListener("keydown", (event) => {
    if (closes(event)) sheet.querySelector("[data-close]")?.click();
  });
}

/** In a search and in what a method of input composes, Escape has a meaning already. */
function closes(event) {
  if (event.key !== "Escape" || event.defaultPrevented || event.isComposing) return false;
  return !(event.target.matches("input[type=search]") && event.target.value);
}
