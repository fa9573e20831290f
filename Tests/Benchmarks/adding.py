#!/usr/bin/env python3
"""Measures adding records by form (checked, durable): through the store's process, in one process, and beside other admins.

In turns on the same machine, each server freshly started on a copy of the same data. Every acknowledged record is looked for
in the file afterwards. Prints a line a run, the medians and the ratios.
"""
import argparse
import json
import os
import re
import shutil
import sqlite3
import subprocess
import tempfile
from pathlib import Path

import figures
import servers

HERE = Path(__file__).resolve().parent


class Form:
    """What is posted: {n} is the number of the request, {id} and {draft} are ids of its own."""

    def __init__(self, path, body, status):
        self.path, self.body, self.status = path, body, status


def aviary_form(server, cookie):
    _, _, page = servers.get(server.port, "/admin", {"Cookie": cookie})
    token = re.search(rb'<meta name="csrf-token" content="([^"]+)">', page).group(1).decode()
    return Form("/admin/animals", f"csrf={token}&id={{id}}&draft={{draft}}&version=&name=Added+{{n}}&diet=omnivorous&category=", 303)


def django_form(server, cookie):
    path = "/admin/zoo/animal/add/"
    _, _, page = servers.get(server.port, path, {"Cookie": cookie})
    token = re.search(rb'name="csrfmiddlewaretoken" value="([^"]+)"', page).group(1).decode()
    return Form(path, f"csrfmiddlewaretoken={token}&name=Added+{{n}}&diet=omnivorous&category=&_save=Save", 302)


def flask_form(server, cookie):
    path = "/admin/animal/new/"
    _, _, page = servers.get(server.port, path, {"Cookie": cookie})
    token = re.search(rb'name="csrf_token"[^>]*value="([^"]+)"', page).group(1).decode()
    return Form(path, f"csrf_token={token}&name=Added+{{n}}&diet=omnivorous&category=__None", 302)


PEERS = [
    (servers.Aviary, aviary_form, "store.sqlite", "Animal"),
    (servers.AviaryInProcess, aviary_form, "store.sqlite", "Animal"),
    (servers.Django, django_form, "django.sqlite", "zoo_animal"),
    (servers.FlaskAdmin, flask_form, "flask.sqlite", "animal"),
]


def post(form, cookie, port, connections, seconds, seed):
    environment = {**os.environ, "ADD_PATH": form.path, "ADD_BODY": form.body, "ADD_STATUS": str(form.status),
                   "ADD_COOKIE": cookie, "ADD_SEED": str(seed)}
    output = subprocess.run(
        ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--timeout", "30s", "-s", HERE / "add.lua", f"http://127.0.0.1:{port}"],
        check=True, capture_output=True, text=True, env=environment).stdout
    return json.loads(re.search(r"JSON(\{.*\})", output).group(1))


def added(path, table):
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as database:
        return database.execute(f"SELECT count(*) FROM \"{table}\" WHERE name LIKE 'Added %'").fetchone()[0]


def measure(kind, make_form, file, table, options, seconds, seed):
    with tempfile.TemporaryDirectory() as work:
        server = kind(Path(work), options.rows, options.workers)
        server.start()
        try:
            cookie = server.sign_in()
            form = make_form(server, cookie)
            result = post(form, cookie, server.port, options.connections, seconds, seed)
        finally:
            server.stop()
        stored = added(next(Path(work).rglob(file)), table)
    # Those that were under way at the end were stored without the load generator hearing of it.
    assert result["acknowledged"] <= stored <= result["acknowledged"] + options.connections + result["lost"], (result, stored)
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--connections", type=int, default=64)
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--json", help="write the result to this file")
    options = parser.parse_args()

    results = {}
    for run in range(options.runs + 1):
        for kind, make_form, file, table in PEERS:
            result = measure(kind, make_form, file, table, options, options.seconds if run else 1, run)
            if not run:  # the first round only warms the machine up
                continue
            rate = result["acknowledged"] / result["seconds"]
            results.setdefault(kind.name, []).append(
                {"rate": rate, "p50": result["p50"], "p99": result["p99"], "failed": result["refused"] + result["lost"]})
            print(f"run {run}  {kind.name:24} {rate:10.1f} adds/s  p50 {result['p50']:.1f} ms, p99 {result['p99']:.1f} ms, "
                  f"{result['refused']} refused, {result['lost']} lost", flush=True)
    medians = {
        name: {**figures.spread([run["rate"] for run in runs]), **{key: figures.middle(runs, key) for key in ("p50", "p99")},
               "failed": figures.total(runs, "failed")}
        for name, runs in results.items()
    }
    for name, found in medians.items():
        print(f"median {name:24} {found['median']:10.1f} adds/s  p50 {found['p50']:.1f} ms, p99 {found['p99']:.1f} ms, {found['failed']:.0f} failed")
    shared = medians["Aviary"]["median"] / medians["Aviary in one process"]["median"]
    beside = medians["Aviary"]["median"] / medians["Django admin"]["median"]
    print(f"through the store's process {shared:.2f} of one process, {beside:.1f} times Django")
    figures.write(options.json, "adding", options, medians)


if __name__ == "__main__":
    main()
