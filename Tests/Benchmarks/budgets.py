"""What must be reached, and whether it was: each budget beside the figure that it is about."""
import os
import statistics


def median(found):
    return found["median"]


class Budget:
    """`measure` takes the results of all parts; one whose part was not run is told as not measured. So is one of a million rows
    after a run in small, which has none."""

    def __init__(self, part, what, needed, measure, is_of_million=False):
        self.part, self.what, self.needed, self.measure, self.is_of_million = part, what, needed, measure, is_of_million

    def row(self, results):
        if self.part not in results or self.is_of_million and results["run"]["quick"]:
            return self.what, self.needed, "not measured", "–"
        found, met = self.measure(results)
        return self.what, self.needed, found, "met" if met else "**not met**"


def listing(results):
    rates = results["listing"]["rates"]
    rate, share = median(rates["Aviary"]), median(rates["Aviary"]) / median(rates["plain text of the same framework"])
    return f"{rate:,.0f}/s, {share:.0%}", rate >= 12_000 and share >= 0.2


def narrowed(results):
    return results["narrowing"]["Aviary"]


def million(results):
    sizes = narrowed(results)
    share = median(sizes["1000000"]["first"]) / median(sizes["100000"]["first"])
    return f"{share:.0%}", share >= 0.9


def far(results):
    pages = narrowed(results)["1000000"]
    last, by_column = (median(pages[name]) / median(pages["first"]) for name in ("last", "sorted"))
    return f"last page {last:.0%}, other order {by_column:.0%}", min(last, by_column) >= 0.25


def search(results):
    pages = narrowed(results)["1000000"]
    found = {name: median(pages[name]) / median(pages["first"]) for name in ("prefix", "many", "filter")}
    return ", ".join(f"{name} {share:.0%}" for name, share in found.items()), min(found.values()) >= 0.25


def bounded(results):
    # Sixteen that work for 50 ms each share the processors.
    page = narrowed(results)["1000000"]["both"]
    bound = 16 * 50 / os.cpu_count()
    return f"p99 {page['p99']:.0f} ms of {bound:.0f} at c=16", page["p99"] <= bound


def correlated(results):
    slowest = max(order["slowest"] for order in results["correlated"]["1000000"].values())
    return f"slowest {slowest:.0f} ms", slowest <= 1000


def adding(results):
    found = results["adding"]["Aviary"]
    return (f"{median(found):,.0f}/s, p99 {found['p99']:.1f} ms, {found['failed']:.0f} failed",
            median(found) >= 8000 and found["p99"] <= 20 and found["failed"] == 0)


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


def imported(results):
    found = {name: median(figures["processor"]) for name, figures in results["importing"].items()}
    beside = found["Aviary"] / found["sqlite3 .import, all indexes"]
    faster = found["Django, full_clean and bulk_create"] / found["Aviary"]
    return f"{beside:.2f} times, {faster:.1f} times as fast", beside <= 2 and faster >= 4


def start(results):
    first = median(results["starting"]["first"]["Aviary"])
    return f"{first:.0f} ms", first <= 150


def memory(results):
    found = results["starting"]["memory"]["Aviary"]
    return f"{found['resident']:.0f} MiB resident, {found['proportional']:.0f} MiB its share", found["resident"] <= 30


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
    Budget("listing", "A list page, 50 of 100,000 rows, c=16", "12,000/s; 20 % of the framework's plain text", listing),
    Budget("narrowing", "The same of 1,000,000 rows", "within 10 % of 100,000", million, True),
    Budget("narrowing", "Its last page, and another order", "a quarter of the first page", far, True),
    Budget("narrowing", "Search and filter at 1,000,000 rows", "a quarter of the first page", search, True),
    Budget("narrowing", "Conditions that hardly any record meets together", "50 ms of work a page", bounded, True),
    Budget("correlated", "One filter, in any order, of 1,000,000 rows that hang together", "its rows, within 1 s", correlated, True),
    Budget("adding", "Adding by form, checked and durable, c=64", "8,000/s, p99 20 ms, no error", adding),
    Budget("store", "Change sets in the store, 64 callers", "25,000/s with history, 45,000/s without", store),
    Budget("store", "The same beside C with a commit a row", "3 times", store_beside_c),
    Budget("snapshots", "A snapshot of 1,000,000 rows beside `.dump \\| gzip -1`", "2 times as fast, 64 MiB", snapshot),
    Budget("snapshots", "A write while a snapshot is taken", "50 ms at most", stall),
    Budget("snapshots", "A restore of 1,000,000 rows beside `zcat \\| sqlite3`", "half of its time", restore),
    Budget("importing", "An import of 336,776 rows beside `sqlite3 .import` and Django's `bulk_create`, time of processors",
           "2 times; 4 times as fast", imported),
    Budget("starting", "Start to the first page", "150 ms", start),
    Budget("starting", "An idle web worker", "30 MiB", memory),
    Budget("memory", "A web worker under what strangers and one account send", "128 MiB", attacked),
    Budget("agreement", "The harness beside `wrk`", "within a tenth", agreement),
    Budget("postgresql", "Change sets in PostgreSQL, 64 callers, history, beside `pgbench`", "`-c 64`; 15 times `-c 1`", beside_pgbench),
    Budget("postgresql", "A list page in PostgreSQL beside Django's", "20 times", beside_django),
    Budget("building", "What an application builds and has not asked for", "no example, load harness, second TLS library", building),
]
