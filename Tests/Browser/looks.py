"""Checks that apply to every page."""

from axe_playwright_python.base import AXE_SCRIPT

from exploration import EXPLORES
from server import ROOT

PICTURES = ROOT / "artifacts/screenshots"

# The rules of WCAG 2.2 at levels A and AA, and best practices.
RULES = {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
# The rules of axe for colours. Nothing else differs in dark mode.
COLOURS = {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}


# Rows differ only in their data, and axe takes seconds for all of them. Only exploration checks each row.
SKIPPED = [] if EXPLORES else [[".records tbody tr:nth-child(n + 6)"]]
FIND = "async ([options, exclude]) => (await axe.run({ include: [['html']], exclude }, options)).violations"

UNUSABLE = """(smallest) => {
    const problems = [];
    const say = (problem, element) => problems.push(`${problem}: ${element.outerHTML.slice(0, 160)}`);
    const all = (selector) => [...document.querySelectorAll(selector)];
    const isShown = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true });

    if (document.documentElement.lang !== "en") problems.push("The language is not said.");
    if (!document.title.trim()) problems.push("The page has no title.");
    for (const landmark of ["h1", "main"]) {
        if (all(landmark).length !== 1) problems.push(`There are ${all(landmark).length} ${landmark}.`);
    }
    // Whoever is not signed in has nowhere to go.
    const isAlone = document.body.matches(".alone");
    if (all("nav").some(isShown) === isAlone) problems.push("A navigation is missing, or leads where one may not go.");
    for (const navigation of all("nav")) if (!navigation.ariaLabel) say("A navigation without a name", navigation);
    if (all(".app[inert]").length !== all("dialog.sheet").length) problems.push("Behind a sheet the page is inert.");

    const identifiers = all("[id]").map((element) => element.id);
    if (new Set(identifiers).size !== identifiers.length) problems.push("An id is used twice.");
    for (const attribute of ["aria-describedby", "aria-labelledby", "for"]) {
        for (const element of all(`[${attribute}]`)) {
            for (const id of element.getAttribute(attribute).split(" ")) {
                if (!document.getElementById(id)?.textContent.trim() && attribute !== "for") say(`${attribute} leads nowhere`, element);
                if (!document.getElementById(id)) say(`${attribute} leads nowhere`, element);
            }
        }
    }
    for (const element of all("[aria-invalid]")) {
        const described = element.closest("[aria-describedby]") ?? element;
        if (!described.getAttribute("aria-describedby")?.includes("error-")) say("An error is not said", element);
    }

    for (const control of all("input:not([type=hidden]), select, textarea")) {
        const label = control.ariaLabel || [...control.labels].map((label) => label.textContent).join(" ");
        if (!label.trim()) say("No label", control);
    }
    for (const group of all("fieldset")) if (!group.querySelector(":scope > legend")) say("No legend", group);
    for (const element of all("a[href], button, summary")) {
        if (!(element.ariaLabel || element.textContent).trim()) say("No name", element);
    }
    for (const picture of all("svg")) if (picture.ariaHidden !== "true") say("A drawing is read out", picture);

    for (const target of all("a[href], button, summary, label:has(input), input:not([type=hidden]), select, tbody tr:has(a[href])")) {
        const box = target.getBoundingClientRect();
        // A link among errors may be as small as its text, an input has its label, a segment its frame.
        const isPart = target.closest(".summary, .skip") || (target.matches("input") && target.closest("label"));
        if (!isShown(target) || isPart || box.width === 0 || target.closest("[inert]")) continue;
        const isStretched = getComputedStyle(target, "::after").position === "absolute";
        const height = (target.closest(".segments") ?? target).getBoundingClientRect().height;
        if ((height < smallest - 0.5 || box.width < 24) && !isStretched) {
            say(`Only ${Math.round(box.width)} by ${Math.round(box.height)}`, target);
        }
    }
    return problems;
}"""

MISPLACED = """() => {
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


def unusable(admin) -> list[str]:
    """Returns the problems for keyboard, screen reader and touch users."""
    return admin.page.evaluate(UNUSABLE, 44 if admin.is_phone else 24)


def misplaced(page) -> list[str]:
    """Returns the elements that do not fit into their place."""
    return page.evaluate(MISPLACED)


def paint(page, colours: str):
    """Sets the colour scheme and finishes the colour transitions."""
    page.emulate_media(color_scheme=colours)
    page.evaluate("for (const change of document.getAnimations()) if (change instanceof CSSTransition) change.finish()")


def violations(page, colours: str) -> list[str]:
    """
    Returns the violations that axe finds: with all rules in light mode, and with the colour rules in dark mode.
    Exploration uses all rules in both modes.
    """
    paint(page, colours)
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    rules = RULES if colours == "light" or EXPLORES else COLOURS
    found = page.evaluate(FIND, [{"runOnly": rules, "resultTypes": ["violations"]}, SKIPPED])
    return [
        f"{colours}: {violation['id']}: {violation['help']}: " + "; ".join(node["html"][:200] for node in violation["nodes"][:3])
        for violation in found
    ]


def photograph(admin, name: str):
    """Takes a screenshot in light and dark mode, for people to look at."""
    if not EXPLORES:
        return
    PICTURES.mkdir(parents=True, exist_ok=True)
    device = "phone" if admin.is_phone else "desktop"
    for colours in ["light", "dark"]:
        paint(admin.page, colours)
        admin.page.screenshot(path=PICTURES / f"{name}-{device}-{colours}.png", animations="disabled")
