#!/usr/bin/env python3
"""Measures how long saves wait while somebody else deletes, undoes, imports or restores records by the hundred thousand.

A server with a million animals, whose categories have the sizes of data.py. One writer saves an animal by form many times a second,
and each wait counts from the time at which the save was due, so that one stall counts for all saves in it. Meanwhile a command does
the work and is waited for until nothing of it is left. The writer alone is measured first.
"""
import argparse
import contextlib
import json
import subprocess
import tempfile
import time
from pathlib import Path

import adding
import correlated
import data
import figures
import servers
from writer import Writer


class Flights(correlated.Flights):
    def output(self, *arguments):
        return subprocess.run([self.binary, *arguments, "--data", self.directory], check=True, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL).stdout

    @property
    def is_at_work(self):
        """Whether rows of a large delete or undo are left, which nobody sees any more."""
        with contextlib.suppress(subprocess.CalledProcessError):
            return json.loads(self.output("status", "--json")).get("longChange") is not None
        return True

    @property
    def store_process(self):
        """The process of the store: the first that the supervisor starts."""
        return servers.family(self.process.pid)[1]

    @property
    def megabytes(self):
        """The size of the store with its log, in MiB."""
        return sum(path.stat().st_size for path in self.directory.glob("store.sqlite*")) / 1024 / 1024


def commit(output, animals):
    """The number of the commit that has deleted as many animals as expected."""
    report = json.loads(output)
    assert report["deleted"]["Animal"] == animals, report
    return str(report["commit"])


def measure(server, cookie, rate, name, work):
    """The waits of the writer while the work is done, and the store's memory and size."""
    Path(f"/proc/{server.store_process}/clear_refs").write_text("5")  # the largest memory from now on
    form, before = adding.aviary_form(server, cookie), server.megabytes
    form.body = form.body.replace("Added", name.replace(" ", "+"))
    with Writer(server.port, form, cookie, rate, is_strict=False) as writer:
        begun = time.monotonic()
        result = work()
        answered = time.monotonic() - begun
        while server.is_at_work:
            time.sleep(0.2)
        completed = time.monotonic() - begun
    waits = sorted(writer.waits)
    status = Path(f"/proc/{server.store_process}/status").read_text()
    found = {
        "answered": answered, "completed": completed, "saves": len(waits), "refused": len(writer.refused),
        "p50": waits[len(waits) // 2], "p99": waits[len(waits) * 99 // 100], "longest": waits[-1],
        "memory": int(status.split("VmHWM:")[1].split()[0]) / 1024, "before": before, "after": server.megabytes,
    }
    print(f"{name:24} " + "  ".join(f"{key} {value:.1f}" for key, value in found.items()), flush=True)
    return found, result


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--imported", type=int, default=200_000, help="records of the import")
    parser.add_argument("--rate", type=float, default=40, help="saves a second")
    parser.add_argument("--seconds", type=float, default=20, help="how long the writer alone is measured")
    parser.add_argument("--json", help="write the result to this file")
    options = parser.parse_args()
    largest, second = sorted(data.AIRLINES, key=data.AIRLINES.get, reverse=True)[:2]
    counts = data.flight_counts(options.rows)
    with tempfile.TemporaryDirectory() as directory:
        server, snapshot = Flights(Path(directory), options.rows, 2), Path(directory) / "before.jsonl.gz"
        server.output("backup", "--output", snapshot)
        table = Path(directory) / "more.csv"
        data.write_flights(table, options.imported, options.rows)
        server.start()
        try:
            cookie, results = server.sign_in(), {}

            def run(name, work):
                results[name], result = measure(server, cookie, options.rate, name, work)
                return result

            run("nothing", lambda: time.sleep(options.seconds))
            deleted = run("delete of a category", lambda: commit(
                server.output("delete", "AnimalCategory", "--query", f"q={largest}", "--yes", "--json"), counts[largest]))
            run("undo of the delete", lambda: server.output("undo", deleted, "--yes", "--json"))
            deleted = run("delete by a search", lambda: commit(
                server.output("delete", "Animal", "--query", f"q={second}", "--yes", "--json"), counts[second]))
            run("undo of this delete", lambda: server.output("undo", deleted, "--yes", "--json"))
            run("import", lambda: server.output("import", "Animal", table, "--json"))
            run("restore", lambda: server.output("restore", snapshot, "--yes"))
        finally:
            server.stop()
    figures.write(options.json, "waiting", options, {"rows": options.rows, "imported": options.imported, "work": results})


if __name__ == "__main__":
    main()
