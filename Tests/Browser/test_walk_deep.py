"""
A random walk of a librarian: books with copies as rows, nested records, pages that are left at once, and a server that
crashes or is unavailable during a save.
"""

import re
from dataclasses import dataclass, field
from random import Random
from urllib.parse import quote_plus

import pytest
from playwright.sync_api import expect

from exploration import SEED, in_exploration
from marks import on_desktop
from patience import eventually

STEPS = 30
SEEDS = [1, *in_exploration(2, SEED)]
SAID = re.compile("Draft saved|changed in another tab|take up the room|was already saved|was discarded")
MODELS = ["books", "genres", "authors", "copies"]
SHEETS = {"book": "books", "genre": "genres", "author": "authors"}


@dataclass
class Typed:
    """The contents of a form: its title and the shelfmarks of its rows."""

    model: str
    record: str
    title: str
    rows: list[str] = field(default_factory=list)


@pytest.mark.long
@on_desktop
@pytest.mark.parametrize("seed", SEEDS)
def test_whatever_one_does_with_rows_and_records_on_the_way_nothing_is_lost_or_doubled(librarian, library, seed):
    librarian.watch.expect_outage()
    librarian.watch.expect_status(400, 409, 422)
    librarian.page.on("dialog", lambda dialog: dialog.accept())
    walk = Walk(librarian, library, Random(seed))
    before = {model: walk.names(model) for model in MODELS}
    librarian.open("/books")
    for _ in range(STEPS):
        walk.step()
    walk.finds_what_was_kept()
    saved = {model: [typed.title for typed in walk.saved.values() if typed.model == model] for model in MODELS}
    saved["copies"] = [row for typed in walk.saved.values() for row in typed.rows]
    for model in MODELS:
        assert sorted(walk.names(model)) == sorted(before[model] + saved[model]), (model, walk.story)


class Walk:
    def __init__(self, librarian, library, random: Random):
        self.librarian = librarian
        self.library = library
        self.random = random
        self.count = 0
        # By record id.
        self.saved: dict[str, Typed] = {}
        # The contents that are certainly saved as a draft, by draft, until they are submitted, cancelled or overwritten.
        self.kept: dict[str, Typed] = {}
        self.story: list[str] = []

    @property
    def page(self):
        return self.librarian.page

    @property
    def sheet(self):
        return self.librarian.sheet

    def step(self):
        if self.sheet.count():
            steps = [self.type] * 4 + [self.add_row] * 2 + [self.add_on_the_way] * 2
            steps += [self.submit] * 2 + [self.submit_twice, self.submit_while_away, self.cancel, self.keep, self.reload, self.leave]
        else:
            steps = [self.add] * 3 + [self.edit, self.go_on, self.forward]
        step = self.random.choice(steps + [self.back, self.restart])
        self.story.append(step.__name__)
        step()

    # Reading the sheet

    @property
    def form(self):
        return self.sheet.locator("#sheet-form")

    @property
    def title(self):
        return self.form.locator("#field-title, #field-name")

    @property
    def marks(self):
        return self.form.locator(".row-list [name$='.shelfmark']")

    def hidden(self, name: str) -> str:
        return self.form.locator(f"> [name='{name}']").input_value()

    def model(self) -> str:
        return SHEETS[self.sheet.locator("h2").inner_text().split(maxsplit=1)[1]]

    def typed(self) -> Typed:
        marks = [mark.input_value() for mark in self.marks.all()]
        return Typed(self.model(), self.hidden("id"), self.title.input_value(), [mark for mark in marks if mark])

    # Typing

    def type(self):
        text = f"Walk {self.count}"
        self.count += 1
        if self.model() == "books":
            self.sheet.get_by_role("group", name="Authors").get_by_role("checkbox").first.check()
        self.enter(self.title, text)

    def add_row(self):
        add = self.sheet.get_by_role("button", name="Add copy")
        if add.count() == 0:
            return
        number = self.marks.count()
        self.kept.pop(self.hidden("draft"), None)
        self.librarian.answered(add.click) if not self.librarian.scripts else add.click()
        expect(self.marks).to_have_count(number + 1)
        row = self.form.locator(".row-list > .row").nth(number)
        row.locator("[name$='.number']").fill(str(number + 1))
        self.enter(row.locator("[name$='.shelfmark']"), f"WLK-{self.count:03}")
        self.count += 1

    def enter(self, control, text: str):
        draft = self.hidden("draft")
        self.kept.pop(draft, None)
        if not self.librarian.scripts or self.random.random() < 0.5:
            return control.fill(text)
        with self.page.expect_response(lambda answer: quote_plus(text) in (answer.request.post_data or "")) as answer:
            control.fill(text)
        # Another page may have a newer copy of the draft, or six other drafts may take up the space.
        expect(self.librarian.status).to_have_text(SAID)
        if answer.value.status == 204:
            self.kept[draft] = self.typed()

    # Submitting

    def submit(self):
        self._submit("button => button.click()")

    def submit_twice(self):
        # Submits the form twice at the server, and double-clicks the button in the page.
        form = self.form.evaluate("form => new URLSearchParams(new FormData(form)).toString()")
        headers = {"Content-Type": "application/x-www-form-urlencoded", "Origin": self.library.url}
        self.page.request.post(self.form.get_attribute("action"), data=form, headers=headers, max_redirects=0)
        self._submit("button => { button.click(); button.click(); }")

    def submit_while_away(self):
        if not self.librarian.scripts:
            return
        before = self.typed()
        self.library.kill()
        self.sheet.get_by_role("button", name="Save", exact=True).click()
        expect(self.librarian.failure).to_be_visible()
        assert self.typed() == before, self.story
        self.library.start()
        self._submit("button => document.querySelector('.answer button').click()")

    def _submit(self, press: str):
        typed, draft = self.typed(), self.hidden("draft")
        save = self.sheet.get_by_role("button", name="Save", exact=True)
        self.librarian.answered(lambda: save.evaluate(press))
        if self.sheet.count() and self.sheet.get_by_role("alert").count():
            # After a rejection, the sheet still contains everything, and the draft is kept if there is space.
            assert (self.title.input_value(), self.typed().rows) == (typed.title, typed.rows), self.story
            return
        assert not self.sheet.count() or self.hidden("draft") != draft, self.story
        self.kept.pop(draft, None)
        self.saved[typed.record] = typed

    def add_on_the_way(self):
        buttons = self.form.get_by_role("button", name=re.compile("^New (genre|prequel|author)…$"))
        if buttons.count() == 0:
            return
        typed, draft = self.typed(), self.hidden("draft")
        self.librarian.answered(self.random.choice(buttons.all()).click)
        if self.hidden("draft") != draft:
            self.kept[draft] = typed
        else:
            assert (self.title.input_value(), self.typed().rows) == (typed.title, typed.rows), self.story

    def cancel(self):
        self.kept.pop(self.hidden("draft"), None)
        self.librarian.cancel()

    def keep(self):
        typed, draft = self.typed(), self.hidden("draft")
        self.librarian.answered(self.sheet.get_by_role("button", name="Save draft").click)
        if self.sheet.count() == 0:
            self.kept[draft] = typed

    # Navigating

    def add(self):
        self.librarian.open(self.random.choice(["/books/new", "/books/new?fresh=1", "/genres/new"]))

    def edit(self):
        books = [typed.record for typed in self.saved.values() if typed.model == "books"]
        if books:
            self.librarian.open(f"/books/{self.random.choice(books)}")

    def go_on(self):
        if self.librarian.banner.count():
            self.librarian.follow(self.librarian.banner.first.get_by_role("link", name="Continue"))

    def has_room(self) -> bool:
        return len(self.librarian.draft_cookies()) < 5

    def reload(self):
        """Reloads immediately, whether or not the text is already saved as a draft."""
        typed, is_certain = self.typed(), self.librarian.scripts and self.has_room() and self.is_at_peace()
        self._travel("reload")
        if is_certain and typed.title:
            # Requests that are sent while leaving a page arrive after the next page has loaded, which polls for them.
            expect(self.page.locator("#sheet-form[inert]")).to_have_count(0)
            expect(self.title).to_have_value(typed.title)
            assert self.typed().rows == typed.rows, self.story

    def leave(self):
        """Goes to the list like a link."""
        typed, draft = self.typed(), self.hidden("draft")
        is_certain = self.librarian.scripts and self.has_room() and self.is_at_peace() and typed.title.startswith("Walk")
        self.librarian.open(f"/{typed.model}")
        if is_certain:
            # Requests that are sent while leaving a page arrive after the next page has loaded, which polls for them.
            eventually("the draft arrives", lambda: not self.page.evaluate("sessionStorage.getItem('aviary.pending')"))
            self.kept[draft] = typed

    def is_at_peace(self) -> bool:
        """
        Returns whether the page shows no warning, for example that another page has the draft or that it was submitted.
        """
        return "warning" not in (self.librarian.status.get_attribute("class") or "")

    def back(self):
        self._travel("go_back")

    def forward(self):
        self._travel("go_forward")

    def _travel(self, way: str):
        if not self.librarian.travel(way):
            self.librarian.open("/books")

    def restart(self):
        self.library.restart()

    # Final checks

    def names(self, model: str) -> list[str]:
        self.librarian.open(f"/{model}?size=200")
        return [name.strip() for name in self.page.locator(".records tbody th").all_inner_texts()]

    def finds_what_was_kept(self):
        """Expects every saved draft in its sheet."""
        for draft, typed in self.kept.items():
            place = typed.record if typed.record in self.saved else "new"
            self.librarian.open(f"/{typed.model}/{place}?draft={draft}")
            assert self.hidden("draft") == draft, (typed, self.story)
            assert (self.title.input_value(), self.typed().rows) == (typed.title, typed.rows), self.story
