"""Activity and undo."""

from playwright.sync_api import expect

from activity_scenes import changed_friend
from patience import eventually


def test_what_one_does_is_told_with_before_and_after(admin, elsewhere):
    friend = changed_friend(admin, elsewhere)
    admin.open("/activity")
    entry = admin.page.locator(".entry").first
    expect(entry).to_contain_text("Changed friend “Baloo”")
    expect(entry.locator("del")).to_have_text("Shere Khan")
    expect(entry.locator("ins")).to_have_text("Baloo")
    admin.follow(entry.get_by_role("link", name="Baloo", exact=True))
    admin.expect_path(f"/admin/friends/{friend}")


def test_a_change_is_taken_back_and_done_again(admin, elsewhere):
    friend = changed_friend(admin, elsewhere)
    admin.open(f"/activity?model=friends&record={friend}")
    entry = admin.page.locator(".entry").first
    entry.locator("details.ask summary").click()
    admin.follow(entry.get_by_role("button", name="Undo"))
    expect(admin.page.get_by_role("status").first).to_contain_text("Undid the changes to “Shere Khan”")
    assert admin.page.locator("h1").inner_text() == "History of “Shere Khan”"
    admin.follow(admin.page.get_by_role("button", name="Redo"))
    assert admin.page.locator("h1").inner_text() == "History of “Baloo”"


def test_a_delete_comes_back_with_everything_that_went_along(admin, elsewhere):
    category = elsewhere.add("animal-categories", name="Parrots")
    elsewhere.add("animals", name="Kea", category=category)
    admin.open(f"/animal-categories/delete?id={category}")
    admin.follow(admin.page.locator("button.danger"))
    admin.open("/activity")
    entry = admin.page.locator(".entry").first
    expect(entry.locator("h3")).to_have_text("Deleted 1 animal and 1 animal category")
    entry.locator("details.ask summary").click()
    admin.follow(entry.get_by_role("button", name="Undo"))
    admin.open(f"/animal-categories/{category}")
    expect(admin.name).to_have_value("Parrots")


def test_an_earlier_version_is_only_typed_until_it_is_saved(admin, elsewhere):
    friend = changed_friend(admin, elsewhere)
    admin.open(f"/activity?model=friends&record={friend}")
    admin.follow(admin.page.get_by_role("link", name="Edit with these values…"))
    expect(admin.name).to_have_value("Shere Khan")
    expect(admin.sheet).to_contain_text("Changes apply once you save.")
    admin.open(f"/activity?model=friends&record={friend}")
    assert admin.page.locator(".entry").count() == 2
    admin.follow(admin.page.get_by_role("link", name="Edit with these values…"))
    admin.save()
    admin.open(f"/friends/{friend}")
    expect(admin.name).to_have_value("Shere Khan")


def test_newer_work_is_never_overwritten(admin, elsewhere):
    friend = changed_friend(admin, elsewhere)
    admin.open(f"/friends/{friend}")
    admin.type_name("Bagheera")
    admin.save()
    admin.open(f"/activity?model=friends&record={friend}")
    admin.watch.expect_status(409)
    entry = admin.page.locator(".entry").nth(1)
    entry.locator("details.ask summary").click()
    admin.follow(entry.get_by_role("button", name="Undo"))
    expect(admin.page.locator("h1")).to_have_text("Can’t undo this step")
    expect(admin.page.locator(".obstacles")).to_contain_text("Name of “Bagheera” has been changed since then.")
    admin.open(f"/friends/{friend}")
    expect(admin.name).to_have_value("Bagheera")


def test_nothing_is_taken_back_by_a_link(admin, elsewhere):
    changed_friend(admin, elsewhere)
    admin.open("/activity")
    number = admin.page.locator(".entry h3 a").first.get_attribute("href").split("/")[-1]
    admin.watch.expect_status(405)
    admin.open(f"/undo/{number}")
    admin.open("/activity")
    expect(admin.page.locator(".entry").first).to_contain_text("Baloo")


def test_the_overview_draws_what_there_is(admin, elsewhere):
    changed_friend(admin, elsewhere)

    def has_figures():
        admin.open("")
        return admin.page.locator(".days svg").count() and admin.page.get_by_role("heading", name="Health").count()

    # A page does not wait long for the figures.
    eventually("the figures are calculated", has_figures)
    expect(admin.page.locator(".recent li").first).to_contain_text("Changed friend “Baloo”")
    assert admin.page.locator(".days svg rect").count() == 30
    admin.page.locator(".figures summary").click()
    expect(admin.page.locator(".figures tbody tr").first).to_be_visible()
    expect(admin.page.get_by_role("heading", name="Health")).to_be_visible()
