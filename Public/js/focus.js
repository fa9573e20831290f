const name = "aviary.place";
const freshness = 15_000;
let usesKeys = false;

/** Restores the keyboard focus of the previous page: a row of the list, or its search field. */
export function keepPlace() {
  addEventListener("keydown", () => (usesKeys = true), { capture: true });
  addEventListener("pointerdown", () => (usesKeys = false), { capture: true });
  goOn(taken());
  addEventListener("pagehide", () => note(usesKeys ? place() : null));
}

function place() {
  const sheet = document.querySelector("[data-sheet]");
  // The next page is the list, with a row for the record of the sheet.
  if (sheet) return { row: sheet.querySelector('form[data-draft] input[name="id"]')?.value ?? identifier(location) };
  const focused = document.activeElement;
  if (focused?.matches(".search [data-search]")) return { isSearch: true };
  const link = focused?.closest(".records tbody tr")?.querySelector("th a");
  return link ? { row: identifier(link) } : null;
}

function goOn(place) {
  if (!place || place.list !== location.pathname || !(Date.now() - place.time < freshness)) return;
  if (document.querySelector("[data-sheet]") || document.activeElement !== document.body) return;
  if (!place.isSearch) return (row(place.row) ?? document.querySelector("main"))?.focus();
  // On a touch screen the focus would open the on-screen keyboard over the results.
  const field = matchMedia("(pointer: fine)").matches && document.querySelector(".search [data-search]");
  if (!field) return;
  field.focus();
  field.setSelectionRange(field.value.length, field.value.length);
}

function row(id) {
  return [...document.querySelectorAll(".records tbody th a")].find((link) => identifier(link) === id);
}

/** Returns the id in a path such as `/admin/animals/ID`. */
function identifier({ pathname }) {
  return pathname.split("/")[3];
}

function note(place) {
  const list = location.pathname.split("/").slice(0, 3).join("/");
  try {
    if (place) sessionStorage.setItem(name, JSON.stringify({ ...place, list, time: Date.now() }));
    else sessionStorage.removeItem(name);
  } catch {
    // Without session storage, the next page starts at its top.
  }
}

function taken() {
  try {
    const place = JSON.parse(sessionStorage.getItem(name));
    sessionStorage.removeItem(name);
    return place;
  } catch {
    return null; // As above.
  }
}
