#!/usr/bin/env python3
"""Measures backup and restore beside sqlite3's own .dump through gzip, and saves beside backups.

First saves at a fixed rate, with backups beside them one after the other and without, and the time from when each was due to its
answer. Then seconds and the largest memory of backup, restore and their peers, in turns.
"""
import argparse
import json
import os
import subprocess
import tempfile
import threading
import time
from pathlib import Path

import figures
import servers

PART = 100_000  # records in each imported file
SCRATCH = ["ours.jsonl.gz", "dump.sql.gz", "copy.sqlite", "elsewhere"]  # what a round trip writes


def timed(command):
    """Seconds and MiB of the largest process."""
    begun = time.monotonic()
    process = subprocess.Popen(["bash", "-c", command] if isinstance(command, str) else [str(part) for part in command],
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, command
    return {"seconds": time.monotonic() - begun, "memory": usage.ru_maxrss / 1024}


def fill(program, work, rows):
    for first in range(0, rows, PART):
        count = min(PART, rows - first)
        part = work / "part.csv"
        part.write_text("name,birthday\n" + "".join(f"Friend {first + number} of the zoo,2001-02-03\n" for number in range(count)))
        subprocess.run([program, "import", "Friend", part, "--data", work / "data"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    subprocess.run([program, "user", "add", "writer", "--role", "editor", "--password-stdin", "--data", work / "data"],
                   input=servers.Aviary.password, text=True, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def round_trip(program, work):
    """A snapshot has no history, so sqlite3 dumps a store that has none either: the one that was restored, with the same records
    and the same indexes."""
    ours, dump, copy, elsewhere = (work / name for name in SCRATCH)
    for old in (ours, dump, copy):
        old.unlink(missing_ok=True)
    subprocess.run(["rm", "-rf", elsewhere], check=True)
    return {
        "backup": timed([program, "backup", "--data", work / "data", "--output", ours]),
        "restore": timed([program, "restore", ours, "--yes", "--data", elsewhere]),
        "dump": timed(f"sqlite3 '{elsewhere}/store.sqlite' .dump | gzip -1 >'{dump}'"),
        "undump": timed(f"zcat '{dump}' | sqlite3 '{copy}'"),
    }


class Served:
    """The same directory, with a server in front."""

    def __init__(self, program, directory):
        self.program, self.directory, self.port = program, directory, servers.free_port()

    def __enter__(self):
        self.process = subprocess.Popen([self.program, "serve", "--workers", "2", "--port", str(self.port), "--data", self.directory],
                                        stdout=subprocess.DEVNULL)
        servers.wait_until_ready(self.port, "/healthz", self.process)
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(30)

    def load(self, rate, seconds):
        """Adds at a rate; the animals' list is short, so the check at the end is, too."""
        output = subprocess.run(
            [self.program, "loadtest", "--url", f"http://127.0.0.1:{self.port}", "--user", "writer", "--password-stdin", "--json",
             "--model", "animals", "--scenario", "add", "--rate", str(rate), "--duration", f"{seconds}s", "--processes", "1"],
            input=servers.Aviary.password, text=True, check=True, capture_output=True).stdout
        result = json.loads(output)
        assert result["good"], result["violations"]
        return {"p50": result["latency"]["add.save"]["p50"], "p99": result["latency"]["add.save"]["p99"], "max": result["latency"]["add.save"]["max"]}


def meanwhile(program, work, options, run):
    """Latency of saves with and without a backup beside them."""
    with Served(program, work / "data") as server:
        alone = server.load(options.rate, options.seconds)
        done, backups = threading.Event(), []

        def back_up():
            # Again and again as long as records are added.
            while not done.is_set():
                backups.append(timed([program, "backup", "--data", work / "data", "--output", work / f"meanwhile-{run}-{len(backups)}.jsonl.gz"]))

        thread = threading.Thread(target=back_up)
        thread.start()
        try:
            beside = server.load(options.rate, options.seconds)
        finally:
            done.set()
            thread.join()
    return {"alone": alone, "beside": beside, "backups": len(backups)}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--rate", type=float, default=100, help="adds a second while a backup is taken")
    parser.add_argument("--seconds", type=int, default=12)
    parser.add_argument("--json", help="write the result to this file")
    options = parser.parse_args()
    program = Path(os.environ.get("ZOO", servers.ROOT / ".build/release/zoo"))
    with tempfile.TemporaryDirectory() as directory:
        work = Path(directory)
        fill(program, work, options.rows)
        # First, and nothing is removed meanwhile: a file system can discard the blocks of removed files while saves are measured.
        stalls, runs = [], []
        for run in range(options.runs):
            stalls.append(meanwhile(program, work, options, run))
            print(f"run {run + 1}  saves beside {stalls[-1]['backups']} backups  "
                  + "  ".join(f"{name} p99 {stalls[-1][name]['p99']:.1f} ms, longest {stalls[-1][name]['max']:.1f} ms" for name in ("alone", "beside")), flush=True)
        for run in range(options.runs):
            runs.append(round_trip(program, work))
            print(f"run {run + 1}  " + "  ".join(f"{name} {found['seconds']:.2f} s, {found['memory']:.0f} MiB" for name, found in runs[-1].items()), flush=True)
    stall = {name: {key: figures.middle([run[name] for run in stalls], key) for key in ("p50", "p99", "max")} for name in ("alone", "beside")}
    print(f"a save beside a backup: p50 {stall['beside']['p50']:.1f} ms, longest {stall['beside']['max']:.1f} ms "
          f"(without one {stall['alone']['p50']:.1f} and {stall['alone']['max']:.1f} ms)")
    figures.write(options.json, "snapshots", options, {
        "rows": options.rows, "meanwhile": stall,
        **{name: {**figures.spread([run[name]["seconds"] for run in runs]), "memory": max(run[name]["memory"] for run in runs)} for name in runs[0]},
    })


if __name__ == "__main__":
    main()
