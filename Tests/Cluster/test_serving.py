"""The zoo on two web hosts keeps its promises, whatever happens to the hosts below it and to one of them."""

import os
import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cluster import Cluster
from hosts import join, separate
from picture import picture
from serving import Load, Saves, Served
from waiting import eventually

LYING = Path(__file__).resolve().parents[2] / ".build/debug/LyingZoo"
# Long enough for the four faults of a run, each of which ends before the next one begins.
SECONDS = 150
# The saves of one person between a fault and its repair, and before the next fault.
FURTHER = 40


@pytest.fixture
def served(whole: Cluster, request) -> Iterator[Served]:
    served = Served(whole, *getattr(request, "param", []))
    served.start()
    yield served
    served.stop()


@pytest.fixture
def load(served) -> Iterator[Callable[..., Load]]:
    loads = []

    def load(*arguments) -> Load:
        loads.append(Load(*arguments))
        return loads[-1]

    yield load
    for one in loads:
        one.end()


def kill(host, program=None): host.kill(program)
def pause(host, program=None): host.pause(program)
def cut_off(host, program=None): host.cut_off()


WAYS = {"killed": kill, "paused": pause, "cut off": cut_off}
TARGETS = ["primary", "replica", "etcd", "web host"]


def plan(run: int) -> list[tuple[str, str]]:
    """The faults of a run, in its order: one for each target, and in three runs each way for each target."""
    faults = [(target, list(WAYS)[(run + index) % len(WAYS)]) for index, target in enumerate(TARGETS)]
    random.Random(run).shuffle(faults)
    return faults


def cause(cluster: Cluster, target: str, way: str, run: int) -> Callable[[], object]:
    """Causes a fault, and returns what is true once the others have noticed it."""
    primary = cluster.primary()
    synchronous, other = cluster.replicas()
    if target == "primary":
        WAYS[way](primary)
        return lambda: cluster.successor(primary)
    if target == "web host":
        WAYS[way](cluster.webs[run % 2])
        return lambda: cluster.balancer.counts_as_ready() == 1
    if target == "replica" and run % 2:
        WAYS[way](synchronous)
        return lambda: cluster.members().get(other.name, {}).get("role") == "sync_standby"
    if target == "replica" or way == "cut off":
        # Without a network, a host has no member of etcd either.
        WAYS[way](other)
    else:
        WAYS[way](primary, "etcd")
    return lambda: True


@pytest.mark.parametrize("run", range(1, 11), ids="run{}".format)
def test_a_run_of_mixed_load_loses_and_doubles_nothing(served: Served, load, run: int, figures):
    cluster, saves = served.cluster, Saves()
    saves.start()
    loading = load(SECONDS)
    found, marks = [], []
    try:
        for target, way in plan(run):
            begin = time.monotonic()
            marks.append((time.time(), f"{target} {way}"))
            is_noticed = cause(cluster, target, way, run)
            eventually(f"it is noticed that the {target} is {way}", is_noticed, cluster.explain)
            noticed = time.monotonic()
            first = saves.first_acknowledgement(noticed)
            saves.acknowledge(FURTHER)
            marks.append((time.time(), "repaired"))
            cluster.repair()
            saves.acknowledge(FURTHER)
            found.append({
                "fault": f"{target} {way}", "noticed after": noticed - begin, "first save after": first - noticed,
                "gap": saves.longest_gap(begin),
            })
        assert not loading.is_over, "The load has ended before the last fault."
    finally:
        saves.stop()
    result = loading.result()
    figures.append({
        "run": run, "faults": found, "violations": result["violations"]["count"], "acknowledged": result["acknowledged"],
        "unknown": result["unknown"], "retried": result["retried"], "saves": len(saves.acknowledged),
    })
    name = f"serving-{run}.svg"
    (Path(os.environ["AVIARY_CLUSTER_LOGS"]) / name).write_text(picture(result, marks))
    assert result["good"], "\n".join(f'{one["kind"]}: {one["text"]}' for one in result["violations"]["first"])
    assert result["acknowledged"] > 100
    stored = served.names("Friend")
    assert len(stored) == len(set(stored)), "A save was stored twice."
    assert {name for _, name in saves.acknowledged} <= set(stored) <= set(saves.begun)


def is_found(result: dict, kind: str) -> bool:
    return result["violations"]["byKind"].get(kind, 0) > 0


def test_without_synchronous_replication_the_load_test_finds_losses(asynchronous: Cluster, served: Served, load):
    primary = asynchronous.primary()
    others = [host for host in asynchronous.databases if host is not primary]
    loading = load(45, "add")
    separate([primary], others)
    asynchronous.successor(primary)
    join([primary], others)
    assert is_found(loading.result(), "lost")


@pytest.mark.parametrize("served", [[LYING]], indirect=True)
def test_a_store_that_acknowledges_before_its_commit_is_found(served: Served, load):
    cluster = served.cluster
    loading = load(30, "add")
    for host in cluster.webs:
        host.kill()
        host.start()
        served.wait_until_ready(host)
    assert is_found(loading.result(), "lost")
