from playwright.sync_api import expect

from marks import on_desktop, with_scripts

# A focused element is opaque and has an outline, or is inside an element that has one.
FOCUSED = """() => {
    const focused = document.activeElement;
    const shown = [];
    for (let element = focused; element && element !== document.body; element = element.parentElement) {
        const style = getComputedStyle(element);
        if (style.opacity === "0" && element !== focused) return { isVisible: false };
        shown.push(style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2);
    }
    const box = focused.getBoundingClientRect();
    const isInside = box.right > 0 && box.bottom > 0 && box.left < innerWidth && box.top < innerHeight;
    return {
        name: focused.outerHTML.slice(0, 200),
        isBody: focused === document.body,
        isVisible: isInside && box.width > 0 && shown.slice(0, 3).some(Boolean),
    };
}"""

# One radio button represents its group.
REACHABLE = """() => new Set([...document.querySelectorAll("a[href], button, input:not([type=hidden]), select, summary")]
    .filter((element) => !element.closest("[inert]") && element.checkVisibility({ visibilityProperty: true }))
    .map((element) => element.type === "radio" ? element.name : element)).size"""


@on_desktop
def test_the_keyboard_reaches_everything_on_a_list_and_shows_where_it_is(admin, elsewhere):
    for name in ["Kakapo", "Kea", "Kiwi"]:
        elsewhere.add("animals", name=name)
    admin.open("/animals")
    everything_is_reached(admin)


@on_desktop
def test_the_keyboard_reaches_everything_in_a_sheet_and_shows_where_it_is(admin):
    admin.open("/animals/new")
    everything_is_reached(admin)


@on_desktop
def test_a_record_is_added_edited_and_deleted_by_keyboard_alone(admin):
    admin.open("/animals")
    keyboard = admin.page.keyboard
    tab_to(admin, admin.page.get_by_role("link", name="Add animal").first)
    with admin.page.expect_navigation():
        keyboard.press("Enter")
    expect(admin.name).to_be_focused()
    keyboard.type("Kea")
    keyboard.press("Tab")
    keyboard.press("ArrowRight")
    with admin.page.expect_navigation():
        keyboard.press("Enter")
    expect(admin.row("Kea")).to_contain_text("Carnivorous")

    tab_to(admin, admin.row("Kea").get_by_role("rowheader").get_by_role("link"))
    with admin.page.expect_navigation():
        keyboard.press("Enter")
    expect(admin.name).to_be_focused()
    keyboard.press("End")
    keyboard.type(" of the Alps")
    with admin.page.expect_navigation():
        keyboard.press("Enter")
    expect(admin.row("Kea of the Alps")).to_be_visible()

    tab_to(admin, admin.page.get_by_role("link", name="Delete Kea of the Alps"))
    if admin.scripts:
        keyboard.press("Enter")
        # The list has become empty, and is loaded again after a moment.
        expect(admin.page.locator(".notice.success")).to_contain_text("Deleted")
    else:
        with admin.page.expect_navigation():
            keyboard.press("Enter")
        tab_to(admin, admin.page.get_by_role("button", name="Delete"))
        with admin.page.expect_navigation():
            keyboard.press("Enter")
    admin.expect_count(0)


@with_scripts
@on_desktop
def test_control_and_enter_save_from_any_field(admin):
    admin.open("/animals/new")
    admin.name.fill("Kea")
    admin.press_to_leave(admin.field("Category"), "Control+Enter")
    admin.expect_names(["Kea"])


@with_scripts
@on_desktop
def test_the_focus_goes_on_at_the_row_that_was_saved_or_closed(admin, elsewhere):
    for name in ["Kakapo", "Kea", "Kiwi"]:
        elsewhere.add("animals", name=name)
    for key in ["Control+Enter", "Escape"]:
        admin.open("/animals")
        tab_to(admin, name_of(admin, "Kea"))
        with admin.page.expect_navigation():
            admin.page.keyboard.press("Enter")
        expect(admin.name).to_be_focused()
        admin.answered(lambda: admin.page.keyboard.press(key))
        expect(name_of(admin, "Kea")).to_be_focused()
    admin.open("/animals/new")
    admin.page.keyboard.type("Kagu")
    admin.answered(lambda: admin.page.keyboard.press("Control+Enter"))
    expect(name_of(admin, "Kagu")).to_be_focused()


@with_scripts
@on_desktop
def test_the_focus_stays_in_the_search(admin, elsewhere):
    elsewhere.add("animals", name="Kea")
    admin.open("/animals")
    admin.page.keyboard.press("/")
    admin.page.keyboard.type("Ke")
    with admin.page.expect_navigation():
        admin.page.keyboard.press("Enter")
    field = admin.page.get_by_role("searchbox", name="Search animals")
    expect(field).to_be_focused()
    admin.page.keyboard.type("a")
    expect(field).to_have_value("Kea")


@with_scripts
@on_desktop
def test_the_focus_stays_at_the_row_when_a_delete_is_taken_back(admin, elsewhere):
    for name in ["Kakapo", "Kea", "Kiwi"]:
        elsewhere.add("animals", name=name)
    admin.open("/animals")
    tab_to(admin, admin.page.get_by_role("link", name="Delete Kea"))
    admin.page.keyboard.press("Enter")
    expect(admin.page.locator(".toast")).to_contain_text("Deleted")
    with admin.page.expect_navigation():
        admin.page.keyboard.press("Control+z")
    expect(name_of(admin, "Kiwi")).to_be_focused()


@with_scripts
@on_desktop
def test_who_works_with_the_mouse_finds_a_page_as_it_begins(admin, elsewhere):
    elsewhere.add("animals", name="Kea")
    admin.open("/animals")
    admin.follow(name_of(admin, "Kea"))
    admin.save()
    expect(admin.page.locator("body")).to_be_focused()


@with_scripts
@on_desktop
def test_the_focus_stays_in_the_list_when_a_row_is_deleted(admin, elsewhere):
    for name in ["Kakapo", "Kea", "Kiwi"]:
        elsewhere.add("animals", name=name)
    admin.open("/animals")
    tab_to(admin, admin.page.get_by_role("link", name="Delete Kea"))
    admin.page.keyboard.press("Enter")
    expect(admin.row("Kiwi").get_by_role("rowheader").get_by_role("link")).to_be_focused()


@with_scripts
@on_desktop
def test_a_question_is_answered_by_keyboard_and_escape_is_no(admin, elsewhere):
    bird = elsewhere.add("animal-categories", name="Bird")
    elsewhere.add("animals", name="Kea", category=bird)
    admin.watch.expect_status(409)
    admin.open("/animal-categories")
    tab_to(admin, admin.page.get_by_role("link", name="Delete Bird"))
    admin.page.keyboard.press("Enter")
    asked = admin.page.get_by_role("dialog")
    expect(asked.get_by_role("button", name="Cancel")).to_be_focused()
    admin.page.keyboard.press("Escape")
    expect(asked).to_have_count(0)
    expect(admin.row("Bird")).to_be_visible()
    assert elsewhere.names("animal-categories") == ["Bird"]


def everything_is_reached(admin):
    expected = admin.page.evaluate(REACHABLE)
    admin.page.evaluate("document.activeElement.blur()")
    admin.page.mouse.move(1279, 799)
    admin.page.evaluate("getSelection().removeAllRanges()")
    reached, hidden = set(), []
    for _ in range(expected + 4):
        admin.page.keyboard.press("Tab")
        focus = admin.page.evaluate(FOCUSED)
        if focus.get("isBody"):
            continue
        if not focus["isVisible"]:
            hidden.append(focus)
        reached.add(focus["name"])
    assert hidden == []
    assert len(reached) == expected, reached


def tab_to(admin, element):
    for _ in range(60):
        if element.evaluate("element => element === document.activeElement"):
            return
        admin.page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not lead to {element}")


def name_of(admin, row):
    return admin.row(row).get_by_role("rowheader").get_by_role("link")
