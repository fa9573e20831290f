"""Automatic checks of every page: the W3C validator, axe, and measurements of the layout."""

import json

import pytest

from documents import Documents
from looks import misplaced, photograph, unusable, violations
from marks import with_scripts, without_scripts
from scenes import every_scene
from validator import Validator

pytestmark = pytest.mark.penguins


@with_scripts
@every_scene
def test_machines_find_nothing_wrong_with_any_page_in_light_and_in_dark(admin, elsewhere, validator: Validator, scene):
    documents = Documents(admin.page)
    scene(admin, elsewhere)
    # The server sends the same markup to every device.
    wrong = [] if admin.is_phone else validator.problems(documents.text())
    wrong += unusable(admin)
    wrong += violations(admin.page, "light") + violations(admin.page, "dark")
    photograph(admin, scene.__name__)
    wrong += misplaced(admin.page)
    assert wrong == [], json.dumps(wrong, indent=1)


@without_scripts
@pytest.mark.browsers({("phone", "plain")})
@every_scene
def test_every_page_can_be_used_without_seeing_it_and_with_any_finger_where_no_script_runs(admin, elsewhere, scene):
    scene(admin, elsewhere)
    assert unusable(admin) == []


def test_the_validator_finds_what_is_wrong(validator: Validator):
    page = "<!doctype html><html lang=en><title>x</title><p><div id=a></div><ul><p>x</ul><img src=x class=y class=z></b><span id=a></span>"
    found = " ".join(validator.problems(page))
    wrong = [
        "alt", "Duplicate ID", "“p” not allowed as child of element “ul”", "Duplicate attribute “class”", "Stray end tag “b”",
    ]
    for word in wrong:
        assert word in found


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
