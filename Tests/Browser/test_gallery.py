"""The gallery of every component in every state."""

import http.cookiejar
import re
import subprocess
import urllib.request

import pytest

from documents import Documents
from looks import violations
from server import Zoo


class DemoZoo(Zoo):
    """A zoo with sample data in its own directory."""

    def start(self):
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [self.binary, "serve", "--in-process", "--demo", "--port", "0"], stdout=subprocess.PIPE, stderr=log, text=True,
            )
        self.port = int(re.search(r"http://127\.0\.0\.1:(\d+)/admin", self.process.stdout.readline()).group(1))
        self.demo_link = re.search(r"/login\?link=\S+", self.process.stdout.readline()).group(0)

    def session(self, name: str = "demo") -> dict:
        """Signs in with the printed link and returns the session cookie."""
        jar = http.cookiejar.CookieJar()
        urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar)).open(self.url + self.demo_link).read()
        cookie = next(cookie for cookie in jar if cookie.name.startswith("session-"))
        return {"name": cookie.name, "value": cookie.value, "domain": "127.0.0.1", "path": "/"}


@pytest.fixture
def zoo(tmp_path):
    zoo = DemoZoo(tmp_path)
    zoo.start()
    yield zoo
    zoo.kill()


@pytest.mark.parametrize("scripts", [True], ids=["scripts"])
@pytest.mark.parametrize("address", ["/design", "/design?show=sheet"])
def test_the_gallery_is_as_good_as_any_page(admin, validator, address):
    documents = Documents(admin.page)
    admin.open(address)
    assert admin.page.locator(".sample").count() == 20
    assert validator.problems(documents.text()) == []
    assert violations(admin.page, "light") + violations(admin.page, "dark") == []


@pytest.mark.parametrize("scripts", [False], ids=["plain"])
@pytest.mark.parametrize("device", ["phone"])
def test_nothing_of_it_is_wider_than_a_phone(admin):
    admin.open("/design")
    assert admin.page.evaluate("document.documentElement.scrollWidth") <= 390
