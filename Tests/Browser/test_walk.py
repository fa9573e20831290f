"""A random walk of a user through the admin while the server crashes now and then."""

import re
from random import Random
from urllib.parse import quote_plus

import pytest
from playwright.sync_api import expect

from exploration import SEED, in_exploration
from marks import on_desktop

STEPS = 40
SEEDS = [1, *in_exploration(2, 3, SEED)]
SAID = re.compile("Draft saved|changed in another tab|take up the room|was already saved|was discarded")


@pytest.mark.long
@on_desktop
@pytest.mark.parametrize("seed", SEEDS)
def test_whatever_one_does_every_saved_record_is_there_once_and_nothing_else(admin, zoo, elsewhere, seed):
    admin.watch.expect_outage()
    admin.watch.expect_status(409, 422)
    walk = Walk(admin, zoo, Random(seed))
    for _ in range(STEPS):
        walk.step()
    walk.finds_what_was_kept()
    walk.discard_everything()
    assert sorted(elsewhere.names("animals")) == sorted(walk.saved.values()), walk.story
    for text in walk.typed - set(walk.saved.values()):
        assert not zoo.holds(text), walk.story


class Walk:
    def __init__(self, admin, zoo, random: Random):
        self.admin = admin
        self.zoo = zoo
        self.random = random
        self.saved: dict[str, str] = {}
        self.typed: set[str] = set()
        # The texts that a page reported as saved, by draft, until they are submitted, cancelled or overwritten.
        self.kept: dict[str, str] = {}
        self.story: list[str] = []

    def step(self):
        in_sheet = [self.type] * 4 + [self.submit, self.submit_twice, self.cancel, self.keep, self.submit_nothing]
        on_list = [self.add] * 3 + [self.go_on, self.forward]
        anywhere = [self.reload, self.back, self.restart]
        has_sheet = self.admin.sheet.count() > 0
        step = self.random.choice((in_sheet if has_sheet else on_list) + anywhere)
        self.story.append(step.__name__)
        step()

    def type(self):
        text = f"Traveller {len(self.typed)} of the walk"
        self.typed.add(text)
        self.kept.pop(self.draft(), None)
        if not self.admin.scripts or self.random.random() < 0.5:
            return self.admin.name.fill(text)
        with self.admin.page.expect_response(lambda answer: quote_plus(text) in (answer.request.post_data or "")) as answer:
            self.admin.name.fill(text)
        # Another page may have a newer copy of the draft, or six other drafts may take up the space.
        expect(self.admin.status).to_have_text(SAID)
        if answer.value.status == 204:
            self.kept[self.draft()] = text

    def draft(self) -> str:
        return self.admin.sheet.locator("#sheet-form [name=draft]").input_value()

    def submit(self):
        self._submit("button => button.click()")

    def submit_twice(self):
        # Submits the form twice at the server, and double-clicks the button in the page.
        form = self.admin.sheet.locator("#sheet-form").evaluate("form => Object.fromEntries(new FormData(form))")
        address = self.admin.sheet.locator("#sheet-form").get_attribute("action")
        self.admin.page.request.post(address, form=form, max_redirects=0)
        self._submit("button => { button.click(); button.click(); }")

    def _submit(self, press: str):
        name = self.admin.name.input_value()
        draft = self.admin.sheet.locator("#sheet-form [name=draft]").input_value()
        save = self.admin.sheet.get_by_role("button", name="Save", exact=True)
        self.admin.answered(lambda: save.evaluate(press))
        if self.admin.path() == "/admin/animals" and self.admin.sheet.count() == 0:
            self.kept.pop(draft, None)
            assert self.saved.setdefault(draft, name) == name, self.story
        else:
            expect(self.admin.sheet.get_by_role("alert")).to_be_visible()

    def submit_nothing(self):
        self.kept.pop(self.draft(), None)
        self.admin.name.fill("")
        self.submit()
        expect(self.admin.sheet).to_be_visible()

    def cancel(self):
        self.kept.pop(self.draft(), None)
        self.admin.cancel()

    def keep(self):
        draft, text = self.draft(), self.admin.name.input_value()
        self.admin.follow(self.admin.sheet.get_by_role("button", name="Save draft"))
        if self.admin.sheet.count() == 0 and text:
            self.kept[draft] = text

    def add(self):
        self.admin.open("/animals/new" + self.random.choice(["", "?fresh=1"]))

    def go_on(self):
        if self.admin.banner.count():
            self.admin.follow(self.admin.banner.first.get_by_role("link", name="Continue"))

    def reload(self):
        self._travel("reload")

    def back(self):
        self._travel("go_back")

    def forward(self):
        self._travel("go_forward")

    def _travel(self, way: str):
        if not self.admin.travel(way):
            self.admin.open("/animals")

    def restart(self):
        self.zoo.restart()

    def finds_what_was_kept(self):
        """Expects every text that a page reported as saved in a banner."""
        self.admin.open("/animals")
        waiting = " ".join(self.admin.banner.all_inner_texts())
        for text in self.kept.values():
            assert text in waiting, (text, waiting, self.story)

    def discard_everything(self):
        # The last draft may still be in transit when its page is gone, and appears a moment later.
        quiet = 0
        for _ in range(50):
            self.admin.open("/animals")
            quiet = 0 if self.admin.draft_cookies() else quiet + 1
            if quiet == 3:
                return
            while self.admin.banner.count():
                self.admin.follow(self.admin.banner.first.get_by_role("button", name="Discard"))
        raise AssertionError(f"A draft can neither be seen nor discarded: {self.story}")
