"""A page of the application's own: the zoo's feeding plan, in the frame of the admin."""

from playwright.sync_api import expect

from looks import misplaced, photograph, unusable, violations

PLAN = "/feeding-plan"


def test_a_keeper_changes_a_diet_on_an_own_page_and_takes_it_back(admin, elsewhere):
    quagga = elsewhere.add("animals", name="Quagga", diet="herbivorous")
    open_from_the_navigation(admin)
    admin.page.locator("#field-animal").select_option(quagga)
    admin.page.locator("#field-diet").select_option("omnivorous")
    admin.follow(admin.page.get_by_role("button", name="Change", exact=True))
    admin.expect_path(PLAN)
    expect(row_of(admin, "A bit of everything")).to_be_visible()
    admin.follow(admin.page.locator("main").get_by_role("button", name="Undo", exact=True))
    admin.expect_path(PLAN)
    expect(row_of(admin, "Hay, leaves and fruit")).to_be_visible()


def test_a_form_without_an_animal_says_what_to_do_at_its_field(admin):
    admin.watch.expect_status(422)
    admin.page.goto(PLAN)
    admin.follow(admin.page.get_by_role("button", name="Change", exact=True))
    field = admin.page.locator("#field-animal")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(admin.page.locator("#error-animal")).to_have_text("Select an animal, then its diet.")


def test_an_own_page_fits_every_screen_in_light_and_in_dark_and_can_be_used_by_everybody(admin, elsewhere):
    elsewhere.add("animals", name="Okapi with a name so long that no column was ever made for it")
    admin.page.goto(PLAN)
    photograph(admin, "feeding_plan")
    assert unusable(admin) + misplaced(admin.page) == []
    # A checker that is a script needs a page in which scripts run.
    if admin.scripts:
        assert violations(admin.page, "light") + violations(admin.page, "dark") == []


def open_from_the_navigation(admin):
    admin.open("")
    if admin.is_phone:
        admin.page.locator(".tabs summary").click()
    link = admin.page.get_by_role("link", name="Feeding plan").locator("visible=true")
    admin.follow(link)
    expect(admin.page.get_by_role("heading", level=1)).to_have_text("Feeding plan")
    current = admin.page.locator(f"nav a[href='{PLAN}'][aria-current=page]")
    expect(current).to_have_count(2)


def row_of(admin, food: str):
    return admin.page.locator(f".frame[aria-label='{food}'] tbody tr").filter(has_text="Quagga")
