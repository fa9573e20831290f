"""A real browser over TLS, which shows the cookies that it keeps and sends."""

import os
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import BrowserContext, expect, sync_playwright

from waiting import PATIENCE
from zoo import NAME, PASSWORD, USER, give_password

expect.set_options(timeout=PATIENCE * 1000)

LARGE = "Okapi " + "w" * 1500


@pytest.fixture
def context(zoo, proxy) -> Iterator[BrowserContext]:
    arguments = [f"--host-resolver-rules=MAP {NAME} 127.0.0.1"]
    if os.geteuid() == 0:
        arguments.append("--no-sandbox")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=arguments, timeout=PATIENCE * 1000)
        context = browser.new_context(
            base_url=zoo.public_url, reduced_motion="reduce", ignore_https_errors=True,
        )
        context.set_default_timeout(PATIENCE * 1000)
        yield context
        browser.close()


def test_somebody_signs_in_adds_a_record_and_continues_a_large_draft(context, zoo):
    give_password(zoo.data)
    problems = []
    context.on("weberror", lambda error: problems.append(str(error.error)))
    context.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    page = context.new_page()
    page.goto("/admin/animals/new")
    page.get_by_label("Name").fill(USER)
    page.get_by_label("Password").fill(PASSWORD)
    with page.expect_navigation(url="**/admin/animals/new"):
        page.get_by_role("button", name="Sign in").click()
    assert page.evaluate("performance.getEntriesByType('navigation')[0].nextHopProtocol") == "h2"

    sheet = page.get_by_role("dialog")
    sheet.locator("#field-name").fill("Gibbon")
    with page.expect_navigation():
        sheet.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("rowheader", name="Gibbon", exact=True)).to_be_visible()

    page.goto("/admin/animals/new?fresh=1")
    sheet.locator("#field-name").fill(LARGE)
    expect(sheet.locator("[data-draft-status]")).to_contain_text("Draft saved in this browser")
    page.goto("/admin/animals")
    with page.expect_navigation():
        page.get_by_role("region", name="Unsaved draft").get_by_role("link").first.click()
    expect(sheet.locator("#field-name")).to_have_value(LARGE)

    cookies = context.cookies()
    assert sorted(cookie["name"].partition(".")[0] for cookie in cookies) == ["__Host-d", "__Host-known", "__Host-session"]
    for cookie in cookies:
        assert cookie["secure"] and cookie["httpOnly"] and cookie["path"] == "/" and cookie["domain"] == NAME
    assert page.evaluate("document.cookie") == ""

    with page.expect_navigation():
        sheet.get_by_role("button", name="Cancel", exact=True).click()
    assert sorted(cookie["name"] for cookie in context.cookies()) == ["__Host-known", "__Host-session"]

    with page.expect_navigation(url="**/login"):
        page.get_by_role("button", name="Sign out").first.click()
    page.goto("/admin/animals")
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    expect(page.get_by_text("Gibbon")).to_have_count(0)
    assert problems == []
