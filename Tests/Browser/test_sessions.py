"""Sheets that are still open after their session has ended."""

from urllib.parse import urlsplit

from playwright.sync_api import expect

from visitor import Visitor


def test_what_was_typed_survives_a_sign_out_elsewhere(admin, zoo):
    admin.open("/animals/new")
    admin.type_name("Quagga")
    # The draft may be sent at any time from here.
    admin.watch.expect_status(401, 403)
    sign_out(admin)
    admin.name.fill("Quagga and more")
    admin.save()
    expect(admin.page.get_by_role("heading", name="You’re signed out")).to_be_visible()
    admin.context.add_cookies([zoo.sign_in()])
    admin.follow(admin.page.get_by_role("button", name="Send again"))
    expect(admin.page.get_by_role("heading", name="This page was opened before you signed in")).to_be_visible()
    admin.follow(admin.page.get_by_role("button", name="Send again"))
    admin.open("/animals")
    admin.expect_names(["Quagga and more"])


def test_what_was_typed_survives_a_cookie_that_is_gone(admin, zoo):
    admin.open("/animals/new")
    admin.type_name("Quagga")
    # The draft may be sent at any time from here.
    admin.watch.expect_status(401, 403)
    admin.context.clear_cookies()
    admin.save()
    expect(admin.page.get_by_role("heading", name="You’re signed out")).to_be_visible()
    admin.context.add_cookies([zoo.sign_in()])
    admin.follow(admin.page.get_by_role("button", name="Send again"))
    admin.follow(admin.page.get_by_role("button", name="Send again"))
    admin.open("/animals")
    admin.expect_names(["Quagga"])


def sign_out(admin):
    """Signs out like another window of the same browser."""
    address = urlsplit(admin.page.url)
    cookies = {cookie["name"]: cookie["value"] for cookie in admin.context.cookies()}
    visitor = Visitor(f"{address.scheme}://{address.netloc}", cookies)
    page = visitor.get("/admin")
    assert visitor.post("/logout", page.form_to("/logout")).status == 303
