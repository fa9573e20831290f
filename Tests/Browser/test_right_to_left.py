"""Right-to-left text is displayed correctly everywhere and does not reorder the text around it."""

import pytest
from playwright.sync_api import Locator, expect

from marks import on_desktop, with_scripts
from test_library import field

HEBREW, ARABIC = "אוסקר הינשוף", "بومة الليل"
names = pytest.mark.parametrize("name", [HEBREW, ARABIC], ids=["hebrew", "arabic"])

# Returns the position of a part of a text.
PLACE = """(element, part) => {
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    for (let text; (text = texts.nextNode());) {
        const start = text.data.indexOf(part);
        if (start < 0) continue;
        const range = document.createRange();
        range.setStart(text, start);
        range.setEnd(text, start + part.length);
        const { left, right, top, bottom } = range.getBoundingClientRect();
        return { left, right, top, bottom };
    }
}"""


def follow_one_another(element: Locator, *parts: str):
    """Expects each part to the right of the part before it or on a line below, as in the sentence."""
    for part in parts:
        expect(element).to_contain_text(part)
    places = [element.evaluate(PLACE, part) for part in parts]
    for before, after in zip(places, places[1:]):
        is_below = after["top"] >= before["bottom"] - 6
        assert is_below or before["right"] <= after["left"] + 1, (element.inner_text(), parts, places)


@names
def test_a_name_begins_where_the_others_of_its_column_do(admin, elsewhere, name):
    elsewhere.add("friends", name=name)
    elsewhere.add("friends", name="Kea")
    admin.open("/friends")
    text = admin.row(name).locator("th bdi")
    assert text.evaluate("text => getComputedStyle(text).direction") == "rtl"
    assert abs(text.evaluate(PLACE, name)["left"] - admin.row("Kea").locator("th bdi").evaluate(PLACE, "Kea")["left"]) < 1


@with_scripts
def test_what_stands_beside_it_stands_there_too(librarian, clerk):
    clerk.add("genres", name=HEBREW, parent=clerk.add("genres", name=ARABIC))
    librarian.open("/genres")
    edge = "right" if librarian.is_phone else "left"
    parents = [
        librarian.row(row).locator("td:not(.tick, .act) bdi").evaluate(PLACE, parent)[edge]
        for row, parent in [(HEBREW, ARABIC), ("Novel", "Fiction")]
    ]
    assert abs(parents[0] - parents[1]) < 1


@names
def test_the_news_keep_the_order_of_their_words(admin, elsewhere, name):
    friend = elsewhere.add("friends", name="Kea")
    admin.open(f"/friends/{friend}")
    admin.name.fill(name)
    admin.save()
    follow_one_another(admin.page.get_by_role("status").filter(has_text="Saved").locator("p"), "Saved", name)
    admin.open(f"/friends/delete?id={friend}")
    follow_one_another(admin.page.get_by_text("will be deleted."), name, "will be deleted.")
    admin.follow(admin.page.get_by_role("main").get_by_role("button", name="Delete"))
    follow_one_another(admin.page.get_by_role("status").filter(has_text="Deleted").locator("p"), "Deleted", name)
    admin.open("/activity")
    follow_one_another(admin.page.locator(".entry h3").first, "Deleted friend", name)


@with_scripts
@on_desktop
@names
def test_so_does_a_toast(admin, elsewhere, name):
    elsewhere.add("friends", name=name)
    # A list that has become empty is loaded again after a moment, without the toast.
    elsewhere.add("friends", name="Tui")
    admin.open("/friends")
    admin.row(name).hover()
    admin.row(name).locator("[data-delete]").click()
    follow_one_another(admin.page.locator(".toast"), "Deleted", name, "Undo")


@names
def test_a_sheet_has_it_in_its_field_and_below_its_title(admin, elsewhere, name):
    friend = elsewhere.add("friends", name=name)
    admin.open(f"/friends/{friend}")
    assert admin.name.evaluate("field => getComputedStyle(field).direction") == "rtl"
    expect(admin.sheet.locator(".sheet-title")).to_contain_text(name)
    title, subtitle = (admin.sheet.locator(f".sheet-title {part}").bounding_box() for part in ["h2", "p"])
    assert abs((title["x"] + title["width"] / 2) - (subtitle["x"] + subtitle["width"] / 2)) < 2
    if admin.scripts:
        admin.type_name(name + " ב")
    admin.keep_draft()
    admin.open("/friends")
    follow_one_another(admin.banner.locator("p"), "Edit friend", name, "just now")


@with_scripts
@on_desktop
def test_a_chip_names_them_in_their_order(librarian, clerk):
    genres = {name: clerk.add("genres", name=name) for name in ["שירה", "סיפורת", "شعر"]}
    librarian.open("/books?" + "&".join(f"filter.genre={genre}" for genre in genres.values()))
    chip = librarian.page.locator(".chip bdi")
    text = chip.inner_text()
    follow_one_another(chip, "Genre:", *sorted(genres, key=text.index))
    librarian.open(f"/books?q={HEBREW}")
    follow_one_another(librarian.page.locator(".chip bdi"), "Search: “", HEBREW)


@with_scripts
@on_desktop
def test_what_stands_against_a_delete_is_told_in_its_order(librarian, clerk):
    author = clerk.add("authors", name=HEBREW)
    librarian.open("/books/new")
    field(librarian, "title").fill(ARABIC)
    librarian.sheet.get_by_label(HEBREW).check()
    librarian.save()
    librarian.open(f"/authors/delete?id={author}")
    follow_one_another(librarian.page.get_by_role("heading", level=1), HEBREW, "can’t be deleted yet")
    follow_one_another(librarian.page.locator(".question p").first, "1 book (", ARABIC, ") would not have")
