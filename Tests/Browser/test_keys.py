"""Keyboard shortcuts of a list, and the setting that turns them off."""

import pytest
from playwright.sync_api import expect

from marks import on_desktop, with_scripts

pytestmark = [pytest.mark.penguins, with_scripts, on_desktop]


@pytest.fixture(autouse=True)
def narrow(scripts, device):
    """Uses the fixtures that the marks above parametrize."""


def test_slash_goes_to_the_search_and_letters_in_it_are_letters(admin):
    admin.open("/animals")
    press(admin, "/")
    field = admin.page.get_by_role("searchbox", name="Search animals")
    expect(field).to_be_focused()
    field.press_sequentially("n2x/?")
    expect(field).to_have_value("n2x/?")
    admin.expect_path("/admin/animals")


def test_arrows_walk_the_rows_and_enter_opens_one(admin):
    admin.open("/animals")
    names = admin.names()
    press(admin, "ArrowDown")
    press(admin, "ArrowDown")
    press(admin, "ArrowDown")
    press(admin, "ArrowUp")
    expect(admin.page.get_by_role("link", name=names[1], exact=True).first).to_be_focused()
    with admin.page.expect_navigation():
        press(admin, "Enter")
    expect(admin.sheet).to_be_visible()


def test_x_selects_and_delete_deletes_what_is_selected_and_control_z_brings_it_back(admin):
    admin.open("/friends")
    elsewhere_names = admin.names()
    admin.open("/animals?q=n1a1")
    before = admin.count()
    press(admin, "ArrowDown")
    press(admin, "x")
    press(admin, "ArrowDown")
    press(admin, "x")
    expect(admin.page.get_by_text("2 selected")).to_be_visible()
    press(admin, "Delete")
    expect(admin.page.locator(".toast")).to_contain_text("Deleted 2 animals")
    with admin.page.expect_navigation():
        press(admin, "Control+z")
    admin.expect_count(before)
    assert elsewhere_names is not None


def test_several_deletes_are_counted_below_the_list_and_taken_back_one_by_one(admin):
    admin.open("/animals?q=n1")
    total, matches = admin.count(), len(admin.names())
    summary = admin.page.locator("[data-summary]")
    expect(summary).to_have_text(f"{matches} matches")
    press(admin, "ArrowDown")
    for number in [1, 2]:
        press(admin, "Delete")
        expect(admin.page.locator(".toast")).to_have_count(number)
        expect(summary).to_have_text(f"{matches - number} matches")
    for missing in [1, 0]:
        with admin.page.expect_navigation():
            press(admin, "Control+z")
        admin.expect_count(total - missing)
    # An additional key press does not delete the restored records.
    sent = []
    admin.page.on("request", lambda request: sent.append(request.method))
    press(admin, "Control+z")
    admin.page.reload()
    assert set(sent) == {"GET"}
    admin.expect_count(total)


def test_n_adds_a_record(admin):
    admin.open("/animals")
    with admin.page.expect_navigation():
        press(admin, "n")
    admin.expect_path("/admin/animals/new")
    # In a sheet, the key types text or has no effect.
    admin.page.locator(".sheet-header h2").click()
    press(admin, "n")
    admin.expect_path("/admin/animals/new")


def test_the_question_mark_shows_the_keys_and_they_can_be_switched_off_for_good(admin):
    admin.open("/animals")
    press(admin, "?")
    dialog = admin.page.get_by_role("dialog", name="Keyboard shortcuts")
    expect(dialog).to_be_visible()
    dialog.get_by_label("Use keyboard shortcuts in this browser").uncheck()
    dialog.get_by_role("button", name="Close").click()
    admin.page.reload()
    press(admin, "/")
    expect(admin.page.get_by_role("searchbox", name="Search animals")).not_to_be_focused()
    press(admin, "?")
    expect(dialog).to_have_count(0)
    admin.page.get_by_role("button", name="Keyboard shortcuts").click()
    dialog.get_by_label("Use keyboard shortcuts in this browser").check()
    dialog.get_by_role("button", name="Close").click()
    press(admin, "/")
    expect(admin.page.get_by_role("searchbox", name="Search animals")).to_be_focused()


def press(admin, key):
    admin.page.keyboard.press(key)
