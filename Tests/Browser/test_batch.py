"""Batch operations on all records that a list finds."""

import re
import subprocess

import pytest
from playwright.sync_api import expect

from marks import on_desktop, with_scripts, without_scripts

pytestmark = pytest.mark.penguins
# More records than the store deletes at once.
HERD = 4_500


def test_all_that_match_are_deleted_once_their_name_is_written(admin):
    admin.open("/animals?filter.diet=herbivorous&q=n2")
    matching = int(admin.page.locator("[data-summary]").inner_text().split(" of ")[-1].split()[0])
    begin(admin)
    admin.watch.expect_status(422)
    admin.page.locator("#batch-name").fill("anymals")
    admin.follow(admin.page.get_by_role("button", name="Delete"))
    expect(admin.page.get_by_text("Nothing was deleted.")).to_be_visible()
    admin.page.locator("#batch-name").fill("Animals")
    admin.follow(admin.page.get_by_role("button", name="Delete"))
    deleted(admin)
    expect(admin.page.get_by_role("status")).to_have_text(f"Deleted {matching} animals.")
    remaining = admin.page.locator('.sidebar a[href="/admin/animals"] [data-count]')
    expect(remaining).to_have_attribute("data-count", str(344 - matching))
    admin.page.reload()
    expect(admin.page.get_by_role("status")).to_have_text(f"Deleted {matching} animals.")
    admin.follow(admin.page.get_by_role("link", name="Back to the animals"))
    expect(admin.page.get_by_role("heading", name="No animals match")).to_be_visible()
    admin.expect_count(344 - matching)


def test_what_was_deleted_is_taken_back_where_it_is_said_to_be_done(admin):
    if admin.scripts:
        admin.page.clock.install()
    admin.open("/animals?q=n2")
    before = admin.page.locator("[data-summary]").inner_text()
    begin(admin)
    admin.page.locator("#batch-name").fill("animals")
    admin.follow(admin.page.get_by_role("button", name="Delete"))
    deleted(admin)
    # The page must stay until somebody uses the button, so a minute passes without a change.
    if admin.scripts:
        admin.page.clock.run_for(60_000)
    expect(admin.page.locator("meta[http-equiv=refresh]")).to_have_count(0)
    deleted(admin)
    admin.follow(admin.page.get_by_role("button", name="Undo"))
    expect(admin.page.locator(".notice.success")).to_contain_text("Restored")
    assert admin.page.locator("[data-summary]").inner_text() == before


@without_scripts
@on_desktop
def test_a_crash_before_the_delete_loses_nothing(admin, zoo):
    admin.open("/animals?q=n2")
    begin(admin)
    admin.page.locator("#batch-name").fill("animals")
    zoo.restart()
    admin.follow(admin.page.get_by_role("button", name="Delete"))
    deleted(admin)
    admin.open("/animals?q=n2")
    expect(admin.page.get_by_role("heading", name="No animals match")).to_be_visible()


@with_scripts
@on_desktop
def test_what_is_added_after_the_question_stays(admin, elsewhere):
    elsewhere.add("friends", name="Before")
    admin.open("/friends/batch?do=delete&all=1&return=")
    admin.page.locator("#batch-name").fill("friends")
    meanwhile = elsewhere.add("friends", name="Meanwhile")
    admin.follow(admin.page.get_by_role("button", name="Delete"))
    expect(admin.page.get_by_role("heading", name="Friends deleted")).to_be_visible()
    late = elsewhere.add("friends", name="Late")
    admin.page.reload()
    admin.open("/friends")
    assert set(admin.identifiers()) == {meanwhile, late}


def test_an_action_of_the_application_is_done_with_ticked_rows_and_taken_back(librarian):
    librarian.open("/copies")
    if librarian.is_phone and librarian.scripts:
        librarian.page.get_by_role("button", name="Select", exact=True).tap()
    librarian.row("AUS-001").get_by_role("checkbox").check()
    librarian.row("CAR-001").get_by_role("checkbox").check()
    librarian.follow(librarian.page.get_by_role("button", name="Mark as worn"))
    expect(librarian.page.get_by_role("heading", name="Mark as worn: 2 copies?")).to_be_visible()
    librarian.follow(librarian.page.get_by_role("button", name="Mark as worn"))
    expect(librarian.page.get_by_text("Changed 2 copies")).to_be_visible()
    expect(librarian.row("AUS-001")).to_contain_text("Worn")
    librarian.follow(librarian.page.get_by_role("button", name="Undo"))
    expect(librarian.row("AUS-001")).to_contain_text("New")


@on_desktop
def test_an_action_that_had_nothing_to_do_names_its_record(librarian):
    librarian.watch.expect_status(409)
    for _ in range(2):
        librarian.open("/copies")
        librarian.row("AUS-001").get_by_role("checkbox").check()
        librarian.follow(librarian.page.get_by_role("button", name="Mark as worn"))
        librarian.follow(librarian.page.get_by_role("button", name="Mark as worn"))
    expect(librarian.page.get_by_role("heading", name="Mark as worn: “AUS-001” not changed")).to_be_visible()


@on_desktop
def test_an_action_is_done_with_all_that_match(librarian):
    librarian.open("/copies?filter.condition=new")
    librarian.page.locator("[data-menu] summary").click()
    librarian.follow(librarian.page.get_by_role("link", name="Mark as worn: all that match…"))
    librarian.follow(librarian.page.get_by_role("button", name="Mark as worn"))
    finish(librarian)
    librarian.open("/copies?filter.condition=new")
    expect(librarian.page.get_by_role("heading", name="No copies match")).to_be_visible()


@with_scripts
@on_desktop
def test_a_toast_takes_a_delete_back(admin, elsewhere):
    elsewhere.add("friends", name="Kea")
    # A list that has become empty is loaded again after a moment, without the toast.
    elsewhere.add("friends", name="Tui")
    admin.open("/friends")
    admin.row("Kea").hover()
    admin.row("Kea").get_by_role("link", name="Delete Kea").click()
    expect(admin.page.locator(".toast")).to_contain_text("Deleted “Kea”")
    admin.follow(admin.page.locator(".toast").get_by_role("button", name="Undo"))
    expect(admin.row("Kea")).to_have_count(1)


@on_desktop
def test_a_large_delete_is_one_step_with_the_true_number(admin, zoo, tmp_path):
    herd(zoo, tmp_path)
    admin.open("/animals?q=Herd")
    begin(admin)
    expect(admin.page.get_by_role("heading", name=f"Delete all {HERD:,} animals that match?")).to_be_visible()
    expect(admin.page.get_by_text("You can undo this in Activity for")).to_be_visible()
    admin.page.locator("#batch-name").fill("animals")
    admin.follow(admin.page.get_by_role("button", name="Delete"))
    # The progress, if it is shown, is replaced by the result without anybody's doing.
    deleted(admin)
    expect(admin.page.get_by_role("status")).to_have_text(f"Deleted {HERD:,} animals.")
    admin.open("/activity?model=animals")
    expect(admin.page.get_by_role("link", name=f"Deleted {HERD:,} animals")).to_have_count(1)
    admin.page.go_back()
    admin.follow(admin.page.get_by_role("button", name="Undo"))
    expect(admin.page.locator(".notice.success")).to_contain_text(f"Restored {HERD:,} animals")


def begin(admin):
    admin.page.locator("[data-menu] summary").click()
    admin.follow(admin.page.get_by_role("link", name="Delete all that match…"))


def herd(zoo, directory):
    """Adds more animals than a delete removes at once."""
    file = directory / "herd.csv"
    file.write_text("name,diet\r\n" + "".join(f"Herd {number},omnivorous\r\n" for number in range(HERD)))
    command = [zoo.binary, "import", "Animal", file, "--data", zoo.data]
    subprocess.run(command, check=True, capture_output=True)


def deleted(admin):
    """Waits for the end of a delete. Its page shows the progress, and then the result, with and without scripts."""
    expect(admin.page.get_by_role("heading", name="Animals deleted")).to_be_visible()


def finish(admin):
    """Waits for the end of the batch. With scripts, the page continues by itself."""
    button = admin.page.get_by_role("button", name="Continue")
    if admin.scripts:
        expect(button).to_have_count(0)
    else:
        while button.count():
            admin.follow(button)
    expect(admin.page.get_by_role("heading", name=re.compile("done|deleted"))).to_be_visible()
