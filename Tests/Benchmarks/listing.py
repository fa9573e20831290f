#!/usr/bin/env python3
"""Measures a list page (50 rows of many) beside Django's admin and Flask-Admin, and beside what the framework and nginx can do.

In turns on the same machine, each server freshly started. Aviary's is measured once more while its model is changed a hundred times a
second, each change a form that is checked and on disk. Prints a line a run and the medians.
"""
import argparse
import re
import tempfile
from pathlib import Path

import adding
import figures
import servers
import wrk
from writer import Writer

ADMINS = [servers.Aviary, servers.Django, servers.FlaskAdmin]
CHANGED = "Aviary, its model is changed 100 times a second"


def check_page(server, cookie):
    """An admin really shows 50 rows, uncompressed, and to nobody who is not signed in."""
    status, _, page = servers.get(server.port, server.list_path, {"Cookie": cookie})
    if not isinstance(server, tuple(ADMINS)):
        assert status == 200, status
        return len(page)
    assert servers.get(server.port, server.list_path)[0] in (302, 303), server.name
    rows = len(set(re.findall(rb"x\d{7}", page)))
    assert status == 200 and rows == 50, f"{server.name}: status {status}, {rows} rows"
    return len(page)


def measure_while_changed(server, cookie, rate, connections, seconds):
    """The pages a second, and the saves a second beside them. The new records are at the end of the list."""
    form = adding.aviary_form(server, cookie)
    form.body = form.body.replace("Added", "Zebra+added")
    with Writer(server.port, form, cookie, rate) as writer:
        result = wrk.get(server.port, server.list_path, cookie, connections, seconds)
    assert writer.reached >= 0.9 * rate, f"only {writer.reached:.0f} of {rate} saves a second"
    return {**result, "saves": writer.reached}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--connections", type=int, default=16)
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--changes", type=int, default=100, help="saves a second while the changed model's list is measured")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--json", help="write the result to this file")
    options = parser.parse_args()

    results, sizes = {}, {}

    def keep(run, name, size, result):
        if run:  # the first round only warms the machine up
            sizes[name] = size
            results.setdefault(name, []).append(result)
            print(f"run {run}  {name:34} {result['rate']:10.1f} pages/s  ({size:,} bytes)", flush=True)

    with tempfile.TemporaryDirectory() as directory:
        peers = [kind(Path(directory), options.rows, options.workers) for kind in (*ADMINS, servers.Hello, servers.Nginx)]
        for run in range(options.runs + 1):
            for peer in peers:
                peer.start()
                try:
                    cookie = peer.sign_in()
                    size, seconds = check_page(peer, cookie), options.seconds if run else 1
                    keep(run, peer.name, size, wrk.get(peer.port, peer.list_path, cookie, options.connections, seconds))
                    if isinstance(peer, servers.Aviary):
                        servers.Nginx.page = b"x" * size  # as many bytes for both
                        keep(run, CHANGED, size, measure_while_changed(peer, cookie, options.changes, options.connections, seconds))
                finally:
                    peer.stop()
    rates = {name: figures.spread([run["rate"] for run in runs]) for name, runs in results.items()}
    for name, rate in rates.items():
        print(f"median {name:34} {rate['median']:10.1f} pages/s  ({rate['lowest']:.1f} to {rate['highest']:.1f})")
    figures.write(options.json, "listing", options, {
        "rates": rates, "bytes": sizes, "p50": {name: figures.middle(runs, "p50") for name, runs in results.items()},
        "p99": {name: figures.middle(runs, "p99") for name, runs in results.items()},
        "saves": figures.middle(results[CHANGED], "saves"),
    })


if __name__ == "__main__":
    main()
