"""Hostile text in every field of every model is stored unchanged and does not change the elements of a page.

Each page with a hostile text is compared with the same page for a harmless text of the same length and line breaks, as
Lexbor parses it.
"""

import json
import re
import sqlite3
from collections.abc import Callable, Iterator
from urllib.parse import quote

import pytest

from exploration import EXPLORES, SEED, in_exploration
from hostile_text import harmless, texts
from server import PASSWORD, Library, Zoo
from visitor import Page, Visitor, fields

TEXTS = texts()
every_text = pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS.keys())
# Each of these costs two hashes of a password, and the page has one place for them.
OF_PROGRAMS = [*TEXTS] if EXPLORES else ["markup", "single-quoted", "closing", "entities", "joined-quote", "right-to-left"]
texts_of_programs = pytest.mark.parametrize("text", [TEXTS[name] for name in OF_PROGRAMS], ids=OF_PROGRAMS)
# Pages that do not depend on the models are the same in every application.
in_one_world = pytest.mark.parametrize("world", ["zoo", *in_exploration("library")], indirect=True)


class Text:
    """A text field, optionally with a maximum length."""

    def __init__(self, longest: int = 10_000):
        self.longest = longest

    def typed(self, text: str) -> str:
        return self.stored(text)

    def stored(self, text: str) -> str:
        # Browsers submit CRLF for each line break of a form.
        return text[:self.longest].replace("\r\n", "\n")

    def read(self, column):
        """Returns the text that a column contains."""
        return column

    def shown(self, control: str):
        """Returns the text that a control shows."""
        return control

    def entries(self, name: str, text: str) -> dict[str, list[str]]:
        """Returns the form fields that submit the text."""
        return {name: [self.typed(text)]}

    def shown_in(self, form: dict[str, list[str]], name: str):
        return self.shown(form[name][-1])


class JSONText(Text):
    """A text inside a JSON value."""

    def __init__(self, wrap, longest: int = 1_000):
        super().__init__(longest)
        self.wrap = wrap

    def typed(self, text: str) -> str:
        return json.dumps(self.stored(text))

    def stored(self, text: str):
        return self.wrap(text[:self.longest])

    def read(self, column):
        return json.loads(column)

    def shown(self, control: str):
        return json.loads(control) if control[:1] in "[{" else control.split("\n")


class Parts(Text):
    """A value with a form field for each part, with the text in each part."""

    def __init__(self, wrap, longest: int = 1_000):
        super().__init__(longest)
        self.wrap = wrap

    def stored(self, text: str):
        return {part: value.replace("\r\n", "\n") for part, value in self.wrap(text[:self.longest]).items()}

    def read(self, column):
        return json.loads(column)

    def entries(self, name: str, text: str):
        return {f"{name}.{part}": [value] for part, value in self.stored(text).items()}

    def shown_in(self, form: dict[str, list[str]], name: str):
        return {part: form[f"{name}.{part}"][-1] for part in self.wrap("")}


class Pin(Text):
    """A secret field that needs at least four characters and is never shown."""

    def stored(self, text: str) -> str:
        return "1234" + text[:8].replace("\r\n", "\n")


class Model:
    def __init__(self, table: str, slug: str, fields: dict[str, Text], others: dict[str, str] = {}):
        self.table, self.slug, self.fields, self.others = table, slug, fields, others

    @property
    def address(self) -> str:
        return f"/admin/{self.slug}"


ZOO = [
    Model("AnimalCategory", "animal-categories", {"name": Text()}),
    Model("Animal", "animals", {"name": Text()}, {"category": "AnimalCategory"}),
    Model("Friend", "friends", {"name": Text()}),
]
LIBRARY = [
    Model("Genre", "genres", {"name": Text(60)}),
    Model("Author", "authors", {"name": Text(120)}),
    Model("Book", "books", {
        "title": Text(200), "summary": Text(4_000), "languages": JSONText(lambda text: ["a" + text, text + "z"]),
    }, {"authors": "Author", "genre": "Genre"}),
    Model("Copy", "copies", {}, {"book": "Book", "shelfmark": "=ABC-001"}),
    Model("Member", "members", {
        "name": Text(120), "pin": Pin(),
        "address": Parts(lambda text: {"street": "1" + text, "town": text + "2", "postcode": "3" + text}),
    }, {"card": "=M-0001"}),
    Model("Loan", "loans", {}, {"copy": "Copy", "member": "Member", "due": "=2999-01-01"}),
]


class World:
    """An application with one record of each model, and a visitor with all permissions who changes them."""

    def __init__(self, server: Zoo, models: list[Model]):
        self.server, self.models = server, models
        cookie = server.session()
        self.visitor = Visitor(server.url, {cookie["name"]: cookie["value"]})
        self.ids: dict[str, str] = {}
        for model in models:
            page = self.visitor.get(f"{model.address}/new")
            form = self.filled(model, page, "begin")
            assert self.visitor.post(model.address, form).status == 303, model.table
            self.ids[model.table] = form["id"][-1]
        # Makes the latest changes on the overview uniform.
        for _ in range(4):
            self.save("begin")

    def filled(self, model: Model, page: Page, text: str) -> dict[str, list[str]]:
        form = page.form("sheet-form")
        for name, other in model.others.items():
            form[name] = [other[1:] if other.startswith("=") else self.ids[other]]
        for name, field in model.fields.items():
            form |= field.entries(name, text)
        return form

    def sheet(self, model: Model) -> Page:
        return self.visitor.get(f"{model.address}/{self.ids[model.table]}")

    def save(self, text: str):
        for model in self.models:
            answer = self.visitor.post(f"{model.address}/{self.ids[model.table]}", self.filled(model, self.sheet(model), text))
            assert answer.status == 303, f"{model.table}: {answer.status} {answer.texts()}"

    def row(self, model: Model) -> sqlite3.Row:
        connection = sqlite3.connect(f"file:{self.server.data}/store.sqlite?mode=ro", uri=True)
        connection.row_factory = sqlite3.Row
        row = connection.execute(f'SELECT * FROM "{model.table}" WHERE id = ?', [self.ids[model.table]]).fetchone()
        connection.close()
        return row

    def pages(self, model: Model, text: str) -> dict[str, Page]:
        """Returns all pages that show the record or text that refers to it."""
        get, post, address = self.visitor.get, self.visitor.post, model.address
        record = f"{address}/{self.ids[model.table]}"
        sheet = get(record)
        wanted = quote(text[:500], safe="")
        # The space before the colon makes the text an invalid URL.
        broken = {name: ["a " + text[:40]] for name in sheet.form("sheet-form") if is_field(name)}
        pages = {
            "list": get(address), "sheet": sheet, "new": get(f"{address}/new"),
            "question": get(f"{address}/delete?id={self.ids[model.table]}"), "search": get(f"{address}?q={wanted}"),
            "no match": get(f"{address}?q=nothing%20is%20called%20this"),
            "problems": post(record, sheet.form("sheet-form") | broken),
            "conflict": post(record, self.filled(model, sheet, text + "!") | {"version": ["0"]}),
        }
        self.discard(model, sheet)  # the rejected form is kept as a draft
        return pages | self.drafts(model, text)

    def drafts(self, model: Model, text: str) -> dict[str, Page]:
        """Returns the pages that show a draft. A cookie holds four kilobytes, so the text of a draft is short."""
        new = self.visitor.get(f"{model.address}/new")
        form = {name: [value[:100] for value in values] if name in model.fields else values
                for name, values in self.filled(model, new, text[:100]).items()}
        kept = self.visitor.post(f"{model.address}/draft", form)
        assert kept.status == 303, kept.status
        pages = {
            "list with a draft": self.visitor.get(model.address), "draft": self.visitor.get(f"{model.address}/new"),
        }
        if model.table in ("Animal", "Book"):
            pages["overview with a draft"] = self.visitor.get("/admin")
        self.discard(model, new)
        return pages

    def discard(self, model: Model, sheet: Page):
        assert self.visitor.post(f"{model.address}/draft/discard", sheet.form("discard-form")).status == 303


SPACES = re.compile(r"^ | $|  |[\t-\r\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]")
CONTROLS = {"csrf", "draft", "id", "version", "authors.linked"}


def is_field(name: str) -> bool:
    """
    Returns whether the name is a field of the model. Names that begin with a dot belong to the form; a search with
    another text would find other records.
    """
    return name not in CONTROLS and not name.startswith(".")


@pytest.fixture(scope="session")
def worlds(template, tmp_path_factory) -> Iterator[Callable[[str], World]]:
    """Creates each world once, in whatever order the tests run."""
    made: dict[str, World] = {}

    def world(name: str) -> World:
        if name not in made:
            application, models, data = {"zoo": (Zoo, ZOO, "zoo"), "library": (Library, LIBRARY, "empty library")}[name]
            server = application(tmp_path_factory.mktemp(name), template(data))
            server.start()
            made[name] = World(server, models)
        return made[name]

    yield world
    for each in made.values():
        each.server.end()


@pytest.fixture(params=["zoo", "library"])
def world(request, worlds) -> World:
    world = worlds(request.param)
    # The server closes an idle connection after a while.
    world.visitor = world.visitor.anew()
    return world


def test_every_field_that_takes_text_is_tried(world):
    """Detects a new model or field that is missing in the lists above."""
    world.save("begin")
    overview = world.visitor.get("/admin")
    listed = {link.get("href") for link in overview.tree.iter("a")}
    slugs = {href.split("/")[2] for href in listed if href and href.count("/") == 2 and href.startswith("/admin/")}
    assert slugs - {"account", "accounts", "activity", "backups"} == {model.slug for model in world.models}
    for model in world.models:
        row = world.row(model)
        begun = {name for name, field in model.fields.items() if field.read(row[name]) == field.stored("begin")}
        assert begun == set(model.fields)
        form = next(form for form in world.sheet(model).tree.iter("form") if form.get("id") == "sheet-form")
        free = {control.get("name") for control in form.iter() if control.tag == "textarea" or control.get("dir") == "auto"}
        # The server validates these fields and rejects invalid text, which another test covers.
        # A shelfmark is in the sheet of its book, and an address has parts.
        free = {name.rpartition(".")[2] if name.startswith("copies.") else name.partition(".")[0] for name in free if name and is_field(name)}
        assert free - {"isbn", "shelfmark", "card", "website", "online"} <= set(model.fields)


# The library has fields of every kind. The zoo has texts of any length, for which a few texts are enough.
IN_THE_ZOO = TEXTS if EXPLORES else {name: TEXTS[name] for name in ["long", "markup", "combining-quote", "lines", "control"]}


@pytest.mark.parametrize(
    ("world", "text"),
    [*(pytest.param("zoo", text, id=f"zoo-{name}") for name, text in IN_THE_ZOO.items()),
     *(pytest.param("library", text, id=f"library-{name}") for name, text in TEXTS.items())],
    indirect=["world"],
)
def test_a_text_is_stored_as_it_is_and_changes_no_page(world, text):
    world.save(harmless(text))
    expected = {model.table: world.pages(model, harmless(text)) for model in world.models}
    world.save(text)
    for model in world.models:
        row, form = world.row(model), world.sheet(model).form("sheet-form")
        for name, field in model.fields.items():
            stored = field.stored(text)
            assert field.read(row[name]) == stored, f"{model.table}.{name} in the file (AVIARY_SEED={SEED})"
            if not isinstance(field, Pin):
                assert field.shown_in(form, name) == stored, f"{model.table}.{name} in the form (AVIARY_SEED={SEED})"
        actual = world.pages(model, text)
        # A search treats all spaces alike, so it does not find a text whose spaces were replaced.
        if SPACES.search(text[:500]) and actual["search"].shape() == expected[model.table]["no match"].shape():
            expected[model.table]["search"] = expected[model.table]["no match"]
        compare(expected[model.table], actual, model.table)


@pytest.mark.parametrize("address", [
    "javascript:alert(1)", " JaVaScRiPt:alert(1)", "java\tscript:alert(1)", "\x01javascript:alert(1)", "data:text/html,<script>x</script>",
    "vbscript:x", "//evil.example", "\\\\evil.example", "https://example.org/\"><svg onload=alert(1)>", "https:javascript:alert(1)",
])
@pytest.mark.parametrize("world", ["library"], indirect=True)
def test_an_address_in_a_record_is_followed_only_to_the_web(world, address):
    for model in world.models:
        for name in {"Author": ["website"], "Book": ["online"]}.get(model.table, []):
            sheet = world.sheet(model)
            record = f"{model.address}/{world.ids[model.table]}"
            answer = world.visitor.post(record, sheet.form("sheet-form") | {name: [address]})
            pages = [world.visitor.get(record), world.visitor.get(model.address), *([answer] if answer.status == 422 else [])]
            world.discard(model, sheet)
            links = {link.get("href") for page in pages for link in page.tree.iter("a")}
            assert {link for link in links if not re.match(r"/(?![/\\])|#|\?|https?://", link)} == set()


@every_text
@in_one_world
def test_an_address_of_a_page_says_nothing_in_it(world, text):
    """Opens invalid queries, and records, models and accounts that do not exist."""
    def pages(text: str) -> dict[str, Page]:
        get, wanted, address = world.visitor.get, quote(text[:500], safe=""), world.models[0].address
        return {
            "query": get(f"{address}?sort={wanted}&after={wanted}&size={wanted}&filter.name={wanted}&{wanted}={wanted}"),
            "record": get(f"{address}/{wanted}"), "model": get(f"/admin/{wanted}"), "path": get(f"/{wanted}/{wanted}"),
            "account": get(f"/admin/accounts/{wanted}"), "link": Visitor(world.server.url).get(f"/login?link={wanted}"),
        }
    compare(pages(harmless(text)), pages(text), "addresses")


@every_text
@in_one_world
def test_a_name_that_no_account_can_have_comes_back_as_it_was_typed(world, text):
    def answer(text: str) -> Page:
        form = world.visitor.get("/admin/accounts/new").form_to("/admin/accounts")
        return world.visitor.post("/admin/accounts", form | {"name": [text], "role": [text]})
    # Names are lowercased, and a name that is too long is invalid.
    expected, actual = answer("no name " + harmless(text)), answer("no name " + text)
    compare({"new account": expected}, {"new account": actual}, "accounts")
    assert actual.status == 422
    if not set(text) & set("\r\n"):
        assert actual.form_to("/admin/accounts")["name"] == ["no name " + text]


@every_text
@in_one_world
def test_a_place_to_go_to_after_signing_in_is_kept_as_it_is_or_not_at_all(world, text):
    def asked(place: str) -> Page:
        return Visitor(world.server.url).get(f"/login?next={quote(place, safe='')}")
    within = f"/admin?q={quote(text[:500], safe='')}"
    page = asked(within)
    compare({"next": asked("/admin")}, {"next": page}, "sign in")
    assert page.form_to("/login")["next"] == [within]
    for place in (text[:500], "/" + text[:500], "//" + text[:500], "/\\" + text[:500]):
        assert asked(place).shape() in (asked("/admin").shape(), asked("").shape()), place


@texts_of_programs
@in_one_world
def test_what_a_program_calls_itself_is_text_where_its_owner_sees_it(world, text):
    def account(agent: str) -> Page:
        visitor = Visitor(world.server.url, agent=agent.encode())
        form = visitor.get("/login").form_to("/login")
        assert visitor.post("/login", form | {"username": ["elsewhere"], "password": [PASSWORD]}).status == 303
        page = visitor.get("/admin/account")
        visitor.post("/logout", page.form_to("/logout"))
        return page
    # Characters that a header cannot contain never reach the server.
    text = "x" + "".join(character for character in text if character.isprintable())[:200]
    page = account(text)
    compare({"account": account(harmless(text))}, {"account": page}, "own account")
    assert any(shown and text.startswith(shown) for shown in page.texts())


@pytest.mark.long
@in_one_world
def test_a_refused_sign_in_shows_the_name_as_it_was_typed(world):
    """Tries several texts at a time, because too many failed sign-ins cause a delay."""
    def refused(text: str) -> Page:
        stranger = Visitor(world.server.url)
        form = stranger.get("/login").form_to("/login")
        return stranger.post("/login", form | {"username": [text], "password": [text]})
    expected = refused("x")
    pieces = [" ".join(text[:60].split()) for text in TEXTS.values()]
    for start in range(0, len(pieces), 4):
        text = "".join(pieces[start:start + 4])
        page = refused(text)
        compare({"refusal": expected}, {"refusal": page}, "sign in")
        assert page.status == 422
        [shown] = page.form_to("/login")["username"]
        assert text.startswith(shown) and len(shown) > 40


def compare(expected: dict[str, Page], actual: dict[str, Page], of: str):
    for name, page in actual.items():
        place = f"{of}: {name} (AVIARY_SEED={SEED})"
        assert page.status == expected[name].status, place
        assert [key for key, _ in page.headers] == [key for key, _ in expected[name].headers], place
        assert page.shape() == expected[name].shape(), place
