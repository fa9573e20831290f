"""Every page uses the catalogue for all of its text, and a browser gets the language that it requests."""

import re
import sqlite3
from urllib.parse import urlsplit

import pytest

from visitor import Visitor

PSEUDO = "en-XA"
MARKED = re.compile("⟦[^⟦⟧]*⟧")
LETTERS = re.compile(r"[^\W\d_]{2,}")
# The attributes that contain text for users.
SPOKEN = ["aria-label", "title", "placeholder", "alt", "data-advice"]
# Elements without translatable text.
UNSPOKEN = {"style", "script", "template", "code"}
# Names, formats and units that are the same in every language.
NAMES = {
    "Library", "Visitor", "local", "viewer", "Viewer", "CSV", "JSON", "Lines", "MiB", "KiB", "GiB", "UTC", "English", "Pseudo", "gz", "jsonl",
    "snapshots", "name", "id", "isbn", "GET", "HEAD", "POST", "zzzz", "Zyzzyva", "Zyzzyvas",
}
IDENTIFIER = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
MOST_PAGES = 220


def spoken(page):
    """Yields each text of the page with its place."""
    def walk(element):
        if not isinstance(element.tag, str) or element.tag in UNSPOKEN:
            return
        for name in SPOKEN:
            if element.get(name):
                yield f"{element.tag}[{name}]", element.get(name)
        if element.text:
            yield element.tag, element.text
        for child in element:
            yield from walk(child)
            if child.tail:
                yield element.tag, child.tail

    yield from walk(page.tree)


def data_of(library) -> list[str]:
    """Returns all stored texts, longest first, followed by the set of their words."""
    texts = set()
    for path in library.data.rglob("*.sqlite"):
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as store:
            tables = [name for (name,) in store.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            for table in tables:
                try:
                    rows = store.execute(f'SELECT * FROM "{table}"').fetchall()
                except sqlite3.Error:
                    continue
                texts |= {value for row in rows for value in row if isinstance(value, str) and len(value) > 1}
    words = {word for text in texts if len(text) < 10_000 for word in re.findall(r"[^\W\d_]+", text)}
    return sorted({text for text in texts if len(text) < 2_000}, key=len, reverse=True) + [words]


def unmarked(page, data) -> list[str]:
    *texts, words = data
    found = []
    for place, text in spoken(page):
        rest = text
        while MARKED.search(rest):
            rest = MARKED.sub(" ", rest)
        rest = IDENTIFIER.sub(" ", rest)
        left = [word for word in LETTERS.findall(rest) if word not in words and word not in NAMES]
        if left:
            found.append(f"{place}: {text.strip()[:120]!r} has {left}")
    return found


def kind_of(address: str) -> str:
    """Returns a key that is equal for pages that differ only in their records."""
    parts = urlsplit(address)
    names = sorted({pair.partition("=")[0] for pair in parts.query.split("&") if pair})
    values = re.findall(r"(?:format|do|panel)=\w+", parts.query)
    return re.sub(r"/\d+", "/N", IDENTIFIER.sub("ID", parts.path)) + "?" + "&".join(names + values)


def links_of(page) -> list[str]:
    found = [element.get("href") for element in page.tree.iter("a") if element.get("href")]
    return [link for link in found if link.startswith("/") and "/export" not in link and "/download" not in link]


@pytest.fixture
def pseudo(library) -> Visitor:
    cookie = library.sign_in()
    return Visitor(library.url, {cookie["name"]: cookie["value"], f"language-{library.port}": PSEUDO})


def problems_of(visitor, address, data) -> tuple[list[str], list[str]]:
    page = visitor.get(address)
    if page.status in (301, 302, 303):
        return [], [page.header("Location")]
    if not (page.header("Content-Type") or "").startswith("text/html"):
        return [], []
    return [f"{address} {problem}" for problem in unmarked(page, data)], links_of(page)


def test_every_page_speaks_through_the_catalogue(library, pseudo):
    record = make_history(pseudo)
    data = data_of(library)
    waiting = [
        "/admin", "/admin/account", "/admin/accounts/new", "/admin/backups", "/admin/activity", "/admin/activity/events",
        "/admin/books?panel=filters", "/admin/books?panel=columns", "/admin/books?q=zzzz", "/admin/books?filter.isReference=1",
        "/admin/copies/batch?do=delete&all=1", "/admin/copies/batch?do=mark-as-worn&all=1", "/admin/nowhere",
        "/admin/books?sort=nothing", "/admin/books?filter.year.from=x", "/admin/activity?from=x", "/admin/accounts/nobody",
        "/admin/loans/new", "/admin/books/delete", f"/admin/genres/delete?id={record}", "/admin/account/password",
        "/admin/account/second-factor", "/admin/books/import",
    ]
    seen, problems = set(), []
    while waiting and len(seen) < MOST_PAGES:
        address = waiting.pop(0)
        if not address or kind_of(address) in seen:
            continue
        seen.add(kind_of(address))
        found, links = problems_of(pseudo, address, data)
        problems += found
        waiting += links
    assert len(seen) > 60, "The pages are not found."
    assert sorted(set(problems)) == []


def make_history(visitor) -> str:
    """Adds, changes and links a record, so that it has a history, and returns its id."""
    form = visitor.get("/admin/genres/new").form("sheet-form")
    form["name"] = ["Zyzzyva"]
    assert visitor.post("/admin/genres", form).status == 303
    identifier = form["id"][0]
    change = visitor.get(f"/admin/genres/{identifier}").form("sheet-form")
    change["name"] = ["Zyzzyvas"]
    assert visitor.post(f"/admin/genres/{identifier}", change).status == 303
    return identifier


def test_what_goes_wrong_is_said_through_the_catalogue(library, pseudo):
    data = data_of(library)
    problems = []

    def look(page, status):
        assert page.status == status
        problems.extend(unmarked(page, data))

    # An empty form
    form = pseudo.get("/admin/books/new").form("sheet-form")
    form |= {"title": [""], "year": ["3"], "isbn": ["x"], "price": ["-1,5"], "online": ["nowhere"]}
    look(pseudo.post("/admin/books", form), 422)
    # A name in use
    form = pseudo.get("/admin/genres/new").form("sheet-form")
    form["name"] = ["Novel"]
    look(pseudo.post("/admin/genres", form), 422)
    # A concurrent change
    form = pseudo.get("/admin/genres/new").form("sheet-form")
    form["name"] = ["Zyzzyva"]
    pseudo.post("/admin/genres", form)
    address = f"/admin/genres/{form['id'][0]}"
    mine, theirs = (pseudo.get(address).form("sheet-form") for _ in range(2))
    theirs["name"], mine["name"] = ["Theirs"], ["Mine"]
    assert pseudo.post(address, theirs).status == 303
    data[-1].update({"Theirs", "Mine"})
    look(pseudo.post(address, mine), 409)
    # A form without its token
    look(pseudo.post("/admin/genres", {"name": "x"}), 403)
    look(pseudo.send("PUT", "/admin/genres"), 405)
    # A confirmation without the typed name
    question = pseudo.get("/admin/copies/batch?do=delete&all=1").form_to("/admin/copies/batch")
    look(pseudo.post("/admin/copies/batch", question | {"name": ["x"]}), 422)
    # An invalid password
    form = pseudo.get("/admin/account/password").form_to("/admin/account/password")
    look(pseudo.post("/admin/account/password", form | {"new": ["short"], "repeated": ["x"]}), 422)
    form = pseudo.get("/admin/accounts/new").form_to("/admin/accounts")
    look(pseudo.post("/admin/accounts", form | {"name": ["!"], "role": ["x"]}), 422)
    assert sorted(set(problems)) == []


def test_whoever_is_not_signed_in_is_spoken_to_through_the_catalogue(library):
    stranger = Visitor(library.url, {f"language-{library.port}": PSEUDO})
    data = data_of(library)
    page = stranger.get("/login")
    form = page.form_to("/login")
    refused = stranger.post("/login", form | {"username": ["nobody"], "password": ["wrong"]})
    data[-1].add("nobody")
    assert (page.status, refused.status) == (200, 422)
    assert unmarked(page, data) + unmarked(refused, data) + unmarked(stranger.get("/login?link=AAAAAAAAAAAAAAAAAAAAAA"), data) == []


def test_a_text_that_is_forgotten_is_found(library, pseudo):
    page = pseudo.get("/admin")
    data = data_of(library)
    assert unmarked(page, data) == []
    next(page.tree.iter("h1" if any(page.tree.iter("h1")) else "h2")).text = "Forgotten words"
    assert len(unmarked(page, data)) == 1


@pytest.mark.parametrize(
    "asked, language", [(None, "en"), ("de", "de"), ("de-CH, en;q=0.5", "de"), ("fr, en;q=0.5, de;q=0.2", "en"), ("fr", "en")]
)
def test_a_browser_gets_the_language_that_it_asks_for(zoo, asked, language):
    import urllib.request

    headers = {"Accept-Language": asked} if asked else {}
    with urllib.request.urlopen(urllib.request.Request(zoo.url + "/login", headers=headers)) as answer:
        body = answer.read().decode()
        assert answer.headers["Content-Language"] == language
        assert "Accept-Language" in answer.headers["Vary"] and "Cookie" in answer.headers["Vary"]
        assert f'<html lang="{language}">' in body
        assert ("Anmelden" in body) == (language == "de")


def test_the_language_is_chosen_and_stays(zoo):
    cookie = zoo.sign_in()
    visitor = Visitor(zoo.url, {cookie["name"]: cookie["value"]})
    form = visitor.get("/admin/account").form_to("/language")
    assert form["language"] == ["en"]
    chosen = visitor.post("/language", form | {"language": ["de"]})
    assert (chosen.status, chosen.header("Location")) == (303, "/admin/account")
    assert visitor.cookies[f"language-{zoo.port}"] == "de"
    page = visitor.get("/admin/animals/new")
    texts = " ".join(page.texts())
    assert page.tree.get("lang") == "de"
    for word in ["Tiere", "Tier hinzufügen", "Ernährung", "Pflanzenfresser", "Kategorie", "Speichern"]:
        assert word in texts, word
    again = visitor.get("/admin/account").form_to("/language")
    visitor.post("/language", again | {"language": ["en"]})
    assert visitor.get("/admin/animals").tree.get("lang") == "en"


def test_a_language_that_there_is_not_is_refused_and_leads_nowhere_else(zoo):
    cookie = zoo.sign_in()
    visitor = Visitor(zoo.url, {cookie["name"]: cookie["value"]})
    form = visitor.get("/admin/account").form_to("/language")
    assert visitor.post("/language", form | {"language": ["xx"]}).status == 400
    assert visitor.post("/language", form | {"return": ["https://elsewhere.example"]}).header("Location") == "/admin"
    assert visitor.post("/language", {"language": "de"}).status == 403
    visitor.cookies[f"language-{zoo.port}"] = "../../etc/passwd"
    assert visitor.get("/admin").tree.get("lang") == "en"
