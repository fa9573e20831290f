from random import Random
from string import ascii_letters, digits

import pytest
from playwright.sync_api import expect

from marks import on_desktop, with_scripts, without_scripts
from patience import eventually

TEXT = "Quagga of the Karoo"


@with_scripts
def test_typed_text_is_there_after_a_reload(admin):
    admin.open("/animals/new")
    admin.type_name(TEXT)
    admin.field("Omnivorous").check()
    admin.keep_draft()
    admin.page.reload()
    expect(admin.name).to_have_value(TEXT)
    expect(admin.field("Omnivorous")).to_be_checked()
    expect(admin.status).to_contain_text("Draft saved")


@with_scripts
def test_what_was_typed_a_moment_before_a_reload_is_there_after_it(admin):
    admin.open("/animals/new")
    admin.name.fill(TEXT)
    admin.page.reload()
    expect(admin.name).to_have_value(TEXT)
    # Repeats the reload with an older copy of the same draft in the browser.
    admin.name.fill(TEXT + "!")
    admin.page.reload()
    expect(admin.name).to_have_value(TEXT + "!")
    admin.save()
    admin.expect_names([TEXT + "!"])
    admin.expect_no_drafts()


@with_scripts
@on_desktop
def test_the_same_is_true_of_an_edit(admin, elsewhere):
    kakapo = elsewhere.add("animals", name="Kakapo")
    admin.open(f"/animals/{kakapo}")
    admin.name.fill("Kaka")
    admin.page.reload()
    expect(admin.name).to_have_value("Kaka")
    admin.name.fill("Kea")
    admin.page.reload()
    expect(admin.name).to_have_value("Kea")
    expect(admin.status).to_contain_text("Draft saved")


@with_scripts
@on_desktop
def test_a_reload_beside_another_draft_shows_the_one_that_was_typed_in(admin):
    admin.open("/animals/new")
    admin.type_name("Dodo")
    admin.keep_draft()
    admin.open("/animals/new?fresh=1")
    admin.name.fill(TEXT)
    admin.page.reload()
    expect(admin.name).to_have_value(TEXT)
    admin.page.reload()
    expect(admin.name).to_have_value(TEXT)


@with_scripts
@on_desktop
def test_when_the_last_words_never_arrive_this_is_said_and_the_sheet_can_be_used(admin):
    admin.open("/animals/new")
    admin.type_name("Quagga")
    # Simulates a page whose last request was lost.
    admin.page.add_init_script(
        "sessionStorage.setItem('aviary.pending', JSON.stringify({ address: location.href, copy: 'lost.9', time: Date.now() }))"
    )
    admin.page.reload()
    expect(admin.status).to_have_text("Couldn’t load your latest changes in time. Check the fields before you save.")
    admin.name.fill("Quagga, again")
    admin.save()
    admin.expect_names(["Quagga, again"])


@with_scripts
def test_the_address_names_the_draft_from_the_first_letter_on(admin):
    admin.open("/animals/new?fresh=1")
    assert "draft=" not in admin.page.url
    admin.name.press("Q")
    draft = admin.sheet.locator("#sheet-form [name=draft]").input_value()
    assert admin.page.url.endswith(f"/animals/new?draft={draft}")


def test_several_drafts_take_a_line_that_opens(admin):
    for number in range(3):
        admin.open("/animals/new?fresh=1")
        admin.type_name(f"Dodo {number}")
        admin.keep_draft()
    for place in ["/animals", ""]:
        admin.open(place)
        drafts = admin.page.get_by_role("region", name="Unsaved drafts")
        expect(drafts).to_contain_text("3 unsaved drafts")
        assert drafts.bounding_box()["height"] < 64
        expect(drafts.get_by_role("link", name="Continue")).to_have_count(0)
        summary = drafts.locator("summary")
        summary.focus()
        admin.page.keyboard.press("Enter")
        expect(drafts.get_by_role("link", name="Continue")).to_have_count(3)
        expect(drafts.get_by_role("region").first).to_contain_text("Dodo 2")


def test_a_kept_draft_waits_on_the_list_and_is_continued(admin):
    keep(admin)
    admin.open("/animals")
    expect(admin.banner).to_contain_text("Unsaved: Add animal")
    expect(admin.banner).to_contain_text(TEXT)
    admin.expect_count(0)
    admin.follow(admin.banner.get_by_role("link", name="Continue"))
    expect(admin.sheet.get_by_role("heading")).to_have_text("Add animal")
    expect(admin.name).to_have_value(TEXT)


@pytest.mark.parametrize("place", ["", "/animals"], ids=["overview", "list"])
def test_add_opens_an_empty_sheet_while_a_draft_waits_and_keeps_its_banner(admin, place):
    keep(admin)
    admin.open(place)
    admin.follow(admin.page.get_by_role("link", name="Add animal", exact=True).first)
    expect(admin.name).to_have_value("")
    admin.name.fill("Dodo")
    admin.save()
    admin.expect_names(["Dodo"])
    expect(admin.banner).to_contain_text(TEXT)
    admin.follow(admin.banner.get_by_role("link", name="Continue"))
    expect(admin.name).to_have_value(TEXT)


@with_scripts
@pytest.mark.parametrize("place", ["", "/animals"], ids=["overview", "list"])
@pytest.mark.parametrize("earlier", ["", "Quagga"], ids=["nothing", "older"])
def test_the_last_words_show_where_drafts_wait_also_when_they_arrive_after_the_page(admin, line, place, earlier):
    admin.origin = line.origin
    admin.stop_clock()
    admin.open("/animals/new")
    if earlier:
        admin.type_name(earlier)
        admin.page.clock.run_for(1_000)
        admin.keep_draft()
    line.hold("/admin/animals/draft")
    admin.name.fill(TEXT)
    admin.open(place)
    if earlier:
        expect(admin.banner).to_contain_text(f"“{earlier}”")
    else:
        expect(admin.banner).to_have_count(0)
    line.release()
    admin.page.clock.resume()
    expect(admin.banner).to_contain_text(TEXT)
    expect(admin.banner).to_have_count(1)
    admin.follow(admin.banner.get_by_role("link", name="Continue"))
    expect(admin.name).to_have_value(TEXT)


@with_scripts
@on_desktop
def test_a_line_of_drafts_stays_open_when_another_one_arrives(admin, line):
    admin.origin = line.origin
    for number in range(2):
        admin.open("/animals/new?fresh=1")
        admin.type_name(f"Dodo {number}")
        admin.keep_draft()
    admin.open("/animals/new?fresh=1")
    admin.stop_clock()
    line.hold("/admin/animals/draft")
    admin.name.fill(TEXT)
    admin.open("/animals")
    expect(admin.banner).to_have_count(2)
    summary = admin.page.locator(".drafts summary")
    summary.focus()
    line.release()
    admin.page.clock.resume()
    expect(admin.page.get_by_role("region", name="Unsaved draft", exact=True)).to_have_count(3)
    expect(summary).to_be_focused()


@with_scripts
@on_desktop
def test_nobody_waits_for_what_was_typed_and_taken_away_again(admin):
    admin.open("/animals/new")
    admin.name.press("Q")
    admin.name.press("Backspace")
    admin.page.reload()
    expect(admin.page.locator("#sheet-form[inert]")).to_have_count(0)
    expect(admin.status).not_to_contain_text("Loading your")
    admin.open("/animals")
    assert admin.page.evaluate("sessionStorage.getItem('aviary.pending')") is None


def test_a_draft_also_waits_on_the_overview(admin):
    keep(admin)
    admin.open("")
    expect(admin.banner).to_contain_text("Unsaved: Add animal")


def test_discard_drops_a_draft_for_good(admin, zoo):
    keep(admin)
    admin.open("/animals")
    admin.follow(admin.banner.get_by_role("button", name="Discard"))
    nothing_is_left(admin, zoo)


@pytest.mark.parametrize("place", ["", "/animals?sort=-name"], ids=["overview", "list"])
def test_discard_stays_on_the_page_and_can_be_taken_back(admin, place):
    keep(admin)
    admin.open(place)
    address = admin.page.url
    admin.follow(admin.banner.get_by_role("button", name="Discard"))
    assert admin.page.url.startswith(address)
    expect(admin.banner).to_have_count(0)
    news = admin.page.get_by_role("status").filter(has_text=f"Discarded the draft “{TEXT}”")
    admin.follow(news.get_by_role("button", name="Undo"))
    assert admin.page.url == address
    admin.follow(admin.banner.get_by_role("link", name="Continue"))
    expect(admin.name).to_have_value(TEXT)
    admin.save()
    admin.expect_names([TEXT])
    admin.expect_no_drafts()


def test_cancel_drops_what_was_typed_for_good(admin, zoo):
    keep(admin)
    admin.open("/animals/new")
    expect(admin.name).to_have_value(TEXT)
    admin.cancel()
    nothing_is_left(admin, zoo)


def test_cancel_before_anything_was_kept_leaves_nothing(admin, zoo):
    admin.open("/animals/new")
    admin.type_name(TEXT)
    admin.cancel()
    nothing_is_left(admin, zoo)


def test_a_draft_outlives_a_crash_of_the_server(admin, zoo):
    keep(admin)
    zoo.restart()
    if admin.scripts:
        admin.page.reload()
    else:
        admin.open("/animals")
        admin.follow(admin.banner.get_by_role("link", name="Continue"))
    expect(admin.name).to_have_value(TEXT)
    admin.save()
    admin.expect_names([TEXT])


@with_scripts
def test_text_typed_while_the_server_is_away_is_kept_once_it_is_back(admin, zoo):
    admin.open("/animals/new")
    admin.watch.expect_outage()
    zoo.kill()
    admin.type_name(TEXT)
    expect(admin.status).to_contain_text("the server isn’t responding")
    zoo.start()
    admin.keep_draft()
    admin.page.reload()
    expect(admin.name).to_have_value(TEXT)


def test_neither_an_old_cookie_nor_an_old_form_brings_back_what_was_saved(admin, elsewhere):
    keep(admin)
    admin.open("/animals/new")
    expect(admin.name).to_have_value(TEXT)
    old_cookies = admin.draft_cookies()
    with admin.page.expect_request(lambda request: request.method == "POST" and request.url.endswith("/animals")) as post:
        admin.save()
    admin.expect_names([TEXT])
    admin.expect_no_drafts()

    admin.context.add_cookies(old_cookies)
    old_form = {"data": post.value.post_data, "headers": {"Content-Type": "application/x-www-form-urlencoded"}}
    replayed = admin.page.request.post("/admin/animals", max_redirects=0, **old_form)
    assert replayed.status == 303
    admin.context.add_cookies(old_cookies)
    admin.open("/animals")
    expect(admin.banner).to_have_count(0)
    admin.expect_names([TEXT])
    admin.expect_no_drafts()

    elsewhere.delete("animals", admin.identifiers()[0])
    replayed = admin.page.request.post("/admin/animals", max_redirects=0, **old_form)
    assert replayed.status == 303
    admin.context.add_cookies(old_cookies)
    admin.open("/animals/new")
    expect(admin.name).to_have_value("")
    admin.expect_count(0)


@with_scripts
def test_leaving_by_back_keeps_what_was_just_typed(admin):
    admin.open("/animals")
    admin.follow(admin.page.get_by_role("link", name="Add animal").first)
    admin.name.fill(TEXT)
    admin.page.go_back()
    # The call returns before the page has loaded, and a second navigation would wait in vain.
    expect(admin.sheet).to_have_count(0)
    is_kept(admin)


@with_scripts
def test_closing_the_tab_keeps_what_was_just_typed(admin):
    other = admin.context.new_page()
    admin.open("/animals/new")
    admin.name.fill(TEXT)
    # Closes the page as a user does. Closing it directly would not notify the page.
    admin.page.close(run_before_unload=True)
    admin.page = other
    is_kept(admin)


def test_text_too_long_for_a_draft_is_said_and_can_still_be_saved(admin):
    admin.watch.expect_status(413)
    long = noise()
    admin.open("/animals/new")
    admin.name.fill(long)
    if admin.scripts:
        expect(admin.status).to_contain_text("Draft not saved: too long")
        with admin.page.expect_response("**/draft"):
            admin.name.press("End")
            admin.name.press("!")
        expect(admin.status).to_contain_text("Draft not saved: too long")
    else:
        admin.keep_draft()
        expect(admin.sheet.get_by_role("alert")).to_contain_text("Draft not saved: too long")
        expect(admin.name).to_have_value(long)
        admin.name.fill(long + "!")
    admin.expect_no_drafts()
    admin.save()
    admin.expect_count(1)
    admin.follow(admin.rows.get_by_role("link").first)
    expect(admin.name).to_have_value(long + "!")


@with_scripts
def test_leaving_with_text_that_is_not_kept_asks_first(admin):
    admin.watch.expect_status(413)
    admin.open("/animals/new")
    admin.name.click()
    admin.name.fill(noise())
    expect(admin.status).to_contain_text("Draft not saved: too long")
    with admin.page.expect_event("dialog") as question:
        admin.page.close(run_before_unload=True)
    assert question.value.type == "beforeunload"
    question.value.dismiss()
    expect(admin.sheet).to_be_visible()


@on_desktop
@pytest.mark.parametrize("place", [0, 3, 8, 40, -1])
def test_a_forged_draft_is_dropped_with_a_notice(admin, place):
    keep(admin)
    cookie = admin.draft_cookies()[0]
    characters = list(cookie["value"])
    # The last character may contain unused bits, so the replacement also changes the used ones.
    characters[place] = "A" if characters[place] not in "ABCD" else "w"
    admin.context.add_cookies([cookie | {"value": "".join(characters)}])
    is_dropped_with_a_notice(admin)


@on_desktop
def test_a_draft_under_another_name_is_dropped_with_a_notice(admin):
    keep(admin)
    cookie = admin.draft_cookies()[0]
    admin.context.clear_cookies(name=cookie["name"])
    admin.context.add_cookies([cookie | {"name": cookie["name"][:-1] + ("a" if cookie["name"][-1] != "a" else "b")}])
    is_dropped_with_a_notice(admin)


@on_desktop
def test_a_draft_of_another_zoo_is_dropped_with_a_notice(admin, zoo):
    keep(admin)
    zoo.kill()
    # The same port with an empty directory is another zoo with its own keys.
    zoo.data = zoo.data.with_name("other")
    zoo.start()
    admin.context.add_cookies([zoo.sign_in()])
    is_dropped_with_a_notice(admin)


def test_an_edit_is_continued_and_after_cancel_shows_what_is_stored(admin, elsewhere):
    kakapo = elsewhere.add("animals", name="Kakapo")
    admin.open(f"/animals/{kakapo}")
    admin.type_name(TEXT)
    admin.keep_draft()
    admin.open("/animals")
    expect(admin.banner).to_contain_text("Unsaved: Edit animal")
    admin.expect_names(["Kakapo"])
    admin.follow(admin.banner.get_by_role("link", name="Continue"))
    expect(admin.name).to_have_value(TEXT)

    admin.cancel()
    expect(admin.banner).to_have_count(0)
    admin.expect_no_drafts()
    admin.open(f"/animals/{kakapo}")
    expect(admin.name).to_have_value("Kakapo")


def test_an_edit_of_a_record_that_was_deleted_keeps_the_text(admin, elsewhere):
    kakapo = elsewhere.add("animals", name="Kakapo")
    admin.watch.expect_status(409)
    admin.open(f"/animals/{kakapo}")
    admin.name.fill(TEXT)
    elsewhere.delete("animals", kakapo)
    admin.save()
    expect(admin.sheet.get_by_role("alert")).to_contain_text("was deleted in the meantime")
    expect(admin.name).to_have_value(TEXT)
    admin.save()
    admin.expect_names([TEXT])
    admin.expect_no_drafts()


def test_a_change_by_somebody_else_is_shown_beside_ones_own_text(admin, elsewhere):
    kakapo = elsewhere.add("animals", name="Kakapo")
    admin.watch.expect_status(409)
    admin.open(f"/animals/{kakapo}")
    admin.name.fill(TEXT)
    elsewhere.change("animals", kakapo, name="Kea")
    admin.save()
    expect(admin.sheet.get_by_role("alert")).to_contain_text("Someone else changed this animal")
    expect(admin.name).to_have_value(TEXT)
    expect(admin.sheet).to_contain_text("Kea")
    assert elsewhere.names("animals") == ["Kea"]
    admin.sheet.get_by_label("Your version").check()
    admin.save()
    admin.expect_names([TEXT])


@without_scripts
@on_desktop
def test_a_draft_too_many_is_refused_and_its_text_stays(admin):
    admin.watch.expect_status(409)
    for number in range(6):
        admin.open("/animals/new?fresh=1")
        admin.name.fill(f"Dodo {number}")
        admin.keep_draft()
    expect(admin.banner).to_have_count(6)
    admin.open("/animals/new?fresh=1")
    admin.name.fill(TEXT)
    admin.keep_draft()
    expect(admin.sheet.get_by_role("alert")).to_contain_text("6 other drafts take up the room.")
    expect(admin.name).to_have_value(TEXT)
    admin.save()
    admin.expect_names([TEXT])
    expect(admin.banner).to_have_count(6)


@without_scripts
def test_two_drafts_wait_beside_each_other(admin):
    keep(admin)
    admin.open("/animals/new?fresh=1")
    expect(admin.name).to_have_value("")
    admin.name.fill("Dodo")
    admin.keep_draft()
    expect(admin.banner).to_have_count(2)
    admin.follow(admin.banner.filter(has_text=TEXT).get_by_role("button", name="Discard"))
    expect(admin.banner).to_have_count(1)
    expect(admin.banner).to_contain_text("Dodo")


def noise() -> str:
    """Returns a text that does not compress well."""
    return "".join(Random(1).choices(ascii_letters + digits, k=5000))


def keep(admin):
    admin.open("/animals/new")
    admin.type_name(TEXT)
    admin.keep_draft()
    assert len(admin.draft_cookies()) == 1


def is_kept(admin):
    # The request continues after the page is gone, so a list that is opened later shows the draft.
    def is_shown():
        admin.open("/animals")
        return admin.banner.count() > 0

    eventually("the draft arrives", is_shown)
    expect(admin.banner).to_contain_text(TEXT)
    admin.follow(admin.banner.get_by_role("link", name="Continue"))
    expect(admin.name).to_have_value(TEXT)


def nothing_is_left(admin, zoo):
    admin.expect_path("/admin/animals")
    expect(admin.banner).to_have_count(0)
    expect(admin.sheet).to_have_count(0)
    admin.expect_no_drafts()
    admin.expect_count(0)
    assert not zoo.holds(TEXT)
    admin.open("/animals/new")
    expect(admin.name).to_have_value("")


def is_dropped_with_a_notice(admin):
    admin.open("/animals")
    expect(admin.page.get_by_role("status").filter(has_text="We couldn’t open a saved draft")).to_be_visible()
    expect(admin.banner).to_have_count(0)
    admin.expect_no_drafts()
    admin.page.reload()
    expect(admin.page.get_by_text("couldn’t open a saved draft")).to_have_count(0)
    admin.open("/animals/new")
    expect(admin.name).to_have_value("")
