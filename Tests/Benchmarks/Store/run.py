#!/usr/bin/env python3
"""Measures durable change sets a second beside SQLite's C interface, which commits the same rows into the same tables.

Both are run in turns in the same directory. Prints a line a run, then medians, ranges and ratios; figures of one
machine and one hour only compare with each other.
"""
import argparse
import statistics
import sys
import tempfile
from pathlib import Path

import programs

sys.path.append(str(Path(__file__).resolve().parent.parent))
import figures  # noqa: E402

ALIKE = "C, a commit a row, our tables too"
PEERS = {
    "C, a commit a row": [],
    ALIKE: ["--commits"],
    "C, batches of 64": ["--batch", "64"],
    "C, batches of 64, our tables too": ["--batch", "64", "--commits"],
    "C, batches of 64, history too": ["--batch", "64", "--commits", "--history-from", "0"],
}
# How often a run is repeated that others disturb; the last one counts in any case.
ATTEMPTS = 4
# What must be reached: callers, history, beside which peer or without one, value.
GOALS = [(64, "off", "C, a commit a row", 3.0), (1, "off", ALIKE, 0.85), (64, "off", None, 45_000), (64, "on", None, 25_000)]


def store_name(callers, history):
    return f"store, {callers} caller{'' if callers == 1 else 's'}{'' if history == 'off' else ', history'}"


def cases(tools, options):
    """Name and how to run it, for a directory with a fresh store and a file of rows."""
    for name, arguments in PEERS.items():
        yield name, lambda directory, rows, arguments=arguments: tools.run_peer(
            directory / "store.sqlite", rows, *arguments)
    for history in options.history:
        for callers in options.callers:
            yield store_name(callers, history), lambda directory, rows, callers=callers, history=history: (
                tools.run_store(directory, rows, callers, "--history", history))


def measure(tools, options, directory, keys):
    rows = directory / f"{keys}.rows"
    tools.write_rows(rows, keys, options.rows)
    empty = tools.prepare(directory / "empty")
    results = {}
    for turn in range(1, options.runs + 1):
        for name, run in cases(tools, options):
            for attempt in range(ATTEMPTS):
                store = programs.fresh_copy(empty, directory / "measured")
                result = run(store.parent, rows)
                programs.check_contents(store, rows)
                # Decided by what others did, never by the figure.
                if result["others"] <= options.quiet:
                    break
            results.setdefault(name, []).append(result)
            print(f"{keys:8} run {turn}  {name:36} {result['rowsPerSecond']:10,.0f}/s   p50 {result['p50Milliseconds']:7.3f} "
                  f"p99 {result['p99Milliseconds']:7.3f} ms   others {result['others']:4.0%}", flush=True)
    return results


def summary(keys, results):
    rates = {name: [run["rowsPerSecond"] for run in runs] for name, runs in results.items()}
    medians = {name: statistics.median(values) for name, values in rates.items()}
    peer = medians[next(iter(PEERS))]
    print(f"\n{keys} unique values{'':22} {'median/s':>10}  {'lowest to highest':>21}  {'to C':>6}  "
          f"{'p50 ms':>7}  {'p99 ms':>7}  others")
    for name, runs in results.items():
        middle = {key: statistics.median(run[key] for run in runs) for key in ("p50Milliseconds", "p99Milliseconds", "others")}
        print(f"{name:42} {medians[name]:10,.0f}  {min(rates[name]):9,.0f} to {max(rates[name]):8,.0f}  "
              f"{medians[name] / peer:6.2f}  {middle['p50Milliseconds']:7.3f}  {middle['p99Milliseconds']:7.3f}  {middle['others']:5.0%}")
    for callers, history, beside, wanted in GOALS:
        found = medians.get(store_name(callers, history))
        if found:
            value = found / medians[beside] if beside else found
            text, goal = (f"{value:.2f} x {beside}", f"{wanted}") if beside else (f"{value:,.0f}/s", f"{wanted:,}/s")
            print(f"  {'reached' if value >= wanted else 'MISSED '}  {callers:2} at a time, history {history}: {text}, goal {goal}")
    print(flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=60_000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--keys", nargs="+", choices=["ordered", "random"], default=["ordered", "random"])
    parser.add_argument("--callers", nargs="+", type=int, default=[1, 64, 512])
    parser.add_argument("--history", nargs="+", choices=["on", "off"], default=["off", "on"])
    parser.add_argument("--benchmark", default=".build/release/StoreBenchmark")
    parser.add_argument("--peer", default=".build/benchmarks/peer")
    parser.add_argument("--directory", default=".build/benchmarks", help="where the stores are made, and so on which disk")
    parser.add_argument("--quiet", type=float, default=0.1,
                        help="a run is repeated when others had more than this share of the machine")
    parser.add_argument("--json", help="write the results to this file")
    options = parser.parse_args()

    tools = programs.Programs(options.benchmark, options.peer)
    results = {}
    with tempfile.TemporaryDirectory(dir=options.directory) as directory:
        for keys in options.keys:
            place = Path(directory) / keys
            place.mkdir()
            results[keys] = measure(tools, options, place, keys)
    for keys, runs in results.items():
        summary(keys, runs)
    figures.write(options.json, "store", options, results)


if __name__ == "__main__":
    main()
