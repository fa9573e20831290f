from datetime import date

from playwright.sync_api import expect


def test_add_begins_with_the_defaults(admin, elsewhere):
    elsewhere.add("animal-categories", name="Bird")
    admin.open("/animals")
    admin.follow(admin.page.get_by_role("link", name="Add animal").first)
    expect(admin.sheet.get_by_role("heading")).to_have_text("Add animal")
    expect(admin.page).to_have_title("Add animal – Zoo")
    expect(admin.name).to_have_value("")
    expect(admin.name).to_be_focused()
    expect(admin.field("Herbivorous")).to_be_checked()
    assert admin.field("Category").locator("option").all_inner_texts() == ["Select a category", "Bird"]
    expect(admin.field("Category")).to_have_value("")


def test_a_friends_birthday_begins_with_today(admin):
    before = date.today()
    admin.open("/friends/new")
    shown = date.fromisoformat(admin.field("Birthday").input_value())
    # Midnight may pass in between.
    assert before <= shown <= date.today()


def test_save_leads_back_to_the_list_with_the_new_row(admin, elsewhere):
    elsewhere.add("animal-categories", name="Bird")
    admin.open("/animals/new")
    admin.name.fill("Kakapo")
    admin.field("Omnivorous").check()
    admin.field("Category").select_option(label="Bird")
    admin.save()
    admin.expect_path("/admin/animals")
    expect(admin.sheet).to_have_count(0)
    admin.expect_count(1)
    row = admin.row("Kakapo")
    expect(row).to_contain_text("Omnivorous")
    expect(row).to_contain_text("Bird")


def test_edit_shows_the_stored_values_and_save_changes_them(admin, elsewhere):
    bird = elsewhere.add("animal-categories", name="Bird")
    elsewhere.add("animals", name="Kakapo", diet="carnivorous", category=bird)
    admin.open("/animals")
    admin.follow(admin.row("Kakapo").get_by_role("rowheader").get_by_role("link"))
    expect(admin.sheet.get_by_role("heading")).to_have_text("Edit animal")
    expect(admin.name).to_have_value("Kakapo")
    expect(admin.field("Carnivorous")).to_be_checked()
    expect(admin.field("Category")).to_have_value(bird)

    admin.name.fill("Kea")
    admin.field("Omnivorous").check()
    admin.field("Category").select_option("")
    admin.save()
    admin.expect_names(["Kea"])
    expect(admin.row("Kea")).to_contain_text("Omnivorous")
    expect(admin.row("Kea")).not_to_contain_text("Bird")


def test_enter_in_a_field_saves(admin):
    admin.open("/animals/new")
    admin.name.fill("Kea")
    admin.press_to_leave(admin.name, "Enter")
    admin.expect_names(["Kea"])

    admin.follow(admin.row("Kea").get_by_role("link").first)
    admin.name.fill("Kakapo")
    admin.press_to_leave(admin.name, "Enter")
    admin.expect_names(["Kakapo"])


def test_names_of_all_kinds_come_back_as_typed(admin):
    name = "<b>Ö & \"'\u05d0 🦜</b>"
    admin.open("/animals/new")
    admin.name.fill(name)
    admin.save()
    admin.expect_names([name])
    admin.follow(admin.rows.first.get_by_role("link").first)
    expect(admin.name).to_have_value(name)
