"""The gallery of every component in every state, which the library serves."""

import pytest

from documents import Documents
from looks import violations


@pytest.mark.parametrize("scripts", [True], ids=["scripts"])
@pytest.mark.parametrize("address", ["/design", "/design?show=sheet"])
def test_the_gallery_is_as_good_as_any_page(librarian, validator, address):
    documents = Documents(librarian.page)
    librarian.page.goto(librarian.origin + address)
    assert librarian.page.locator(".sample").count() == 20
    assert librarian.page.locator("dialog.sheet").count() == address.count("sheet")
    assert validator.problems(documents.text()) == []
    assert violations(librarian.page, "light") + violations(librarian.page, "dark") == []


@pytest.mark.parametrize("scripts", [False], ids=["plain"])
@pytest.mark.parametrize("device", ["phone"])
def test_nothing_of_it_is_wider_than_a_phone(librarian):
    librarian.page.goto(librarian.origin + "/design")
    # Without its style sheet the gallery would be no test of widths.
    assert librarian.page.locator(".swatches").first.evaluate("list => getComputedStyle(list).display") == "grid"
    assert librarian.page.evaluate("document.documentElement.scrollWidth") <= 390
