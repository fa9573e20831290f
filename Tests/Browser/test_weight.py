"""The size of a page on the network."""

import pytest

pytestmark = pytest.mark.penguins


class Scale:
    """Counts the bytes that the page receives, including headers."""

    def __init__(self, page):
        self.bytes = 0
        session = page.context.new_cdp_session(page)
        session.send("Network.enable")
        session.on("Network.loadingFinished", lambda event: self._add(event["encodedDataLength"]))

    def _add(self, count):
        self.bytes += count


@pytest.mark.parametrize("scripts", [True], ids=["scripts"])
def test_a_list_of_fifty_rows_is_light_and_lighter_the_second_time(admin):
    scale = Scale(admin.page)
    admin.page.goto("/admin/animals")
    assert len(admin.names()) == 50
    cold = scale.bytes
    scale.bytes = 0
    admin.page.goto("/admin/animals?sort=-name")
    assert len(admin.names()) == 50
    print(f"cold {cold} bytes, warm {scale.bytes} bytes")
    assert 5_000 < cold <= 50_000
    assert 1_000 < scale.bytes <= 15_000


@pytest.mark.parametrize("scripts", [False], ids=["plain"])
def test_the_first_paint_waits_for_no_script(admin):
    admin.page.route("**/*.js", lambda route: route.abort())
    admin.watch.expect_outage()
    admin.open("/animals")
    assert len(admin.names()) == 50
