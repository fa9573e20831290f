export function watchSheet(sheet, form) {
  const save = form.querySelector("[data-save]");
  const buttons = form.querySelectorAll("[data-save], [data-save-and], [data-keep], [data-step]");
  let isSubmitting = false;

  document.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      if (!isSubmitting) form.requestSubmit(save);
    } else if (event.key === "Escape" && !event.defaultPrevented) {
      refuse();
    }
  });
  document.querySelector("[data-backdrop]")?.addEventListener("click", refuse);

  // Only Cancel closes a sheet: a slip must not cost what was typed.
  function refuse() {
    sheet.classList.add("refusing");
    setTimeout(() => sheet.classList.remove("refusing"), 160);
  }

  form.addEventListener("submit", (event) => {
    if (isSubmitting) return event.preventDefault();
    isSubmitting = true;
    // After the browser has read the form: a disabled button is not part of it.
    setTimeout(() => setDisabled(true));
  });
  addEventListener("pageshow", () => {
    isSubmitting = false;
    setDisabled(false);
  });

  function setDisabled(isDisabled) {
    for (const button of buttons) button.disabled = isDisabled;
  }
}
