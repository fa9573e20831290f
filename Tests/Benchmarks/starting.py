#!/usr/bin/env python3
"""Measures, beside Django, the time from the start to the first page and the memory of an idle web worker.

In turns on the same machine. The first page is the one for signing in, for all of them: there is no other for who has just
come. Memory is what the worker that serves holds for itself and shares (resident), and its share
where pages are shared between processes (proportional).
"""
import argparse
import contextlib
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

import figures
import servers


def children(pid):
    # Every thread lists those that it has started itself.
    return [int(child) for task in Path(f"/proc/{pid}/task").iterdir() for child in (task / "children").read_text().split()]


def memory(pid):
    """Resident and proportional size in MiB."""
    fields = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:])
    return [int(fields[name].split()[0]) / 1024 for name in ("Rss", "Pss")]


def web_workers(server):
    processes = children(server.process.pid)
    if isinstance(server, servers.Aviary):
        return [pid for pid in processes if b"worker-process" in Path(f"/proc/{pid}/cmdline").read_bytes()]
    return processes


def time_to_first_page(server):
    begun = time.monotonic()
    server.launch()
    while True:
        with contextlib.suppress(OSError):
            if servers.get(server.port, server.sign_in_path)[0] == 200:
                return time.monotonic() - begun
        time.sleep(0.001)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=11)
    parser.add_argument("--settle", type=float, default=3, help="seconds without a request before memory is read")
    parser.add_argument("--json", help="write the result to this file")
    options = parser.parse_args()

    kinds = [servers.Aviary, servers.AviaryInProcess, servers.Django]
    times, sizes = {}, {}
    with tempfile.TemporaryDirectory() as directory:
        peers = []
        for index, kind in enumerate(kinds):
            work = Path(directory) / str(index)
            work.mkdir()
            peers.append(kind(work, options.rows, 1))
        for run in range(options.runs + 1):
            for server in peers:
                try:
                    seconds = time_to_first_page(server)
                    if run == options.runs and not isinstance(server, servers.AviaryInProcess):
                        cookie = server.sign_in()
                        for _ in range(20):
                            assert servers.get(server.port, server.list_path, {"Cookie": cookie})[0] == 200
                        time.sleep(options.settle)
                        sizes[server.name] = max(memory(pid) for pid in web_workers(server))
                finally:
                    server.stop()
                if run:
                    times.setdefault(server.name, []).append(seconds * 1000)
    for name, values in times.items():
        print(f"start to first page  {name:24} median {statistics.median(values):7.0f} ms  ({min(values):.0f} to {max(values):.0f})")
    for name in list(times)[:2]:
        print(f"ratio of {name} to Django: {statistics.median(times[name]) / statistics.median(times['Django admin']):.2f}")
    for name, (resident, proportional) in sizes.items():
        print(f"idle worker after 20 pages  {name:17} {resident:6.1f} MiB resident, {proportional:.1f} MiB proportional")
    figures.write(options.json, "starting", options, {
        "first": {name: figures.spread(values) for name, values in times.items()},
        "memory": {name: {"resident": resident, "proportional": proportional} for name, (resident, proportional) in sizes.items()},
    })


if __name__ == "__main__":
    main()
