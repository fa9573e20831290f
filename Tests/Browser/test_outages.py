"""Saving while the server or the network is unavailable, slow or faulty loses no text and stores nothing twice."""

import re

import pytest
from playwright.sync_api import expect

from exploration import exploration
from lines import SlowLine
from marks import on_desktop, with_scripts, without_scripts

ONLINE = {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}


@with_scripts
def test_a_save_while_the_server_is_away_leaves_the_sheet_as_it_is(admin, zoo):
    admin.open("/animals/new")
    admin.type_name("Quagga")
    admin.field("Omnivorous").check()
    admin.watch.expect_outage()
    zoo.kill()
    press_save(admin)
    expect(admin.failure).to_contain_text("Couldn’t reach the server, so your changes may not be saved.")
    expect(admin.failure).to_be_in_viewport()
    expect(admin.name).to_have_value("Quagga")
    expect(admin.field("Omnivorous")).to_be_checked()
    press_save(admin)
    expect(admin.failure).to_have_count(1)
    zoo.start()
    admin.answered(admin.failure.get_by_role("button", name="Try again").click)
    admin.expect_names(["Quagga"])
    admin.expect_no_drafts()


@with_scripts
@on_desktop
def test_a_second_save_works_like_a_first_one(admin, zoo):
    admin.watch.expect_status(422)
    admin.open("/animals/new")
    admin.watch.expect_outage()
    zoo.kill()
    admin.name.press("Control+Enter")
    expect(admin.failure).to_be_visible()
    # The field keeps the focus.
    expect(admin.name).to_be_focused()
    zoo.start()
    admin.save()
    expect(admin.error_of(admin.name)).to_have_text("The animal needs a name.")
    admin.name.fill("Quagga")
    admin.follow(admin.sheet.get_by_role("button", name="Save and add another"))
    expect(admin.sheet).to_contain_text("Saved “Quagga”. Add the next one here.")
    admin.open("/animals")
    admin.expect_names(["Quagga"])


@with_scripts
@on_desktop
def test_what_was_typed_after_a_failed_save_is_kept_again_and_leaving_asks_until_it_is(admin, zoo):
    admin.open("/animals/new")
    admin.watch.expect_outage()
    zoo.kill()
    admin.type_name("Quagga")
    press_save(admin)
    expect(admin.failure).to_be_visible()
    expect(admin.status).to_contain_text("the server isn’t responding")
    with admin.page.expect_event("dialog") as question:
        admin.page.close(run_before_unload=True)
    question.value.dismiss()
    zoo.start()
    admin.keep_draft()
    admin.page.reload()
    expect(admin.name).to_have_value("Quagga")


@with_scripts
@on_desktop
def test_an_edit_is_saved_once_the_server_is_back(admin, zoo, elsewhere):
    kea = elsewhere.add("animals", name="Kea")
    admin.open(f"/animals/{kea}")
    admin.name.fill("Kaka")
    admin.watch.expect_outage()
    zoo.kill()
    press_save(admin)
    expect(admin.failure).to_be_visible()
    zoo.start()
    admin.answered(admin.failure.get_by_role("button", name="Try again").click)
    admin.expect_names(["Kaka"])


@with_scripts
@on_desktop
@pytest.mark.parametrize("button", ["Save draft", "New category…"])
def test_the_other_buttons_leave_the_sheet_as_it_is_too(admin, zoo, button):
    admin.open("/animals/new")
    admin.name.fill("Quagga")
    admin.watch.expect_outage()
    zoo.kill()
    admin.sheet.get_by_role("button", name=button).click()
    expect(admin.failure).to_be_visible()
    expect(admin.name).to_have_value("Quagga")
    zoo.start()
    admin.answered(admin.failure.get_by_role("button", name="Try again").click)
    admin.open("/animals")
    expect(admin.banner).to_contain_text("Quagga")


@with_scripts
@on_desktop
@pytest.mark.parametrize("button", ["Save draft", "New category…"])
def test_a_draft_that_cannot_be_kept_is_told_as_one_and_where_its_text_is(admin, zoo, button):
    admin.open("/animals/new")
    admin.watch.expect_outage()
    zoo.kill()
    admin.name.fill("Quagga")
    admin.sheet.get_by_role("button", name=button).click()
    expect(admin.failure).to_contain_text(
        "Draft not saved: the server isn’t responding. Leave this page open, and try again in a moment."
    )
    expect(admin.name).to_have_value("Quagga")
    zoo.start()
    expect(admin.failure).to_contain_text("Not saved yet. Your changes are kept as a draft.")


@with_scripts
@on_desktop
@pytest.mark.parametrize(("button", "said"), [("Save draft", "Draft not saved"), ("Save", "Not saved")])
def test_a_server_that_cannot_read_is_told_with_where_the_text_is(admin, button, said):
    admin.watch.expect_status(503)
    admin.open("/animals/new")
    admin.name.fill("Quagga")
    body = '{"error": "Nothing was changed. Try again in a moment.", "reference": "4711"}'
    admin.page.route(
        re.compile("/admin/animals(/draft)?$"), lambda route: route.fulfill(status=503, content_type="application/json", body=body)
    )
    admin.sheet.get_by_role("button", name=button, exact=True).click()
    expect(admin.failure).to_contain_text(f"{said}: something went wrong on the server.")
    expect(admin.name).to_have_value("Quagga")


@with_scripts
@on_desktop
def test_a_failure_has_its_drawing_and_gives_way_to_what_is_known_later(admin, zoo):
    admin.open("/animals/new")
    admin.watch.expect_outage()
    zoo.kill()
    admin.type_name("Quagga")
    press_save(admin)
    expect(admin.failure).to_contain_text("Couldn’t reach the server")
    expect(admin.failure.locator("svg.icon")).to_be_visible()
    zoo.start()
    expect(admin.failure).to_contain_text("Not saved yet. Your changes are kept as a draft.")
    expect(admin.failure).to_have_count(1)
    expect(admin.failure).not_to_contain_text("reach the server")
    expect(admin.status).to_contain_text("Draft saved")
    admin.answered(admin.failure.get_by_role("button", name="Try again").click)
    admin.expect_names(["Quagga"])


@with_scripts
@on_desktop
def test_a_kept_draft_is_not_taken_for_a_store_that_answers(admin):
    admin.watch.expect_status(503)
    admin.open("/animals/new")
    # A draft that is sent after the failure would replace its text.
    admin.stop_clock()
    admin.name.fill("Quagga")
    body = '{"error": "Not saved: the server can’t save changes right now."}'
    admin.page.route(
        "**/admin/animals", lambda route: route.fulfill(status=503, content_type="application/json", body=body), times=1
    )
    press_save(admin)
    expect(admin.failure).to_contain_text("can’t save changes right now")
    admin.page.clock.resume()
    # A worker alone keeps drafts.
    admin.name.fill("Quagga!")
    notice = admin.sheet.locator(".notice.answer p")
    expect(notice).to_have_text("Not saved yet. Your changes are kept as a draft.")
    admin.answered(admin.sheet.get_by_role("button", name="Try again").click)
    admin.expect_names(["Quagga!"])


@with_scripts
def test_a_cancel_while_the_server_is_away_leaves_the_sheet_as_it_is(admin, zoo):
    admin.open("/animals/new")
    admin.type_name("Quagga")
    admin.watch.expect_outage()
    zoo.kill()
    press_cancel(admin)
    expect(admin.failure).to_contain_text("Not cancelled: the server isn’t responding.")
    expect(admin.failure).to_be_in_viewport()
    expect(admin.name).to_have_value("Quagga")
    zoo.start()
    admin.answered(admin.failure.get_by_role("button", name="Try again").click)
    admin.expect_path("/admin/animals")
    admin.expect_count(0)
    admin.expect_no_drafts()


@with_scripts
@on_desktop
def test_an_edit_that_could_not_be_cancelled_can_still_be_saved(admin, zoo, elsewhere):
    kea = elsewhere.add("animals", name="Kea")
    admin.open(f"/animals/{kea}")
    admin.name.fill("Kaka")
    admin.watch.expect_outage()
    zoo.kill()
    press_cancel(admin)
    expect(admin.failure).to_be_visible()
    zoo.start()
    admin.save()
    admin.expect_names(["Kaka"])


@with_scripts
@on_desktop
def test_cancel_does_not_wait_for_a_save_that_hangs(admin, zoo):
    admin.open("/animals/new")
    admin.name.fill("Quagga")
    admin.watch.expect_outage()
    zoo.pause()
    press_save(admin)
    expect(admin.sheet.get_by_role("status").filter(has_text="Still saving")).to_be_visible()
    press_cancel(admin)
    expect(admin.sheet.get_by_role("status").filter(has_text="Still cancelling")).to_be_visible()
    zoo.resume()
    expect(admin.sheet).to_have_count(0)
    admin.expect_no_drafts()


@with_scripts
def test_a_save_without_a_network_says_so(admin):
    admin.open("/animals/new")
    admin.name.fill("Quagga")
    admin.watch.expect_outage()
    network(admin, {**ONLINE, "offline": True})
    press_save(admin)
    expect(admin.failure).to_contain_text("Not saved: you’re offline.")
    expect(admin.name).to_have_value("Quagga")
    network(admin, ONLINE)
    admin.answered(admin.failure.get_by_role("button", name="Try again").click)
    admin.expect_names(["Quagga"])


@with_scripts
@on_desktop
def test_a_draft_without_a_network_says_so_and_is_kept_later(admin):
    admin.open("/animals/new")
    admin.watch.expect_outage()
    network(admin, {**ONLINE, "offline": True})
    admin.name.fill("Quagga")
    expect(admin.status).to_have_text("Draft not saved: you’re offline. Still trying.")
    network(admin, ONLINE)
    expect(admin.status).to_contain_text("Draft saved in this browser.")


@with_scripts
@on_desktop
def test_a_save_whose_answer_was_lost_is_not_stored_twice(admin):
    admin.open("/animals/new")
    # A draft that is sent after the failure would replace its text.
    admin.stop_clock()
    admin.name.fill("Quagga")
    admin.watch.expect_outage()

    def lose(route):
        route.fetch(max_redirects=0)
        route.abort()

    admin.page.route("**/admin/animals", lose, times=1)
    press_save(admin)
    expect(admin.failure).to_contain_text("it’s safe to try again.")
    admin.watch.expect_status(409)
    admin.page.clock.resume()
    admin.answered(admin.failure.get_by_role("button", name="Try again").click)
    admin.expect_names(["Quagga"])
    admin.expect_no_drafts()


@with_scripts
@on_desktop
def test_that_only_the_answer_was_lost_is_told_once_it_is_known(admin):
    admin.open("/animals/new")
    # The draft is sent after the save has failed.
    admin.stop_clock()
    admin.name.fill("Quagga")
    admin.watch.expect_outage()
    admin.watch.expect_status(409)

    def lose(route):
        route.fetch(max_redirects=0)
        route.abort()

    admin.page.route("**/admin/animals", lose, times=1)
    press_save(admin)
    expect(admin.failure).to_contain_text("it’s safe to try again.")
    admin.page.clock.resume()
    expect(admin.failure).to_contain_text("Saved earlier: only the server’s response was lost.")
    admin.answered(admin.failure.get_by_role("button", name="Try again").click)
    admin.expect_names(["Quagga"])
    admin.expect_no_drafts()


@with_scripts
@on_desktop
def test_waiting_for_a_server_that_hangs_can_be_ended(admin, zoo):
    admin.open("/animals/new")
    admin.name.fill("Quagga")
    admin.watch.expect_outage()
    zoo.pause()
    press_save(admin)
    waiting = admin.sheet.get_by_role("status").filter(has_text="Still saving")
    expect(waiting).to_be_visible()
    expect(admin.sheet.get_by_role("button", name="Save", exact=True)).to_be_disabled()
    waiting.get_by_role("button", name="Stop waiting").click()
    expect(admin.failure).to_contain_text("Couldn’t confirm the save")
    expect(admin.name).to_have_value("Quagga")
    zoo.resume()
    admin.watch.expect_status(409)
    admin.answered(admin.failure.get_by_role("button", name="Try again").click)
    admin.expect_names(["Quagga"])


@with_scripts
@on_desktop
@pytest.mark.parametrize(("status", "type", "body", "said"), [
    (503, "application/json", '{"error": "Not saved: the server can’t save changes right now."}', "can’t save changes right now"),
    (507, "application/json", '{"error": "Not saved: the server’s disk is full."}', "disk is full"),
    (502, "text/html", "<h1>Bad gateway</h1>", "Not saved: something went wrong on the server."),
    (500, "application/json", "this is no JSON", "Not saved: something went wrong on the server."),
])
def test_a_server_in_trouble_is_told_in_the_sheet(admin, status, type, body, said):
    admin.watch.expect_status(status)
    admin.open("/animals/new")
    # A draft that is sent after the failure would replace its text.
    admin.stop_clock()
    admin.name.fill("Quagga")
    admin.page.route(
        "**/admin/animals", lambda route: route.fulfill(status=status, content_type=type, body=body), times=1
    )
    press_save(admin)
    expect(admin.failure).to_contain_text(said)
    expect(admin.name).to_have_value("Quagga")
    admin.page.clock.resume()
    admin.answered(admin.failure.get_by_role("button", name="Try again").click)
    admin.expect_names(["Quagga"])


@without_scripts
@on_desktop
def test_a_save_without_scripts_is_the_browsers_own(admin):
    admin.open("/animals/new")
    admin.name.fill("Quagga")
    with admin.page.expect_request(lambda request: request.method == "POST") as post:
        admin.save()
    assert post.value.is_navigation_request()
    admin.expect_names(["Quagga"])


@with_scripts
@pytest.mark.parametrize("moment", ["before-a-draft", "beside-a-draft"])
def test_a_page_that_is_reloaded_before_its_draft_arrived_loses_nothing_and_doubles_nothing(admin, line, moment):
    admin.origin = line.origin
    admin.stop_clock()
    admin.open("/animals/new")
    admin.type_name("Quagga")
    admin.page.clock.run_for(1_000)
    admin.keep_draft()
    line.hold("/admin/animals/draft")
    admin.name.press_sequentially(" of")
    if moment == "beside-a-draft":
        admin.page.clock.run_for(1_000)
        line.wait_until_held()
    admin.name.press_sequentially(" the Karoo")
    admin.page.reload()
    expect(admin.status).to_have_text("Loading your latest changes…")
    expect(admin.name).to_have_value("Quagga")
    line.release()
    admin.page.clock.resume()
    goes_on_after_the_reload(admin)


@pytest.fixture
def slow_address(zoo):
    """The address of the zoo over a line with a round trip of two seconds."""
    line = SlowLine(seconds=1, rate=50_000 / 8)
    zoo.kill()
    zoo.options = ["--allowed-host", line.authority]
    zoo.start()
    line.lead_to(zoo.port)
    yield f"http://{line.authority}/admin"
    line.close()


@exploration
@with_scripts
@pytest.mark.parametrize("pause", [0, 2_400], ids=["before-a-draft", "beside-a-draft"])
def test_on_a_slow_network_nothing_is_lost_and_nothing_doubled(admin, slow_address, pause):
    admin.page.set_default_timeout(60_000)
    admin.page.goto(slow_address + "/animals/new")
    admin.type_name("Quagga")
    admin.keep_draft()
    admin.name.press_sequentially(" of")
    admin.page.wait_for_timeout(pause)
    admin.name.press_sequentially(" the Karoo")
    # The reload happens before the draft is saved.
    admin.page.reload()
    goes_on_after_the_reload(admin)


def goes_on_after_the_reload(admin):
    expect(admin.name).to_have_value("Quagga of the Karoo")
    with admin.page.expect_navigation():
        button = admin.sheet.get_by_role("button", name="Save", exact=True)
        button.evaluate("button => { button.click(); button.click(); }")
    admin.expect_names(["Quagga of the Karoo"])
    admin.expect_no_drafts()
    admin.page.locator(".records tbody [data-delete]").first.evaluate("link => link.click()")
    # The list has become empty, and is loaded again after a moment.
    deleted = admin.page.locator(".notice.success").filter(has_text="Deleted")
    admin.follow(deleted.get_by_role("button", name="Undo"))
    admin.expect_names(["Quagga of the Karoo"])


def press_save(admin):
    admin.sheet.get_by_role("button", name="Save", exact=True).click()


def press_cancel(admin):
    admin.sheet.get_by_role("button", name="Cancel", exact=True).click()


def network(admin, conditions):
    """Sets the network conditions of the page until its session ends."""
    if not hasattr(admin, "network"):
        admin.network = admin.context.new_cdp_session(admin.page)
        admin.network.send("Network.enable")
    admin.network.send("Network.emulateNetworkConditions", conditions)
