// Every page works without scripts. They only make the same routes faster to use.
import { watchBatch } from "./batch.js";
import { watchDeletions } from "./deletion.js";
import { keepDrafts } from "./drafts.js";
import { watchFields } from "./client-validation.js";
import { keepPlace } from "./focus.js";
import { watchKeys } from "./keys.js";
import { awaitDraft, awaitPendingDraft } from "./pending-draft.js";
import { watchPickers } from "./pickers.js";
import { watchRows } from "./rows.js";
import { watchSaving } from "./saving.js";
import { watchSelection } from "./selection.js";
import { watchRecord, watchSheet } from "./sheet.js";
import { watchSwipes } from "./swipe.js";
import { forgetNews } from "./toast.js";
import { watchZones } from "./zones.js";

const hasNews = forgetNews();

for (const list of document.querySelectorAll("form[data-list]")) {
  watchSelection(list);
  watchDeletions(list);
  if (list.querySelector("[data-delete]")) watchSwipes(list);
}

openSheet(document.querySelector("[data-sheet]"));

function openSheet(sheet) {
  const form = sheet?.querySelector("form[data-draft]");
  if (!form) {
    awaitDraft();
    return sheet && watchRecord(sheet);
  }
  const life = new AbortController();
  // Replaces the sheet by the one in the server's answer.
  const show = (next) => {
    life.abort();
    sheet.replaceWith(next);
    openSheet(next);
    next.querySelector("[autofocus]")?.focus();
  };
  watchPickers(form);
  watchRows(form);
  watchFields(form);
  watchZones(form);
  const drafts = keepDrafts(form, life);
  watchSheet(sheet, form, drafts, life);
  watchSaving(form, sheet.querySelector("#discard-form"), drafts, show);
  awaitPendingDraft(sheet, form, show);
}

watchBatch();
watchKeys();
keepPlace(hasNews);
