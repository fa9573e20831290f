#!/usr/bin/env python3
"""Measures what adding a record costs in a large store beside a small one, in turns.

The goal: 1.3 times as much at 10 million records as at 10 thousand when all keys grow with time, 3 times with one unique
index of random values.
"""
import argparse
import json
import shutil
import statistics
import subprocess
import tempfile
from pathlib import Path

import programs

GOALS = {"ordered": 1.3, "random": 3.0}
# Tables, receipts and indexes, measured; and the log.
BYTES_A_ROW = 700


def check_disk(directory, rows):
    needed, free = rows * BYTES_A_ROW, shutil.disk_usage(directory).free
    if free < 2 * needed:
        raise SystemExit(f"{rows:,} rows need {needed / 2**30:.1f} GiB, and as much again must stay free; "
                         f"{free / 2**30:.1f} GiB are. Give fewer --rows.")


def measure(tools, options, directory, keys, callers):
    """Costs in microseconds a record, by store. Turns that others disturbed do not count, whatever they cost."""
    command = [tools.benchmark, "growth", "--large", directory / "large", "--small", directory / "small/store.sqlite",
               "--copies", directory / "copies", "--first", str(options.first), "--keys", keys,
               "--callers", str(callers), "--history", options.history, "--turns", str(options.turns), "--rows", str(options.added)]
    turns = {"large": [], "small": []}
    with subprocess.Popen([str(part) for part in command], stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            turn = json.loads(line)
            turns[turn["store"]].append((turn["others"], 1e6 / turn["report"]["rowsPerSecond"]))
    if process.returncode != 0:
        raise SystemExit("the measurement failed")
    quiet = {store: [cost for others, cost in measured if others <= options.quiet] for store, measured in turns.items()}
    is_disturbed = min(map(len, quiet.values())) < 3
    costs = {store: [cost for _, cost in measured] for store, measured in turns.items()} if is_disturbed else quiet
    options.first += 100 * options.added * options.turns
    ratio = statistics.median(costs["large"]) / statistics.median(costs["small"])
    for store, count in (("small", options.small), ("large", options.rows)):
        print(f"{keys:8} {callers:3} callers  {count:12,} records  median {statistics.median(costs[store]):7.1f} µs a record "
              f"({min(costs[store]):.1f} to {max(costs[store]):.1f}, {len(quiet[store])} quiet turns)")
    print(f"{keys:8} {callers:3} callers  ratio {ratio:.2f}, goal at most {GOALS[keys]}: "
          f"{'reached' if ratio <= GOALS[keys] else 'MISSED'}{'   DISTURBED, worth nothing' if is_disturbed else ''}", flush=True)
    return {"keys": keys, "callers": callers, "costs": costs, "ratio": ratio}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=10_000_000, help="records of the large store")
    parser.add_argument("--small", type=int, default=10_000, help="records of the small store")
    parser.add_argument("--added", type=int, default=5000, help="records added in a turn")
    parser.add_argument("--turns", type=int, default=15)
    parser.add_argument("--quiet", type=float, default=0.1, help="the share of the machine that others may have in a turn")
    parser.add_argument("--keys", nargs="+", choices=list(GOALS), default=list(GOALS))
    parser.add_argument("--callers", nargs="+", type=int, default=[1, 64])
    parser.add_argument("--history", choices=["on", "off"], default="on")
    parser.add_argument("--benchmark", default=".build/release/StoreBenchmark")
    parser.add_argument("--peer", default=".build/benchmarks/peer")
    parser.add_argument("--directory", default=".build/benchmarks", help="where the stores are made, and so on which disk")
    parser.add_argument("--json", help="write the results to this file")
    options = parser.parse_args()

    check_disk(options.directory, options.rows)
    tools = programs.Programs(options.benchmark, options.peer)
    results = []
    for keys in options.keys:
        options.first = options.rows
        with tempfile.TemporaryDirectory(dir=options.directory) as name:
            directory = Path(name)
            for store, count in (("small", options.small), ("large", options.rows)):
                result = tools.fill(tools.prepare(directory / store), keys, count, options.history)
                size = (directory / store / "store.sqlite").stat().st_size
                print(f"{keys:8} {count:12,} records  filled in {result['seconds']:.0f} s, {size / count:.0f} bytes a record",
                      flush=True)
            for callers in options.callers:
                results.append(measure(tools, options, directory, keys, callers))
    if options.json:
        Path(options.json).write_text(json.dumps(results))


if __name__ == "__main__":
    main()
