"""Every column of every list is readable at every width."""

import pytest
from playwright.sync_api import expect

from marks import mouse_with_scripts, on_desktop, on_phone, with_scripts

LISTS = ["/books", "/authors", "/genres", "/copies", "/loans", "/members", "/accounts", "/activity/events"]

LOST = """() => {
    const frame = document.querySelector(".frame");
    const edge = frame.getBoundingClientRect();
    const lost = frame.scrollWidth > frame.clientWidth ? ["The list scrolls sideways"] : [];
    const cells = frame.querySelectorAll("tbody :is(th, td):not(.tick, .act, .none)");
    for (const cell of cells) {
        const box = cell.getBoundingClientRect();
        const isThere = cell.checkVisibility() && box.width > 8 && box.height > 8;
        if (!isThere || box.left < edge.left - 1 || box.right > edge.right + 1) lost.push(cell.textContent);
    }
    return lost;
}"""


@with_scripts
@on_desktop
@pytest.mark.parametrize("width", [360, 390, 768, 834, 1024, 1280])
def test_no_column_is_lost(librarian, width):
    librarian.page.set_viewport_size({"width": width, "height": 800})
    for address in LISTS:
        librarian.open(address)
        assert librarian.page.evaluate(LOST) == [], address


@with_scripts
@on_desktop
def test_a_list_of_many_columns_takes_the_room_of_a_wide_screen(librarian):
    librarian.page.set_viewport_size({"width": 2200, "height": 900})
    main = librarian.page.locator("main")
    librarian.open("/genres")
    usual = main.bounding_box()["width"]
    librarian.open("/loans")
    assert main.bounding_box()["width"] > usual


CUT_OFF = """() => [...document.querySelectorAll(".records tbody :is(th, td[data-label]) :is(a, bdi)")]
    .filter((part) => part.scrollWidth > part.clientWidth + 1 || part.scrollHeight > part.clientHeight + 1)
    .map((part) => part.textContent)"""


@with_scripts
@on_desktop
@pytest.mark.parametrize("width", [320, 390, 840, 1280])
def test_nothing_is_cut_that_tells_records_apart(librarian, width):
    librarian.open("/backups")
    librarian.page.get_by_role("button", name="Back up now").click()
    expect(librarian.rows).to_have_count(1)
    librarian.page.set_viewport_size({"width": width, "height": 800})
    for address in [*LISTS, "/backups"]:
        librarian.open(address)
        assert librarian.page.evaluate(CUT_OFF) == [], address


HEAD = """() => {
    const frame = document.querySelector(".frame").getBoundingClientRect();
    const heads = [...document.querySelectorAll(".records thead th")].map((head) => head.getBoundingClientRect());
    const starts = heads.filter((head, index) => index === 0 || head.top > heads[index - 1].top + 4).map((head) => head.left);
    return {
        isWithin: heads.every((head) => head.left >= frame.left && head.right <= frame.right),
        isEven: starts.every((start) => Math.abs(start - starts[0]) < 1),
        lines: starts.length, height: document.querySelector(".records thead").getBoundingClientRect().height,
    };
}"""


@on_phone
def test_a_head_without_links_is_tidy_on_a_narrow_phone(librarian):
    librarian.page.set_viewport_size({"width": 300, "height": 640})
    for address in ["/accounts", "/activity/events"]:
        librarian.open(address)
        head = librarian.page.evaluate(HEAD)
        assert head["isWithin"] and head["isEven"], address
        assert head["height"] <= 24 + 24 * head["lines"], address


@on_desktop
def test_a_head_is_only_read_aloud_where_all_values_have_labels(librarian):
    librarian.page.set_viewport_size({"width": 390, "height": 800})
    librarian.open("/backups")
    librarian.page.get_by_role("button", name="Back up now").click()
    expect(librarian.rows).to_have_count(1)
    assert librarian.page.locator(".records thead").evaluate("head => getComputedStyle(head).clipPath") == "inset(50%)"
    assert librarian.page.locator(".records thead").evaluate("head => head.checkVisibility()")


@with_scripts
@on_desktop
@pytest.mark.parametrize("width", [390, 1280])
def test_words_of_a_name_stay_whole_where_only_the_text_is_larger(librarian, width):
    librarian.page.set_viewport_size({"width": width, "height": 800})
    librarian.open("/books")
    librarian.page.evaluate("document.documentElement.style.fontSize = '200%'")
    for name in ["Emma", "Frankenstein"]:
        height = librarian.row(name).locator("th bdi").evaluate("name => name.clientHeight / parseFloat(getComputedStyle(name).lineHeight)")
        assert round(height) == 1, name


@with_scripts
@on_phone
def test_names_below_are_not_clipped(librarian):
    librarian.open("")
    assert librarian.page.locator(".tab .name").first.evaluate("name => getComputedStyle(name).overflow") == "visible"


@with_scripts
@on_phone
def test_a_name_is_not_cut_for_what_stands_beside_it(librarian):
    librarian.open("/books")
    for name in ["Alice's Adventures in Wonderland", "The Communist Manifesto"]:
        for part in [librarian.row(name).locator("th a"), librarian.row(name).locator("th bdi")]:
            cut = part.evaluate("part => part.scrollHeight > part.clientHeight + 1 || part.scrollWidth > part.clientWidth + 1")
            assert not cut, name


LABELS = """() => [...document.querySelectorAll(".records tbody tr")].map((row) => [...row.cells]
    .map((cell) => getComputedStyle(cell, "::before").content).filter((text) => /^"[a-z]/i.test(text)))"""


@on_phone
def test_a_number_and_a_day_stand_beside_what_they_are(librarian):
    librarian.open("/copies")
    assert {tuple(labels) for labels in librarian.page.evaluate(LABELS)} == {('"Number"', '"Age"')}
    librarian.open("/members")
    assert {tuple(labels) for labels in librarian.page.evaluate(LABELS)} == {('"Joined"',)}


@on_desktop
def test_below_their_heads_they_are_not_labelled_twice(librarian):
    librarian.open("/copies")
    assert {tuple(labels) for labels in librarian.page.evaluate(LABELS)} == {()}


CUT = """boxes => {
    const edge = boxes.getBoundingClientRect().bottom;
    return [...boxes.querySelectorAll("label")].map((label) => label.getBoundingClientRect())
        .some(({ top, bottom }) => top < edge - 8 && bottom > edge + 8);
}"""


@on_desktop
def test_choices_that_go_on_below_the_edge_are_seen_to(librarian):
    librarian.open("/books?panel=filters")
    scrolling = []
    for group in librarian.page.locator(".filter:has(.boxes)").all():
        boxes = group.locator(".boxes")
        if boxes.evaluate("boxes => boxes.scrollHeight > boxes.clientHeight"):
            scrolling.append(group.locator("legend").inner_text())
            assert boxes.evaluate(CUT), "the last row in sight is cut"
            assert "local" in boxes.evaluate("boxes => getComputedStyle(boxes).backgroundAttachment"), "the edge is shaded"
    assert scrolling == ["Authors"]


@with_scripts
def test_records_to_choose_that_go_on_below_the_edge_are_seen_to(librarian):
    librarian.open("/books/new")
    boxes = librarian.page.locator(".entries").first
    assert boxes.evaluate("boxes => boxes.scrollHeight > boxes.clientHeight")
    assert boxes.evaluate(CUT), "the last row in sight is cut"
    assert "local" in boxes.evaluate("boxes => getComputedStyle(boxes).backgroundAttachment"), "the edge is shaded"


@on_phone
def test_boxes_stand_below_one_another(librarian):
    librarian.open("/books")
    if librarian.scripts:
        librarian.page.get_by_role("button", name="Select", exact=True).tap()
    boxes = [box.bounding_box() for box in librarian.page.locator(".tick input:visible").all()]
    assert len(boxes) == (10 if librarian.scripts else 9)
    assert max(box["x"] for box in boxes) - min(box["x"] for box in boxes) < 1
    for row in librarian.rows.all():
        box, line = row.locator(".tick input").bounding_box(), row.bounding_box()
        assert abs((box["y"] + box["height"] / 2) - (line["y"] + line["height"] / 2)) < 2
        assert row.locator("th").bounding_box()["x"] > box["x"] + box["width"] + 4


@mouse_with_scripts
@pytest.mark.penguins
def test_the_number_beside_the_name_follows_a_search(admin, elsewhere):
    admin.open("/animals?q=n2")
    header = admin.page.locator(".list-header .count")
    found = int(admin.page.locator("[data-summary]").inner_text().split(" of ")[-1].split()[0])
    expect(header).to_have_text(f"{found} of 344")
    if admin.scripts and not admin.is_phone:
        admin.rows.first.hover()
        admin.rows.first.locator("[data-delete]").click()
        expect(header).to_have_text(f"{found - 1} of 343")
    admin.open("/animals?q=nobody")
    expect(header).to_contain_text("0 of 34")
    admin.open("/animals")
    expect(header).to_contain_text("34")
    assert " of " not in header.inner_text()


def test_what_an_event_is_about_is_told_on_a_phone_too(admin, elsewhere):
    admin.open("/animals")
    admin.page.request.get("/admin/animals/export?format=csv")
    admin.open("/activity/events")
    row = admin.page.locator(".records tbody tr").filter(has_text="Exported records").first
    expect(row.locator("td").last).to_have_text("Animal")
    expect(row.locator("td").last).to_be_visible()


# Names of accounts need no spaces.
LONG_NAMES = ["somebody.with.a.really.long.name", "another-person-of-the-administration@example"]


@with_scripts
@on_desktop
@pytest.mark.parametrize("language", ["en", "de"])
def test_events_of_people_with_long_names_fit(admin, zoo, language):
    for name in LONG_NAMES:
        zoo.sign_in(name)
    admin.open("/animals")
    admin.page.request.get("/admin/animals/export?format=csv")
    admin.context.set_extra_http_headers({"Accept-Language": language})
    for width in [834, 1024, 1280]:
        admin.page.set_viewport_size({"width": width, "height": 800})
        admin.open("/activity/events")
        assert admin.page.evaluate(LOST) == [], width
        cut = "heads => heads.filter((head) => head.scrollWidth > head.clientWidth).map((head) => head.textContent)"
        assert admin.page.locator(".records tbody th").evaluate_all(cut) == [], width


SECOND = """rows => rows.map((row) => {
    const range = document.createRange();
    range.selectNodeContents(row.querySelector("td:not(.tick, .act)"));
    return [...range.getClientRects()].map((line) => line.right);
})"""


@with_scripts
@on_phone
def test_all_lines_of_the_second_column_end_at_the_edge(librarian):
    for address in ["/books", "/genres", "/loans"]:
        librarian.open(address)
        lines = librarian.page.locator(".records tbody tr:has(td:not(.tick, .act, .none))").evaluate_all(SECOND)
        ends = [end for line in lines for end in line]
        assert max(ends) - min(ends) < 2, address
    librarian.open("/books")
    assert librarian.row("The Wrong Box").locator("td:not(.tick, .act) bdi").first.evaluate("text => text.clientHeight") > 30


APART = """rows => rows.flatMap((row) => {
    const { top, bottom } = row.getBoundingClientRect();
    return [...row.querySelectorAll("bdi, time")].map((text) => text.getBoundingClientRect())
        .filter((text) => text.top < top + 4 || text.bottom > bottom - 4).map((text) => text.top);
})"""


@with_scripts
@on_desktop
@pytest.mark.parametrize("width", [834, 1280])
def test_several_lines_keep_away_from_those_between_rows(librarian, width):
    librarian.page.set_viewport_size({"width": width, "height": 800})
    for address in ["/books", "/loans"]:
        librarian.open(address)
        assert librarian.rows.evaluate_all(APART) == [], address
        # A row with one line needs no more height than a touch target.
        assert address != "/books" or librarian.row("Emma").bounding_box()["height"] < 46


@with_scripts
@on_desktop
def test_what_it_was_stands_below_both_versions_of_a_row(librarian, clerk):
    librarian.watch.expect_status(409)
    librarian.open("/copies")
    copy = librarian.row("MEL-001").locator(".tick input").get_attribute("value")
    librarian.open("/books")
    librarian.follow(librarian.row("Moby-Dick; or, The Whale").locator("th a"))
    librarian.sheet.locator('.row [name$="shelfmark"]').first.fill("MEL-002")
    clerk.change("copies", copy, shelfmark="MEL-003")
    librarian.save()
    comparison = librarian.sheet.get_by_role("group", name="Which shelfmark do you want to keep?")
    before, versions = comparison.locator(".help").bounding_box(), [version.bounding_box() for version in comparison.locator("label").all()]
    assert before["y"] >= max(version["y"] + version["height"] for version in versions)
    assert versions[0]["y"] == versions[1]["y"] and versions[0]["width"] == pytest.approx(versions[1]["width"], abs=1)


@with_scripts
@on_phone
def test_names_below_are_not_broken_off_on_a_narrow_phone(admin):
    admin.context.set_extra_http_headers({"Accept-Language": "de"})
    admin.page.set_viewport_size({"width": 320, "height": 640})
    admin.open("")
    name = admin.page.locator(".tab .name", has_text="Tierkategorien")
    assert round(name.evaluate("name => name.clientHeight / parseFloat(getComputedStyle(name).lineHeight)")) == 1


@with_scripts
@on_desktop
def test_columns_of_a_file_stand_beside_one_another_and_its_lines_fit(librarian):
    librarian.open("/books/import")
    long = "A title of a book that goes on and on until nobody remembers how it began"
    text = f"title,authors,year,genre,isbn,price\n{long},Jane Austen,1817,Novel,978-0141439518,3.5\n"
    librarian.page.get_by_label("File").set_input_files({"name": "books.csv", "mimeType": "text/csv", "buffer": text.encode()})
    librarian.follow(librarian.page.get_by_role("button", name="Upload"))
    first, second = (librarian.page.locator(".field-form .field").nth(index).bounding_box() for index in [0, 1])
    assert first["y"] == second["y"] and second["x"] > first["x"] + first["width"]
    frame = librarian.page.get_by_role("region", name="First lines")
    assert frame.evaluate("frame => frame.scrollWidth <= frame.clientWidth")
