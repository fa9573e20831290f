#!/usr/bin/env python3
"""Runs all measurements, and writes their page.

Each part is a program of its own that prints its progress and writes its result. A part that fails does not affect the others, and
is named at the end. `--quick` shows in minutes that all of them work: its figures mean nothing, and it writes a copy of the page.
"""
import argparse
import json
import shutil
import subprocess
import sys
from pathlib import Path

import page

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent

# Part, program, arguments of the whole run, arguments of a quick one.
PARTS = {
    "listing": ("listing.py", [], ["--rows", "2000", "--runs", "1", "--seconds", "1"]),
    "filtering": ("filtering.py", [], ["--rows", "2000", "4000", "--runs", "1", "--seconds", "1"]),
    "correlated": ("correlated.py", [], ["--rows", "4000", "--runs", "1"]),
    "adding": ("adding.py", [], ["--rows", "500", "--runs", "1", "--seconds", "1"]),
    "store": ("Store/run.py", ["--runs", "5", "--rows", "40000", "--callers", "1", "64"],
              ["--runs", "1", "--rows", "2000", "--callers", "1", "64", "--quiet", "1"]),
    "snapshots": ("snapshots.py", [], ["--rows", "20000", "--runs", "1", "--rate", "20", "--seconds", "4"]),
    "importing": ("importing.py", [], ["--rows", "3000", "--runs", "1"]),
    "waiting": ("waiting.py", [], ["--rows", "2000", "--imported", "500", "--seconds", "1"]),
    "starting": ("starting.py", [], ["--rows", "500", "--runs", "2", "--settle", "0.5", "--load", "1"]),
    "wire": ("wire.py", [], ["--rows", "100"]),
    "storm": ("storm.py", [], ["--people", "4", "--rows", "200"]),
    "memory": ("memory.py", [], ["--rows", "200", "--connections", "40", "--seconds", "2"]),
    "agreement": ("agreement.py", [], ["--rows", "500", "--runs", "1", "--seconds", "1"]),
    "postgresql": ("postgresql.py", [], ["--rows", "2000", "--inserts", "2000", "--runs", "1", "--seconds", "1"]),
    # In small, what scripts/test-packages has built is used again.
    "building": ("building.py", [], ["--configurations", "debug", "--scratch", ".build/packages"]),
}


def run(part, directory, quick):
    program, arguments, small = PARTS[part]
    found = directory / f"{part}.json"
    # The result of an earlier run must not pass for one of this run.
    found.unlink(missing_ok=True)
    command = [sys.executable, HERE / program, *(small if quick else arguments), "--json", found]
    print(f"\n== {part} ==", flush=True)
    return subprocess.run(command, cwd=ROOT).returncode == 0 and found.exists()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[[], *PARTS], help="all unless named; what others found before is kept")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--directory", default=".build/benchmarks", help="where results are kept")
    options = parser.parse_args()
    directory = ROOT / options.directory / ("quick" if options.quick else "results")
    if not options.parts:
        shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True, exist_ok=True)
    failed = [part for part in options.parts or PARTS if not run(part, directory, options.quick)]

    (directory / "run.json").write_text(json.dumps({"part": "run", "result": {"quick": options.quick}}))
    target, images = ROOT / "docs/benchmarks.md", ROOT / "docs/images"
    if options.quick:
        target, images = Path(shutil.copy(target, directory / "benchmarks.md")), directory / "images"
    page.write(page.read(directory), target, images)
    print(f"\n{target} is written.")
    if failed:
        sys.exit(f"These parts failed: {', '.join(failed)}. Their output is above.")


if __name__ == "__main__":
    main()
