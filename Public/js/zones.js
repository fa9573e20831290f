import { localized } from "./text.js";

/** Shows the local time below each time field, whose value is in UTC, as its label says. */
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
