"""A browser without scripts: cookies and forms."""

import http.cookiejar
import re
import urllib.error
import urllib.parse
import urllib.request
from html import unescape

from zoo import PATIENCE

PASSWORD = "six purple lamps at noon"


class Browser:
    def __init__(self, address: str, patience: float = PATIENCE):
        self.address = address
        self.patience = patience
        # The tests have no TLS between them and a server whose public address has it.
        policy = http.cookiejar.DefaultCookiePolicy(secure_protocols=("http", "https"))
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar(policy)))

    def get(self, path: str) -> str:
        return self._open(path, None)

    def post(self, path: str, fields: dict[str, str]) -> str:
        return self._open(path, urllib.parse.urlencode(fields).encode())

    def submit(self, path: str, attribute: str, **typed: str) -> str:
        """Fills in the form with an attribute and sends it, as the page says."""
        return self.post(*self.filled(path, attribute, **typed))

    def filled(self, path: str, attribute: str, **typed: str) -> tuple[str, dict[str, str]]:
        """Opens a page and fills in its form with an attribute: the path to send it to, and its fields."""
        page = self.get(path)
        form = re.search(f"<form [^>]*{attribute}.*?</form>", page, re.DOTALL)
        assert form, page
        action = re.search(r'action="([^"]*)"', form.group())
        fields = {
            unescape(name): unescape(value.group(1) if (value := re.search(r' value="([^"]*)"', tag)) else "")
            for tag in re.findall("<input [^>]*>", form.group())
            if 'type="radio"' not in tag or " checked" in tag
            for name in re.findall(r' name="([^"]*)"', tag)
        }
        return unescape(action.group(1)) if action else path, fields | typed

    def sign_in(self, link: str) -> str:
        path = link[link.index("/login"):]
        return self.submit(path, 'action="/login"', password=PASSWORD, repeated=PASSWORD)

    def names(self, model: str = "animals") -> list[str]:
        return [unescape(name) for name in re.findall(r'aria-label="Select ([^"]*)"', self.get(f"/admin/{model}?size=200"))]

    def _open(self, path: str, body: bytes | None) -> str:
        try:
            with self.opener.open(self.address + path, body, timeout=self.patience) as answer:
                return answer.read().decode()
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{path}: {error.code}\n{error.read().decode()}") from error
