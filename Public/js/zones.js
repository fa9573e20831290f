import { localized } from "./words.js";

/** Fields are in UTC, as the label says; beside them stands what that is on the reader's own clock. */
export function watchZones(form) {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (!zone || zone === "UTC") return;
  const words = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
  for (const input of form.querySelectorAll("input[type=datetime-local]")) {
    const remark = document.createElement("p");
    remark.className = "help";
    input.closest(".field").append(remark);
    const tell = () => {
      const date = new Date(`${input.value}Z`);
      remark.textContent = Number.isNaN(date.getTime()) ? "" : localized("%@ in your time zone (%@)", words.format(date), zone);
    };
    input.addEventListener("input", tell);
    tell();
  }
}
