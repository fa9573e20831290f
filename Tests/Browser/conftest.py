import os
import shutil
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Playwright, expect, sync_playwright

import patience
from admin import Admin
from editor_elsewhere import EditorElsewhere
from exploration import EXPLORES
from lines import Line
from marks import OTHER, USUAL
from server import BINARY, LIBRARY, Library, Template, Zoo
from validator import Validator
from watch import Watch

# The phone has motion and the desktop has none, so that both are tested.
DEVICES = {
    "desktop": {"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce"},
    "phone": {
        "viewport": {"width": 390, "height": 844}, "device_scale_factor": 2, "has_touch": True, "is_mobile": True,
    },
    "tablet": {"viewport": {"width": 1024, "height": 768}, "has_touch": True, "is_mobile": True},
}

expect.set_options(timeout=patience.MILLISECONDS)


def pytest_collection_modifyitems(config, items):
    """
    Outside exploration, a test runs in the browsers that its mark names, or in two if it could run in all four. The
    longest tests run first, so that no process is idle at the end.
    """
    items.sort(key=lambda item: item.get_closest_marker("long") is None)
    if EXPLORES:
        return
    browsers: dict[tuple, set] = {}
    for item in items:
        browsers.setdefault(title(item), set()).add(browser_of(item))
    left_out = {id(item) for item in items if not is_usual(item, browsers[title(item)])}
    config.hook.pytest_deselected(items=[item for item in items if id(item) in left_out])
    items[:] = [item for item in items if id(item) not in left_out]


def is_usual(item, possible: set) -> bool:
    mark = item.get_closest_marker("browsers")
    if mark:
        return browser_of(item) in mark.args[0]
    return not possible >= USUAL | OTHER or browser_of(item) in USUAL


def title(item) -> str:
    return item.nodeid.partition("[")[0]


def browser_of(item) -> tuple:
    parameters = item.callspec.params if hasattr(item, "callspec") else {}
    return parameters.get("device"), parameters.get("scripts")


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    # Root cannot set up the sandbox of Chromium, and containers run as root.
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    # The headless shell has the same engine and needs half the time for each page.
    program = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    browser = playwright.chromium.launch(executable_path=program, args=arguments)
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def validator(tmp_path_factory) -> Iterator[Validator]:
    validator = Validator(tmp_path_factory.mktemp("validator"))
    yield validator
    validator.end()


@pytest.fixture(scope="session")
def template(tmp_path_factory) -> Callable[[str], Template]:
    """Returns initial data by name. It is created once, and each test works on a copy."""
    makers = {
        "zoo": lambda directory: Template.of(Zoo(directory)),
        "penguins": lambda directory: Template.of(Zoo(directory, template("zoo")), Zoo.import_penguins),
        "empty library": lambda directory: Template.of(Library(directory)),
        "library": lambda directory: Template.of(Library(directory, template("empty library")), Library.fill),
    }
    made: dict[str, Template] = {}

    def template(name: str) -> Template:
        if name not in made:
            made[name] = makers[name](tmp_path_factory.mktemp(f"template-{name}"))
        return made[name]

    return template


@pytest.fixture
def zoo(request, tmp_path, template) -> Iterator[Zoo]:
    assert BINARY.exists(), f"{BINARY} is missing: run `make build` first."
    zoo = Zoo(tmp_path, template("penguins" if request.node.get_closest_marker("penguins") else "zoo"))
    zoo.start()
    yield zoo
    zoo.end()


@pytest.fixture(params=["desktop", "phone"])
def device(request) -> str:
    return request.param


@pytest.fixture(params=["scripts", "plain"])
def scripts(request) -> bool:
    """Whether the browser runs JavaScript."""
    return request.param == "scripts"


@pytest.fixture
def library(tmp_path, template) -> Iterator[Library]:
    assert LIBRARY.exists(), f"{LIBRARY} is missing: run `make test-browser`, which builds it."
    library = Library(tmp_path, template("library"))
    library.start()
    yield library
    library.end()


@pytest.fixture
def admin(browser: Browser, zoo: Zoo, device: str, scripts: bool) -> Iterator[Admin]:
    yield from someone(browser, zoo, device, scripts)


@pytest.fixture
def librarian(browser: Browser, library: Library, device: str, scripts: bool) -> Iterator[Admin]:
    yield from someone(browser, library, device, scripts)


def someone(browser: Browser, server: Zoo, device: str, scripts: bool) -> Iterator[Admin]:
    context = browser.new_context(base_url=server.url, java_script_enabled=scripts, **DEVICES[device])
    context.set_default_timeout(patience.MILLISECONDS)
    context.add_cookies([server.session()])
    watch = Watch(context)
    admin = Admin(context, watch, device, scripts)
    yield admin
    context.close()
    assert watch.problems == []


@pytest.fixture
def line(zoo: Zoo) -> Iterator[Line]:
    """A line between the browser and the zoo, for tests that open pages at its origin."""
    line = Line()
    zoo.kill()
    zoo.options = ["--allowed-host", line.authority]
    zoo.start()
    line.lead_to(zoo.port)
    yield line
    line.close()


@pytest.fixture
def elsewhere(playwright: Playwright, zoo: Zoo) -> Iterator[EditorElsewhere]:
    yield from someone_elsewhere(playwright, zoo)


@pytest.fixture
def clerk(playwright: Playwright, library: Library) -> Iterator[EditorElsewhere]:
    """A second editor in the library."""
    yield from someone_elsewhere(playwright, library)


def someone_elsewhere(playwright: Playwright, server: Zoo) -> Iterator[EditorElsewhere]:
    request = playwright.request.new_context(
        base_url=server.url, storage_state={"cookies": [server.session("elsewhere")], "origins": []},
        timeout=patience.MILLISECONDS,
    )
    yield EditorElsewhere(request)
    request.dispose()
