import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.penguins


def test_walking_forward_and_back_shows_each_penguin_exactly_once(admin):
    admin.open("/animals")
    admin.expect_count(344)
    forward = walk(admin, "Next")
    back = walk(admin, "Previous")
    identifiers = [identifier for page in forward for identifier in page]
    assert len(identifiers) == len(set(identifiers)) == 344
    assert back == forward[::-1]


def test_clicking_a_header_sorts_and_clicking_it_again_reverses(admin):
    admin.open("/animals")
    header = admin.page.get_by_role("columnheader", name="Name")
    expect(header).to_have_attribute("aria-sort", "ascending")
    first = admin.names()
    assert first == sorted(first)

    admin.follow(header.get_by_role("link"))
    expect(header).to_have_attribute("aria-sort", "descending")
    last = admin.names()
    assert last == sorted(last, reverse=True)
    assert last[-1] > first[-1]

    admin.follow(header.get_by_role("link"))
    expect(header).to_have_attribute("aria-sort", "ascending")
    admin.expect_names(first)


def test_another_header_takes_over_the_order_and_the_pages_follow_it(admin):
    admin.open("/animals")
    header = admin.page.get_by_role("columnheader", name="Diet")
    admin.follow(header.get_by_role("link"))
    expect(header).to_have_attribute("aria-sort", "ascending")
    expect(admin.page.locator("[aria-sort]")).to_have_count(1)
    identifiers = [identifier for page in walk(admin, "Next") for identifier in page]
    assert len(identifiers) == len(set(identifiers)) == 344


def walk(admin, way: str) -> list[list[str]]:
    """Returns the ids on each page of a walk through the list."""
    pages = [admin.identifiers()]
    link = admin.page.get_by_role("link", name=way, exact=True)
    while link.count():
        admin.follow(link)
        pages.append(admin.identifiers())
    return pages
