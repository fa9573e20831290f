export function watchSheet(sheet, form, { signal }) {
  const save = form.querySelector("[data-save]");

  document.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      form.requestSubmit(save);
    } else if (event.key === "Escape" && !event.defaultPrevented) {
      refuse();
    }
  }, { signal });
  document.querySelector("[data-backdrop]")?.addEventListener("click", refuse, { signal });

  // Only Cancel closes a sheet: a slip must not cost what was typed.
  function refuse() {
    sheet.classList.add("refusing");
    setTimeout(() => sheet.classList.remove("refusing"), 160);
  }
}
