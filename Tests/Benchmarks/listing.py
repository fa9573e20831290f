#!/usr/bin/env python3
"""Measures a list page (50 rows of many) beside Django's admin, in turns on the same machine.

Prints a line a run and the medians; figures of one machine and one hour only compare with each other.
"""
import argparse
import json
import re
import statistics
import subprocess
import tempfile
from pathlib import Path

import servers


def measure(server, cookie, connections, seconds):
    output = subprocess.run(
        ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--latency", "-H", f"Cookie: {cookie}",
         f"http://127.0.0.1:{server.port}{server.list_path}"],
        check=True, capture_output=True, text=True).stdout
    assert "Non-2xx" not in output and "Socket errors" not in output, output
    return float(re.search(r"Requests/sec:\s+([\d.]+)", output).group(1))


def check_page(server, cookie):
    """The server really shows 50 rows, uncompressed, and to nobody who is not signed in."""
    assert servers.get(server.port, server.list_path)[0] in (302, 303), server.name
    status, _, page = servers.get(server.port, server.list_path, {"Cookie": cookie})
    rows = len(set(re.findall(rb"x\d{7}", page)))
    assert status == 200 and rows == 50, f"{server.name}: status {status}, {rows} rows"
    return len(page)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--connections", type=int, default=16)
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--json", help="write the result to this file")
    options = parser.parse_args()

    results = {}
    with tempfile.TemporaryDirectory() as directory:
        peers = [kind(Path(directory), options.rows, options.workers) for kind in (servers.Aviary, servers.Django)]
        for run in range(options.runs + 1):
            for peer in peers:
                peer.start()
                try:
                    cookie = peer.sign_in()
                    size = check_page(peer, cookie)
                    rate = measure(peer, cookie, options.connections, options.seconds if run else 1)
                finally:
                    peer.stop()
                if run:  # the first round only warms the machine up
                    results.setdefault(peer.name, []).append(rate)
                    print(f"run {run}  {peer.name:14} {rate:10.1f} pages/s  ({size:,} bytes)", flush=True)
    medians = {name: statistics.median(rates) for name, rates in results.items()}
    ratio = medians["Aviary"] / medians["Django admin"]
    for name, median in medians.items():
        print(f"median {name:14} {median:10.1f} pages/s  ({min(results[name]):.1f} to {max(results[name]):.1f})")
    print(f"ratio {ratio:.1f}")
    if options.json:
        Path(options.json).write_text(json.dumps({"options": vars(options), "rates": results, "medians": medians, "ratio": ratio}))


if __name__ == "__main__":
    main()
