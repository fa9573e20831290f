"""The commands of the runbook, block by block, on a simulated machine."""

import base64
import http.client
import os
import re
import time
from collections.abc import Iterator

import pytest

from authenticator import Authenticator
from client import Client, form_fields
from exploring import explored
from machine import Machine, Runbook
from units import Unit
from waiting import PATIENCE, eventually
from zoo import BINARY, DEPLOY, NAME, PASSWORD, USER, Family

GROWN = BINARY.parent / "GrownZoo"
BLOCKS = Runbook().blocks


@pytest.fixture
def machine(tmp_path) -> Iterator[Machine]:
    machine = Machine(tmp_path / "machine")
    run(machine, "Install")
    machine.run(BLOCKS["First account"][0])
    machine.add("Ada", "Charles")
    yield machine
    machine.end()


def run(machine: Machine, section: str) -> str:
    return "".join(machine.run(block) for block in BLOCKS[section])


def test_what_is_marked_as_tried_is_tried_here():
    tested = open(__file__).read()
    assert len(BLOCKS) > 7
    for section in BLOCKS:
        assert f'"{section}"' in tested, f"{section} is marked as tried, and is not."


def test_an_installed_service_serves_under_its_public_name(machine):
    assert machine.family.is_ready
    assert Direct(machine).signed_in().get("/admin").status == 200
    for unit in sorted((DEPLOY / "systemd").glob("aviary*.service")):
        assert (machine.directory / "etc/systemd" / unit.name).exists()


def test_the_journal_tells_how_the_first_account_is_made_and_has_no_link(tmp_path):
    machine = Machine(tmp_path / "machine")
    try:
        run(machine, "Install")
        assert f"zoo user add NAME --role admin --data {machine.data}" in machine.journal
        assert "/login" not in machine.journal
        link = printed_link(machine.run(BLOCKS["First account"][0]))
        stranger = Direct(machine)
        assert stranger.get("/admin").status == 303
        ada = Direct(machine)
        assert ada.follow(link).headers["Location"] == "/admin/account"
        assert ada.get("/admin").status == 200
        # The link was for her account and can be used only once.
        assert stranger.get(link[link.index("/login"):]).status == 410
    finally:
        machine.end()


def test_nothing_dangerous_is_found_once_there_is_an_account(machine):
    check = BLOCKS["First account"][1]
    said = machine.run(check)
    assert "There are accounts" in said and "No backup found" in said
    # Without the public URL, the check finds a problem.
    with pytest.raises(AssertionError, match="TLS is not configured"):
        machine.run(check.replace("--public-url https://zoo.example.org", ""))


@explored("Whoever loses a second factor in test_whoever_has_lost… chooses a password first, and signs in with it alone at the end.")
def test_a_first_account_that_chose_a_password_signs_in_with_it(machine):
    Direct(machine).signed_in().choose_password()
    assert Direct(machine).sign_in().status == 303


def test_whoever_has_lost_a_second_factor_signs_in_by_the_password_alone_once_it_is_reset(machine):
    ada = Direct(machine).signed_in()
    ada.choose_password()
    phone = ada.set_up_second_factor()
    without = Direct(machine)
    asked = without.sign_in()
    assert asked.status == 200 and without.get("/admin").status == 303
    assert without.confirm(asked, phone.wrong_code()).status == 422
    assert without.confirm(asked, phone.code()).status == 303
    assert without.get("/admin").status == 200
    reset = BLOCKS["Accounts"][0].splitlines()[2]
    machine.run(reset.replace("maria", USER))
    assert without.get("/admin").status == ada.get("/admin").status == 303
    assert Direct(machine).sign_in().status == 303


def test_what_the_commands_for_accounts_take_away_is_gone_at_once(machine):
    add, link, reset, role, disable, listing = BLOCKS["Accounts"][0].splitlines()
    maria = Direct(machine)
    maria.follow(printed_link(machine.run(add)))
    assert maria.get("/admin/friends/new").status == 200
    assert maria.get("/admin/accounts").status in (403, 404)
    again = Direct(machine)
    again.follow(printed_link(machine.run(link)))
    assert again.get("/admin").status == 200
    machine.run(reset)
    machine.run(role)
    # The account is signed out, and is only a viewer after the next sign-in.
    assert maria.get("/admin").status == again.get("/admin").status == 303
    again.follow(machine.link("maria"))
    assert again.get("/admin/friends").status == 200
    assert again.get("/admin/friends/new").status == 403
    machine.run(disable)
    assert again.get("/admin/friends").status == 303
    listed = machine.run(listing)
    assert "maria\tviewer, disabled" in listed and f"{USER}\tadmin" in listed
    # The last account that can manage accounts cannot be disabled.
    with pytest.raises(AssertionError, match="At least one account must be able to manage accounts"):
        machine.run(disable.replace("maria", USER))


def test_a_deploy_replaces_every_process(machine):
    before = machine.family
    machine.new_program(line="the next one")
    said = run(machine, "Deploy")
    assert "Nothing" in said or "nothing" in said
    after = Family.replaced(before, machine.data)
    assert after.supervisor == before.supervisor
    # Rolls back to the old program.
    machine.run(BLOCKS["Roll back"][0])
    Family.replaced(after, machine.data)
    assert machine.friends == {"Ada", "Charles"}
    assert not (machine.directory / "bin/zoo.old").exists()


def test_the_way_back_over_a_changed_schema_is_the_snapshot_of_before(machine):
    assert GROWN.exists(), f"{GROWN} is missing: run `make test-build` first."
    before = machine.family
    machine.new_program(GROWN, "grown-zoo 2")
    assert "nickname" in machine.run(BLOCKS["Deploy"][0])
    machine.run(BLOCKS["Deploy"][1])
    Family.replaced(before, machine.data)
    machine.add("Maria")
    assert machine.friends == {"Ada", "Charles", "Maria"}
    draft = Direct(machine).signed_in().kept_draft("Half an okapi")
    machine.run(BLOCKS["Roll back"][1])
    assert machine.family.is_ready
    assert machine.friends == {"Ada", "Charles"}
    # The directory that was set aside still contains the later changes.
    assert (machine.directory / "lib/aviary.aside/store.sqlite").exists()
    # The snapshot contains the accounts and the keys, so the draft in the browser can still be opened.
    assert draft.get("/admin/animals").status == 303
    assert "Half an okapi" in draft.signed_in().get("/admin/animals").text


def test_what_was_backed_up_is_restored(machine):
    backup, copy, restore = BLOCKS["Back up and restore"]
    assert "is good" in machine.run(backup)
    machine.run(copy)
    assert {file.suffix for file in machine.backup.iterdir()} == {".gz", ".tar"}
    machine.add("Maria")
    machine.run(restore)
    assert machine.friends == {"Ada", "Charles"}
    assert len(list((machine.data / "snapshots").glob("*.jsonl.gz"))) == 2


def test_a_machine_is_moved_with_its_records_accounts_and_keys(machine, tmp_path):
    draft = Direct(machine).signed_in()
    draft.choose_password()
    phone = draft.set_up_second_factor()
    draft.kept_draft("Half an okapi")
    leave, arrive = BLOCKS["Move to another machine"]
    machine.run(leave)
    other = Machine(tmp_path / "other", backup=machine.backup)
    other.run(BLOCKS["Install"][0])
    try:
        other.run(arrive)
        assert other.family.is_ready
        assert other.friends == {"Ada", "Charles"}
        moved = draft.at(other)
        assert moved.get("/admin/animals").status == 303
        # The password is in the snapshot, and the keys decrypt the second factor and the draft.
        assert moved.confirm(moved.sign_in(), phone.code()).status == 303
        assert "Half an okapi" in moved.get("/admin/animals").text
    finally:
        other.end()


def test_a_new_key_is_used_and_drafts_of_the_old_one_go_on(machine):
    keys = machine.data / "keys"
    draft = Direct(machine).signed_in().kept_draft("Half an okapi")
    before = machine.family
    run(machine, "Rotate keys")
    assert (machine.backup / "keys.tar").exists()
    assert len(list(keys.glob("*.key"))) == 2
    assert all(file.stat().st_mode & 0o077 == 0 for file in keys.iterdir())
    newest = max(file.stem for file in keys.glob("*.key"))
    # The key is rotated without a restart, and all sessions stay valid.
    def is_sealed_anew() -> bool:
        assert draft.keep("animals", draft.kept | {"name": "A whole okapi"}).status == 204
        return sealing_key(only(draft.drafts.values())) == newest

    eventually("the new key seals", is_sealed_anew)
    assert machine.family.members == before.members
    assert "A whole okapi" in draft.get("/admin/animals").text


def test_a_full_disk_is_looked_at_and_old_snapshots_go(machine):
    run(machine, "Back up and restore")
    snapshots = sorted((machine.data / "snapshots").glob("*.jsonl.gz"))
    old = time.time() - 10 * 24 * 3600
    os.utime(snapshots[0], (old, old))
    assert "store.sqlite" in run(machine, "Disk full")
    assert sorted((machine.data / "snapshots").glob("*.jsonl.gz")) == snapshots[1:]
    assert machine.family.is_ready


def test_a_store_is_replaced_by_its_last_snapshot(machine):
    machine.run(BLOCKS["Back up and restore"][0])
    machine.add("Maria")
    run(machine, "Store damaged")
    assert machine.friends == {"Ada", "Charles"}
    assert (machine.backup / "damaged.jsonl.gz").exists()


def test_the_backup_service_makes_a_snapshot_and_lets_old_ones_go(machine):
    machine.run(BLOCKS["Back up and restore"][0])
    snapshots = machine.data / "snapshots"
    for name, days in [("Zoo-old.jsonl.gz", 31), ("Zoo-young.jsonl.gz", 29)]:
        (snapshots / name).write_text("")
        then = time.time() - days * 24 * 3600 - 3600
        os.utime(snapshots / name, (then, then))
    unit = Unit(DEPLOY / "systemd/aviary-backup.service")
    before = set(snapshots.iterdir())
    for name in ["ExecStart", "ExecStartPost"]:
        machine.run(unit.value("Service", name))
    after = set(snapshots.iterdir())
    assert before - after == {snapshots / "Zoo-old.jsonl.gz"}
    assert len(after - before) == 1


class Direct(Client):
    """A client without a proxy, which connects to the server directly under its public name."""

    def __init__(self, machine: Machine):
        self.machine = machine
        self.proxy = self
        self.cookies = {}
        self.connection = None

    def signed_in(self, name: str = USER) -> "Direct":
        """
        Signs in with the password, or with a link if there is no password yet, because a link ends every other session.
        """
        if self.get("/admin").status != 200 and self.sign_in(name).status != 303:
            assert self.follow(self.machine.link(name)).status == 303
        return self

    def _connect(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.machine.port, timeout=PATIENCE)

    def send(self, method: str, path: str, body: bytes | None, headers: dict[str, str]):
        # Each request uses a new connection, because servers restart in these tests.
        self.close()
        return super().send(method, path, body, {"Host": NAME} | headers)

    port = 443

    def at(self, machine: Machine) -> "Direct":
        """Returns the same browser for another machine with the same name."""
        other = Direct(machine)
        other.cookies = dict(self.cookies)
        return other

    def choose_password(self):
        self._give("/admin/account/password", {})

    def set_up_second_factor(self) -> Authenticator:
        path = "/admin/account/second-factor"
        page = self.get(path).text
        authenticator = Authenticator(page)
        # Each setup page has a new key.
        self._give(path, {"code": authenticator.code()}, form_fields(page, f'action="{path}"'))
        return authenticator

    def _give(self, path: str, typed: dict[str, str], fields: dict[str, str] | None = None):
        """Submits a form of the account, with the password in every field that is empty and not given."""
        fields = fields or self.fields(path, f'action="{path}"')
        answer = self.post(path, {name: value or PASSWORD for name, value in fields.items()} | typed)
        assert answer.status in (200, 303), answer.text
        assert self.get("/admin").status == 200

    def kept_draft(self, text: str) -> "Direct":
        self.kept = self.form("animals/new?fresh=1") | {"name": text}
        assert self.keep("animals", self.kept).status == 204
        assert text in self.get("/admin/animals").text
        self.close()
        return self


def printed_link(text: str) -> str:
    return re.search(rf"^https://{re.escape(NAME)}/login\?link=\S+$", text, re.MULTILINE).group()


def only(values):
    values = list(values)
    assert len(values) == 1
    return values[0]


def sealing_key(draft: str) -> str:
    """Returns the id of the key, which follows the version of the format."""
    return base64.urlsafe_b64decode(draft + "=" * (-len(draft) % 4))[1:5].hex()
