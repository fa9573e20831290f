#!/usr/bin/env python3
"""Writes the tables and plots of docs/benchmarks.md from what the parts found: page.py RESULTS PAGE IMAGES.

Between `<!-- bench: NAME -->` and `<!-- bench: end -->` the page is this program's; everything else is left as it is.
"""
import json
import platform
import re
import statistics
import subprocess
import sys
from pathlib import Path

import budgets
import plots


def table(heads, rows):
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    return "\n".join(lines + ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows])


def spread(found, unit=""):
    return f"{plots.number(found['median'])}{unit} ({plots.number(found['lowest'])} to {plots.number(found['highest'])})"


def machine(results):
    processor = next((line.split(":")[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name")), "unknown")
    cores = len([line for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("processor")])
    memory = int(re.search(r"MemTotal:\s+(\d+)", Path("/proc/meminfo").read_text()).group(1)) / 1024 / 1024
    swift = subprocess.run(["swift", "--version"], capture_output=True, text=True).stdout
    version = re.search(r"Swift version ([\d.]+)", swift)
    system = re.search(r'PRETTY_NAME="([^"]+)"', Path("/etc/os-release").read_text()).group(1)
    run = results["run"]
    return (f"{processor}, {cores} cores, {memory:.0f} GiB; {system}, Swift {version.group(1) if version else 'unknown'}, "
            f"Python {platform.python_version()}; {run['date']}, commit `{run['commit']}`"
            + (", **with small sizes: for trying the programs only**" if run["quick"] else "") + ".")


def listing(results):
    found = results["listing"]
    ours = found["rates"]["Aviary"]["median"]
    rows = [(name, f"{spread(rate)}", f"{found['p50'][name]:.1f}, {found['p99'][name]:.1f}", f"{found['bytes'][name]:,}",
             "" if name == "Aviary" else f"{ours / rate['median']:.2f}") for name, rate in found["rates"].items()]
    return picture("listing", "List pages a second", table(["", "pages/s, median (lowest to highest)", "p50, p99 ms", "bytes", "Aviary to it"], rows))


def narrowing(results):
    titles = {"first": "first page", "last": "last page", "sorted": "by name, descending", "prefix": "search, one match",
              "many": "search, a sixteenth matches", "filter": "filter, a third matches", "both": "search and filter"}
    found = results["narrowing"]
    heads = [f"{server}, {int(rows):,}" for server, sizes in found.items() for rows in sizes]
    rows = [[title] + [f"{spread(sizes[rows_][name])}, p99 {plots.number(sizes[rows_][name]['p99'])} ms" for sizes in found.values() for rows_ in sizes]
            for name, title in titles.items()]
    return table(["pages/s"] + heads, rows)


def adding(results):
    found = results["adding"]
    ours = found["Aviary"]["median"]
    rows = [(name, spread(rate), f"{rate['p50']:.1f}, {rate['p99']:.1f}", f"{rate['failed']:.0f}",
             "" if name == "Aviary" else f"{ours / rate['median']:.2f}") for name, rate in found.items()]
    if "store" in results:
        rate = budgets.store_rates(results)["C, a commit a row"]
        rows.append(("C, a commit an insert, no form", f"{plots.number(rate)}", "", "", f"{ours / rate:.2f}"))
    return picture("adding", "Records added a second", table(["", "adds/s, median (lowest to highest)", "p50, p99 ms", "failed", "Aviary to it"], rows))


def store(results):
    found = results["store"]
    names = list(next(iter(found.values())))
    rows = []
    for name in names:
        cells = [name]
        for runs in found.values():
            rates = [run["rowsPerSecond"] for run in runs[name]]
            p50, p99 = (statistics.median(run[key] for run in runs[name]) for key in ("p50Milliseconds", "p99Milliseconds"))
            cells += [f"{statistics.median(rates):,.0f}/s ({min(rates):,.0f} to {max(rates):,.0f})", f"{p50:.2f}, {p99:.2f}"]
        rows.append(cells)
    heads = [head for keys in found for head in (f"{keys} values of the unique column", "p50, p99 ms")]
    return table([""] + heads, rows)


def snapshots(results):
    found = results["snapshots"]
    names = {"backup": "backup", "dump": "`.dump \\| gzip -1`", "restore": "restore", "undump": "`zcat \\| sqlite3`"}
    rows = [(title, spread(found[name], " s"), f"{found[name]['memory']:.0f} MiB") for name, title in names.items()]
    stall = found["meanwhile"]
    return (picture("snapshots", "Seconds for a snapshot and back", table([f"{found['rows']:,} records", "median (lowest to highest)", "memory"], rows))
            + f"\n\nA save while a backup is taken, 100 a second: p50 {stall['beside']['p50']:.1f} ms, p99 {stall['beside']['p99']:.1f} ms, "
            f"longest {stall['beside']['max']:.1f} ms; without a backup {stall['alone']['p50']:.1f}, {stall['alone']['p99']:.1f} and {stall['alone']['max']:.1f} ms.")


def starting(results):
    found = results["starting"]
    rows = [(name, spread(first, " ms"),
             *(f"{found['memory'][name][key]:.1f} MiB" if name in found["memory"] else "" for key in ("resident", "proportional")))
            for name, first in found["first"].items()]
    return table(["", "first page, median (lowest to highest)", "an idle worker, resident", "its share"], rows)


def storm(results):
    found = results["storm"]
    return (f"{found['signedIn']} of {found['people']} who sign in at once were in within {found['seconds']:.1f} s; all processes together took "
            f"{found['before']:.0f} MiB before and at most {found['most']:.0f} MiB meanwhile; a list took {found['stormy'] / found['calm']:.2f} times as long.")


def agreement(results):
    found = results["agreement"]
    rows = [(name, spread(found["rates"][name]), f"{found['p50'][name]:.2f}, {found['p99'][name]:.2f}") for name in ("wrk", "harness")]
    met = abs(found["ratio"] - 1) <= 0.1
    return (table(["", "pages/s, median (lowest to highest)", "p50, p99 ms"], rows)
            + f"\n\nThe harness measures {found['ratio']:.2f} of what wrk measures: {'within' if met else '**not** within'} a tenth.")


def budget_table(results):
    return table(["what", "needed", "found", ""], [budget.row(results) for budget in budgets.BUDGETS])


def picture(name, title, content):
    return f"![{title}](images/bench-{name}.svg)\n\n{content}"


BLOCKS = {"machine": machine, "budgets": budget_table, "listing": listing, "narrowing": narrowing, "adding": adding, "store": store,
          "snapshots": snapshots, "starting": starting, "storm": storm, "agreement": agreement}


def pictures(results):
    def rows(rates):
        return [(name, rate["median"], rate["lowest"], rate["highest"], name.startswith("Aviary")) for name, rate in rates.items()]
    if "listing" in results:
        yield "bench-listing.svg", plots.bars("List pages a second: 50 of 100,000 records", "/s", [
            row for row in rows(results["listing"]["rates"]) if not row[0].startswith(("nginx", "plain"))])
    if "adding" in results:
        yield "bench-adding.svg", plots.bars("Records added a second by form, durable", "/s", rows(results["adding"]))
    if "snapshots" in results:
        names = {"backup": "Aviary: backup", "dump": ".dump | gzip -1", "restore": "Aviary: restore", "undump": "zcat | sqlite3"}
        yield "bench-snapshots.svg", plots.bars("Seconds for a snapshot and back", "s", rows({title: results["snapshots"][name] for name, title in names.items()}))


def write(results, page, images):
    text = page.read_text()

    def block(match):
        name = match.group(1)
        try:
            content = BLOCKS[name](results)
        except KeyError as missing:
            content = f"Not measured in this run ({missing.args[0]})."
        return f"<!-- bench: {name} -->\n{content}\n<!-- bench: end -->"

    page.write_text(re.sub(r"<!-- bench: (?!end)([a-z]+) -->\n.*?<!-- bench: end -->", block, text, flags=re.DOTALL))
    images.mkdir(parents=True, exist_ok=True)
    for name, picture in pictures(results):
        (images / name).write_text(picture)


def read(directory):
    results = {}
    for file in Path(directory).glob("*.json"):
        found = json.loads(file.read_text())
        results[found["part"]] = found["result"]
    return results


if __name__ == "__main__":
    write(read(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]))
