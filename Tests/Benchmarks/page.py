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
            f"Python {platform.python_version()}"
            + (", **with small sizes: for trying the programs only**" if run["quick"] else "") + ".")


def listing(results):
    found = results["listing"]
    ours = found["rates"]["Aviary"]["median"]
    rows = [(name, f"{spread(rate)}", f"{found['p50'][name]:.1f}, {found['p99'][name]:.1f}", f"{found['bytes'][name]:,}",
             "" if name == "Aviary" else f"{ours / rate['median']:.2f}") for name, rate in found["rates"].items()]
    return (picture("listing", "List pages a second", table(["", "pages/s, median (lowest to highest)", "p50, p99 ms", "bytes", "Aviary to it"], rows))
            + f"\n\nThe writer saved {found['saves']:.0f} records a second.")


def filtering(results):
    titles = {"first": "first page", "last": "last page", "sorted": "by name, descending", "prefix": "search, one match",
              "many": "search, a sixteenth matches", "filter": "filter, a third matches", "both": "search and filter"}
    found = results["filtering"]
    heads = [f"{server}, {int(rows):,}" for server, sizes in found.items() for rows in sizes]

    def cell(pages):
        # Each was fetched once before, however long it took.
        if pages["highest"] == 0:
            return "none within the time"
        return f"{spread(pages)}, p99 {plots.number(pages['p99'])} ms"

    rows = [[title] + [cell(pages[name]) for sizes in found.values() for pages in sizes.values()] for name, title in titles.items()]
    return table(["pages/s"] + heads, rows)


def correlated(results):
    found = results["correlated"]
    orders = list(next(iter(found.values())))
    heads = ["first page of one airline's flights"] + [f"of {int(rows):,}: median, slowest" for rows in found]

    def cell(pages):
        return f"{plots.number(pages['median'])} ms, {plots.number(pages['slowest'])} ms ({pages['airline']}, {pages['records']:,} records)"

    return table(heads, [[order] + [cell(sizes[order]) for sizes in found.values()] for order in orders])


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
    return table([""] + heads, rows) + "\n\n" + "\n".join(beside_c(keys, budgets.store_rates(results, keys)) for keys in found)


def beside_c(keys, rates):
    """Many callers against what a commit a row gives; one caller, whose goal is 0.85, also against what writes as much."""
    many, one = (rates[f"store, {callers}"] / rates["C, a commit a row"] for callers in ("64 callers", "1 caller"))
    alike = rates["store, 1 caller"] / rates["C, a commit a row, our tables too"]
    return (f"- {keys.capitalize()} values: 64 callers {many:.1f} times C with a commit a row; one caller {one:.2f} of it, and {alike:.2f} of C "
            f"that writes our tables too (goal 0.85: {'met' if alike >= 0.85 else '**not met**'}).")


def snapshots(results):
    found = results["snapshots"]
    names = {"backup": "backup", "dump": "`.dump \\| gzip -1`", "restore": "restore", "undump": "`zcat \\| sqlite3`"}
    rows = [(title, spread(found[name], " s"), f"{found[name]['memory']:.0f} MiB") for name, title in names.items()]
    stall = found["meanwhile"]
    return (picture("snapshots", "Seconds for a snapshot and back", table([f"{found['rows']:,} records", "median (lowest to highest)", "memory"], rows))
            + f"\n\nA save while a backup is taken, 100 a second: p50 {stall['beside']['p50']:.1f} ms, p99 {stall['beside']['p99']:.1f} ms, "
            f"longest {stall['beside']['max']:.1f} ms; without a backup {stall['alone']['p50']:.1f}, {stall['alone']['p99']:.1f} and {stall['alone']['max']:.1f} ms.")


def importing(results):
    found = results["importing"]
    rows = [(name, spread(figures["processor"], " s"), spread(figures["seconds"], " s"), f"{figures['memory']['highest']:.0f} MiB",
             f"{found['Aviary']['processor']['median'] / figures['processor']['median']:.2f}") for name, figures in found.items()]
    return table(["", "seconds of processors, median (lowest to highest)", "seconds", "memory", "Aviary to it"], rows)


def starting(results):
    found = results["starting"]
    rows = [(name, spread(first, " ms"),
             *(f"{found['memory'][name][key]:.1f} MiB" if name in found["memory"] else "" for key in ("idle", "load")))
            for name, first in found["first"].items()]
    return table(["", "first page, median (lowest to highest)", "all processes, idle", "under load"], rows)


def wire(results):
    return table(["", "first visit", "next visit", "parts beside the page"], [
        (name, f"{found['first']:,} bytes", f"{found['next']:,} bytes", found["parts"]) for name, found in results["wire"].items()])


def waiting(results):
    rows = [(name, f"{found['answered']:.1f} s", f"{found['completed']:.1f} s", f"{found['refused']} of {found['saves']:,}",
             *(f"{found[key]:.1f}" for key in ("p50", "p99", "longest")), f"{found['before']:.0f}, {found['after']:.0f}", f"{found['memory']:.0f}")
            for name, found in results["waiting"]["work"].items()]
    return table(["beside", "ends after", "complete after", "saves refused", "median wait, ms", "p99, ms", "longest, ms",
                  "store before and after, MiB", "memory of its process, MiB"], rows)


def storm(results):
    found = results["storm"]
    return (f"{found['signedIn']} of {found['people']} who sign in at once were in within {found['seconds']:.1f} s; all processes together took "
            f"{found['before']:.0f} MiB before and at most {found['most']:.0f} MiB meanwhile; a list took {found['stormy'] / found['calm']:.2f} times as long.")


def postgresql(results):
    found = results["postgresql"]
    inserts, pages, adds = found["inserts"], found["pages"], found["adds"]
    many, one = (inserts[f"pgbench -c {clients}, PostgreSQL"]["median"] for clients in (64, 1))

    def rated(rows, rivals):
        """Each rate beside the rates of some of the rows."""
        return table(["", "a second, median (lowest to highest)", "p50, p99 ms", *(f"to {title}" for title in rivals.values())], [
            (name, spread(rate), f"{rate['p50']:.1f}, {rate['p99']:.1f}" if "p50" in rate else "",
             *("" if name == rival else f"{rate['median'] / rows[rival]['median']:.2f}" for rival in rivals)) for name, rate in rows.items()])

    admins = {"Django admin, PostgreSQL": "Django on PostgreSQL", "Aviary, SQLite": "Aviary on SQLite"}
    store = inserts["store, 64 callers, history, PostgreSQL"]["median"]
    return "\n\n".join([
        "Insertions without a form:",
        rated(inserts, {"pgbench -c 64, PostgreSQL": "`pgbench -c 64`"}),
        f"64 callers of the store: {store / many:.2f} of `pgbench -c 64`, {store / one:.1f} times `pgbench -c 1`.",
        "List pages:", rated(pages, admins), "Adding by form, c=64:", rated(adds, admins),
        f"{sum(rate['failed'] for rate in adds.values()):.0f} requests failed. PostgreSQL {found['server']}."])


def memory(results):
    return table(["what arrives", "a worker before", "at most"], [
        (name, f"{load['before']:.0f} MiB", f"{load['after']:.0f} MiB") for name, load in results["memory"].items()])


def agreement(results):
    found = results["agreement"]
    rows = [(name, spread(found["rates"][name]), f"{found['p50'][name]:.2f}, {found['p99'][name]:.2f}") for name in ("wrk", "harness")]
    _, met = budgets.agreement(results)
    return (table(["", "pages/s, median (lowest to highest)", "p50, p99 ms"], rows)
            + f"\n\nThe harness measures {found['ratio']:.2f} of what wrk measures: {'within' if met else '**not** within'} a tenth.")


def building(results):
    found = results["building"]
    titles = {"debug": "`swift build`", "release": "`swift build -c release --static-swift-stdlib`"}
    rows = []
    for configuration, title in titles.items():
        if configuration not in found:
            continue
        part = found[configuration]
        rows.append((title, f"{part['seconds']:.0f} s", f"{part['processor']:.0f} s", len(part["modules"]), len(part["compiler"]),
                     mebibytes(part["file"]), mebibytes(part["stripped"])))
        if "tests" in part:
            tests = part["tests"]
            rows.append(("then `swift build --build-tests`", f"{tests['seconds']:.0f} s", f"{tests['processor']:.0f} s", len(tests["modules"]), "", "", ""))
    parts = [table([f"{found['processors']} processors", "time", "of processors", "modules", "for the compiler", "the program", "stripped"], rows)]
    if "release" in found:
        release = found["release"]
        for title, key in (("the stripped release program", "sections"), ("the same by what its symbols belong to", "groups"), ("the largest modules", "largest")):
            parts.append(table([title, "size"], [(name, mebibytes(size)) for name, size in release[key].items() if size >= 1024 * 1024 / 20]))
    return "\n\n".join(parts)


def mebibytes(size):
    return f"{size / 1024 / 1024:.1f} MiB"


def budget_table(results, before):
    """Returns the table of the goals. Those of parts that were not run keep the rows of the page."""
    found = {cells[0]: cells for cells in (re.split(r"(?<!\\) ?\| ?", line)[1:-1] for line in before.splitlines() if line.startswith("|"))}
    return table(["what", "needed", "found", ""], [
        budget.row(results) if budget.is_measured(results) else found.get(budget.what, budget.row(results)) for budget in budgets.BUDGETS])


def picture(name, title, content):
    return f"![{title}](images/bench-{name}.svg)\n\n{content}"


BLOCKS = {"listing": listing, "filtering": filtering, "correlated": correlated, "adding": adding, "store": store, "snapshots": snapshots, "importing": importing, "starting": starting, "wire": wire,
          "waiting": waiting, "storm": storm, "memory": memory, "agreement": agreement, "building": building, "postgresql": postgresql}


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


def written(name, results, before=""):
    """A block's content. The machine and the budgets are no parts, and are put together from what there is."""
    if name == "machine":
        return machine(results)
    if name == "budgets":
        return budget_table(results, before)
    if name not in results:
        return before or "Not measured yet."
    return f"{BLOCKS[name](results)}\n\nMeasured {results['about'][name]}."


def write(results, page, images):
    def block(match):
        name, before = match.groups()
        return f"<!-- bench: {name} -->\n{written(name, results, before)}\n<!-- bench: end -->"

    page.write_text(re.sub(r"<!-- bench: (?!end)([a-z]+) -->\n(.*?)\n<!-- bench: end -->", block, page.read_text(), flags=re.DOTALL))
    images.mkdir(parents=True, exist_ok=True)
    for name, picture in pictures(results):
        (images / name).write_text(picture)


def read(directory):
    """Reads the results of the parts, with their dates and commits under `about`."""
    results = {"about": {}}
    for file in Path(directory).glob("*.json"):
        found = json.loads(file.read_text())
        results[found["part"]] = found["result"]
        if found["part"] != "run":
            results["about"][found["part"]] = f"{found['date']}, commit `{found['commit']}`"
    return results


if __name__ == "__main__":
    write(read(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]))
