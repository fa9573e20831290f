"""What machines say of every page: the W3C's validator of its HTML, axe of its accessibility."""

import json

import pytest
from axe_playwright_python.sync_playwright import Axe

from documents import Documents
from scenes import every_scene
from validator import problems

pytestmark = pytest.mark.penguins

# WCAG 2.2 at level AA, with all that is below it.
RULES = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}}

with_scripts = pytest.mark.parametrize("scripts", [True], ids=["scripts"])


def violations(page) -> list[str]:
    return [
        f"{found['id']}: {found['help']}: " + "; ".join(node["html"][:200] for node in found["nodes"][:3])
        for found in Axe().run(page, options=RULES).response["violations"]
    ]


@every_scene
@with_scripts
def test_machines_find_nothing_wrong_with_any_page_in_light_and_in_dark(admin, elsewhere, scene):
    documents = Documents(admin.page)
    scene(admin, elsewhere)
    # What the server sends is the same for every device.
    wrong = [] if admin.is_phone else problems(documents.text())
    for scheme in ["light", "dark"]:
        admin.page.emulate_media(color_scheme=scheme)
        # Colours change in steps.
        admin.page.wait_for_timeout(300)
        wrong += [f"{scheme}: {found}" for found in violations(admin.page)]
    assert wrong == [], json.dumps(wrong, indent=1)


def test_the_validator_finds_what_is_wrong():
    page = "<!doctype html><html lang=en><title>x</title><p><div id=a></div><ul><p>x</ul><img src=x><span id=a></span>"
    found = " ".join(problems(page))
    for word in ["alt", "Duplicate ID", "“p” not allowed as child of element “ul”"]:
        assert word in found
