"""The server with a store in a database, in several processes and in one."""

import os
import signal

import pytest

from browser import Browser
from zoo import Zoo, until

BOTH = pytest.mark.parametrize("flags", [("--workers", "2"), ("--in-process",)], ids=["processes", "in-process"])


def signed_in(zoo: Zoo) -> Browser:
    browser = Browser(zoo.address)
    browser.sign_in(zoo.run("user", "add", "ada", "--role", "admin", "--link"))
    return browser


@BOTH
def test_a_record_is_added_changed_and_listed(zoo, flags):
    zoo.serve(*flags)
    browser = signed_in(zoo)
    browser.submit("/admin/animals/new", 'id="sheet-form"', name="Okapi", diet="herbivorous")
    assert browser.names() == ["Okapi"]
    assert "Okapi" in browser.get("/admin/animals?q=kap")
    assert zoo.names() == ["Okapi"]
    assert until(lambda answer: answer[0] == 200, lambda: zoo.get("/readyz"))[0] == 200
    zoo.stop()
    zoo.serve(*flags)
    assert Browser(zoo.address).get("/login")
    assert zoo.names() == ["Okapi"]
    zoo.stop()


@BOTH
def test_commands_work_through_the_running_server(zoo, flags):
    zoo.serve(*flags)
    zoo.fill()
    assert len(zoo.names()) == 40
    done = zoo.attempt("delete", "Animal", "--query", "filter.diet=herbivorous", "--yes")
    assert done.returncode == 0, done.stderr
    snapshot = str(zoo.data.parent / "snapshot.jsonl.gz")
    zoo.run("backup", "--with-history", "--prove", "--output", snapshot)
    zoo.run("delete", "Animal", "--all", "--yes")
    assert zoo.names() == []
    zoo.run("restore", snapshot, "--yes")
    assert len(zoo.names()) == 20
    assert until(lambda answer: answer[0] == 200, lambda: zoo.get("/readyz"))[0] == 200
    zoo.fill_more("After")
    assert len(zoo.names()) == 21
    status = zoo.status()
    assert status["database"]["address"] == zoo.database and status["store"]["answers"]
    zoo.stop()


def test_a_killed_store_process_starts_again_and_nothing_is_lost(zoo):
    zoo.serve("--workers", "1")
    zoo.fill()
    store = zoo.status()["store"]["pid"]
    os.kill(store, signal.SIGKILL)
    zoo.fill_more("After")
    assert until(lambda pid: pid != store, lambda: zoo.status()["store"]["pid"]) != store
    assert len(zoo.names()) == 41
    zoo.stop()


@BOTH
def test_a_demo_fills_an_empty_database(zoo, flags):
    zoo.serve("--demo", "--database", zoo.database, *flags)
    browser = Browser(zoo.address)
    browser.get(zoo.link().removeprefix(zoo.address))
    assert browser.names()
    zoo.stop()
    assert zoo.names()


def test_a_demo_is_refused_in_a_database_with_a_store(zoo):
    zoo.fill()
    done = zoo.demo()
    assert done.returncode == 2
    assert "--demo needs an empty database" in done.stderr
    assert len(zoo.names()) == 40


def test_a_demo_in_a_directory_does_not_touch_the_database_of_the_environment(make_zoo, database):
    zoo = make_zoo()
    zoo.serve("--demo", "--workers", "1", AVIARY_DATABASE=database)
    browser = Browser(zoo.address)
    browser.get(zoo.link().removeprefix(zoo.address))
    assert browser.names()
    zoo.stop()
    assert "there is no store yet" in make_zoo(database).attempt("export", "Animal").stderr


def test_the_environment_names_the_database_for_a_server_and_for_commands(make_zoo, database):
    zoo = make_zoo()
    zoo.serve("--workers", "1", AVIARY_DATABASE=database)
    make_zoo(database).attempt("status")
    done = zoo.attempt("user", "add", "grace", "--role", "admin", "--link", AVIARY_DATABASE=database)
    assert done.returncode == 0, done.stderr
    zoo.stop()
    assert "grace" in make_zoo(database).run("user", "list")
    assert not (zoo.data / "store.sqlite").exists()
