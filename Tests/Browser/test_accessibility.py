import pytest

from scenes import every_scene

pytestmark = pytest.mark.penguins

PROBLEMS = """(smallest) => {
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


@every_scene
def test_every_page_can_be_used_without_seeing_it_and_with_any_finger(admin, elsewhere, scene):
    scene(admin, elsewhere)
    assert admin.page.evaluate(PROBLEMS, 44 if admin.is_phone else 24) == []
