"""The page that a load test writes: one file, opened from the disk, in light and dark, on a desktop and a phone."""

import subprocess

import pytest
from axe_playwright_python.sync_playwright import Axe

from server import BINARY

SIZES = {"desktop": {"width": 1280, "height": 800}, "phone": {"width": 390, "height": 844}}
# What a run has to say: with kills and a restore, and with a search for the limit.
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


@pytest.fixture(scope="module")
def reports(tmp_path_factory):
    """Written once: each takes some seconds."""
    directory = tmp_path_factory.mktemp("reports")
    written = {}
    for name, arguments in RUNS.items():
        written[name] = directory / f"{name}.html"
        run = subprocess.run(
            [BINARY, "loadtest", "--self-hosted", *arguments, "--processes", "1", "--report", written[name]],
            capture_output=True, text=True, timeout=180)
        assert run.returncode == 0, run.stderr
    return written


@pytest.fixture(params=RUNS)
def report(request, reports):
    return reports[request.param]


@pytest.fixture(params=["light", "dark"])
def page(request, browser, report, size):
    context = browser.new_context(viewport=SIZES[size], color_scheme=request.param)
    page = context.new_page()
    requests = []
    page.on("request", lambda asked: requests.append(asked.url))
    page.goto(report.as_uri())
    assert requests == [report.as_uri()], "the page asks for something from elsewhere"
    yield page
    context.close()


@pytest.fixture(params=SIZES)
def size(request):
    return request.param


def test_report_is_accessible_and_fits(page):
    violations = Axe().run(page).response["violations"]
    assert [(found["id"], [node["html"][:160] for node in found["nodes"]]) for found in violations] == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page is wider than the window"
    assert page.evaluate(OVERLAPS) == []


def test_report_tells_what_was_found(reports, browser):
    page = browser.new_page()
    page.goto(reports["chaos"].as_uri())
    text = page.locator("main").inner_text()
    for told in ["Every acknowledged write is there, and nothing else. So it was after a backup", "Durability", "synchronous=FULL", "flushes"]:
        assert told.lower() in text.lower(), told
    assert page.locator("svg .kill").count() > 0
    page.goto(reports["limit"].as_uri())
    assert "Throughput against the ramp" in page.locator("main").inner_text()
    page.close()
