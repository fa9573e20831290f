"""Sheets with nested records, searches, rows, conflicts and concurrent pages."""

import re

import pytest
from playwright.sync_api import expect

from looks import unusable
from marks import on_desktop, with_scripts
from test_library import field, fits, fits_all_of_it


def is_accessible(admin):
    assert unusable(admin) == []


# Nested records


def test_a_category_is_added_on_the_way_and_chosen_in_the_animal_that_waited(admin):
    admin.open("/animals/new")
    admin.name.fill("Kakapo")
    admin.field("Omnivorous").check()
    admin.follow(admin.sheet.get_by_role("button", name="New category…"))
    expect(admin.sheet.get_by_role("heading", name="Add animal category")).to_be_visible()
    expect(admin.sheet).to_contain_text("Your animal is kept as a draft")
    is_accessible(admin)
    admin.name.fill("Parrot")
    admin.save()

    expect(admin.sheet.get_by_role("heading", name="Add animal", exact=True)).to_be_visible()
    expect(admin.name).to_have_value("Kakapo")
    expect(admin.field("Omnivorous")).to_be_checked()
    expect(admin.field("Category").locator("option:checked")).to_have_text("Parrot")
    admin.save()
    expect(admin.row("Kakapo")).to_contain_text("Parrot")
    admin.expect_no_drafts()


def test_cancel_on_the_way_leads_back_to_what_waited(admin):
    admin.open("/animals/new")
    admin.name.fill("Kakapo")
    admin.follow(admin.sheet.get_by_role("button", name="New category…"))
    admin.name.fill("Parrot")
    admin.cancel()
    expect(admin.name).to_have_value("Kakapo")
    admin.save()
    admin.expect_names(["Kakapo"])
    admin.open("/animal-categories")
    admin.expect_count(0)


def test_what_waits_outlives_a_crash_on_the_way(admin, zoo):
    admin.open("/animals/new")
    admin.name.fill("Kakapo")
    admin.follow(admin.sheet.get_by_role("button", name="New category…"))
    zoo.restart()
    admin.name.fill("Parrot")
    admin.save()
    expect(admin.name).to_have_value("Kakapo")
    expect(admin.field("Category").locator("option:checked")).to_have_text("Parrot")


def test_two_levels_deep_everything_is_found_again(librarian):
    librarian.open("/loans/new")
    librarian.follow(librarian.sheet.get_by_role("button", name="New copy…"))
    field(librarian, "shelfmark").fill("NEW-001")
    librarian.follow(librarian.sheet.get_by_role("button", name="New book…"))
    field(librarian, "title").fill("A Vindication")
    author(librarian, "Mary Shelley").check()
    librarian.save()
    expect(field(librarian, "shelfmark")).to_have_value("NEW-001")
    expect(field(librarian, "book").locator("option:checked")).to_have_text("A Vindication")
    librarian.save()
    expect(field(librarian, "copy").locator("option:checked")).to_have_text("NEW-001")


def test_back_on_the_way_shows_what_waited(admin):
    # The sheet has its own address, even if another draft exists.
    admin.open("/animals/new")
    admin.type_name("Dodo")
    admin.keep_draft()
    admin.open("/animals/new")
    admin.follow(admin.sheet.get_by_role("button", name="Start over"))
    expect(admin.name).to_have_value("")
    admin.name.fill("Kakapo")
    admin.follow(admin.sheet.get_by_role("button", name="New category…"))
    expect(admin.sheet.get_by_role("heading", name="Add animal category")).to_be_visible()
    admin.page.go_back()
    expect(admin.sheet.get_by_role("heading", name="Add animal", exact=True)).to_be_visible()
    expect(admin.name).to_have_value("Kakapo")
    admin.page.go_forward()
    admin.name.fill("Parrot")
    admin.save()
    expect(admin.sheet.get_by_role("status").first).to_contain_text("Saved “Parrot” and chose it here. This form is not saved yet.")
    expect(admin.name).to_have_value("Kakapo")
    admin.save()
    expect(admin.row("Kakapo")).to_contain_text("Parrot")


def test_back_on_the_way_from_a_second_one_shows_what_waited(admin):
    admin.open("/animals")
    admin.open("/animals/new")
    admin.name.fill("Kea")
    admin.follow(admin.sheet.get_by_role("button", name="Save and add another"))
    admin.name.fill("Kakapo")
    admin.follow(admin.sheet.get_by_role("button", name="New category…"))
    admin.page.go_back()
    expect(admin.name).to_have_value("Kakapo")
    # What was saved does not begin again at an address that was its own, and where scripts run that address is gone.
    admin.save()
    admin.back()
    if admin.scripts:
        expect(admin.sheet).to_have_count(0)
    else:
        expect(admin.name).to_have_value("")
    admin.open("/animals")
    assert sorted(admin.names()) == ["Kakapo", "Kea"]


def test_back_after_everything_is_saved_shows_a_fresh_sheet_that_says_so(admin):
    admin.open("/animals/new")
    admin.name.fill("Kakapo")
    admin.follow(admin.sheet.get_by_role("button", name="New category…"))
    admin.name.fill("Parrot")
    admin.save()
    expect(admin.sheet).to_contain_text("Saved “Parrot” and chose it here.")
    admin.save()
    admin.page.go_back()
    expect(admin.sheet).to_contain_text("Saved “Kakapo”. Add the next one here.")
    expect(admin.sheet).not_to_contain_text("chose it here")
    expect(admin.name).to_have_value("")
    admin.follow(admin.sheet.get_by_role("button", name="Show", exact=True))
    expect(admin.name).to_have_value("Kakapo")


@with_scripts
def test_back_before_it_is_saved_shows_what_was_typed_and_chosen(admin):
    admin.open("/animals/new")
    admin.name.fill("Kakapo")
    admin.follow(admin.sheet.get_by_role("button", name="New category…"))
    admin.name.fill("Parrot")
    admin.save()
    admin.type_name("Kakapo of mine")
    admin.keep_draft()
    # The sheet of the parrot is done.
    admin.page.go_back()
    expect(admin.name).to_have_value("Kakapo of mine")
    expect(admin.field("Category").locator("option:checked")).to_have_text("Parrot")


# Messages after a save


def test_save_says_what_it_saved_and_takes_it_back(admin):
    admin.open("/animals/new")
    admin.name.fill("Kakapo")
    admin.save()
    news = admin.page.get_by_role("status").filter(has_text="Saved “Kakapo”")
    expect(news).to_be_visible()
    is_accessible(admin)
    admin.follow(admin.row("Kakapo").get_by_role("rowheader").get_by_role("link"))
    admin.name.fill("Kea")
    admin.save()
    news = admin.page.get_by_role("status").filter(has_text="Saved “Kea”")
    admin.follow(news.get_by_role("button", name="Undo"))
    admin.expect_names(["Kakapo"])
    assert "saved=" not in admin.page.url


def test_what_was_added_is_taken_back_as_well(admin):
    admin.open("/animals/new")
    admin.name.fill("Kakapo")
    admin.save()
    news = admin.page.get_by_role("status").filter(has_text="Saved “Kakapo”")
    admin.follow(news.get_by_role("button", name="Undo"))
    admin.expect_names([])


@on_desktop
def test_a_link_does_not_say_that_something_was_saved(admin, elsewhere):
    kakapo = elsewhere.add("animals", name="Kakapo")
    for commit in ["0", "1", "2", "999999", "x"]:
        admin.open(f"/animals?did={commit}&saved={kakapo}")
        expect(admin.rows).to_have_count(1)
        if commit != "999999":
            expect(admin.page.get_by_text("Saved “")).to_have_count(0)


# Deleting in a sheet


def test_a_record_is_deleted_from_its_sheet(admin, elsewhere):
    kakapo = elsewhere.add("animals", name="Kakapo")
    elsewhere.add("animals", name="Kea")
    admin.open(f"/animals/{kakapo}?sort=-name")
    delete = admin.sheet.get_by_role("button", name="Delete…")
    if admin.scripts:
        fits(admin, "edit")
    is_accessible(admin)
    admin.press_to_leave(delete, "Enter")
    expect(admin.page.get_by_role("heading", name="Delete 1 animal?")).to_be_visible()
    expect(admin.page.get_by_text("“Kakapo” will be deleted.")).to_be_visible()
    admin.follow(admin.page.get_by_role("main").get_by_role("button", name="Delete"))
    admin.expect_names(["Kea"])
    assert "sort=-name" in admin.page.url
    admin.follow(admin.page.get_by_role("status").get_by_role("button", name="Undo"))
    admin.expect_names(["Kea", "Kakapo"])


def test_who_does_not_delete_after_all_goes_on_in_the_sheet(admin, elsewhere):
    kakapo = elsewhere.add("animals", name="Kakapo")
    admin.open(f"/animals/{kakapo}?sort=-name")
    admin.type_name("Kakapo, changed")
    admin.press_to_leave(admin.sheet.get_by_role("button", name="Delete…"), "Enter")
    admin.follow(admin.page.get_by_role("main").get_by_role("link", name="Cancel"))
    admin.expect_path(f"/admin/animals/{kakapo}")
    assert "sort=-name" in admin.page.url
    expect(admin.name).to_have_value("Kakapo, changed")


@on_desktop
def test_a_record_that_is_not_there_yet_or_not_ones_own_to_delete_offers_no_delete(admin, zoo, elsewhere):
    kakapo = elsewhere.add("animals", name="Kakapo")
    admin.open("/animals/new")
    expect(admin.sheet.get_by_role("button", name="Delete…")).to_have_count(0)
    admin.context.clear_cookies()
    admin.context.add_cookies([zoo.sign_in("looker", "viewer")])
    admin.open(f"/animals/{kakapo}")
    expect(admin.sheet).to_contain_text("Kakapo")
    expect(admin.sheet.get_by_role("button", name="Delete…")).to_have_count(0)


# Save and add another


def test_save_and_add_another_says_what_it_saved_and_begins_anew(admin):
    admin.open("/animals/new")
    admin.name.fill("Kakapo")
    admin.follow(admin.sheet.get_by_role("button", name="Save and add another"))
    expect(admin.sheet).to_contain_text("Saved “Kakapo”. Add the next one here.")
    expect(admin.name).to_have_value("")
    is_accessible(admin)
    admin.name.fill("Kea")
    admin.save()
    assert sorted(admin.names()) == ["Kakapo", "Kea"]


@with_scripts
@on_desktop
def test_control_and_enter_save_from_anywhere(admin):
    admin.open("/animals/new")
    admin.name.fill("Kea")
    admin.field("Omnivorous").focus()
    with admin.page.expect_navigation():
        admin.page.keyboard.press("Control+Enter")
    admin.expect_names(["Kea"])


# Searches


def test_a_book_is_found_by_a_part_of_its_title_and_chosen(librarian):
    librarian.open("/books/new")
    field(librarian, "title").fill("The Rest of It")
    author(librarian, "Jane Austen").check()
    search(librarian, "whale")
    found = librarian.sheet.get_by_role("radio", name="Moby-Dick; or, The Whale")
    expect(found).to_be_visible()
    expect(librarian.sheet).to_contain_text("1 book matches “whale”.")
    is_accessible(librarian)
    if librarian.scripts:
        fits_all_of_it(librarian, "search")
    found.check()
    librarian.save()
    librarian.follow(librarian.row("The Rest of It").get_by_role("rowheader").get_by_role("link"))
    expect(librarian.sheet.get_by_role("radio", name="Moby-Dick; or, The Whale")).to_be_checked()
    librarian.sheet.get_by_role("group", name="Prequel").get_by_role("radio", name="None").check()
    librarian.save()
    librarian.follow(librarian.row("The Rest of It").get_by_role("rowheader").get_by_role("link"))
    expect(librarian.sheet.get_by_role("group", name="Prequel").get_by_role("radio", name="None")).to_be_checked()


def test_enter_in_the_search_searches_and_saves_nothing(librarian):
    librarian.open("/books/new")
    field(librarian, "title").fill("Unsaved")
    box = field(librarian, "prequel")
    box.fill("emma")
    if librarian.scripts:
        box.press("Enter")
    else:
        librarian.press_to_leave(box, "Enter")
    expect(librarian.sheet.get_by_role("radio", name="Emma")).to_be_visible()
    expect(field(librarian, "title")).to_have_value("Unsaved")


def test_a_search_without_a_result_says_so(librarian):
    librarian.open("/books/new")
    search(librarian, "no such book")
    expect(librarian.sheet).to_contain_text("No book matches “no such book”.")


# Rows


def test_copies_are_added_changed_and_removed_in_the_sheet_of_their_book(librarian):
    librarian.open("/books")
    open_book(librarian, "Emma")
    expect(rows(librarian)).to_have_count(1)
    cell(librarian, 0, "number").fill("7")
    add_row(librarian)
    cell(librarian, 1, "shelfmark").fill("AUS-099")
    cell(librarian, 1, "number").fill("8")
    is_accessible(librarian)
    if librarian.scripts:
        fits_all_of_it(librarian, "rows")
    librarian.save()

    open_book(librarian, "Emma")
    expect(rows(librarian)).to_have_count(2)
    expect(cell(librarian, 0, "number")).to_have_value("7")
    expect(cell(librarian, 1, "shelfmark")).to_have_value("AUS-099")
    rows(librarian).nth(1).get_by_label("Remove when saving").check()
    librarian.save()
    open_book(librarian, "Emma")
    expect(rows(librarian)).to_have_count(1)
    librarian.open("/copies")
    expect(librarian.row("AUS-099")).to_have_count(0)


def test_a_row_that_was_added_is_where_one_goes_on(librarian):
    librarian.open("/books")
    open_book(librarian, "Pride and Prejudice")
    count = rows(librarian).count()
    add_row(librarian)
    expect(rows(librarian)).to_have_count(count + 1)
    expect(cell(librarian, count, "shelfmark")).to_be_focused()
    expect(cell(librarian, count, "shelfmark")).to_be_in_viewport()


def test_a_new_book_and_its_copies_are_stored_together_or_not_at_all(librarian):
    librarian.watch.expect_status(422)
    librarian.open("/books/new")
    field(librarian, "title").fill("Sanditon")
    author(librarian, "Jane Austen").check()
    add_row(librarian)
    cell(librarian, 0, "shelfmark").fill("wrong")
    librarian.save()
    expect(librarian.error_of(cell(librarian, 0, "shelfmark"))).to_contain_text("a shelfmark such as AUS-001")
    expect(cell(librarian, 0, "shelfmark")).to_have_value("wrong")
    is_accessible(librarian)
    librarian.open("/books")
    expect(librarian.row("Sanditon")).to_have_count(0)

    librarian.follow(librarian.banner.get_by_role("link", name="Continue"))
    expect(cell(librarian, 0, "shelfmark")).to_have_value("wrong")
    cell(librarian, 0, "shelfmark").fill("AUS-050")
    librarian.save()
    open_book(librarian, "Sanditon")
    expect(cell(librarian, 0, "shelfmark")).to_have_value("AUS-050")


def test_a_shelfmark_that_another_copy_has_is_told_at_its_row(librarian):
    librarian.watch.expect_status(422)
    librarian.open("/books")
    open_book(librarian, "Emma")
    add_row(librarian)
    cell(librarian, 1, "shelfmark").fill("CAR-001")
    cell(librarian, 1, "number").fill("5")
    librarian.save()
    expect(librarian.error_of(cell(librarian, 1, "shelfmark"))).to_contain_text("Another copy already has this shelfmark")


def copy_of_the_whale(librarian) -> str:
    """Returns the id of the copy from the list."""
    librarian.open("/copies")
    return librarian.row("MEL-001").locator(".tick input").get_attribute("value")


def test_what_somebody_else_changed_in_a_row_is_not_written_back(librarian, clerk):
    librarian.watch.expect_status(409)
    copy = copy_of_the_whale(librarian)
    librarian.open("/books")
    open_book(librarian, "Moby-Dick; or, The Whale")
    cell(librarian, 0, "shelfmark").fill("MEL-002")
    clerk.change("copies", copy, condition="new")
    librarian.save()
    expect(cell(librarian, 0, "condition")).to_have_value("new")
    expect(cell(librarian, 0, "shelfmark")).to_have_value("MEL-002")
    expect(rows(librarian).first).to_contain_text("Updated with someone else’s change (before: Damaged)")
    expect(librarian.sheet.get_by_role("alert").first).to_contain_text("elsewhere")
    is_accessible(librarian)

    librarian.save()
    librarian.open("/copies")
    expect(librarian.row("MEL-002")).to_contain_text("New")


def test_a_field_of_a_row_that_both_changed_is_chosen_by_hand(librarian, clerk):
    librarian.watch.expect_status(409, 422)
    copy = copy_of_the_whale(librarian)
    librarian.open("/books")
    open_book(librarian, "Moby-Dick; or, The Whale")
    cell(librarian, 0, "shelfmark").fill("MEL-002")
    clerk.change("copies", copy, shelfmark="MEL-003")
    librarian.save()
    comparison = rows(librarian).first.get_by_role("group", name="Which shelfmark do you want to keep?")
    expect(comparison).to_contain_text("MEL-003")
    expect(comparison).to_contain_text("Original value: MEL-001")
    is_accessible(librarian)
    if librarian.scripts:
        fits_all_of_it(librarian, "row_conflict")

    librarian.save()
    expect(librarian.sheet.get_by_role("alert").filter(has_text="Choose which version to keep.")).to_be_visible()
    comparison.get_by_label("Saved version").check()
    librarian.save()
    librarian.open("/copies")
    expect(librarian.row("MEL-003")).to_have_count(1)
    expect(librarian.row("MEL-002")).to_have_count(0)


@pytest.mark.parametrize("answer", ["Remove row", "Keep row"])
def test_a_row_that_somebody_else_changed_is_removed_only_when_that_is_said_once_more(librarian, clerk, answer):
    librarian.watch.expect_status(409, 422)
    librarian.open("/books")
    open_book(librarian, "Emma")
    add_row(librarian)
    cell(librarian, 1, "shelfmark").fill("AUS-099")
    cell(librarian, 1, "number").fill("8")
    librarian.save()
    librarian.open("/copies")
    copy = librarian.row("AUS-099").locator(".tick input").get_attribute("value")
    librarian.open("/books")
    open_book(librarian, "Emma")
    rows(librarian).nth(1).get_by_label("Remove when saving").check()
    clerk.change("copies", copy, shelfmark="AUS-098")
    librarian.save()
    row = rows(librarian).nth(1)
    expect(row).to_contain_text("Someone else changed this in the meantime. Not removed yet.")
    expect(cell(librarian, 1, "shelfmark")).to_have_value("AUS-098")
    is_accessible(librarian)
    librarian.save()
    expect(row).to_contain_text("Choose whether to remove the row.")
    row.get_by_role("radio", name=answer).check()
    librarian.save()
    librarian.open("/copies")
    expect(librarian.row("AUS-098")).to_have_count(0 if answer == "Remove row" else 1)


def test_a_conflict_of_the_book_one_of_a_copy_and_a_broken_rule_are_told_at_once(librarian, clerk):
    librarian.watch.expect_status(422)
    copy = copy_of_the_whale(librarian)
    librarian.open("/books")
    open_book(librarian, "Moby-Dick; or, The Whale")
    book = librarian.path().rpartition("/")[2]
    field(librarian, "title").fill("The Whale")
    cell(librarian, 0, "shelfmark").fill("MEL-002")
    cell(librarian, 0, "number").fill("0")
    clerk.change("copies", copy, shelfmark="MEL-003")
    clerk.change("books", book, title="Moby-Dick")
    librarian.save()
    expect(librarian.sheet.get_by_role("group", name="Which title do you want to keep?")).to_contain_text("Moby-Dick")
    expect(rows(librarian).first.get_by_role("group", name="Which shelfmark do you want to keep?")).to_contain_text("MEL-003")
    expect(cell(librarian, 0, "number")).to_have_attribute("aria-invalid", "true")


def test_a_copy_that_takes_loans_along_is_not_removed_in_passing(librarian):
    librarian.watch.expect_status(422)
    librarian.open("/books")
    open_book(librarian, "Pride and Prejudice")
    rows(librarian).filter(has=librarian.page.locator('[value="AUS-001"]')).get_by_label("Remove when saving").check()
    librarian.save()
    expect(librarian.sheet.get_by_role("alert")).to_contain_text("Removing this would also delete")


@with_scripts
def test_rows_are_kept_in_the_draft(librarian):
    librarian.open("/books")
    open_book(librarian, "Emma")
    add_row(librarian)
    cell(librarian, 1, "shelfmark").press_sequentially("AUS-07")
    librarian.keep_draft()
    librarian.page.reload()
    expect(rows(librarian)).to_have_count(2)
    expect(cell(librarian, 1, "shelfmark")).to_have_value("AUS-07")


# Conflicts


def test_each_field_that_both_changed_is_chosen_by_hand(admin, elsewhere):
    kakapo = elsewhere.add("animals", name="Kakapo", diet="herbivorous")
    admin.watch.expect_status(409, 422)
    admin.open(f"/animals/{kakapo}")
    admin.name.fill("Kakapo of mine")
    elsewhere.change("animals", kakapo, name="Kakapo of theirs", diet="omnivorous")
    admin.save()
    comparison = admin.sheet.get_by_role("group", name="Which name do you want to keep?")
    expect(comparison).to_contain_text("Kakapo of theirs")
    expect(comparison).to_contain_text("Original value: Kakapo")
    # Only the other editor changed the field.
    expect(admin.field("Omnivorous")).to_be_checked()
    expect(admin.sheet).to_contain_text("(before: Herbivorous)")
    expect(admin.sheet.get_by_role("alert").first).to_contain_text("elsewhere")
    is_accessible(admin)
    if admin.scripts:
        fits(admin, "conflict")

    admin.save()
    expect(admin.sheet.get_by_role("alert").filter(has_text="Choose which version to keep.")).to_be_visible()
    assert elsewhere.names("animals") == ["Kakapo of theirs"]
    expect(admin.name).to_have_value("Kakapo of mine")

    comparison.get_by_label("Saved version").check()
    admin.save()
    admin.expect_names(["Kakapo of theirs"])
    expect(admin.row("Kakapo of theirs")).to_contain_text("Omnivorous")


def test_a_conflict_is_still_one_after_a_reload(admin, elsewhere):
    kakapo = elsewhere.add("animals", name="Kakapo")
    admin.watch.expect_status(409)
    admin.open(f"/animals/{kakapo}")
    admin.name.fill("Mine")
    elsewhere.change("animals", kakapo, name="Theirs")
    admin.save()
    admin.open(f"/animals/{kakapo}")
    expect(admin.name).to_have_value("Mine")
    expect(admin.sheet.get_by_role("group", name="Which name do you want to keep?")).to_contain_text("Theirs")
    admin.cancel()
    admin.expect_names(["Theirs"])


def test_changes_of_different_fields_are_both_stored(admin, elsewhere):
    kakapo = elsewhere.add("animals", name="Kakapo", diet="herbivorous")
    admin.watch.expect_status(409)
    admin.open(f"/animals/{kakapo}")
    admin.field("Carnivorous").check()
    elsewhere.change("animals", kakapo, name="Kea", diet="herbivorous")
    admin.save()
    expect(admin.name).to_have_value("Kea")
    expect(admin.field("Carnivorous")).to_be_checked()
    admin.save()
    expect(admin.row("Kea")).to_contain_text("Carnivorous")


# Concurrent pages


@with_scripts
@on_desktop
def test_two_tabs_with_one_draft_know_of_each_other(admin):
    admin.watch.expect_status(409)
    admin.open("/animals/new")
    admin.type_name("Kakapo")
    admin.keep_draft()
    other = admin.context.new_page()
    other.goto("/admin/animals/new")
    expect(other.locator("#field-name")).to_have_value("Kakapo")
    other.locator("#field-name").press("End")
    # The page also saves drafts while the text is typed. This waits for the one with the whole text.
    with other.expect_response(lambda answer: "of+the+other+tab&" in (answer.request.post_data or "") + "&"):
        other.locator("#field-name").press_sequentially(" of the other tab")
    admin.name.press("End")
    admin.name.press_sequentially("!")
    expect(admin.status).to_contain_text("was changed in another tab")
    expect(admin.name).to_have_value("Kakapo!")
    other.reload()
    expect(other.locator("#field-name")).to_have_value("Kakapo of the other tab")
    other.close()
    admin.save()
    admin.expect_names(["Kakapo!"])


# Validation in the browser


@with_scripts
def test_the_page_says_early_what_does_not_fit_and_keeps_it_all_the_same(librarian):
    librarian.open("/books/new")
    field(librarian, "year").fill("1200")
    field(librarian, "title").click()
    expect(librarian.sheet).to_contain_text("Enter a number from 1450 to 2100.")
    expect(librarian.status).to_contain_text("Draft saved")
    field(librarian, "year").fill("1813")
    field(librarian, "title").click()
    expect(librarian.sheet).not_to_contain_text("Enter a number from 1450 to 2100.")


def test_sections_and_labels_are_those_of_the_application(librarian):
    librarian.open("/books/new")
    expect(librarian.sheet.get_by_role("region", name="Publication").get_by_label("ISBN")).to_be_visible()
    librarian.open("/loans")
    librarian.follow(librarian.rows.first.get_by_role("link").first)
    expect(librarian.sheet.get_by_label("Overdue")).to_have_text(re.compile("Yes|No"))


# Layout of a sheet


def test_the_buttons_below_a_form_stand_in_one_row_where_its_fields_end(admin, elsewhere):
    admin.open("/animals/new")
    keep, another = (box(admin.sheet.get_by_role("button", name=name)) for name in ["Save draft", "Save and add another"])
    assert keep["top"] == another["top"] and keep["right"] < another["left"]
    assert another["right"] == box(admin.name)["right"]
    kea = elsewhere.add("animals", name="Kea")
    admin.open(f"/animals/{kea}")
    keep, delete = box(admin.sheet.get_by_role("button", name="Save draft")), box(admin.sheet.get_by_role("button", name="Delete…"))
    # Delete is separate from the other buttons and comes last.
    assert delete["top"] >= keep["bottom"]
    assert delete["right"] == box(admin.name)["right"]


@on_desktop
def test_what_stands_over_fields_is_more_than_the_name_of_one(librarian):
    librarian.open("/members/new")
    group = librarian.sheet.get_by_role("group", name="Address")
    assert size(group.locator("legend")) > size(group.locator('[for="field-address.street"]'))
    librarian.open("/books/new")
    copies = librarian.sheet.get_by_role("group", name="Copies")
    assert size(copies.locator("legend").first) > size(librarian.sheet.locator('[for="field-title"]'))


def box(element):
    """Returns the edges of the element in whole pixels."""
    shape = element.bounding_box()
    left, top = round(shape["x"]), round(shape["y"])
    return {"left": left, "top": top, "right": round(shape["x"] + shape["width"]), "bottom": round(shape["y"] + shape["height"])}


def size(element):
    return element.evaluate("element => parseFloat(getComputedStyle(element).fontSize)")


def author(librarian, name):
    return librarian.sheet.get_by_role("group", name="Authors").get_by_label(name)


def rows(librarian):
    return librarian.sheet.locator(".row-list > .row")


def cell(librarian, row, name):
    return rows(librarian).nth(row).locator(f'[name$=".{name}"]:not([type=hidden]):not([name$="..remove"]):not([name*="..keep."])')


def add_row(librarian):
    button = librarian.sheet.get_by_role("button", name="Add copy")
    if librarian.scripts:
        button.click()
    else:
        librarian.follow(button)


def open_book(librarian, title):
    librarian.follow(librarian.row(title).get_by_role("rowheader").get_by_role("link"))


def search(librarian, text):
    field(librarian, "prequel").fill(text)
    if not librarian.scripts:
        librarian.follow(librarian.sheet.get_by_role("group", name="Prequel").get_by_role("button", name="Search"))
