"""The admin as a person sees it: lists, the sheet, banners."""

from playwright.sync_api import BrowserContext, Locator, Page, expect

from watch import Watch

KEPT = "Kept as a draft in this browser"


class Admin:
    def __init__(self, context: BrowserContext, watch: Watch, device: str, scripts: bool):
        self.context = context
        self.watch = watch
        self.is_phone = device == "phone"
        self.scripts = scripts
        self.page: Page = context.new_page()

    # Going somewhere

    def open(self, address: str):
        """Opens a page below /admin."""
        self.page.goto("/admin" + address)

    def follow(self, element: Locator):
        """Clicks and waits for the page that this leads to."""
        with self.page.expect_navigation():
            element.click()

    def press_to_leave(self, element: Locator, key: str):
        with self.page.expect_navigation():
            element.press(key)

    def path(self) -> str:
        return self.page.evaluate("location.pathname")

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

    def count(self) -> int:
        return int(self.page.locator(".list-header [data-count]").get_attribute("data-count"))

    @property
    def banner(self) -> Locator:
        return self.page.get_by_role("region", name="Unsaved work")

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
        self.follow(self.sheet.get_by_role("button", name="Save", exact=True))

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
            self.follow(self.sheet.get_by_role("button", name="Keep as draft"))

    # Drafts

    def draft_cookies(self) -> list[dict]:
        return [cookie for cookie in self.context.cookies() if cookie["name"].startswith("d-")]
