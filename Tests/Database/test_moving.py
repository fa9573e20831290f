"""A store moves between engines with everything in it, and stays where it was."""

import hashlib
import json
import pathlib
import signal
import subprocess
import time

import pytest

from zoo import BINARY, PATIENCE, environment


def move(source: str, target: str, *flags: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [BINARY, "move", "--from", source, "--to", target, *flags], capture_output=True, text=True, timeout=PATIENCE,
        env=environment())


def contents(zoo) -> list[str]:
    """Returns what a snapshot of the store contains, without its own time and digest."""
    snapshot = zoo.data.parent / "contents.jsonl.gz"
    snapshot.unlink(missing_ok=True)
    zoo.run("backup", "--with-history", "--include-secrets", "--output", str(snapshot))
    lines = subprocess.run(["zcat", snapshot], capture_output=True, text=True, check=True).stdout.splitlines()
    # The backup before this one, and the move itself, are events.
    return [line for line in lines[1:-1] if not is_event_of(line, "backup", "restore")]


def is_event_of(line: str, *kinds: str) -> bool:
    value = json.loads(line)
    if value.get("model") == "aviary_event":
        return value["values"]["kind"] in kinds
    return value.get("commit", {}).get("changes") == 0


@pytest.fixture
def filled(make_zoo):
    zoo = make_zoo()
    zoo.fill()
    zoo.run("delete", "Animal", "--query", "q=Animal+3", "--yes")
    return zoo


def test_a_store_moves_to_a_database_and_back(filled, make_zoo, database, tmp_path):
    before = contents(filled)
    done = move(str(filled.data), database, "--json")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["compared"] > len(before) and report["counts"]["Animal"] == 27 and report["entries"] > 40
    moved = make_zoo(database)
    moved.data = filled.data
    assert contents(moved) == before
    assert contents(filled) == before
    back = make_zoo()
    done = move(database, str(back.data))
    assert done.returncode == 0, done.stderr
    assert contents(back) == before
    for zoo in (moved, back):
        assert json.loads(zoo.run("check", "--contents", "--json"))["problemCount"] == 0
        assert not list((zoo.data / "snapshots").glob(".move-*"))


def test_a_store_moves_from_one_database_to_another(zoo, make_zoo, postgresql):
    zoo.fill()
    other = make_zoo(postgresql.create_database())
    done = move(zoo.database, other.database)
    assert done.returncode == 2 and "add --data" in done.stderr
    assert move(zoo.database, other.database, "--data", str(zoo.data)).returncode == 0
    assert other.names() == zoo.names()


def test_a_place_with_a_store_is_refused_and_keeps_it(filled, zoo):
    zoo.fill_more("Okapi")
    done = move(str(filled.data), zoo.database)
    assert done.returncode == 1 and "contains a store already" in done.stderr
    assert zoo.names() == ["Okapi"]
    assert not list((filled.data / "snapshots").glob(".move-*"))


def test_a_move_without_a_store_creates_nothing(make_zoo, database, tmp_path):
    done = move(str(tmp_path / "nothing"), database)
    assert done.returncode == 1 and "there is no store to move" in done.stderr
    assert not (tmp_path / "nothing").exists()
    assert "there is no store yet" in make_zoo(database).attempt("export", "Animal").stderr


def test_a_served_store_does_not_move(filled, make_zoo, database):
    filled.serve("--workers", "1")
    done = move(str(filled.data), database)
    assert done.returncode == 1, done.stderr
    filled.stop()
    assert "there is no store yet" in make_zoo(database).attempt("export", "Animal").stderr
    assert move(str(filled.data), database).returncode == 0


def moving_file(source: str, target: str) -> pathlib.Path:
    """Returns the path of the snapshot of an interrupted move between two directories."""
    name = hashlib.sha256(f"{source}\n{target}".encode()).hexdigest()[:12]
    folder = pathlib.Path(target, "snapshots")
    folder.mkdir(parents=True)
    return folder / f".move-{name}.jsonl.gz"


def test_a_move_that_was_killed_during_its_comparison_continues(filled, make_zoo):
    before, other = contents(filled), make_zoo()
    left = moving_file(str(filled.data), str(other.data))
    left.with_name(left.name + ".new").touch()
    done = move(str(filled.data), str(other.data))
    assert done.returncode == 0, done.stderr
    assert contents(other) == before and not list(left.parent.glob(".move-*"))


def test_a_move_continues_with_what_the_source_has_since(filled, make_zoo):
    other = make_zoo()
    left = moving_file(str(filled.data), str(other.data))
    filled.run("backup", "--with-history", "--include-secrets", "--output", str(left))
    filled.fill_more("Okapi")
    before = contents(filled)
    done = move(str(filled.data), str(other.data))
    assert done.returncode == 0, done.stderr
    assert contents(other) == before and not list(left.parent.glob(".move-*"))


def test_a_move_that_was_killed_continues(filled, make_zoo, database):
    """Kills the command at many moments, until one is late enough."""
    before, kills = contents(filled), 0
    for number in range(40):
        running = subprocess.Popen(
            [BINARY, "move", "--from", str(filled.data), "--to", database], stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, env=environment())
        try:
            running.wait(timeout=0.05 * 1.25**number)
        except subprocess.TimeoutExpired:
            running.send_signal(signal.SIGKILL)
            kills += 1
        _, errors = running.communicate()
        if running.returncode == 0:
            break
        # A part of a file, which another kill left, stays for some seconds.
        if "contains a store already" in errors and not list((filled.data / "snapshots").glob(".move-*.gz")):
            break  # the one before was killed after its end
        assert running.returncode == -signal.SIGKILL, errors
    assert kills > 1
    moved = make_zoo(database)
    moved.data = filled.data
    assert contents(moved) == before and contents(filled) == before
