const name = "aviary.place";
const freshness = 15_000;
const floating = 10_000;
// The fields of an address that choose a part of the list.
const parts = /^(q|sort|after|before|size|filter\..*)$/;
let usesKeys = false;

/**
 * Restores the place of the previous page, so that a sheet opens and closes over the same rows: the scroll position of the list,
 * and for keyboard users the focus on a row or in the search field.
 *
 * `hasNews` is true if the address told of a change, which the server answers with the list.
 */
export function keepPlace(hasNews) {
  addEventListener("keydown", () => (usesKeys = true), { capture: true });
  addEventListener("pointerdown", () => (usesKeys = false), { capture: true });
  const place = taken();
  if (place && place.list === list() && Date.now() - place.time < freshness) {
    if (place.part === part() && (place.isSheet || hasNews || sheet())) scrollBack(place);
    if (place.focus) goOn(place.focus);
  }
  addEventListener("pagehide", () => {
    note({ focus: usesKeys ? focusedPlace() : null, top: table()?.getBoundingClientRect().top, part: part(), isSheet: Boolean(sheet()) });
  });
}

function sheet() {
  return document.querySelector("[data-sheet]");
}

function table() {
  return document.querySelector(".list .records");
}

/** Scrolls the rows to where they were, whatever now stands above them, and further only to show the saved row. */
function scrollBack({ top }) {
  const [type] = performance.getEntriesByType("navigation");
  // The browser restores the position itself after Reload, Back and Forward.
  if (type?.type !== "navigate" || typeof top !== "number" || !table()) return;
  scrollBy({ top: table().getBoundingClientRect().top - top, behavior: "instant" });
  if (sheet()) return;
  document.querySelector(".records tr.saved")?.scrollIntoView({ block: "nearest", behavior: "instant" });
  for (const notice of document.querySelectorAll("main > .notice.success")) float(notice);
}

/** Shows a notice above the rows for a while, if the page is scrolled past it. */
function float(notice) {
  if (notice.getBoundingClientRect().top >= 0) return;
  notice.classList.add("floating");
  const end = () => {
    // The notice stays while the user is about to press its button.
    if (notice.matches(":hover, :focus-within")) setTimeout(end, 1_000);
    else notice.classList.remove("floating");
  };
  setTimeout(end, floating);
}

function focusedPlace() {
  // The next page is the list, with a row for the record of the sheet.
  if (sheet()) return { row: sheet().querySelector('form[data-draft] input[name="id"]')?.value ?? identifier(location) };
  const focused = document.activeElement;
  if (focused?.matches(".search [data-search]")) return { isSearch: true };
  const link = focused?.closest(".records tbody tr")?.querySelector("th a");
  return link ? { row: identifier(link) } : null;
}

function goOn(place) {
  if (sheet() || document.activeElement !== document.body) return;
  if (!place.isSearch) {
    const found = row(place.row);
    return found ? found.focus() : document.querySelector("main")?.focus({ preventScroll: true });
  }
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

/** Returns the path of the page's list, such as `/admin/animals`. */
function list() {
  return location.pathname.split("/").slice(0, 3).join("/");
}

/** Returns the part of the list that the address chooses, so that another page or order of the list begins at its top. */
function part() {
  // Forms also send their empty fields, which links omit.
  const fields = [...new URL(location.href).searchParams].filter(([name, value]) => parts.test(name) && value !== "");
  return new URLSearchParams(fields.sort()).toString();
}

function note(place) {
  try {
    sessionStorage.setItem(name, JSON.stringify({ ...place, list: list(), time: Date.now() }));
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
