"""Scenes of the account and sign-in pages."""

import base64
import hashlib
import hmac
import struct
import time

from server import PASSWORD

WEAK = "password password"


def one_time_code(key: str) -> str:
    """Returns the current code of an authenticator for the key (RFC 6238)."""
    secret = base64.b32decode(key.replace(" ", ""))
    code = hmac.new(secret, struct.pack(">Q", int(time.time()) // 30), hashlib.sha1).digest()
    offset = code[-1] & 15
    return f"{(struct.unpack('>I', code[offset:offset + 4])[0] & 0x7FFFFFFF) % 1_000_000:06}"


def press(admin, name: str):
    admin.follow(admin.page.get_by_role("button", name=name, exact=True))


def prove(admin):
    """Enters the password if a page asks for it. The confirmation is valid for some minutes."""
    if admin.page.get_by_role("heading", name="Confirm your password").count():
        admin.page.locator("#field-current").fill(PASSWORD)
        press(admin, "Continue")


def sign_in(admin, elsewhere):
    admin.context.clear_cookies()
    admin.page.goto("/login")


def refused_sign_in(admin, elsewhere):
    admin.watch.expect_status(422)
    sign_in(admin, elsewhere)
    admin.page.get_by_label("Name").fill("nobody")
    admin.page.get_by_label("Password").fill(WEAK)
    press(admin, "Sign in")


def own_account(admin, elsewhere):
    admin.open("/account")


def weak_password(admin, elsewhere):
    admin.watch.expect_status(422)
    admin.open("/account/password")
    admin.page.locator("#field-new").fill(WEAK)
    press(admin, "Change password")


def second_factor(admin, elsewhere):
    admin.watch.expect_status(422)
    admin.open("/account/second-factor")
    admin.page.get_by_label("Code from the app").fill("no code")
    press(admin, "Turn on")


def recovery_codes(admin, elsewhere):
    admin.open("/account/second-factor")
    admin.page.get_by_label("Code from the app").fill(one_time_code(admin.page.locator("code.secret").inner_text()))
    admin.page.locator("#field-current").fill(PASSWORD)
    press(admin, "Turn on")


def code_step(admin, elsewhere):
    """Signs in again with a password and opens the step for the second factor."""
    recovery_codes(admin, elsewhere)
    sign_in(admin, elsewhere)
    admin.page.get_by_label("Name").fill("local")
    admin.page.get_by_label("Password").fill(PASSWORD)
    press(admin, "Sign in")
    assert admin.page.get_by_label("Code").is_visible()


def accounts(admin, elsewhere):
    admin.open("/accounts")


def new_account(admin, elsewhere):
    admin.watch.expect_status(422)
    admin.open("/accounts/new")
    admin.page.get_by_label("Name").fill("not a name")
    press(admin, "Add account")


def account(admin, elsewhere):
    admin.open("/accounts/elsewhere")
    for question in admin.page.locator("details.ask summary").all():
        question.click()


def account_link(admin, elsewhere):
    admin.open("/accounts/elsewhere")
    press(admin, "Create link")
    prove(admin)


def link_page(admin, elsewhere):
    account_link(admin, elsewhere)
    link = admin.page.locator("code.secret").inner_text()
    admin.context.clear_cookies()
    admin.page.goto(link)


def as_viewer(admin):
    admin.open("/accounts/new")
    admin.page.get_by_label("Name").fill("vera")
    press(admin, "Add account")
    prove(admin)
    link = admin.page.locator("code.secret").inner_text()
    admin.context.clear_cookies()
    admin.page.goto(link)
    for field in ("password", "repeated"):
        admin.page.locator(f"#field-{field}").fill(PASSWORD)
    press(admin, "Save password")


def list_of_a_viewer(admin, elsewhere):
    as_viewer(admin)
    admin.open("/animals")


def record_of_a_viewer(admin, elsewhere):
    list_of_a_viewer(admin, elsewhere)
    admin.page.goto(admin.page.locator("tbody th a").first.get_attribute("href"))


def not_permitted(admin, elsewhere):
    as_viewer(admin)
    admin.watch.expect_status(403)
    admin.open("/accounts")


ACCOUNT_SCENES = [
    sign_in, refused_sign_in, own_account, weak_password, second_factor, recovery_codes, code_step, accounts, new_account, account,
    account_link, link_page, list_of_a_viewer, record_of_a_viewer, not_permitted,
]
