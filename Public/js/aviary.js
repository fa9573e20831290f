// Every page works without this file; it only makes the same routes quicker to use.
import { watchDeletions } from "./deletion.js";
import { keepDrafts } from "./drafts.js";
import { watchSelection } from "./selection.js";
import { watchSheet } from "./sheet.js";
import { watchSwipes } from "./swipe.js";

for (const list of document.querySelectorAll("form[data-list]")) {
  watchSelection(list);
  watchDeletions(list);
  watchSwipes(list);
}

const sheet = document.querySelector("[data-sheet]");
const form = sheet?.querySelector("form[data-draft]");
if (form) {
  watchSheet(sheet, form);
  keepDrafts(sheet, form);
}
