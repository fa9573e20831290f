#!/usr/bin/env python3
"""Measures stores in PostgreSQL: beside pgbench and Django's admin on the same server, and beside the same with SQLite.

One server of its own with flushes (fsync, full_page_writes and synchronous_commit are on), all in turns on one machine. What was
acknowledged is looked for in the database afterwards. Prints a line a run, the medians and the ratios.
"""
import argparse
import contextlib
import os
import re
import sqlite3
import subprocess
import tempfile
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import adding
import figures
import listing
import servers
import wrk
from Store.programs import Programs

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent

# A plain table with the columns of the benchmark's model, and one insertion, which pgbench commits each time.
PLAIN_TABLE = """
    CREATE TABLE plain (
        id uuid PRIMARY KEY, code text NOT NULL UNIQUE, name text NOT NULL, amount bigint, weight double precision, taken text);
    CREATE SEQUENCE numbers CACHE 100
"""
INSERTION = (
    "INSERT INTO plain SELECT gen_random_uuid(), lpad(to_hex(n), 16, '0'), 'Sample number ' || n, n % 1000, n % 100000 / 8.0, "
    "'2026-03-11' FROM nextval('numbers') n;\n")


class Database:
    """A server that scripts/with-postgresql starts, with flushes, for as long as its command runs."""

    def __init__(self):
        self.process = subprocess.Popen(
            [ROOT / "scripts/with-postgresql", "sh", "-c", 'echo "$AVIARY_TEST_DATABASE"; cat'],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env={**os.environ, "AVIARY_TEST_DURABLE": "1"})
        self.address = self.process.stdout.readline().strip()
        assert self.address, "scripts/with-postgresql has started no server."
        for setting in ("fsync", "full_page_writes", "synchronous_commit"):
            assert self.query(f"SHOW {setting}") == "on", setting

    def address_of(self, name):
        return self.address.replace("/postgres?", f"/{name}?")

    def query(self, sql, address=None):
        return subprocess.run(["psql", "-XAtq", "-v", "ON_ERROR_STOP=1", address or self.address, "-c", sql],
                              check=True, capture_output=True, text=True).stdout.strip()

    def create(self, name):
        self.query(f"CREATE DATABASE {name} TEMPLATE template0 ENCODING 'UTF8'")
        return self.address_of(name)

    @contextlib.contextmanager
    def created(self, name):
        """An empty database that is removed afterwards. No run pays for the pages that another has left to be written."""
        address = self.create(name)
        self.query("CHECKPOINT")
        try:
            yield address
        finally:
            self.query(f"DROP DATABASE {name} WITH (FORCE)")

    def stop(self):
        self.process.stdin.close()
        self.process.wait()


class Inserts:
    """Insertions without a form: pgbench's, and those of callers of the store, each with receipt and history."""

    def __init__(self, database, work, options):
        self.database, self.work, self.options = database, work, options
        self.tools = Programs(options.benchmark, "")
        for callers in (1, 64):
            self.tools.write_rows(self.rows(callers), "ordered", options.inserts // (1 if callers == 64 else 20))

    def rows(self, callers):
        return self.work / f"{callers}.rows"

    def cases(self):
        for clients in (1, 64):
            yield f"pgbench -c {clients}, PostgreSQL", lambda clients=clients: self.pgbench(clients)
        for callers in (1, 64):
            name = f"store, {callers} caller{'' if callers == 1 else 's'}, history"
            yield f"{name}, PostgreSQL", lambda callers=callers: self.store(callers)
            yield f"{name}, SQLite", lambda callers=callers: self.store_in_file(callers)

    def pgbench(self, clients):
        script = self.work / "insert.sql"
        script.write_text(INSERTION)
        with self.database.created("plain") as address:
            self.database.query(PLAIN_TABLE, address)
            output = subprocess.run(
                ["pgbench", "-n", "-M", "prepared", "-f", script, "-c", str(clients), "-j", str(min(clients, 2)),
                 "-T", str(self.options.seconds), address], check=True, capture_output=True, text=True).stdout
            done = int(re.search(r"actually processed: (\d+)", output).group(1))
            assert int(self.database.query("SELECT count(*) FROM plain", address)) == done, output
        assert "number of failed transactions: 0 " in output, output
        return float(re.search(r"tps = ([\d.]+)", output).group(1))

    def store(self, callers):
        with self.database.created("measured") as address, tempfile.TemporaryDirectory() as directory:
            found = self.tools.run_store(Path(directory), self.rows(callers), callers, "--database", address)
            counts = self.database.query(
                'SELECT (SELECT count(*) FROM aviary."Sample"), (SELECT count(*) FROM aviary.aviary_commit), '
                "(SELECT count(*) FROM aviary.aviary_change)", address)
        assert counts == "|".join([str(found["rows"])] * 3), (counts, found)
        return found["rowsPerSecond"]

    def store_in_file(self, callers):
        with tempfile.TemporaryDirectory() as directory:
            found = self.tools.run_store(Path(directory), self.rows(callers), callers)
            with sqlite3.connect(f"file:{directory}/store.sqlite?mode=ro", uri=True) as file:
                assert file.execute("SELECT count(*) FROM Sample").fetchone()[0] == found["rows"]
        return found["rowsPerSecond"]


class AviaryInDatabase(servers.Aviary):
    """A store in a database of the server."""

    def __init__(self, work, rows, workers, address):
        self.address = address
        super().__init__(work, rows, workers)

    def command(self, *arguments, text=""):
        super().command(*arguments, "--database", self.address, text=text)

    def processes(self):
        return [*super().processes(), "--database", self.address]


class Peer:
    """An admin with one engine, filled once."""

    def __init__(self, server, form, count):
        self.server, self.form, self.count = server, form, count


def peers(database, work, options):
    """Each admin with each engine, by its name."""
    def directory(name):
        (work / name).mkdir()
        return work / name

    def in_file(path, table):
        return lambda: adding.added(path, table)

    def in_database(address, table):
        return lambda: int(database.query(f"SELECT count(*) FROM {table} WHERE name LIKE 'Added %'", address))

    size = options.rows, options.workers
    aviary, django = database.create("aviary"), database.create("django")
    place = directory("aviary-sqlite")
    yield "Aviary, PostgreSQL", Peer(
        AviaryInDatabase(directory("aviary-postgresql"), *size, aviary), adding.aviary_form, in_database(aviary, 'aviary."Animal"'))
    yield "Aviary, SQLite", Peer(
        servers.Aviary(place, *size), adding.aviary_form, in_file(place / "aviary/store.sqlite", "Animal"))
    yield "Django admin, PostgreSQL", Peer(
        servers.Django(directory("django-postgresql"), *size, database=django), adding.django_form,
        in_database(django, "zoo_animal"))
    place = directory("django-sqlite")
    yield "Django admin, SQLite", Peer(
        servers.Django(place, *size), adding.django_form, in_file(place / "django.sqlite", "zoo_animal"))
    for address in (aviary, django):
        database.query("VACUUM ANALYZE", address)


@contextlib.contextmanager
def serving(server):
    server.start()
    try:
        yield server.sign_in()
    finally:
        server.stop()


def show_page(peer, options, seconds, _):
    with serving(peer.server) as cookie:
        listing.check_page(peer.server, cookie)
        return wrk.get(peer.server.port, peer.server.list_path, cookie, options.list_connections, seconds)


def add(peer, options, seconds, seed):
    before = peer.count()
    with serving(peer.server) as cookie:
        form = peer.form(peer.server, cookie)
        result = adding.post(form, cookie, peer.server.port, options.connections, seconds, seed)
    stored = peer.count() - before
    # Those that were under way at the end were stored without the load generator hearing of it.
    assert result["acknowledged"] <= stored <= result["acknowledged"] + options.connections + result["lost"], (result, stored)
    return {**result, "rate": result["acknowledged"] / result["seconds"], "failed": result["refused"] + result["lost"]}


def rounds(title, cases, options, measure):
    """Measures all cases in turns; the first round only warms the machine up."""
    runs = {}
    for run in range(options.runs + 1):
        for name, case in cases:
            found = measure(case, run)
            if run:
                runs.setdefault(name, []).append(found)
                print(f"{title} {run}  {name:36} {found['rate']:10,.1f}/s" + (
                    f"  p50 {found['p50']:.1f} ms, p99 {found['p99']:.1f} ms" if "p50" in found else ""), flush=True)
    return {name: {**figures.spread([run["rate"] for run in found]),
                   **{key: figures.middle(found, key) for key in ("p50", "p99") if key in found[0]},
                   **({"failed": figures.total(found, "failed")} if "failed" in found[0] else {})}
            for name, found in runs.items()}


def measure_all(database, work, options):
    result = {"server": database.query("SHOW server_version").split()[0]}
    cases = list(Inserts(database, work, options).cases())
    result["inserts"] = rounds("inserts", cases, options, lambda case, _: {"rate": case()})
    admins = list(peers(database, work, options))
    seconds = options.seconds
    result["pages"] = rounds("pages", admins, options, lambda peer, run: show_page(peer, options, seconds if run else 1, run))
    result["adds"] = rounds("adds", admins, options, lambda peer, run: add(peer, options, seconds if run else 1, run))
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--inserts", type=int, default=40_000, help="of 64 callers of the store; one caller has a twentieth of them")
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--connections", type=int, default=64, help="that add by form")
    parser.add_argument("--list-connections", type=int, default=16)
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--benchmark", default=os.environ.get("STORE_BENCHMARK", ".build/release/StoreBenchmark"))
    parser.add_argument("--json", help="write the result to this file")
    options = parser.parse_args()

    database = Database()
    try:
        with tempfile.TemporaryDirectory() as work:
            result = measure_all(database, Path(work), options)
    finally:
        database.stop()
    for part in ("inserts", "pages", "adds"):
        for name, found in result[part].items():
            print(f"median {part:8} {name:36} {found['median']:10,.1f}/s ({found['lowest']:,.1f} to {found['highest']:,.1f})")
    figures.write(options.json, "postgresql", options, result)


if __name__ == "__main__":
    main()
