import pytest
from playwright.sync_api import expect

from marks import on_desktop, on_phone, with_scripts, without_scripts
from touch import swipe

ADELIE = "Adelie Penguin (Pygoscelis adeliae)"
REASON = "Not deleted: the server can’t save changes right now."


@with_scripts
@on_desktop
def test_the_button_at_the_row_deletes_at_once(admin, elsewhere):
    open_three(admin, elsewhere)
    press_delete(admin, "Kea")
    is_deleted(admin, "Kea")


@with_scripts
@on_phone
def test_a_swipe_reveals_delete_and_a_tap_deletes(admin, elsewhere):
    open_three(admin, elsewhere)
    swipe(admin.page, right_end(admin.row("Kea")), distance=-130)
    button = admin.row("Kea").get_by_role("link", name="Delete Kea")
    expect(button).to_be_in_viewport(ratio=0.9)
    assert button.bounding_box()["width"] >= 44
    button.tap()
    is_deleted(admin, "Kea")


@with_scripts
@on_phone
def test_what_a_swipe_reveals_is_at_the_end_of_the_row_and_in_the_colours_of_danger(admin, elsewhere):
    open_three(admin, elsewhere)
    swipe(admin.page, right_end(admin.row("Kea")), distance=-130)
    button = admin.row("Kea").get_by_role("link", name="Delete Kea")
    expect(button).to_be_in_viewport(ratio=0.9)
    frame = admin.page.locator("form[data-list] .frame").bounding_box()
    assert button.evaluate("""async (button) => {
        await Promise.all(button.getAnimations().map((animation) => animation.finished));
        const wanted = document.createElement("p");
        wanted.style.cssText = "color: var(--on-danger); background: var(--danger)";
        button.after(wanted);
        const [found, expected] = [getComputedStyle(button), getComputedStyle(wanted)];
        const same = found.color === expected.color && found.backgroundColor === expected.backgroundColor;
        wanted.remove();
        return same;
    }""")
    box = button.bounding_box()
    assert abs(box["x"] + box["width"] - frame["x"] - frame["width"]) <= 2
    name = admin.row("Kea").get_by_text("Kea", exact=True).bounding_box()
    assert name["x"] + name["width"] <= box["x"]


@with_scripts
@on_phone
def test_a_long_swipe_deletes_at_once(admin, elsewhere):
    open_three(admin, elsewhere)
    swipe(admin.page, right_end(admin.row("Kea")), distance=-320)
    is_deleted(admin, "Kea")


@with_scripts
@pytest.mark.parametrize("device", ["tablet"], indirect=True)
def test_a_swipe_works_on_a_tablet(admin, elsewhere):
    open_three(admin, elsewhere)
    swipe(admin.page, right_end(admin.row("Kea")), distance=-130)
    admin.row("Kea").get_by_role("link", name="Delete Kea").tap()
    is_deleted(admin, "Kea")


@with_scripts
@on_phone
def test_a_tap_elsewhere_closes_a_swiped_row_and_follows_nothing(admin, elsewhere):
    open_three(admin, elsewhere)
    swipe(admin.page, right_end(admin.row("Kea")), distance=-130)
    expect(admin.row("Kea").get_by_role("link", name="Delete Kea")).to_be_in_viewport()
    admin.page.get_by_role("heading", name="Animals").tap()
    expect(admin.page.locator(".swiped")).to_have_count(0)
    admin.expect_names(["Kakapo", "Kea", "Kiwi"])


@with_scripts
@on_desktop
def test_a_trackpad_swipe_reveals_delete(admin, elsewhere):
    open_three(admin, elsewhere)
    admin.row("Kea").hover()
    # The events belong together if they follow each other within 120 ms.
    admin.row("Kea").evaluate("""row => {
        for (let number = 0; number < 6; number += 1)
            row.dispatchEvent(new WheelEvent("wheel", { deltaX: 20, bubbles: true, cancelable: true }));
    }""")
    expect(admin.row("Kea")).to_have_class("swiped settling")
    admin.row("Kea").get_by_role("link", name="Delete Kea").click()
    is_deleted(admin, "Kea")


@with_scripts
def test_ticked_rows_are_deleted_together(admin, elsewhere):
    open_three(admin, elsewhere)
    tick(admin, "Kea", "Kiwi")
    expect(admin.page.get_by_text("2 selected")).to_be_visible()
    admin.page.get_by_role("button", name="Delete…").click()
    expect(admin.page.locator(".toast")).to_contain_text("Deleted 2 animals")
    admin.expect_names(["Kakapo"])
    admin.page.reload()
    admin.expect_names(["Kakapo"])


@without_scripts
def test_ticked_rows_are_deleted_together_after_a_question(admin, elsewhere):
    open_three(admin, elsewhere)
    tick(admin, "Kea", "Kiwi")
    admin.follow(admin.page.get_by_role("button", name="Delete…"))
    expect(admin.page.get_by_role("heading", level=1)).to_have_text("Delete 2 animals?")
    admin.follow(admin.page.get_by_role("button", name="Delete"))
    admin.expect_names(["Kakapo"])


@without_scripts
@on_desktop
def test_the_link_at_the_row_leads_to_a_question_and_back(admin, elsewhere):
    open_three(admin, elsewhere)
    question(admin)
    admin.follow(admin.page.get_by_role("link", name="Cancel"))
    admin.expect_names(["Kakapo", "Kea", "Kiwi"])
    question(admin)
    admin.follow(admin.page.get_by_role("button", name="Delete"))
    admin.expect_names(["Kakapo", "Kiwi"])


@without_scripts
def test_deleting_nothing_is_said(admin, elsewhere):
    open_three(admin, elsewhere)
    # There is no button before a row is selected, but the address can still be opened.
    expect(admin.page.get_by_role("button", name="Delete…")).to_be_hidden()
    admin.open("/animals/delete")
    expect(admin.page.get_by_text("Nothing selected")).to_be_visible()
    admin.expect_names(["Kakapo", "Kea", "Kiwi"])


@pytest.mark.penguins
def test_deleting_a_species_asks_first_and_names_its_penguins(admin):
    admin.watch.expect_status(409)
    asked = ask_for_species(admin)
    expect(asked).to_contain_text("Delete 1 animal category?")
    expect(asked).to_contain_text("152 animals that belong to")
    if admin.scripts:
        asked.get_by_role("button", name="Cancel").click()
        expect(asked).to_have_count(0)
    else:
        admin.follow(asked.get_by_role("link", name="Cancel"))
    admin.open("/animals")
    admin.expect_count(344)

    asked = ask_for_species(admin)
    confirm = asked.get_by_role("button", name="Delete all 153")
    if admin.scripts:
        confirm.click()
        expect(admin.page.locator(".toast")).to_contain_text("Deleted")
    else:
        admin.follow(confirm)
    admin.open("/animal-categories")
    admin.expect_count(2)
    admin.open("/animals")
    admin.expect_count(192)


@pytest.mark.penguins
@with_scripts
@on_desktop
def test_the_numbers_of_all_models_follow_a_delete_that_takes_others_along(admin):
    admin.watch.expect_status(409)
    asked = ask_for_species(admin)
    numbers = admin.page.locator(".sidebar a:has([data-count])")
    expect(numbers).to_contain_text(["344", "3", "0"])
    asked.get_by_role("button", name="Delete all 153").click()
    expect(numbers).to_contain_text(["192", "2", "0"])
    admin.expect_count(2)
    admin.follow(admin.page.locator(".toast").get_by_role("button", name="Undo"))
    expect(numbers).to_contain_text(["344", "3", "0"])


@with_scripts
@on_desktop
def test_a_row_leaves_before_the_answer_comes(admin, elsewhere, zoo):
    open_three(admin, elsewhere)
    zoo.pause()
    press_delete(admin, "Kea")
    expect(admin.row("Kea")).to_have_count(0)
    expect(admin.page.locator(".toast")).to_have_count(0)
    zoo.resume()
    is_deleted(admin, "Kea")


@with_scripts
@pytest.mark.parametrize("status", [503, 409])
def test_a_row_that_is_not_deleted_comes_back_with_the_reason(admin, elsewhere, status):
    open_three(admin, elsewhere)
    admin.watch.expect_status(status)
    admin.page.route("**/delete", lambda route: route.fulfill(status=status, json={"error": REASON}))
    tick(admin, "Kea")
    admin.page.get_by_role("button", name="Delete…").click()
    comes_back(admin, REASON)
    expect(admin.row("Kea").get_by_role("checkbox")).to_be_checked()


@with_scripts
@on_desktop
def test_a_row_comes_back_when_the_server_is_away(admin, elsewhere, zoo):
    open_three(admin, elsewhere)
    admin.watch.expect_outage()
    zoo.kill()
    press_delete(admin, "Kea")
    comes_back(admin, "Couldn’t confirm the delete: the server didn’t respond.")
    zoo.start()
    press_delete(admin, "Kea")
    is_deleted(admin, "Kea")


@with_scripts
@on_desktop
def test_a_page_instead_of_an_answer_does_not_count_as_deleted(admin, elsewhere):
    open_three(admin, elsewhere)
    admin.page.route("**/delete", lambda route: route.fulfill(status=200, content_type="text/html", body="<p>Sign in</p>"))
    press_delete(admin, "Kea")
    comes_back(admin, "Not deleted.")


@with_scripts
def test_the_last_row_leaves_an_empty_list(admin, elsewhere):
    elsewhere.add("animals", name="Kea")
    admin.open("/animals")
    tick(admin, "Kea")
    admin.page.get_by_role("button", name="Delete…").click()
    expect(admin.page.get_by_role("heading", name="No animals yet")).to_be_visible()
    admin.expect_count(0)


def open_three(admin, elsewhere):
    for name in ["Kakapo", "Kea", "Kiwi"]:
        elsewhere.add("animals", name=name)
    admin.open("/animals")


def press_delete(admin, name: str):
    admin.row(name).hover()
    admin.row(name).get_by_role("link", name=f"Delete {name}").click()


def tick(admin, *names: str):
    if admin.is_phone and admin.scripts:
        admin.page.get_by_role("button", name="Select", exact=True).click()
    for name in names:
        admin.row(name).get_by_role("checkbox").check()


def question(admin):
    admin.row("Kea").hover()
    admin.follow(admin.row("Kea").get_by_role("link", name="Delete Kea"))
    expect(admin.page.get_by_role("heading", level=1)).to_have_text("Delete 1 animal?")


def ask_for_species(admin):
    admin.open("/animal-categories")
    tick(admin, ADELIE)
    button = admin.page.get_by_role("button", name="Delete…")
    if admin.scripts:
        button.click()
        asked = admin.page.get_by_role("dialog")
        expect(asked).to_be_visible()
        return asked
    admin.follow(button)
    return admin.page.locator("main")


def right_end(row) -> tuple[float, float]:
    box = row.bounding_box()
    return box["x"] + box["width"] - 20, box["y"] + box["height"] / 2


def is_deleted(admin, name: str):
    expect(admin.row(name)).to_have_count(0)
    expect(admin.page.locator(".toast:not(.failure)")).to_contain_text(f"Deleted “{name}”")
    admin.expect_count(2)
    admin.page.reload()
    admin.expect_names(["Kakapo", "Kiwi"])


def comes_back(admin, reason: str):
    expect(admin.page.get_by_role("alert")).to_contain_text(reason)
    expect(admin.row("Kea")).to_be_visible()
    admin.expect_names(["Kakapo", "Kea", "Kiwi"])
    admin.expect_count(3)
