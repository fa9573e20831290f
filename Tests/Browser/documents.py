"""Records the latest page as the server sent it."""

from playwright.sync_api import Page, Response


class Documents:
    def __init__(self, page: Page):
        self.last: Response | None = None
        page.on("response", self._answered)

    def _answered(self, response: Response):
        if response.request.is_navigation_request() and not 300 <= response.status < 400:
            self.last = response

    def text(self) -> str:
        return self.last.text()
