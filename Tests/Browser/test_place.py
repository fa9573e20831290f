"""The place in a list: it stays where it is while sheets open and close over it, and Back leads past sheets that are done."""

import pytest
from playwright.sync_api import Locator, expect

from marks import on_desktop, on_phone, with_scripts
from patience import eventually

pytestmark = pytest.mark.penguins

DEEP = 35

TOP = "row => row.getBoundingClientRect().top"


@with_scripts
@pytest.mark.parametrize("way", ["save", "cancel", "escape"])
def test_the_list_stays_where_it_is_below_a_sheet_and_after_it(admin, way):
    admin.open("/animals")
    row(admin, DEEP).evaluate("row => row.scrollIntoView({ block: 'center' })")
    before = row(admin, DEEP).evaluate(TOP)
    open_sheet(admin, DEEP)
    is_at(admin, before)
    close(admin, way)
    is_at(admin, before)


@with_scripts
def test_the_news_of_a_save_is_in_view_also_deep_in_the_list(admin):
    admin.open("/animals")
    row(admin, DEEP).evaluate("row => row.scrollIntoView({ block: 'center' })")
    open_sheet(admin, DEEP)
    close(admin, "save")
    expect(admin.page.get_by_role("status").filter(has_text="Saved “")).to_be_in_viewport()
    expect(row(admin, DEEP)).to_be_in_viewport()


def test_the_row_that_was_saved_is_marked(admin):
    admin.open("/animals?sort=-name")
    open_sheet(admin, 3)
    close(admin, "save")
    expect(row(admin, 3)).to_have_class("saved")
    expect(admin.page.locator("tr.saved")).to_have_count(1)
    open_sheet(admin, 3)
    close(admin, "cancel")
    expect(admin.page.locator("tr.saved")).to_have_count(0)


@with_scripts
@on_desktop
def test_another_page_of_the_list_begins_at_its_top(admin):
    admin.open("/animals")
    admin.follow(admin.page.get_by_role("link", name="Next", exact=True))
    assert admin.page.evaluate("scrollY") == 0


@with_scripts
@pytest.mark.parametrize("way", ["save", "cancel", "escape", "escape with a draft"])
def test_back_from_a_sheet_that_is_done_does_not_open_it_again(admin, way):
    admin.open("")
    admin.open("/animals")
    open_sheet(admin, 3)
    close(admin, way)
    admin.back()
    admin.expect_path("/admin/animals")
    expect(admin.sheet).to_have_count(0)
    admin.back()
    admin.expect_path("/admin")


@with_scripts
@on_desktop
def test_news_is_told_once_and_stays_in_no_address(admin):
    admin.open("/animals?sort=-name")
    address = admin.page.url
    open_sheet(admin, 3)
    close(admin, "save")
    news = admin.page.get_by_role("status").filter(has_text="Saved “")
    expect(news).to_be_visible()
    assert admin.page.url == address
    admin.page.reload()
    expect(admin.rows.first).to_be_visible()
    expect(news).to_have_count(0)


@with_scripts
@on_phone
def test_a_tap_on_a_row_selects_it_while_rows_are_selected(admin):
    admin.open("/animals")
    admin.page.get_by_role("button", name="Select", exact=True).tap()
    for number, said in [(0, "1 selected"), (2, "2 selected"), (0, "1 selected")]:
        link(admin, number).tap()
        expect(admin.page.locator("[data-selected]")).to_have_text(said)
    expect(row(admin, 2).get_by_role("checkbox")).to_be_checked()
    admin.expect_path("/admin/animals")
    admin.page.get_by_role("button", name="Done", exact=True).tap()
    open_sheet(admin, 0)
    expect(admin.sheet).to_be_visible()


def row(admin, number: int) -> Locator:
    return admin.page.locator(".records tbody tr").nth(number)


def link(admin, number: int) -> Locator:
    return row(admin, number).get_by_role("rowheader").get_by_role("link")


def open_sheet(admin, number: int):
    with admin.page.expect_navigation():
        link(admin, number).tap() if admin.is_phone else link(admin, number).click()


def close(admin, way: str):
    if way == "save":
        # The name stays, and with it the row's place in the order.
        admin.field("Omnivorous").check()
        admin.save()
    elif way == "cancel":
        admin.cancel()
    else:
        if way == "escape with a draft":
            admin.name.fill("Kept for later")
        admin.answered(lambda: admin.page.keyboard.press("Escape"))
    expect(admin.sheet).to_have_count(0)


def is_at(admin, top: float):
    eventually(f"the row is at {top}", lambda: abs(row(admin, DEEP).evaluate(TOP) - top) <= 1)
