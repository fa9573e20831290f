"""What must be reached, and whether it was: each budget beside the figure that it is about."""
import statistics


def median(found):
    return found["median"]


class Budget:
    """`measure` takes the results of all parts. A budget one of whose parts was not run is reported as not measured. So is one of a million
    rows after a run in small, which has none."""

    def __init__(self, parts, what, needed, measure, is_of_million=False):
        self.parts, self.what, self.needed, self.measure, self.is_of_million = parts.split(), what, needed, measure, is_of_million

    def is_measured(self, results):
        return all(part in results for part in self.parts)

    def row(self, results):
        if not self.is_measured(results) or self.is_of_million and results["run"]["quick"]:
            return self.what, self.needed, "not measured", "–"
        found, met = self.measure(results)
        return self.what, self.needed, found, "met" if met else "**not met**"


def pages(results, name):
    """The rate of a list page beside the framework's plain text and beside Django's admin."""
    rates = results["listing"]["rates"]
    return [median(rates[name]) / median(rates[peer]) for peer in ("plain text of the same framework", "Django admin")]


def listing(results):
    share, times = pages(results, "Aviary")
    return f"{share:.0%}, {times:.0f} times", share >= 0.5 and times >= 150


def changed(results):
    share, times = pages(results, "Aviary, its model is changed 100 times a second")
    return f"{share:.0%}, {times:.0f} times", share >= 0.2 and times >= 60


def filtered(results, name="Aviary"):
    return results["filtering"][name]


def filtered_anew(results):
    """The pages of a model that is changed meanwhile, so that they are not repeated."""
    return filtered(results, "Aviary, changed")["1000000"]


def million(results):
    sizes = filtered(results)
    share = median(sizes["1000000"]["first"]) / median(sizes["100000"]["first"])
    return f"{share:.0%}", share >= 0.95


def far(results):
    pages = filtered_anew(results)
    last, by_column = (median(pages[name]) / median(pages["first"]) for name in ("last", "sorted"))
    return f"last page {last:.0%}, other order {by_column:.0%}", min(last, by_column) >= 0.25


def search(results):
    pages = filtered_anew(results)
    found = {name: median(pages[name]) / median(pages["first"]) for name in ("prefix", "many", "filter")}
    return ", ".join(f"{name} {share:.0%}" for name, share in found.items()), min(found.values()) >= 0.25


def bounded(results):
    page = filtered_anew(results)["both"]
    return f"p99 {page['p99']:.0f} ms", page["p99"] <= 50


def correlated(results):
    slowest = max(order["slowest"] for order in results["correlated"]["1000000"].values())
    return f"slowest {slowest:.0f} ms", slowest <= 1000


def adding(results):
    found = results["adding"]["Aviary"]
    ratio = median(found) / store_rates(results)["C, a commit a row"]
    return (f"{ratio:.2f} times, p99 {found['p99']:.1f} ms, {found['failed']:.0f} failed",
            ratio >= 1.2 and found["p99"] <= 20 and found["failed"] == 0)


def store_rates(results, keys="ordered"):
    return {name: statistics.median(run["rowsPerSecond"] for run in runs) for name, runs in results["store"][keys].items()}


def store(results):
    rates = store_rates(results)
    with_history, without = rates["store, 64 callers, history"], rates["store, 64 callers"]
    return f"{with_history:,.0f}/s with, {without:,.0f}/s without", with_history >= 25_000 and without >= 45_000


def store_beside_c(results):
    rates = store_rates(results)
    ratio = rates["store, 64 callers"] / rates["C, a commit a row"]
    return f"{ratio:.1f} times", ratio >= 3


def store_of_one(results):
    rates = store_rates(results)
    ratio = rates["store, 1 caller"] / rates["C, a commit a row, our tables too"]
    return f"{ratio:.2f} of it", ratio >= 0.85


def snapshot(results):
    found = results["snapshots"]
    ratio = median(found["dump"]) / median(found["backup"])
    return f"{ratio:.1f} times as fast, {found['backup']['memory']:.0f} MiB", ratio >= 2 and found["backup"]["memory"] <= 64


def stall(results):
    longest, alone = (results["snapshots"]["meanwhile"][name]["max"] for name in ("beside", "alone"))
    return f"longest {longest:.0f} ms, without one {alone:.0f} ms", longest <= 50


def restore(results):
    found = results["snapshots"]
    share = median(found["restore"]) / median(found["undump"])
    return f"{share:.2f} of its time", share <= 0.5


def waited(results, names):
    """The worst waits of a save beside some of the work."""
    found = [work for name, work in results["waiting"]["work"].items() if names(name)]
    longest, p99, refused = (max(work[key] for work in found) for key in ("longest", "p99", "refused"))
    return f"p99 {p99:.0f} ms, longest {longest:.0f} ms, {refused} refused", longest, p99, refused


def beside_long_work(results):
    text, longest, p99, refused = waited(results, lambda name: name not in ("nothing", "restore"))
    return text, p99 <= 50 and longest <= 250 and refused == 0


def beside_restore(results):
    text, longest, _, refused = waited(results, lambda name: name == "restore")
    return text, longest <= 500 and refused == 0


def memory_of_long_work(results):
    most = max(work["memory"] for work in results["waiting"]["work"].values())
    return f"{most:.0f} MiB", most <= 128


def imported(results):
    found = {name: median(figures["processor"]) for name, figures in results["importing"].items()}
    beside = found["Aviary"] / found["sqlite3 .import, all indexes"]
    faster = found["Django, full_clean and bulk_create"] / found["Aviary"]
    return f"{beside:.2f} times, {faster:.1f} times as fast", beside <= 2 and faster >= 4


def start(results):
    first = median(results["starting"]["first"]["Aviary"])
    return f"{first:.0f} ms", first <= 60


def memory(results):
    found = results["starting"]["memory"]["Aviary"]
    return f"{found['idle']:.0f} MiB idle, {found['load']:.0f} MiB under load", found["idle"] <= 80 and found["load"] <= 200


def wire(results):
    found = results["wire"]["Aviary"]
    return f"{found['first'] / 1000:.1f} KB, {found['next'] / 1000:.1f} KB", found["first"] <= 40_000 and found["next"] <= 6000


def attacked(results):
    worst = max(load["after"] for load in results["memory"].values())
    return f"{worst:.0f} MiB", worst <= 128


def agreement(results):
    ratio = results["agreement"]["ratio"]
    return f"{ratio:.3f} of it", 0.9 <= ratio <= 1.1


def building(results):
    unwanted = sorted({name for part in results["building"].values() if isinstance(part, dict) for name in part["unwanted"]})
    return ", ".join(unwanted) or "none", not unwanted


def beside_pgbench(results):
    inserts = results["postgresql"]["inserts"]
    ours, many, one = (median(inserts[f"{name}, PostgreSQL"]) for name in ("store, 64 callers, history", "pgbench -c 64", "pgbench -c 1"))
    return f"{ours / many:.2f} of `-c 64`, {ours / one:.1f} times `-c 1`", ours >= many and ours >= 15 * one


def beside_django(results):
    pages = results["postgresql"]["pages"]
    ratio = median(pages["Aviary, PostgreSQL"]) / median(pages["Django admin, PostgreSQL"])
    return f"{ratio:.1f} times", ratio >= 20


BUDGETS = [
    Budget("listing", "A list page, 50 of 100,000 rows, c=16", "50 % of the framework's plain text, 150 times Django's admin", listing),
    Budget("listing", "The same while its model is changed 100 times a second", "20 %, 60 times", changed),
    Budget("filtering", "The same of 1,000,000 rows", "95 % of 100,000", million, True),
    Budget("filtering", "Its last page, and another order", "a quarter of the first page", far, True),
    Budget("filtering", "Search and filter at 1,000,000 rows", "a quarter of the first page", search, True),
    Budget("filtering", "A filter with a search that no index answers together, c=16", "p99 50 ms", bounded, True),
    Budget("correlated", "One filter, in any order, of 1,000,000 rows that correlate with the order", "its rows, within 1 s", correlated, True),
    Budget("adding store", "Adding by form, checked and durable, c=64", "1.2 times C with a commit an insert, p99 20 ms, no error", adding),
    Budget("store", "Change sets in the store, 64 callers", "25,000/s with history, 45,000/s without", store),
    Budget("store", "The same beside C with a commit a row", "3 times", store_beside_c),
    Budget("store", "One caller, beside C that writes the same tables", "0.85", store_of_one),
    Budget("snapshots", "A snapshot of 1,000,000 rows beside `.dump \\| gzip -1`", "2 times as fast, 64 MiB", snapshot),
    Budget("snapshots", "A write while a snapshot is taken", "50 ms at most", stall),
    Budget("snapshots", "A restore of 1,000,000 rows beside `zcat \\| sqlite3`", "half of its time", restore),
    Budget("importing", "An import of 336,776 rows beside `sqlite3 .import` and Django's `bulk_create`, time of processors",
           "2 times; 4 times as fast", imported),
    Budget("waiting", "A save beside large deletes, undos and imports", "p99 50 ms, longest 250 ms, none refused", beside_long_work),
    Budget("waiting", "A save beside a restore", "longest 500 ms, none refused", beside_restore),
    Budget("waiting", "The store's process beside all of them", "128 MiB", memory_of_long_work),
    Budget("starting", "Start to the first page", "60 ms", start),
    Budget("starting", "All processes, shared pages counted once", "80 MiB idle, 200 MiB under load", memory),
    Budget("wire", "The bytes of a list page, first visit and next", "40 KB, 6 KB", wire),
    Budget("memory", "A web worker under what strangers and one account send", "128 MiB", attacked),
    Budget("agreement", "The harness beside `wrk`", "within a tenth", agreement),
    Budget("postgresql", "Change sets in PostgreSQL, 64 callers, history, beside `pgbench`", "`-c 64`; 15 times `-c 1`", beside_pgbench),
    Budget("postgresql", "A list page in PostgreSQL beside Django's", "20 times", beside_django),
    Budget("building", "What an application builds and has not asked for", "no example, load harness, second TLS library", building),
]
