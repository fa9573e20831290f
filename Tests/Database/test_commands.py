"""Commands do with a database what they do with a file."""

import json
import re
import shlex

COMMANDS = [
    "export Animal --format csv",
    "delete Animal --query filter.diet=herbivorous --dry-run",
    "delete Animal --query filter.diet=herbivorous --yes --json",
    "undo DELETED",
    "undo DELETED --yes --json",
    "update Animal --query filter.diet=carnivorous --set diet=omnivorous --yes --json",
    "undo DELETED --yes",
    "export Animal --format jsonl --since 1",
    "export Animal --query q=Animal+1&sort=-name",
    "user add grace --role admin --link",
    "user list --json",
    "user role ada --role viewer",
    "user disable ada",
    "user list",
    "user role nobody --role viewer",
    "export Animal --history",
    "export --events",
    "history trim --keep 5",
    "history trim --keep 5 --yes --json",
    "migrate --dry-run --json",
    "migrate",
    "migrate --drop Animal.legs",
    "check --contents --json",
    "keys list",
    "status",
    "export Hippogriff",
]


def masked(text: str, zoo) -> list[str]:
    """Replaces what differs between two runs: identifiers, links, times, durations and the location of the store."""
    for flags in (shlex.join(zoo.flags), zoo.database, str(zoo.data)):
        text = text.replace(flags or "\0", "STORE").replace("--data STORE", "STORE")
    text = re.sub(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "ID", text)
    text = re.sub(r"link=[\w-]+", "link=TOKEN", text)
    text = re.sub(r"\d{4}-\d\d-\d\d[T ][0-9:.]+Z?", "TIME", text)
    text = re.sub(r'("?(?:milliseconds|seconds)"?[:=])[0-9.]+', r"\1N", text)
    text = re.sub(r"command\[\d+\]", "command", text)
    # Records that one commit has inserted are in the order of their identifiers.
    return sorted(re.sub(r"\b[0-9a-f]{8}\b", "KEY", text).splitlines())


def test_commands_print_the_same_with_a_database_as_with_a_file(make_zoo, database):
    zoos = [make_zoo(), make_zoo(database)]
    deleted = None
    for zoo in zoos:
        zoo.fill()
    for command in COMMANDS:
        done = [zoo.attempt(*command.replace("DELETED", str(deleted)).split()) for zoo in zoos]
        if command.startswith("delete"):
            deleted = re.search(r'"commit":(\d+)|$', done[0].stdout).group(1)
        assert masked(done[1].stdout, zoos[1]) == masked(done[0].stdout, zoos[0]), command
        assert masked(done[1].stderr, zoos[1]) == masked(done[0].stderr, zoos[0]), command
        assert done[1].returncode == done[0].returncode, command


def test_an_import_continues_and_is_undone(zoo):
    zoo.fill()
    assert len(zoo.names()) == 40
    file = zoo.data.parent / "more.csv"
    file.write_text("name,diet\n" + "".join(f"More {n},omnivorous\n" for n in range(1200)))
    done = zoo.attempt("import", "Animal", str(file))
    assert done.returncode == 0, done.stderr
    assert len(zoo.names()) == 1240
    undo = re.search(r"zoo (undo .* --yes)", done.stderr).group(1).split()
    zoo.run(undo[0], undo[1], "--yes")
    assert len(zoo.names()) == 40


def test_a_rejected_line_changes_nothing(zoo):
    zoo.fill()
    file = zoo.data.parent / "wrong.csv"
    file.write_text("name,diet\nGood,omnivorous\nBad,stones\n")
    assert zoo.attempt("import", "Animal", str(file)).returncode == 1
    assert "Good" not in zoo.names()


def test_a_snapshot_of_one_engine_is_restored_on_the_other(make_zoo, postgresql, tmp_path):
    """From a file to a database, to another database, and back to a file: each has the same contents."""
    zoos = [make_zoo(), make_zoo(postgresql.create_database()), make_zoo(postgresql.create_database()), make_zoo()]
    zoos[0].fill()
    zoos[0].run("delete", "Animal", "--query", "q=Animal+3", "--yes")
    exports = []
    for number, zoo in enumerate(zoos):
        if number:
            zoo.run("restore", str(snapshot), "--yes")
        snapshot = tmp_path / f"{number}.jsonl.gz"
        exports.append([zoo.run("export", "Animal", "--format", "jsonl"), zoo.run("export", "Animal", "--history"),
                        zoo.run("user", "list", "--json")])
        zoo.run("backup", "--with-history", "--include-secrets", "--output", str(snapshot))
        zoo.run("verify", "--prove", str(snapshot))
        assert json.loads(zoo.run("check", "--contents", "--json"))["problemCount"] == 0
    assert all(export == exports[0] for export in exports)


def test_a_restore_replaces_a_store_and_keeps_what_it_replaces(zoo, tmp_path):
    zoo.fill()
    zoo.run("backup", "--output", str(tmp_path / "before.jsonl.gz"))
    zoo.run("delete", "Animal", "--all", "--yes")
    assert zoo.names() == []
    done = zoo.attempt("restore", str(tmp_path / "before.jsonl.gz"), "--yes")
    assert done.returncode == 0, done.stderr
    assert len(zoo.names()) == 40
    kept = re.search(r"The previous data is kept in (\S+)\.", done.stderr).group(1)
    zoo.run("restore", kept, "--yes")
    assert zoo.names() == []


def test_a_repair_is_refused_and_names_the_way_to_check(zoo):
    zoo.fill()
    done = zoo.attempt("repair")
    assert done.returncode == 1
    assert "check --contents" in done.stderr
