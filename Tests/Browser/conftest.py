import os
import random
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Playwright, expect, sync_playwright

from admin import Admin
from editor_elsewhere import EditorElsewhere
from server import BINARY, LIBRARY, Library, Zoo
from watch import Watch

# One for all processes that share the work: they have to agree on which tests there are.
os.environ.setdefault("AVIARY_SEED", str(random.randrange(1 << 32)))

# Motion on the phone and none on the desktop: everything has to work in both ways.
DEVICES = {
    "desktop": {"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce"},
    "phone": {
        "viewport": {"width": 390, "height": 844}, "device_scale_factor": 2, "has_touch": True, "is_mobile": True,
    },
    "tablet": {"viewport": {"width": 1024, "height": 768}, "has_touch": True, "is_mobile": True},
}

# Patience for a busy machine: it only matters when something is wrong.
expect.set_options(timeout=15_000)


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    # Chromium's own sandbox cannot be set up by root, which containers run as.
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=arguments)
    yield browser
    browser.close()


@pytest.fixture
def zoo(request, tmp_path) -> Iterator[Zoo]:
    assert BINARY.exists(), f"{BINARY} is missing: run `make build` first."
    zoo = Zoo(tmp_path)
    if request.node.get_closest_marker("penguins"):
        zoo.import_penguins()
    zoo.start()
    yield zoo
    zoo.kill()


@pytest.fixture(params=["desktop", "phone"])
def device(request) -> str:
    return request.param


@pytest.fixture(params=["scripts", "plain"])
def scripts(request) -> bool:
    """Whether the browser runs JavaScript."""
    return request.param == "scripts"


@pytest.fixture
def library(tmp_path) -> Iterator[Library]:
    assert LIBRARY.exists(), f"{LIBRARY} is missing: run `make test-browser`, which builds it."
    library = Library(tmp_path)
    library.fill()
    library.start()
    yield library
    library.kill()


@pytest.fixture
def admin(browser: Browser, zoo: Zoo, device: str, scripts: bool) -> Iterator[Admin]:
    yield from someone(browser, zoo, device, scripts)


@pytest.fixture
def librarian(browser: Browser, library: Library, device: str, scripts: bool) -> Iterator[Admin]:
    yield from someone(browser, library, device, scripts)


def someone(browser: Browser, server: Zoo, device: str, scripts: bool) -> Iterator[Admin]:
    context = browser.new_context(base_url=server.url, java_script_enabled=scripts, **DEVICES[device])
    context.add_cookies([server.sign_in()])
    context.set_default_timeout(15_000)
    watch = Watch(context)
    admin = Admin(context, watch, device, scripts)
    yield admin
    context.close()
    assert watch.problems == []


@pytest.fixture
def elsewhere(playwright: Playwright, zoo: Zoo) -> Iterator[EditorElsewhere]:
    yield from someone_elsewhere(playwright, zoo)


@pytest.fixture
def clerk(playwright: Playwright, library: Library) -> Iterator[EditorElsewhere]:
    """Who works elsewhere in the library."""
    yield from someone_elsewhere(playwright, library)


def someone_elsewhere(playwright: Playwright, server: Zoo) -> Iterator[EditorElsewhere]:
    request = playwright.request.new_context(
        base_url=server.url, storage_state={"cookies": [server.sign_in("elsewhere")], "origins": []}
    )
    yield EditorElsewhere(request)
    request.dispose()
