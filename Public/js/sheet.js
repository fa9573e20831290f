/** Handles the keys of the sheet: Control and Enter save from any field; Escape closes the sheet without losing input. */
export function watchSheet(sheet, form, drafts, { signal }) {
  const [save, keep, cancel] = ["save", "keep", "cancel"].map((name) => form.querySelector(`[data-${name}]`));

  document.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      form.requestSubmit(save);
    } else if (closes(event)) {
      event.preventDefault();
      // Cancel discards the input, which must not happen accidentally.
      (drafts.isUntouched() ? cancel : keep).click();
    }
  }, { signal });
  document.querySelector("[data-backdrop]")?.addEventListener("click", refuse, { signal });

  function refuse() {
    sheet.classList.add("refusing");
    setTimeout(() => sheet.classList.remove("refusing"), 160);
  }
}

/** Handles the keys of a read-only sheet, and closes it so that Back does not open it again. */
export function watchRecord(sheet) {
  const close = sheet.querySelector("[data-close]");
  document.addEventListener("keydown", (event) => {
    if (closes(event)) close?.click();
  });
  close?.addEventListener("click", (event) => {
    // Other clicks open the list in another tab or window.
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    location.replace(close.href);
  });
}

/** Returns whether Escape closes the sheet. In a search field and during input composition it has another meaning. */
function closes(event) {
  if (event.key !== "Escape" || event.defaultPrevented || event.isComposing) return false;
  return !(event.target.matches("input[type=search]") && event.target.value);
}
