"""Access through a proxy requires a session. The proxies themselves do not authenticate."""

import re
import time
from collections.abc import Iterator
from urllib.parse import quote

import pytest

from client import Client
from exploring import explored
from zoo import BINARY, NAME, PASSWORD, USER, Zoo


@pytest.fixture(scope="module")
def zoo(proxy, tmp_path_factory) -> Iterator[Zoo]:
    """A server without accounts."""
    assert BINARY.exists(), f"{BINARY} is missing: run `make build` first."
    zoo = Zoo(tmp_path_factory.mktemp("zoo"), proxy.port)
    zoo.start()
    proxy.start(backend=zoo.port)
    yield zoo
    zoo.kill()


@pytest.fixture(scope="module")
def link(zoo) -> str:
    return zoo.first_link()


@pytest.fixture(scope="module")
def session(zoo, proxy, link) -> dict[str, str]:
    """The cookies of the browser that created the first account."""
    first = Client(proxy)
    before = first.fields(link[link.index("/login"):], 'action="/login"')
    assert "username" in before and "repeated" in before
    nobody = dict(first.cookies)
    answer = first.follow(link, username=USER, password=PASSWORD, repeated=PASSWORD)
    assert answer.status == 303, answer.text
    # The browser is a recognized browser from now on.
    assert nobody.keys() == {"__Host-session"} and first.cookies.keys() == {"__Host-session", "__Host-known"}
    assert nobody["__Host-session"] != first.cookies["__Host-session"]
    first.close()
    return first.cookies


def test_the_printed_link_makes_the_first_account_under_the_public_name(zoo, link, client):
    assert link.startswith(f"{zoo.public_url}/login?link=")
    assert client.get("/admin").status == 200


def test_it_is_good_for_one_account(client, stranger, link):
    answer = stranger.get(link[link.index("/login"):])
    assert answer.status == 410
    assert 'name="username"' not in answer.text


def test_the_password_that_was_chosen_signs_in_and_the_address_that_the_proxy_saw_is_noted(client, stranger):
    """The address in a header of the client is ignored. The recorded address also counts failed sign-ins."""
    path = "/login?next=" + quote("/admin/animals?sort=name", safe="")
    answer = stranger.sign_in(path=path, **claims("203.0.113.9"))
    assert answer.status == 303 and answer.headers["Location"] == "/admin/animals?sort=name"
    assert stranger.get("/admin/animals").status == 200
    events = client.get("/admin/activity/events").text
    rows = [re.findall("<(?:span|bdi)[^>]*>([^<]*)</", row) for row in re.findall("<tr>.*?</tr>", events)]
    # The other event belongs to the session that created the first account.
    assert [row for row in rows if "Signed in" in row] == [["Signed in", USER, "127.0.0.1"]] * 2


@pytest.mark.parametrize("path", ["/admin", "/admin/animals", "/admin/animals/new", "/admin/accounts", "/admin/animals/delete?id=x"])
def test_pages_lead_to_the_form_for_signing_in(client, stranger, path):
    answer = stranger.get(path)
    assert answer.status == 303
    assert answer.headers["Location"] == "/login?next=" + quote(path, safe="-._~")
    assert "Zoo" not in answer.text


def test_a_form_of_who_is_not_signed_in_changes_nothing(client, stranger):
    token = stranger.fields("/login", 'action="/login"')["csrf"]
    form = client.form("animals/new?fresh=1") | {"name": "Cuckoo", "csrf": token}
    answer = stranger.post("/admin/animals", form, Origin=f"https://{NAME}:{stranger.proxy.port}")
    assert answer.status == 303 and answer.headers["Location"].startswith("/login")
    assert "Cuckoo" not in client.names("animals")


@pytest.mark.parametrize("path", ["/login", "/admin", "/login?link=none"])
def test_what_a_stranger_is_answered_is_neither_stored_nor_framed_and_insists_on_tls(client, stranger, path):
    headers = stranger.get(path).headers
    assert headers["Strict-Transport-Security"] == "max-age=31536000"
    assert "no-store" in headers["Cache-Control"]
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]


def test_whoever_signs_out_is_out(client, zoo, proxy):
    other = Client(proxy)
    assert other.sign_in().status == 303
    copied = Client(proxy, other.cookies)
    answer = other.post("/logout", other.fields("/admin", 'action="/logout"'))
    assert answer.status == 303
    # The session also ends for a copied cookie.
    assert copied.get("/admin").status == 303
    assert client.get("/admin").status == 200


def claims(address: str) -> dict[str, str]:
    return {"X_Forwarded_For": address, "Forwarded": f"for={address}", "X_Real_IP": address}


@explored("Each of twenty guesses costs a hash of a password; test_the_password_that_was_chosen… sees the address.")
def test_guesses_are_counted_by_the_address_that_the_proxy_saw(client, stranger):
    """
    Headers of the client and the tried names do not matter. This test is the last, because it also locks out others.
    """
    free, wait, begun = 20, 2, []
    for number in range(40):
        stranger.cookies.clear()
        fields = stranger.fields("/login", 'action="/login"') | {"username": f"keeper{number}", "password": PASSWORD}
        begun.append(time.monotonic())
        answer = stranger.post("/login", fields, **claims(f"203.0.113.{number}"))
        if answer.status == 429:
            break
        assert answer.status == 422
        # On a slow machine the delay may be over already, so that the attempt succeeds and the next delay doubles.
        if number >= free:
            assert time.monotonic() - begun[-2] >= wait
            wait *= 2
    assert answer.status == 429 and number >= free
    assert int(answer.headers["Retry-After"]) > 0
    # A signed-in browser is not affected.
    assert client.get("/admin").status == 200
