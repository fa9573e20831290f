#!/usr/bin/env python3
"""Measures, beside Django, the time from the start to the first page and the memory of all processes, idle and under load.

In turns on the same machine. The first page is the one for signing in, for all of them: there is no other for who has just
come. Memory is the sum over all processes of a server, where a page that several processes have counts once in all (proportional). The
load asks for a list over 16 connections, and then adds records by form over 64.
"""
import argparse
import contextlib
import statistics
import tempfile
import threading
import time
from pathlib import Path

import adding
import figures
import servers
import wrk

FORMS = {servers.Aviary: adding.aviary_form, servers.Django: adding.django_form}


def proportional(server):
    """The MiB of all processes of a server together."""
    return sum(servers.memory(pid)[1] for pid in servers.family(server.process.pid))


@contextlib.contextmanager
def watched(server):
    """Reads the memory ten times a second; the list that it gives ends with the largest."""
    largest, is_over = [0], threading.Event()

    def watch():
        while not is_over.wait(0.1):
            largest[0] = max(largest[0], proportional(server))

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield largest
    finally:
        is_over.set()
        watcher.join()


def measure_memory(server, options):
    """Idle after 20 pages, and the largest under load."""
    cookie = server.sign_in()
    for _ in range(20):
        assert servers.get(server.port, server.list_path, {"Cookie": cookie})[0] == 200
    time.sleep(options.settle)
    idle = proportional(server)
    form = FORMS[type(server)](server, cookie)
    with watched(server) as largest:
        wrk.get(server.port, server.list_path, cookie, 16, options.load)
        result = adding.post(form, cookie, server.port, 64, options.load, 1)
    assert result["acknowledged"] and not result["refused"], result
    return {"idle": idle, "load": largest[0]}


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
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--load", type=int, default=5, help="seconds of each kind of load")
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
            peers.append(kind(work, options.rows, options.workers))
        for run in range(options.runs + 1):
            for server in peers:
                try:
                    seconds = time_to_first_page(server)
                    if run == options.runs and type(server) in FORMS:
                        sizes[server.name] = measure_memory(server, options)
                finally:
                    server.stop()
                if run:
                    times.setdefault(server.name, []).append(seconds * 1000)
    for name, values in times.items():
        print(f"start to first page  {name:24} median {statistics.median(values):7.0f} ms  ({min(values):.0f} to {max(values):.0f})")
    for name in list(times)[:2]:
        print(f"ratio of {name} to Django: {statistics.median(times[name]) / statistics.median(times['Django admin']):.2f}")
    for name, found in sizes.items():
        print(f"all processes  {name:17} idle {found['idle']:6.1f} MiB, under load {found['load']:.1f} MiB")
    figures.write(options.json, "starting", options, {
        "first": {name: figures.spread(values) for name, values in times.items()}, "memory": sizes,
    })


if __name__ == "__main__":
    main()
