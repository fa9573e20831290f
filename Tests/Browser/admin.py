"""Page object for the admin: lists, sheets and draft banners."""

import re

from playwright.sync_api import BrowserContext, Error, Locator, Page, expect

from patience import eventually
from watch import Watch

KEPT = "Draft saved in this browser"


class Admin:
    def __init__(self, context: BrowserContext, watch: Watch, device: str, scripts: bool):
        self.context = context
        self.watch = watch
        self.is_phone = device == "phone"
        self.scripts = scripts
        # The origin of the admin. If it is empty, the base URL of the context applies.
        self.origin = ""
        self.page: Page = context.new_page()

    # Navigation

    def open(self, address: str):
        """Opens a page below /admin."""
        self.page.goto(self.origin + "/admin" + address)

    def follow(self, element: Locator):
        """Clicks an element and waits for the next page."""
        self._leave(element, element.click)

    def press_to_leave(self, element: Locator, key: str):
        self._leave(element, lambda: element.press(key))

    def _leave(self, element: Locator, act):
        # A script submits the form of a sheet and may change the address before the next page loads.
        if element.evaluate("element => element.closest('#sheet-form') !== null"):
            return self.answered(act)
        with self.page.expect_navigation():
            act()

    def path(self) -> str:
        return self.page.evaluate("location.pathname")

    def stop_clock(self):
        """Stops time in the pages. From then on, it advances only with `page.clock.run_for`."""
        now = self.page.evaluate("Date.now()")
        self.page.clock.install(time=now / 1_000)
        self.page.clock.pause_at(now / 1_000 + 3_600)

    def expect_path(self, path: str):
        expect(self.page).to_have_url(re.compile(r"^[a-z]+://[^/]+" + re.escape(path) + r"(?:[?#]|$)"))

    def travel(self, way: str) -> bool:
        """
        Reloads, or goes back or forward if there is such a page of the admin, and waits for the page. Playwright does
        not wait if the address of the previous page changes in the meantime. Returns whether the page has loaded.
        """
        if way != "reload" and not self.page.evaluate(f"navigation.can{way.removeprefix('go_').capitalize()}"):
            return True
        self.page.evaluate("window.isLeft = true")
        try:
            getattr(self.page, way)()
            eventually("the next page is there", self._is_another_page)
            self.page.wait_for_load_state()
        except Error as error:
            # The browser does not resubmit a rejected form and shows a page of its own.
            assert "ERR_CACHE_MISS" in error.message
            self.page.wait_for_url("chrome-error://**")
            return False
        return True

    def back(self):
        """Goes back to another page, and waits until that is there."""
        self.page.evaluate("window.isLeft = true")
        self.page.go_back()
        eventually("the page before is there", self._is_another_page)
        self.page.wait_for_load_state()

    def _is_another_page(self) -> bool:
        try:
            return not self.page.evaluate("window.isLeft")
        except Error as error:
            # The page is changing at this moment.
            assert "context was destroyed" in error.message
            return False

    # Lists

    @property
    def rows(self) -> Locator:
        return self.page.locator(".records tbody tr:visible")

    def row(self, name: str) -> Locator:
        return self.rows.filter(has=self.page.get_by_role("rowheader", name=name, exact=True))

    def names(self) -> list[str]:
        return self.page.locator(".records tbody th").all_inner_texts()

    def identifiers(self) -> list[str]:
        return self.page.locator(".records tbody .tick input").evaluate_all("ticks => ticks.map(tick => tick.value)")

    def expect_names(self, names: list[str]):
        expect(self.page.locator(".records tbody th")).to_have_text(names, use_inner_text=True)

    def count(self) -> int:
        return int(self.page.locator(".list-header [data-count]").get_attribute("data-count"))

    def expect_count(self, count: int):
        expect(self.page.locator(".list-header [data-count]")).to_have_attribute("data-count", str(count))

    @property
    def banner(self) -> Locator:
        """The draft banners. A collapsed list of drafts is opened first."""
        folded = self.page.locator(".drafts > details:not([open]) > summary")
        if folded.count() and self.sheet.count() == 0:
            folded.click()
        return self.page.get_by_role("region", name="Unsaved draft", exact=True)

    # Sheets

    @property
    def sheet(self) -> Locator:
        return self.page.get_by_role("dialog")

    def field(self, label: str) -> Locator:
        return self.sheet.get_by_label(label)

    @property
    def name(self) -> Locator:
        return self.sheet.locator("#field-name")

    def error_of(self, control: Locator) -> Locator:
        """Returns the error text that describes the control."""
        expect(control).to_have_attribute("aria-invalid", "true")
        return self.sheet.locator(f'[id="{control.get_attribute("aria-describedby").split()[0]}"]')

    def save(self):
        self.answered(self.sheet.get_by_role("button", name="Save", exact=True).click)

    def answered(self, act):
        """Submits the form and waits for the result: another page, or the sheet again."""
        self.page.locator("#sheet-form").evaluate("form => form.setAttribute('data-sent', '')")
        act()
        expect(self.page.locator("#sheet-form[data-sent]")).to_have_count(0)
        self.page.wait_for_load_state()

    @property
    def failure(self) -> Locator:
        """The message in the sheet after a failed save."""
        return self.sheet.locator(".notice.answer[role=alert]")

    def cancel(self):
        self.follow(self.sheet.get_by_role("button", name="Cancel", exact=True))

    @property
    def status(self) -> Locator:
        return self.sheet.locator("[data-draft-status]")

    def type_name(self, text: str):
        """Types the name with key presses, so that the page receives input events."""
        self.name.fill("")
        self.name.press_sequentially(text)

    def keep_draft(self):
        """Saves the draft: automatically with scripts, otherwise with the button, which leads to the list."""
        if self.scripts:
            expect(self.status).to_contain_text(KEPT)
        else:
            self.follow(self.sheet.get_by_role("button", name="Save draft"))

    # Drafts

    def draft_cookies(self) -> list[dict]:
        return [cookie for cookie in self.context.cookies() if cookie["name"].startswith("d-")]

    def expect_no_drafts(self):
        eventually("there is no draft", lambda: self.draft_cookies() == [])
