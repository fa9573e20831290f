import { watch } from "./pickers.js";

const blankID = "00000000-0000-0000-0000-000000000000";
const mostRows = 50;

/** Adds rows in place. Without scripts the server adds them. */
export function watchRows(form) {
  for (const rows of form.querySelectorAll("[data-rows]")) {
    const blank = rows.querySelector("template[data-blank]");
    const list = rows.querySelector(".row-list");
    const add = rows.querySelector(":scope > [data-step]");
    if (!blank || !add) continue;
    add.addEventListener("click", (event) => {
      event.preventDefault();
      const row = blank.content.firstElementChild.cloneNode(true);
      name(row, version7());
      list.append(row);
      for (const picker of row.querySelectorAll("[data-choices]")) watch(picker);
      add.hidden = list.children.length >= mostRows;
      rows.querySelector(".none")?.remove();
      row.querySelector("input:not([type=hidden]), select, textarea")?.focus();
      form.dispatchEvent(new Event("input"));
    });
  }
}

/** Replaces the id of the template in the attributes of a row's elements. */
function name(row, id) {
  for (const element of [row, ...row.querySelectorAll("*")]) {
    for (const attribute of [...element.attributes]) {
      if (attribute.value.includes(blankID)) element.setAttribute(attribute.name, attribute.value.replaceAll(blankID, id));
    }
  }
}

/** Returns a UUID that starts with the time (version 7, RFC 9562, section 5.7), like those of the server. */
function version7() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  let time = Date.now();
  for (let place = 5; place >= 0; place -= 1) {
    bytes[place] = time % 256;
    time = Math.floor(time / 256);
  }
  bytes[6] = (bytes[6] & 0x0f) | 0x70;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const digits = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
