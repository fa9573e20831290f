"""Reports what no page may do: log an error, violate the content security policy or miss a file."""

from playwright.sync_api import BrowserContext, ConsoleMessage, Request, Response, WebError

# An error of Chromium that a page cannot prevent; it occurs even with scripts disabled. The browser skips a view transition
# if the user navigates on before a slow page has appeared. The page itself is not affected.
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
        """Tolerates failed requests from now on."""
        self.expects_outage = True

    def _raised(self, error: WebError):
        if str(error.error) != GIVEN_UP:
            self.problems.append(f"script error: {error.error}")

    def _console(self, message: ConsoleMessage):
        # The response handler checks statuses, and the request handler checks lost connections.
        if message.type == "error" and not message.text.startswith("Failed to load resource"):
            self.problems.append(f"console: {message.text}")

    def _failed(self, request: Request):
        # A page that is left cancels its own requests, and a submitted form cancels those of its draft.
        if request.failure == "net::ERR_ABORTED" or self.expects_outage:
            return
        self.problems.append(f"failed: {request.method} {request.url} {request.failure}")

    def _answered(self, response: Response):
        if response.status >= 400 and response.status not in self.expected_statuses:
            self.problems.append(f"{response.status}: {response.request.method} {response.url}")
