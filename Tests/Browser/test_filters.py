"""Searching and filtering lists, with and without scripts."""

import pytest
from playwright.sync_api import expect

from marks import on_desktop, with_scripts

pytestmark = pytest.mark.penguins
ADELIE = "Adelie Penguin (Pygoscelis adeliae)"


def test_a_search_finds_what_begins_so_whatever_the_case(admin):
    admin.open("/animals")
    search(admin, "n2")
    assert all(name.startswith("N2") for name in admin.names())
    expect(chip(admin, "Search: “n2”")).to_be_visible()
    expect(admin.page.locator("[data-summary]")).to_contain_text("matches")
    admin.expect_count(344)


def test_a_search_finds_any_part_of_a_name(admin):
    admin.open("/animals")
    search(admin, "2a1")
    assert all("2A1" in name for name in admin.names())
    assert not all(name.startswith("2A1") for name in admin.names())
    admin.open("/animals?q=2nobody")
    expect(admin.page.get_by_text("In “Name”, the words are found anywhere.")).to_be_visible()


def test_filters_are_ticked_in_a_panel_and_removed_one_by_one(admin):
    admin.open("/animals")
    admin.follow(admin.page.get_by_role("link", name="Filters", exact=True))
    panel = admin.page.get_by_role("region", name="Filters")
    panel.get_by_label(ADELIE).check()
    panel.get_by_label("Herbivorous").check()
    admin.follow(panel.get_by_role("button", name="Apply", exact=True))
    expect(chip(admin, f"Category: {ADELIE}")).to_be_visible()
    expect(admin.page.locator("[data-summary]")).to_have_text("50 of 152 matches")
    admin.follow(chip(admin, "Diet: Herbivorous"))
    expect(chip(admin, "Diet: Herbivorous")).to_have_count(0)
    expect(chip(admin, f"Category: {ADELIE}")).to_be_visible()
    admin.follow(chip(admin, f"Category: {ADELIE}"))
    expect(admin.page.locator("[data-summary]")).to_have_text("50 of 344 animals")


def test_search_and_filters_are_still_there_after_sorting_paging_saving_and_deleting(admin):
    admin.open("/animals?q=n2&filter.diet=herbivorous")
    admin.follow(admin.page.get_by_role("columnheader", name="Name").get_by_role("link"))
    filtered(admin)
    admin.follow(admin.page.get_by_role("link", name="Next", exact=True))
    filtered(admin)
    admin.follow(admin.rows.first.get_by_role("rowheader").get_by_role("link"))
    filtered(admin)
    admin.save()
    filtered(admin)
    if admin.scripts:
        return
    admin.rows.first.get_by_role("checkbox").check()
    admin.follow(admin.page.get_by_role("button", name="Delete…"))
    admin.follow(admin.page.get_by_role("button", name="Delete", exact=True))
    filtered(admin)
    admin.follow(admin.page.get_by_role("button", name="Undo"))
    filtered(admin)


def test_walking_through_a_filtered_list_shows_each_match_exactly_once(admin):
    admin.open("/animals?q=n2&size=20&sort=-name")
    seen = admin.identifiers()
    link = admin.page.get_by_role("link", name="Next", exact=True)
    while link.count():
        admin.follow(link)
        seen += admin.identifiers()
    assert len(seen) == len(set(seen)) > 40
    admin.open("/animals?q=n2&size=200")
    assert sorted(seen) == sorted(admin.identifiers())


def test_what_matches_nothing_says_so_and_leads_back_to_all(admin):
    admin.open("/animals?q=nobody&filter.diet=omnivorous")
    expect(admin.page.get_by_role("heading", name="No animals match")).to_be_visible()
    admin.follow(admin.page.get_by_role("link", name="Clear filters"))
    assert admin.rows.count() == 50


def test_a_filter_that_cannot_be_read_is_told_and_no_longer_list_is_shown(admin):
    admin.watch.expect_status(400)
    admin.open("/animals?filter.diet=frugivorous")
    expect(admin.page.get_by_text("Diet: Choose one of:")).to_be_visible()
    expect(admin.rows).to_have_count(0)


@pytest.mark.parametrize("words", ["<script>alert(1)</script>", "\"'><img src=x onerror=alert(1)>", "%00'; DROP TABLE Animal; --", "🦉 ‮ltr"])
def test_hostile_words_are_words(admin, words):
    admin.open("/animals")
    search(admin, words.replace("%00", ""))
    expect(admin.page.get_by_role("heading", name="No animals match")).to_be_visible()
    expect(admin.page.locator("main img, main script")).to_have_count(0)
    admin.follow(chip(admin, "Search:"))
    admin.expect_count(344)


def test_columns_are_chosen_and_remembered_in_this_browser(admin):
    admin.open("/animals?panel=columns&q=n2")
    panel = admin.page.get_by_role("region", name="Columns")
    expect(panel.get_by_label("Name")).to_be_disabled()
    panel.get_by_label("Diet").uncheck()
    admin.follow(panel.get_by_role("button", name="Apply", exact=True))
    expect(chip(admin, "Search: “n2”")).to_be_visible()
    expect(admin.page.get_by_role("columnheader", name="Diet")).to_have_count(0)
    admin.open("/animals")
    expect(admin.page.get_by_role("columnheader", name="Diet")).to_have_count(0)
    admin.open("/animals?panel=columns")
    admin.follow(admin.page.get_by_role("button", name="Show all"))
    expect(admin.page.get_by_role("columnheader", name="Diet")).to_have_count(1)


@with_scripts
@on_desktop
def test_the_filters_of_every_kind_are_drawn_for_another_application(librarian):
    librarian.open("/books?panel=filters")
    panel = librarian.page.get_by_role("region", name="Filters")
    for group in ["Genre", "Authors", "Audience", "Year", "Is reference", "Online"]:
        expect(panel.get_by_role("group", name=group, exact=True)).to_be_visible()
    panel.get_by_role("group", name="Authors").get_by_label("Jane Austen").check()
    panel.get_by_role("group", name="Year").get_by_label("To").fill("1814")
    librarian.follow(panel.get_by_role("button", name="Apply", exact=True))
    librarian.expect_names(["Pride and Prejudice"])
    expect(librarian.page.get_by_text("Year: up to 1814")).to_be_visible()
    expect(librarian.page.get_by_text("£9.99")).to_be_visible()


def chip(admin, text):
    return admin.page.locator(".chips a.chip").filter(has_text=text)


def filtered(admin):
    """Expects that the list on this page is filtered."""
    expect(admin.page.locator(".chips")).to_contain_text("Search: “n2”")
    expect(admin.page.locator(".chips")).to_contain_text("Diet: Herbivorous")
    assert all(name.startswith("N2") for name in admin.names())


def search(admin, words):
    field = admin.page.get_by_role("searchbox", name="Search animals")
    field.fill(words)
    admin.press_to_leave(field, "Enter")
