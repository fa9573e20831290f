"""The admin as a person sees it: lists, the sheet, banners."""

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
        # Where the admin is found: with nothing said, at the server itself.
        self.origin = ""
        self.page: Page = context.new_page()

    # Going somewhere

    def open(self, address: str):
        """Opens a page below /admin."""
        self.page.goto(self.origin + "/admin" + address)

    def follow(self, element: Locator):
        """Clicks and waits for the page that this leads to."""
        self._leave(element, element.click)

    def press_to_leave(self, element: Locator, key: str):
        self._leave(element, lambda: element.press(key))

    def _leave(self, element: Locator, act):
        # A sheet's form is sent by a script, which may change the address before the next page comes.
        if element.evaluate("element => element.closest('#sheet-form') !== null"):
            return self.answered(act)
        with self.page.expect_navigation():
            act()

    def path(self) -> str:
        return self.page.evaluate("location.pathname")

    def stop_clock(self):
        """From here on nothing happens in the pages because time passes: it passes in `page.clock.run_for` alone."""
        now = self.page.evaluate("Date.now()")
        self.page.clock.install(time=now / 1_000)
        self.page.clock.pause_at(now / 1_000 + 3_600)

    def expect_path(self, path: str):
        expect(self.page).to_have_url(re.compile(r"^[a-z]+://[^/]+" + re.escape(path) + r"(?:[?#]|$)"))

    def travel(self, way: str) -> bool:
        """
        Reloads, or goes back or forward where there is a page of the admin. Comes back when that page is there, which
        Playwright does not wait for if the address of the page before changes meanwhile. Says whether there is a page now.
        """
        if way != "reload" and not self.page.evaluate(f"navigation.can{way.removeprefix('go_').capitalize()}"):
            return True
        self.page.evaluate("window.isLeft = true")
        try:
            getattr(self.page, way)()
            eventually("the next page is there", self._is_another_page)
            self.page.wait_for_load_state()
        except Error as error:
            # The answer of a refused form is not asked for a second time: the browser shows a page of its own.
            assert "ERR_CACHE_MISS" in error.message
            self.page.wait_for_url("chrome-error://**")
            return False
        return True

    def _is_another_page(self) -> bool:
        try:
            return not self.page.evaluate("window.isLeft")
        except Error as error:
            # It changes just now.
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
        """What waits, one by one; of several the list is opened first."""
        folded = self.page.locator(".drafts > details:not([open]) > summary")
        if folded.count() and self.sheet.count() == 0:
            folded.click()
        return self.page.get_by_role("region", name="Unsaved draft", exact=True)

    # The sheet

    @property
    def sheet(self) -> Locator:
        return self.page.get_by_role("dialog")

    def field(self, label: str) -> Locator:
        return self.sheet.get_by_label(label)

    @property
    def name(self) -> Locator:
        return self.sheet.locator("#field-name")

    def error_of(self, control: Locator) -> Locator:
        """The text that the control names as the description of its error."""
        expect(control).to_have_attribute("aria-invalid", "true")
        return self.sheet.locator(f'[id="{control.get_attribute("aria-describedby").split()[0]}"]')

    def save(self):
        self.answered(self.sheet.get_by_role("button", name="Save", exact=True).click)

    def answered(self, act):
        """Does what sends the form, and waits for what follows: another page, or the sheet again."""
        self.page.locator("#sheet-form").evaluate("form => form.setAttribute('data-sent', '')")
        act()
        expect(self.page.locator("#sheet-form[data-sent]")).to_have_count(0)
        self.page.wait_for_load_state()

    @property
    def failure(self) -> Locator:
        """What the sheet says when Save came to nothing."""
        return self.sheet.locator(".notice.answer[role=alert]")

    def cancel(self):
        self.follow(self.sheet.get_by_role("button", name="Cancel", exact=True))

    @property
    def status(self) -> Locator:
        return self.sheet.locator("[data-draft-status]")

    def type_name(self, text: str):
        """Types as a keyboard does, so that the page hears of it."""
        self.name.fill("")
        self.name.press_sequentially(text)

    def keep_draft(self):
        """Has the sheet's text kept: by itself where scripts run, else by the button, which leads to the list."""
        if self.scripts:
            expect(self.status).to_contain_text(KEPT)
        else:
            self.follow(self.sheet.get_by_role("button", name="Save draft"))

    # Drafts

    def draft_cookies(self) -> list[dict]:
        return [cookie for cookie in self.context.cookies() if cookie["name"].startswith("d-")]

    def expect_no_drafts(self):
        eventually("there is no draft", lambda: self.draft_cookies() == [])
