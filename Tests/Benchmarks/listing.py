#!/usr/bin/env python3
"""Measures a list page (50 rows of many) beside Django's admin and Flask-Admin, and beside what the framework and nginx can do.

In turns on the same machine, each server freshly started. Prints a line a run and the medians.
"""
import argparse
import re
import tempfile
from pathlib import Path

import figures
import servers
import wrk

ADMINS = [servers.Aviary, servers.Django, servers.FlaskAdmin]


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


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--connections", type=int, default=16)
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--json", help="write the result to this file")
    options = parser.parse_args()

    results, sizes = {}, {}
    with tempfile.TemporaryDirectory() as directory:
        peers = [kind(Path(directory), options.rows, options.workers) for kind in (*ADMINS, servers.Hello, servers.Nginx)]
        for run in range(options.runs + 1):
            for peer in peers:
                peer.start()
                try:
                    cookie = peer.sign_in()
                    sizes[peer.name] = check_page(peer, cookie)
                    result = wrk.get(peer.port, peer.list_path, cookie, options.connections, options.seconds if run else 1)
                finally:
                    peer.stop()
                if isinstance(peer, servers.Aviary):
                    servers.Nginx.page = b"x" * sizes[peer.name]  # as many bytes for both
                if run:  # the first round only warms the machine up
                    results.setdefault(peer.name, []).append(result)
                    print(f"run {run}  {peer.name:34} {result['rate']:10.1f} pages/s  ({sizes[peer.name]:,} bytes)", flush=True)
    rates = {name: figures.spread([run["rate"] for run in runs]) for name, runs in results.items()}
    for name, rate in rates.items():
        print(f"median {name:34} {rate['median']:10.1f} pages/s  ({rate['lowest']:.1f} to {rate['highest']:.1f})")
    figures.write(options.json, "listing", options, {
        "rates": rates, "bytes": sizes, "p50": {name: figures.middle(runs, "p50") for name, runs in results.items()},
        "p99": {name: figures.middle(runs, "p99") for name, runs in results.items()},
    })


if __name__ == "__main__":
    main()
