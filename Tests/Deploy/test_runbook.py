"""The runbook's own commands, block by block, on a played machine."""

import http.client
import os
import re
import time
from collections.abc import Iterator

import pytest

from client import Client
from machine import Machine, Runbook
from units import Unit
from zoo import BINARY, DEPLOY, NAME, Family

GROWN = BINARY.parent / "GrownZoo"
BLOCKS = Runbook().blocks


@pytest.fixture
def machine(tmp_path) -> Iterator[Machine]:
    machine = Machine(tmp_path / "machine")
    run(machine, "Install")
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
    assert Direct(machine).get("/admin").status == 200
    for unit in sorted((DEPLOY / "systemd").glob("aviary*.service")):
        assert (machine.directory / "etc/systemd" / unit.name).exists()


def test_a_deploy_replaces_every_process(machine):
    before = machine.family
    machine.new_program(line="the next one")
    said = run(machine, "Deploy")
    assert "Nothing" in said or "nothing" in said
    after = Family.replaced(before, machine.data)
    assert after.supervisor == before.supervisor
    # And back to the old program.
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
    draft = Direct(machine).kept_draft("Half an okapi")
    machine.run(BLOCKS["Roll back"][1])
    assert machine.family.is_ready
    assert machine.friends == {"Ada", "Charles"}
    # The directory that was set aside still has what was stored since.
    assert (machine.directory / "lib/aviary.aside/store.sqlite").exists()
    # The keys went along: what browsers hold can still be opened.
    assert "Half an okapi" in draft.get("/admin/animals").text


def test_what_was_backed_up_is_restored(machine):
    backup, copy, restore = BLOCKS["Back up and restore"]
    assert "is good" in machine.run(backup)
    machine.run(copy)
    assert {file.suffix for file in machine.backup.iterdir()} == {".gz", ".tar"}
    machine.add("Maria")
    machine.run(restore)
    assert machine.friends == {"Ada", "Charles"}
    assert len(list((machine.data / "snapshots").glob("*.jsonl.gz"))) == 2


def test_a_machine_is_moved_with_its_records_and_keys(machine, tmp_path):
    draft = Direct(machine).kept_draft("Half an okapi")
    leave, arrive = BLOCKS["Move to another machine"]
    machine.run(leave)
    other = Machine(tmp_path / "other", backup=machine.backup)
    other.run(BLOCKS["Install"][0])
    try:
        other.run(arrive)
        assert other.family.is_ready
        assert other.friends == {"Ada", "Charles"}
        assert "Half an okapi" in draft.at(other).get("/admin/animals").text
    finally:
        other.end()


def test_a_new_key_is_used_and_drafts_of_the_old_one_go_on(machine):
    keys = machine.data / "keys"
    # A key is named by its second.
    while time.time() < int(only(keys.glob("*.key")).stem, 16) + 1:
        time.sleep(0.05)
    draft = Direct(machine).kept_draft("Half an okapi")
    run(machine, "Rotate keys")
    assert len(list(keys.glob("*.key"))) == 2
    assert all(file.stat().st_mode & 0o077 == 0 for file in keys.iterdir())
    assert "Half an okapi" in draft.get("/admin/animals").text
    newer = Direct(machine).kept_draft("A whole okapi")
    newest = max(file.stem for file in keys.iterdir())
    assert sealing_key(only(newer.drafts.values())) == newest
    assert sealing_key(only(draft.drafts.values())) != newest


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
    """A browser whose proxy is transparent: it speaks to the server itself, under the public name."""

    def __init__(self, machine: Machine):
        self.machine = machine
        self.proxy = self
        self.password = None
        self.cookies = {}
        self.connection = None

    def _connect(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.machine.port, timeout=60)

    def send(self, method: str, path: str, body: bytes | None, headers: dict[str, str]):
        # Each request on a connection of its own: servers come and go here.
        self.close()
        return super().send(method, path, body, {"Host": NAME} | headers)

    port = 443

    def at(self, machine: Machine) -> "Direct":
        """The same browser where another machine answers under the name."""
        other = Direct(machine)
        other.cookies = dict(self.cookies)
        return other

    def kept_draft(self, text: str) -> "Direct":
        form = self.form("animals/new?fresh=1") | {"name": text}
        assert self.keep("animals", form).status == 204
        assert text in self.get("/admin/animals").text
        self.close()
        return self


def only(values):
    values = list(values)
    assert len(values) == 1
    return values[0]


def sealing_key(draft: str) -> str:
    """The id of the key, which stands after the format's version."""
    import base64
    return base64.urlsafe_b64decode(draft + "=" * (-len(draft) % 4))[1:5].hex()
