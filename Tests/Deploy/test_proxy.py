"""The examples for nginx and Caddy, each in front of a running server."""

import http.client
import random
import re
import signal
import socket
import ssl
import string
import threading

import pytest

from client import Client, exchange
from ports import held_port
from proxies import Caddy, Nginx
from waiting import PATIENCE, PAUSE, eventually
from zoo import NAME, Family

LARGEST_DRAFT, LARGEST_TOTAL, MOST_DRAFTS = 3000, 6000, 6


def test_there_is_a_sign_of_life_for_everybody(stranger):
    answer = stranger.get("/healthz")
    assert (answer.status, answer.text) == (200, "ok\n")
    assert answer.set_cookies == []


def test_metrics_are_for_nobody_outside(client, stranger):
    assert client.get("/metrics").status == 404
    assert stranger.get("/metrics").status == 404


def test_a_page_insists_on_tls(client):
    answer = client.get("/admin")
    assert answer.status == 200
    assert answer.headers["Strict-Transport-Security"] == "max-age=31536000"
    assert "__Host-session" in client.cookies


def test_a_record_is_added_and_changed(client):
    form = client.form("animals/new?fresh=1") | {"name": "Okapi"}
    answer = client.post("/admin/animals", form, Origin=f"https://{NAME}:{client.proxy.port}")
    assert answer.status == 303
    assert answer.headers["Location"].startswith("/admin/animals")
    assert "Okapi" in client.names("animals")


@pytest.mark.parametrize("origin", ["https://evil.example", f"http://{NAME}", f"https://{NAME}", "null"])
def test_a_form_from_another_origin_is_refused(client, origin):
    answer = client.post("/admin/animals", client.form("animals/new?fresh=1") | {"name": "Cuckoo"}, Origin=origin)
    assert answer.status == 403
    assert "Cuckoo" not in client.names("animals")


def test_a_form_without_its_token_is_refused(client):
    form = client.form("animals/new?fresh=1") | {"name": "Cuckoo", "csrf": ""}
    assert client.post("/admin/animals", form).status == 403


def test_six_drafts_of_the_largest_total_are_kept_and_given_back(client):
    drafts = {}
    for number in range(MOST_DRAFTS):
        form = client.form("animals/new?fresh=1")
        # The last draft takes the remaining space.
        size = (LARGEST_TOTAL - size_of_drafts(client)) // (MOST_DRAFTS - number)
        drafts[form["draft"]] = keep_draft_of_size(client, form, size, number)
    assert len(client.drafts) == MOST_DRAFTS
    assert LARGEST_TOTAL - 100 < size_of_drafts(client) <= LARGEST_TOTAL
    for draft, text in drafts.items():
        assert f'value="{text}"' in client.get(f"/admin/animals/new?draft={draft}").text
    # The server itself rejects the next draft, not the proxy.
    answer = client.keep("animals", client.form("animals/new?fresh=1") | {"name": "Seventh"})
    assert answer.status == 409


def test_the_largest_draft_is_kept_and_given_back(client):
    form = client.form("animals/new?fresh=1")
    text = keep_draft_of_size(client, form, LARGEST_DRAFT, 7)
    assert LARGEST_DRAFT - 30 < size_of_drafts(client) <= LARGEST_DRAFT
    assert text in client.get(f"/admin/animals/new?draft={form['draft']}").text
    assert client.keep("animals", form | {"name": noise(len(text) + 80, 7)}).status == 413
    # Discarding the draft without a script deletes its cookie.
    assert client.post("/admin/animals/draft/discard", form).status == 303
    assert client.drafts == {}


def noise(length: int, seed: int) -> str:
    """Returns letters and digits that hardly compress, because drafts are compressed."""
    generator = random.Random(seed)
    return "".join(generator.choice(string.ascii_letters + string.digits) for _ in range(length))


def keep_draft_of_size(client: Client, form: dict[str, str], size: int, seed: int) -> str:
    """Saves a draft whose cookie has almost the given size, but not more, and returns its text.

    The size of the cookie varies by a few bytes for the same text, because a time and the order of the keys are
    compressed with it. The text is therefore adjusted until the cookie fits.
    """
    length, others = size // 2, size_of_drafts(client)
    for _ in range(30):
        text = noise(length, seed)
        answer = client.keep("animals", form | {"name": text})
        # The draft is too large by itself or together with the others.
        assert answer.status in (204, 413, 409), answer.text
        if answer.status != 204:
            length -= 15
            continue
        kept = size_of_drafts(client) - others
        if size - 30 < kept <= size:
            return text
        # An additional character adds about one byte.
        length += size - 15 - kept
    raise AssertionError(f"No draft has a size of almost {size}.")


def size_of_drafts(client: Client) -> int:
    return sum(len(name) + len(value) for name, value in client.drafts.items())


@pytest.mark.parametrize("size", [2 * 1024 * 1024 + 1000, 5 * 1024 * 1024])
def test_a_body_above_the_limit_is_refused(client, proxy, size):
    form = client.form("animals/new?fresh=1") | {"name": "z" * size}
    answer = client.post("/admin/animals", form)
    assert answer.status == 413
    # The response is the page of the server with advice. nginx passes on a body just above the limit, and Caddy any body.
    is_passed_on = proxy.name == "Caddy" or size < 4 * 1024 * 1024
    assert ("Nothing was changed" in answer.text) == is_passed_on


def test_more_headers_than_the_server_takes_are_refused_and_the_next_request_is_answered(client):
    assert client.get("/admin", X_Large="x" * 20_000).status in (400, 431)
    assert client.get("/admin").status == 200


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", f"{NAME}.evil.example", "localhost"])
def test_another_host_is_refused(zoo, proxy, host):
    answer = exchange(proxy, ["GET /admin HTTP/1.1", f"Host: {host}", "Connection: close"])
    assert "Add" not in answer and "set-cookie" not in answer.lower()
    # Caddy responds to an unknown name with status 200 and an empty body.
    assert re.match(r"HTTP/1\.1 (4\d\d|200)", answer) and ("200" not in answer[:15] or answer.endswith("\r\n\r\n")), answer


def test_another_name_gets_no_certificate(zoo, proxy):
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with socket.create_connection(("127.0.0.1", proxy.port), timeout=PATIENCE) as plain, pytest.raises(ssl.SSLError):
        context.wrap_socket(plain, server_hostname="evil.example")


def test_plain_http_leads_to_https(zoo, proxy):
    connection = http.client.HTTPConnection("127.0.0.1", proxy.plain_port, timeout=PATIENCE)
    connection.request("GET", "/admin/animals?q=1", headers={"Host": NAME})
    answer = connection.getresponse()
    assert answer.status in (301, 308)
    assert re.fullmatch(rf"https://{re.escape(NAME)}(:\d+)?/admin/animals\?q=1", answer.headers["Location"])
    connection.close()


def test_what_a_client_claims_about_its_way_is_worth_nothing(client):
    claims = {"X_Forwarded_Host": "evil.example", "Forwarded": "host=evil.example;proto=http", "X_Forwarded_Proto": "http"}
    answer = client.get("/admin", **claims)
    assert answer.status == 200
    assert "evil.example" not in answer.text


def test_the_access_log_tells_who_asked_and_not_what_a_client_claims(client, zoo):
    answer = client.get("/admin", X_Forwarded_For="203.0.113.9")
    line = next(line for line in zoo.log.read_text().splitlines() if answer.headers["X-Request-Id"] in line)
    assert "client=127.0.0.1 " in line
    assert "203.0.113.9" not in zoo.log.read_text()


def test_the_server_is_not_reached_past_the_proxy_under_its_own_address(zoo):
    connection = http.client.HTTPConnection("127.0.0.1", zoo.port, timeout=PATIENCE)

    def status(path: str) -> int:
        connection.request("GET", path)
        answer = connection.getresponse()
        answer.read()
        return answer.status

    assert status("/healthz") == 200 and status("/admin") == 400
    eventually("the store answers in time", lambda: status("/readyz") == 200)
    connection.close()


class Visits:
    """A signed-in client that requests a page repeatedly and counts the responses."""

    def __init__(self, proxy, session):
        self.client = Client(proxy, session)
        self.statuses: list[int] = []
        self.problems: list[str] = []
        self.answered = threading.Condition()
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.run)

    def __enter__(self):
        self.thread.start()
        self.wait_for(200)
        return self

    def __exit__(self, *_):
        self.ended.set()
        self.thread.join()
        self.client.close()

    def run(self):
        while not self.ended.is_set():
            try:
                status, problem = self.client.get("/admin/animals").status, None
            except Exception as exception:
                status, problem = None, repr(exception)
            with self.answered:
                (self.statuses if status else self.problems).append(status or problem)
                self.answered.notify_all()
            self.ended.wait(PAUSE)

    def wait_for(self, status: int, after: int = 0):
        """Waits for a response with the status, after the given number of responses."""
        with self.answered:
            found = self.answered.wait_for(lambda: status in self.statuses[after:], PATIENCE)
        assert found, f"no {status} in {self.statuses[-5:]}, {self.problems[-5:]}"


def test_while_the_server_is_started_again_the_proxy_says_so_and_recovers(zoo, proxy, session):
    with Visits(proxy, session) as visits:
        zoo.stop()
        if not isinstance(proxy, Caddy):  # Caddy waits for the server
            visits.wait_for(502)
        stopped = len(visits.statuses)
        zoo.start()
        visits.wait_for(200, after=stopped)
    assert set(visits.statuses) <= {200, 502, 504}
    assert visits.problems == []
    # The session is still valid.
    assert Client(proxy, session).get("/admin").status == 200


def test_nobody_notices_a_deploy(zoo, proxy, session):
    before = Family(zoo.data)
    with Visits(proxy, session) as visits:
        zoo.signal(signal.SIGHUP)
        Family.replaced(before, zoo.data)
        visits.wait_for(200, after=len(visits.statuses))
    assert set(visits.statuses) == {200}
    assert visits.problems == []


@pytest.mark.parametrize("kind", [Nginx, Caddy], ids=["nginx", "caddy"])
def test_the_page_that_is_shown_meanwhile_tells_what_to_do(kind, certificate, tmp_path):
    proxy = kind(tmp_path / "proxy", certificate)
    # Another test covers how long Caddy waits for a server.
    proxy.patience_for_server = "0s"
    try:
        proxy.start(backend=held_port())  # no server listens on this port
        answer = Client(proxy).get("/admin")
    finally:
        proxy.stop()
    assert answer.status in (502, 503, 504)
    assert answer.headers["Retry-After"] == "2" and answer.headers["Cache-Control"] == "no-store"
    assert "save again" in answer.text
