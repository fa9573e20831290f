import pytest
from playwright.sync_api import expect

from marks import on_desktop

NOBODY = "01890a5d-ac96-774b-bcce-b302099a8057"


@on_desktop
@pytest.mark.parametrize(
    "address",
    ["/plants", f"/animals/{NOBODY}", "/animals/kakapo", "/animals?sort=colour", "/animals?sort=category",
     "/plants/new", "/animals/a/b"],
)
def test_what_does_not_exist_is_said_with_a_way_back(admin, address):
    refusal_has_a_way_back(admin, address, 404)


@on_desktop
def test_an_address_that_cannot_be_read_is_said_with_a_way_back(admin):
    refusal_has_a_way_back(admin, "/animals?after=nowhere", 400)


def refusal_has_a_way_back(admin, address, status):
    admin.watch.expect_status(status)
    answer = admin.page.goto("/admin" + address)
    assert answer.status == status
    expect(admin.page.get_by_role("heading", level=1)).to_be_visible()
    with admin.page.expect_response(lambda response: response.request.is_navigation_request()) as back:
        admin.follow(admin.page.get_by_role("main").get_by_role("link"))
    assert back.value.status == 200
