from playwright.sync_api import expect

from marks import mouse_with_scripts, on_desktop, on_phone, with_scripts, without_scripts
from touch import swipe

OUTSIDE = (60, 20)


@without_scripts
def test_the_sheet_stays_open_on_escape_where_no_script_runs(admin):
    type_something(admin)
    admin.page.keyboard.press("Escape")
    is_still_open(admin)


@with_scripts
def test_escape_closes_the_sheet_and_what_was_typed_waits(admin):
    type_something(admin)
    admin.answered(lambda: admin.page.keyboard.press("Escape"))
    admin.expect_path("/admin/animals")
    expect(admin.banner).to_contain_text("Kakapo")
    admin.follow(admin.banner.get_by_role("link", name="Continue"))
    expect(admin.name).to_have_value("Kakapo")
    # Escape keeps the draft even if nothing more was typed.
    admin.answered(lambda: admin.page.keyboard.press("Escape"))
    expect(admin.banner).to_contain_text("Kakapo")


@with_scripts
@on_desktop
def test_escape_where_nothing_was_typed_leaves_no_draft(admin, elsewhere):
    kea = elsewhere.add("animals", name="Kea")
    for address in ["/animals/new", f"/animals/{kea}"]:
        admin.open(address)
        admin.answered(lambda: admin.page.keyboard.press("Escape"))
        admin.expect_path("/admin/animals")
        admin.expect_no_drafts()
        expect(admin.page.get_by_text("Discarded the draft")).to_have_count(0)


@with_scripts
@on_desktop
def test_escape_closes_a_record_that_is_only_looked_at(admin, zoo, elsewhere):
    kea = elsewhere.add("animals", name="Kea")
    admin.context.clear_cookies()
    admin.context.add_cookies([zoo.sign_in("looker", "viewer")])
    admin.open(f"/animals/{kea}")
    with admin.page.expect_navigation():
        admin.page.keyboard.press("Escape")
    admin.expect_path("/admin/animals")


@with_scripts
@on_desktop
def test_escape_leaves_a_form_that_is_wrong_with_its_text_kept(admin):
    admin.watch.expect_status(422)
    admin.open("/animals/new")
    admin.field("Omnivorous").check()
    admin.save()
    expect(admin.error_of(admin.name)).to_be_visible()
    admin.answered(lambda: admin.page.keyboard.press("Escape"))
    admin.follow(admin.banner.get_by_role("link", name="Continue"))
    expect(admin.field("Omnivorous")).to_be_checked()


def test_the_sheet_stays_open_on_a_click_outside(admin):
    type_something(admin)
    if admin.is_phone:
        admin.page.touchscreen.tap(*OUTSIDE)
    else:
        admin.page.mouse.click(*OUTSIDE)
    is_still_open(admin)


@on_phone
def test_the_sheet_stays_open_on_a_swipe_outside(admin):
    type_something(admin)
    swipe(admin.page, OUTSIDE, distance=250)
    is_still_open(admin)


@mouse_with_scripts
def test_the_keyboard_never_reaches_the_page_behind(admin, elsewhere):
    elsewhere.add("animals", name="Kakapo")
    admin.open("/animals/new")
    is_behind = "document.activeElement.closest('.app') !== null"
    for key in ["Tab"] * 15 + ["Shift+Tab"] * 15:
        admin.page.keyboard.press(key)
        assert not admin.page.evaluate(is_behind)


@mouse_with_scripts
def test_nothing_behind_the_sheet_can_be_clicked(admin, elsewhere):
    elsewhere.add("animals", name="Kakapo")
    admin.open("/animals/new")
    address = admin.page.url
    centres = admin.page.locator(".app :is(a, button, input)").evaluate_all("""elements => elements
        .map(element => element.getBoundingClientRect())
        .map(box => [box.x + box.width / 2, box.y + box.height / 2])
        .filter(([x, y]) => {
            const hit = document.elementFromPoint(x, y);
            return hit && !hit.closest('.sheet');
        })""")
    assert centres
    for x, y in centres:
        assert admin.page.evaluate("([x, y]) => document.elementFromPoint(x, y).closest('.app') === null", [x, y])
        admin.page.mouse.click(x, y)
    expect(admin.sheet).to_be_visible()
    assert admin.page.url == address


def test_a_missing_name_is_told_beside_the_field_and_everything_typed_stays(admin, elsewhere):
    bird = elsewhere.add("animal-categories", name="Bird")
    admin.watch.expect_status(422)
    admin.open("/animals/new")
    admin.field("Omnivorous").check()
    admin.field("Category").select_option(bird)
    admin.save()
    expect(admin.error_of(admin.name)).to_have_text("The animal needs a name.")
    expect(admin.name).to_be_focused()
    expect(admin.field("Omnivorous")).to_be_checked()
    expect(admin.field("Category")).to_have_value(bird)

    admin.name.fill("Kea")
    admin.save()
    admin.expect_names(["Kea"])


def test_the_summary_of_errors_leads_to_the_field(admin):
    admin.watch.expect_status(422)
    admin.open("/animals/new")
    admin.save()
    admin.sheet.get_by_role("alert").get_by_role("link").click()
    expect(admin.name).to_be_focused()


def test_a_second_category_of_the_same_name_is_refused_beside_the_field(admin, elsewhere):
    elsewhere.add("animal-categories", name="Bird")
    admin.watch.expect_status(422)
    admin.open("/animal-categories/new")
    admin.name.fill("Bird")
    admin.save()
    expect(admin.error_of(admin.name)).to_contain_text("Another animal category already has this name")
    expect(admin.name).to_have_value("Bird")
    admin.expect_count(1)


def test_a_category_that_was_deleted_meanwhile_is_told_beside_the_field(admin, elsewhere):
    bird = elsewhere.add("animal-categories", name="Bird")
    admin.watch.expect_status(422)
    admin.open("/animals/new")
    admin.name.fill("Kea")
    admin.field("Category").select_option(bird)
    elsewhere.delete("animal-categories", bird)
    admin.save()
    expect(admin.error_of(admin.field("Category"))).to_contain_text("This category no longer exists")
    expect(admin.name).to_have_value("Kea")

    admin.save()
    admin.expect_names(["Kea"])


def test_a_friends_impossible_date_is_told_beside_the_field(admin):
    admin.watch.expect_status(422)
    admin.open("/friends/new")
    admin.name.fill("Ada")
    admin.field("Birthday").fill("")
    admin.save()
    expect(admin.error_of(admin.field("Birthday"))).to_be_visible()
    expect(admin.name).to_have_value("Ada")


def type_something(admin):
    admin.open("/animals/new")
    admin.name.fill("Kakapo")


def is_still_open(admin):
    expect(admin.sheet).to_be_visible()
    expect(admin.name).to_have_value("Kakapo")
    admin.expect_path("/admin/animals/new")
