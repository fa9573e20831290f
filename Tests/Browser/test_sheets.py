"""Sheets that do more than hold fields: records added on the way, searches, rows, versions side by side, several pages at once."""

import re

import pytest
from playwright.sync_api import expect

from marks import on_desktop, with_scripts, without_scripts
from test_accessibility import PROBLEMS
from test_library import field, photograph, photograph_whole_sheet


def is_accessible(admin):
    assert admin.page.evaluate(PROBLEMS, 44 if admin.is_phone else 24) == []


# Adding what is missing


def test_a_category_is_added_on_the_way_and_chosen_in_the_animal_that_waited(admin):
    admin.open("/animals/new")
    admin.name.fill("Kakapo")
    admin.field("Omnivorous").check()
    admin.follow(admin.sheet.get_by_role("button", name="New category…"))
    expect(admin.sheet.get_by_role("heading", name="Add Animal Category")).to_be_visible()
    expect(admin.sheet).to_contain_text("Your animal waits as a draft")
    is_accessible(admin)
    admin.name.fill("Parrot")
    admin.save()

    expect(admin.sheet.get_by_role("heading", name="Add Animal", exact=True)).to_be_visible()
    expect(admin.name).to_have_value("Kakapo")
    expect(admin.field("Omnivorous")).to_be_checked()
    expect(admin.field("Category").locator("option:checked")).to_have_text("Parrot")
    admin.save()
    expect(admin.row("Kakapo")).to_contain_text("Parrot")
    assert admin.draft_cookies() == []


def test_cancel_on_the_way_leads_back_to_what_waited(admin):
    admin.open("/animals/new")
    admin.name.fill("Kakapo")
    admin.follow(admin.sheet.get_by_role("button", name="New category…"))
    admin.name.fill("Parrot")
    admin.cancel()
    expect(admin.name).to_have_value("Kakapo")
    admin.save()
    assert admin.names() == ["Kakapo"]
    admin.open("/animal-categories")
    assert admin.count() == 0


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


# Save and add another


def test_save_and_add_another_says_what_it_saved_and_begins_anew(admin):
    admin.open("/animals/new")
    admin.name.fill("Kakapo")
    admin.follow(admin.sheet.get_by_role("button", name="Save and add another"))
    expect(admin.sheet).to_contain_text("“Kakapo” is saved. Here is the next one.")
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
    assert admin.names() == ["Kea"]


# Searching


def test_a_book_is_found_by_a_part_of_its_title_and_chosen(librarian, device):
    librarian.open("/books/new")
    field(librarian, "title").fill("The Rest of It")
    author(librarian, "Jane Austen").check()
    search(librarian, "whale")
    found = librarian.sheet.get_by_role("radio", name="Moby-Dick; or, The Whale")
    expect(found).to_be_visible()
    expect(librarian.sheet).to_contain_text("1 book matches “whale”.")
    is_accessible(librarian)
    if librarian.scripts:
        photograph_whole_sheet(librarian, device, "search")
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


def test_copies_are_added_changed_and_removed_in_the_sheet_of_their_book(librarian, device):
    librarian.open("/books")
    open_book(librarian, "Emma")
    expect(rows(librarian)).to_have_count(1)
    cell(librarian, 0, "number").fill("7")
    add_row(librarian)
    cell(librarian, 1, "shelfmark").fill("AUS-099")
    cell(librarian, 1, "number").fill("8")
    is_accessible(librarian)
    if librarian.scripts:
        photograph_whole_sheet(librarian, device, "rows")
    librarian.save()

    open_book(librarian, "Emma")
    expect(rows(librarian)).to_have_count(2)
    expect(cell(librarian, 0, "number")).to_have_value("7")
    expect(cell(librarian, 1, "shelfmark")).to_have_value("AUS-099")
    rows(librarian).nth(1).get_by_label("Remove with Save").check()
    librarian.save()
    open_book(librarian, "Emma")
    expect(rows(librarian)).to_have_count(1)
    librarian.open("/copies")
    expect(librarian.row("AUS-099")).to_have_count(0)


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


def test_a_copy_that_takes_loans_along_is_not_removed_in_passing(librarian):
    librarian.watch.expect_status(422)
    librarian.open("/books")
    open_book(librarian, "Pride and Prejudice")
    rows(librarian).filter(has=librarian.page.locator('[value="AUS-001"]')).get_by_label("Remove with Save").check()
    librarian.save()
    expect(librarian.sheet.get_by_role("alert")).to_contain_text("go along with what you remove")


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


# Two versions of a record


def test_each_field_that_both_changed_is_chosen_by_hand(admin, elsewhere, device):
    kakapo = elsewhere.add("animals", name="Kakapo", diet="herbivorous")
    admin.watch.expect_status(409, 422)
    admin.open(f"/animals/{kakapo}")
    admin.name.fill("Kakapo of mine")
    elsewhere.change("animals", kakapo, name="Kakapo of theirs", diet="omnivorous")
    admin.save()
    comparison = admin.sheet.get_by_role("group", name="Which name shall stay?")
    expect(comparison).to_contain_text("Kakapo of theirs")
    expect(comparison).to_contain_text("When you opened it: Kakapo")
    # Only they changed it.
    expect(admin.field("Omnivorous")).to_be_checked()
    expect(admin.sheet).to_contain_text("from Herbivorous, and taken over")
    expect(admin.sheet.get_by_role("alert").first).to_contain_text("elsewhere")
    is_accessible(admin)
    if admin.scripts:
        photograph(admin, device, "conflict")

    admin.save()
    expect(admin.sheet.get_by_role("alert").filter(has_text="Choose which text to keep.")).to_be_visible()
    assert elsewhere.names("animals") == ["Kakapo of theirs"]
    expect(admin.name).to_have_value("Kakapo of mine")

    comparison.get_by_label("Theirs, as it is stored").check()
    admin.save()
    assert admin.names() == ["Kakapo of theirs"]
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
    expect(admin.sheet.get_by_role("group", name="Which name shall stay?")).to_contain_text("Theirs")
    admin.cancel()
    assert admin.names() == ["Theirs"]


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


# Two pages


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
    # The draft is kept while one types, too: what counts is the one with all of it.
    with other.expect_response(lambda answer: "of+the+other+tab&" in (answer.request.post_data or "") + "&"):
        other.locator("#field-name").press_sequentially(" of the other tab")
    admin.name.press("End")
    admin.name.press_sequentially("!")
    expect(admin.status).to_contain_text("was changed on another page")
    expect(admin.name).to_have_value("Kakapo!")
    other.reload()
    expect(other.locator("#field-name")).to_have_value("Kakapo of the other tab")
    other.close()
    admin.save()
    assert admin.names() == ["Kakapo!"]


# Courtesy


@with_scripts
def test_the_page_says_early_what_does_not_fit_and_keeps_it_all_the_same(librarian):
    librarian.open("/books/new")
    field(librarian, "year").fill("1200")
    field(librarian, "title").click()
    expect(librarian.sheet).to_contain_text("Write a number from 1450 to 2100.")
    expect(librarian.status).to_contain_text("Kept as a draft")
    field(librarian, "year").fill("1813")
    field(librarian, "title").click()
    expect(librarian.sheet).not_to_contain_text("Write a number from 1450 to 2100.")


def test_sections_and_labels_are_those_of_the_application(librarian):
    librarian.open("/books/new")
    expect(librarian.sheet.get_by_role("region", name="Publication").get_by_label("ISBN")).to_be_visible()
    librarian.open("/loans")
    librarian.follow(librarian.rows.first.get_by_role("link").first)
    expect(librarian.sheet.get_by_label("Overdue")).to_have_text(re.compile("Yes|No"))


def author(librarian, name):
    return librarian.sheet.get_by_role("group", name="Authors").get_by_label(name)


def rows(librarian):
    return librarian.sheet.locator(".row-list > .row")


def cell(librarian, row, name):
    return rows(librarian).nth(row).locator(f'[name$=".{name}"]:not([type=hidden]):not([name$="..remove"])')


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
