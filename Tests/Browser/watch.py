"""Notices what no page may do: log an error, break the content security policy, miss a file."""

from playwright.sync_api import BrowserContext, ConsoleMessage, Request, Response, WebError

# Chromium's own, and no page can help it, for it says so with scripts switched off, too: it gives up drawing one page into the next
# where somebody goes on before a slow one has appeared. The page is there all the same.
GIVEN_UP = "Transition was aborted because of invalid state. Page already revealed"


class Watch:
    def __init__(self, context: BrowserContext):
        self.problems: list[str] = []
        self.expected_statuses: set[int] = set()
        self.expects_outage = False
        context.on("console", self._console)
        context.on("weberror", self._raised)
        context.on("requestfailed", self._failed)
        context.on("response", self._answered)

    def expect_status(self, *statuses: int):
        self.expected_statuses.update(statuses)

    def expect_outage(self):
        """From here on the server may be away."""
        self.expects_outage = True

    def _raised(self, error: WebError):
        if str(error.error) != GIVEN_UP:
            self.problems.append(f"script error: {error.error}")

    def _console(self, message: ConsoleMessage):
        # Statuses and lost connections are judged by the response itself.
        if message.type == "error" and not message.text.startswith("Failed to load resource"):
            self.problems.append(f"console: {message.text}")

    def _failed(self, request: Request):
        # A page that is left gives up its own requests, and a submitted form those of its draft.
        if request.failure == "net::ERR_ABORTED" or self.expects_outage:
            return
        self.problems.append(f"failed: {request.method} {request.url} {request.failure}")

    def _answered(self, response: Response):
        if response.status >= 400 and response.status not in self.expected_statuses:
            self.problems.append(f"{response.status}: {response.request.method} {response.url}")
