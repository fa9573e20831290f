import { localized } from "./text.js";

const day = 86_400_000;

/** Shows the local time below each time field whose value is in another zone, which its label names. */
export function watchZones(form) {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (!own) return;
  const { lang } = document.documentElement;
  // British English writes a time as the pages do: 25 Nov 2026, 18:39.
  const words = new Intl.DateTimeFormat(lang === "en" ? "en-GB" : lang, { dateStyle: "medium", timeStyle: "short" });
  for (const input of form.querySelectorAll("input[type=datetime-local]")) {
    const zone = input.dataset.zone ?? "UTC";
    if (zone === own) continue;
    const remark = document.createElement("p");
    remark.className = "help";
    input.closest(".field").append(remark);
    const tell = () => {
      const time = moment(input.value, zone);
      remark.textContent = Number.isNaN(time) ? "" : localized("%@ in your time zone (%@)", words.format(time), own);
    };
    input.addEventListener("input", tell);
    tell();
  }
}

/**
 * Returns the point in time at which a clock of the zone shows the text, the first of two; NaN if there is none, or if the text or
 * the zone is not known.
 */
function moment(text, zone) {
  const clock = new Date(`${text}Z`).getTime();
  if (Number.isNaN(clock) || zone === "UTC") return clock;
  try {
    // The offset is one of those around the time.
    const times = [-day, 0, day].map((distance) => clock - offset(clock + distance, zone));
    const shown = times.filter((time) => time + offset(time, zone) === clock);
    return shown.length ? Math.min(...shown) : NaN;
  } catch {
    return NaN;
  }
}

/** Returns the milliseconds by which a clock of the zone is ahead of UTC at a time. */
function offset(time, zone) {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: zone, hourCycle: "h23", year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric",
    second: "numeric",
  });
  const parts = Object.fromEntries(format.formatToParts(time).map(({ type, value }) => [type, Number(value)]));
  const shown = Date.UTC(parts.year, parts.month - 1, parts.day, parts.hour, parts.minute, parts.second);
  return shown - Math.floor(time / 1000) * 1000;
}
