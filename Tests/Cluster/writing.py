"""Ledgers on web hosts: starting, waiting for their acknowledgements, and comparing them with the database."""

import subprocess
import sys
import uuid
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from cluster import Cluster, Database, Web
from hosts import ROOT
from ledger import SCHEMA
from waiting import PATIENCE, eventually

PROGRAM = Path(__file__).with_name("ledger.py")


@dataclass
class Notes:
    """What a ledger has noted, in order."""

    begun: set[str] = field(default_factory=set)
    acknowledged: list[tuple[float, str, int]] = field(default_factory=list)
    unknown: list[tuple[float, str, str]] = field(default_factory=list)

    @staticmethod
    def read(file: Path) -> "Notes":
        notes = Notes()
        for line in file.read_text().splitlines() if file.exists() else []:
            time, what, name, *more = line.split("\t")
            if what == "begun":
                notes.begun.add(name)
            elif what == "acknowledged":
                notes.acknowledged.append((float(time), name, int(more[0])))
            else:
                notes.unknown.append((float(time), name, more[0]))
        return notes


class Ledger:
    def __init__(self, host: Web, kind: str, bug: str | None = None):
        self.host, self.kind, self.bug = host, kind, bug
        self.file = ROOT / f"ledger-{uuid.uuid4()}"
        self.process = None

    def start(self):
        bug = ["--bug", self.bug] if self.bug else []
        # A new name each time: one that begins again after a kill knows nothing of before.
        name = f"{self.host.name}-{uuid.uuid4().hex[:8]}"
        self.process = self.host.serve(
            "ledger", sys.executable, PROGRAM, "--address", Web.database(self.kind), "--file", self.writable(), "--name", name, *bug,
            user="nobody", stdin=subprocess.PIPE,
        )

    def writable(self) -> Path:
        self.file.touch()
        self.file.chmod(0o666)
        return self.file

    @property
    def notes(self) -> Notes:
        return Notes.read(self.file)

    def first_acknowledgement(self, after: float) -> float:
        """Waits for a write that is acknowledged after this moment, and returns when it was."""
        def look() -> float | None:
            assert self.process.poll() is None, self.host.log("ledger").read_text()
            return next((time for time, _, _ in self.notes.acknowledged if time > after), None)

        return eventually(f"{self.host.name} has a write acknowledged", look, lambda: self.notes.unknown[-3:])

    def longest_gap(self, since: float) -> float:
        """The longest time in which no write was acknowledged."""
        times = [since, *sorted(time for time, _, _ in self.notes.acknowledged if time > since)]
        return max(after - before for before, after in zip(times, times[1:]))

    def stop(self):
        if self.process:
            self.process.stdin.close()
            self.process.wait(timeout=PATIENCE)
            del self.host.services["ledger"]
            self.process = None


def prepare(cluster: Cluster):
    """Makes the tables anew."""
    primary = cluster.primary()
    primary.psql(f"SET ROLE aviary; DROP SCHEMA IF EXISTS aviary CASCADE; CREATE SCHEMA aviary; {SCHEMA}")


@dataclass
class Verdict:
    """What the database has of all that the ledgers noted."""

    acknowledged: int
    stored: int
    lost: list[str]
    doubled: list[str]
    renumbered: list[str]
    strange: list[str]
    has_gaps: bool

    @property
    def is_clean(self) -> bool:
        return not (self.lost or self.doubled or self.renumbered or self.strange or self.has_gaps)


def compare(ledgers: list[Ledger], database: Database) -> Verdict:
    rows = [line.split("|") for line in database.psql("SELECT number, name FROM aviary.entries ORDER BY number").splitlines()]
    stored = {name: int(number) for number, name in rows}
    counts = Counter(name for _, name in rows)
    notes = [ledger.notes for ledger in ledgers]
    begun = set().union(*(note.begun for note in notes))
    acknowledged = {name: number for note in notes for _, name, number in note.acknowledged}
    last = int(database.psql("SELECT last FROM aviary.position"))
    return Verdict(
        acknowledged=len(acknowledged),
        stored=len(rows),
        lost=sorted(name for name in acknowledged if name not in stored),
        doubled=sorted(name for name, count in counts.items() if count > 1),
        renumbered=sorted(name for name, number in acknowledged.items() if stored.get(name, number) != number),
        strange=sorted(set(stored) - begun),
        has_gaps=[int(number) for number, _ in rows] != list(range(1, last + 1)),
    )
