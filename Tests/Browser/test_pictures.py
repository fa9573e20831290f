"""Pictures of every page for people to look at, and what can be said of them without looking."""

import pytest

from marks import with_scripts
from scenes import every_scene
from server import ROOT

pytestmark = pytest.mark.penguins

PICTURES = ROOT / "artifacts/screenshots"

PROBLEMS = """() => {
    const problems = [];
    const all = (selector) => [...document.querySelectorAll(selector)].filter((element) => element.checkVisibility());
    const root = document.documentElement;
    if (root.scrollWidth > root.clientWidth) problems.push(`Scrolls sideways: ${root.scrollWidth} of ${root.clientWidth}`);

    const width = (element) => {
        const range = document.createRange();
        range.selectNodeContents(element);
        return range.getBoundingClientRect().width;
    };
    const words = "h1, h2, h3, .button, .label, .segments span, .notice p, .error, .page-footer span";
    for (const element of all(words)) {
        const box = element.getBoundingClientRect();
        if (!element.querySelector(".spoken") && width(element) > box.width + 0.1) problems.push(`Clipped: ${element.textContent}`);
        if (box.left < -1 || box.right > innerWidth + 1) problems.push(`Outside: ${element.textContent}`);
    }

    scrollTo({ top: root.scrollHeight, behavior: "instant" });
    const bar = all(".tabs")[0]?.getBoundingClientRect();
    const content = all("main > *").at(-1)?.getBoundingClientRect();
    if (bar && content && content.bottom > bar.top) problems.push(`The tab bar covers ${content.bottom - bar.top} px`);
    scrollTo({ top: 0, behavior: "instant" });

    const sheet = all(".sheet")[0];
    if (sheet && sheet.scrollHeight > sheet.clientHeight + 1 && innerHeight > 700) problems.push("The sheet has to be scrolled");
    return problems;
}"""


@with_scripts
@every_scene
def test_every_page_fits_and_is_photographed(admin, elsewhere, device, scene):
    scene(admin, elsewhere)
    PICTURES.mkdir(parents=True, exist_ok=True)
    for colours in ["light", "dark"]:
        admin.page.emulate_media(color_scheme=colours)
        admin.page.screenshot(path=PICTURES / f"{scene.__name__}-{device}-{colours}.png", animations="disabled")
    assert admin.page.evaluate(PROBLEMS) == []


@with_scripts
@pytest.mark.parametrize("place", ["", "/animals", "/animal-categories", "/friends"])
def test_no_place_in_the_navigation_is_cut_off(admin, place):
    admin.open(place)
    cut = admin.page.locator(".sidebar .name:visible, .tab .name:visible").evaluate_all("""names => names.filter(name => {
        const range = document.createRange();
        range.selectNodeContents(name);
        return range.getBoundingClientRect().width > name.getBoundingClientRect().width + 0.1;
    }).map(name => name.textContent)""")
    assert cut == []
