"""The report of a load test: one file, opened from disk, in light and dark mode, on a desktop and a phone."""

import subprocess
from collections.abc import Callable
from contextlib import contextmanager
from itertools import product
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe

from server import BINARY

pytestmark = pytest.mark.long

SIZES = {"desktop": {"width": 1280, "height": 800}, "phone": {"width": 390, "height": 844}}
# The options of the runs: one with kills and a restore, and one that searches for the limit.
RUNS = {
    "chaos": ["--scenario", "mixed", "--workers", "2", "--rate", "30", "--duration", "4s", "--kill", "any", "--every", "1s", "--restore"],
    "limit": ["--in-process", "--scenario", "add", "--rate", "5", "--duration", "1s", "--find-limit", "--limit-p99", "20ms"],
}
OVERLAPS = """() => {
    const overlaps = [];
    for (const picture of document.querySelectorAll("svg")) {
        const texts = [...picture.querySelectorAll("text")].map((text) => [text.textContent, text.getBoundingClientRect()]);
        texts.forEach(([name, one], index) => {
            for (const [other, two] of texts.slice(index + 1)) {
                if (one.left < two.right && two.left < one.right && one.top < two.bottom - 1 && two.top < one.bottom - 1) {
                    overlaps.push(`${picture.ariaLabel}: ${name} and ${other}`);
                }
            }
        });
    }
    return overlaps;
}"""


@pytest.fixture
def report(tmp_path) -> Callable[[str], Path]:
    def report(name: str) -> Path:
        written = tmp_path / f"{name}.html"
        run = subprocess.run(
            [BINARY, "loadtest", "--self-hosted", *RUNS[name], "--processes", "1", "--report", written],
            capture_output=True, text=True)
        assert run.returncode == 0, run.stderr
        return written

    return report


def test_a_report_tells_what_was_found_after_kills_and_a_restore(browser, report):
    page = report("chaos")
    looks_well(browser, page)
    with opened(browser, page) as page:
        text = page.locator("main").inner_text()
        for told in ["Every acknowledged write is there, and nothing else. So it was after a backup", "Durability", "synchronous=FULL", "flushes"]:
            assert told.lower() in text.lower(), told
        assert page.locator("svg .kill").count() > 0


def test_a_report_tells_of_the_search_for_the_limit(browser, report):
    page = report("limit")
    looks_well(browser, page)
    with opened(browser, page) as page:
        assert "Throughput against the ramp" in page.locator("main").inner_text()


def looks_well(browser, report: Path):
    for size, colours in product(SIZES, ["light", "dark"]):
        with opened(browser, report, size, colours) as page:
            violations = Axe().run(page).response["violations"]
            assert [(found["id"], [node["html"][:160] for node in found["nodes"]]) for found in violations] == [], (size, colours)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"the page is wider than the {size}"
            assert page.evaluate(OVERLAPS) == [], size


@contextmanager
def opened(browser, report: Path, size: str = "desktop", colours: str = "light"):
    context = browser.new_context(viewport=SIZES[size], color_scheme=colours)
    page = context.new_page()
    requests = []
    page.on("request", lambda asked: requests.append(asked.url))
    page.goto(report.as_uri())
    assert requests == [report.as_uri()], "the page asks for something from elsewhere"
    yield page
    context.close()
