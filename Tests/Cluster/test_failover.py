"""No acknowledged write is lost and none is done twice, whatever happens to the primary."""

import time
from collections.abc import Callable

import pytest

from cluster import Cluster, Database
from hosts import join, separate
from writing import Ledger, compare


def others(cluster: Cluster, host: Database) -> list[Database]:
    return [other for other in cluster.databases if other is not host]


# Each fault takes the primary away, in its own way.
FAULTS: dict[str, Callable[[Cluster, Database], None]] = {
    "its PostgreSQL is killed": lambda cluster, primary: primary.kill("postgres"),
    "its host is killed": lambda cluster, primary: primary.kill(),
    "its host hangs": lambda cluster, primary: primary.pause(),
    "its PostgreSQL hangs": lambda cluster, primary: primary.pause("postgres"),
    "its host is cut off": lambda cluster, primary: primary.cut_off(),
    "its host is cut off from the other databases": lambda cluster, primary: separate([primary], others(cluster, primary)),
}
# Ten runs: the three that an operator meets most are there more often.
RUNS = [*FAULTS, "its host is killed", "its host hangs", "its host is cut off", "its host is cut off from the other databases"]


@pytest.mark.parametrize("fault", [f"{number}: {fault}" for number, fault in enumerate(RUNS, 1)])
def test_the_primary_is_lost_and_nothing_else_is(whole: Cluster, ledgers: list[Ledger], fault: str, figures):
    primary = whole.primary()
    for ledger in ledgers:
        ledger.first_acknowledgement(0)
    begin = time.monotonic()
    FAULTS[fault.partition(": ")[2]](whole, primary)

    successor = whole.successor(primary)
    promoted = time.monotonic()
    writes = {ledger.kind: ledger.first_acknowledgement(promoted) - promoted for ledger in ledgers}
    figures.append({"fault": fault, "promoted after": promoted - begin, "first write after": writes})

    # The old primary comes back while others write.
    whole.repair()
    for ledger in ledgers:
        ledger.first_acknowledgement(time.monotonic())
        ledger.stop()
    assert whole.find_primary() is successor
    verdict = compare(ledgers, successor)
    assert verdict.is_clean, verdict
    assert verdict.acknowledged > 100
    # What writes meet is one gap, from the fault to the new primary and a moment more.
    figures[-1] |= {"acknowledged": verdict.acknowledged, "gap": {ledger.kind: ledger.longest_gap(begin) for ledger in ledgers}}
