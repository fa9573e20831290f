// Every page works without this file; it only makes the same routes quicker to use.
import { watchBatch } from "./batch.js";
import { watchDeletions } from "./deletion.js";
import { keepDrafts } from "./drafts.js";
import { watchFields } from "./courtesy.js";
import { watchKeys } from "./keys.js";
import { watchPickers } from "./pickers.js";
import { watchRows } from "./rows.js";
import { watchSelection } from "./selection.js";
import { watchSheet } from "./sheet.js";
import { watchSwipes } from "./swipe.js";
import { watchZones } from "./zones.js";

for (const list of document.querySelectorAll("form[data-list]")) {
  watchSelection(list);
  watchDeletions(list);
  if (list.querySelector("[data-delete]")) watchSwipes(list);
}

const sheet = document.querySelector("[data-sheet]");
const form = sheet?.querySelector("form[data-draft]");
if (form) {
  watchPickers(form);
  watchSheet(sheet, form);
  watchRows(form);
  watchFields(form);
  watchZones(form);
  keepDrafts(sheet, form);
}

watchBatch();
watchKeys();
