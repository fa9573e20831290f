import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from cluster import Cluster
from hosts import ROOT
from waiting import eventually
from writing import Ledger, prepare


def pytest_configure(config):
    assert os.environ.get("AVIARY_CLUSTER_LOGS"), "Run scripts/test-cluster: these tests need namespaces of their own."
    assert os.path.ismount(ROOT)


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    cluster = Cluster()
    try:
        cluster.start()
        yield cluster
    finally:
        cluster.stop()


@pytest.fixture(scope="session")
def figures() -> Iterator[list[dict]]:
    """What was measured, for docs/postgresql-operations.md; a file tells it after the tests."""
    figures: list[dict] = []
    yield figures
    logs = Path(os.environ["AVIARY_CLUSTER_LOGS"])
    (logs / "figures.json").write_text(json.dumps(figures, indent=1) + "\n")


@pytest.fixture
def whole(cluster) -> Iterator[Cluster]:
    """The cluster with all its hosts, before the test and after it."""
    cluster.repair()
    prepare(cluster)
    yield cluster
    cluster.repair()


@pytest.fixture
def ledgers(whole) -> Iterator[list[Ledger]]:
    """A writer on each web host: one through the balancer, one that finds the primary among the hosts."""
    ledgers = [Ledger(whole.webs[0], "balancer"), Ledger(whole.webs[1], "hosts")]
    for ledger in ledgers:
        ledger.start()
    yield ledgers
    for ledger in ledgers:
        ledger.stop()


@pytest.fixture
def asynchronous(whole) -> Iterator[Cluster]:
    """A cluster that acknowledges what one host has."""
    set_synchronous(whole, False)
    eventually(
        "no commit waits for a replica", lambda: whole.primary().psql("SHOW synchronous_standby_names") == "", whole.explain
    )
    yield whole
    set_synchronous(whole, True)


def set_synchronous(cluster: Cluster, is_on: bool):
    settings = {"synchronous_mode": is_on, "synchronous_mode_strict": is_on}
    eventually(
        "the setting is stored",
        lambda: cluster.primary().asked("PATCH", "/config", settings, certificate=True)[0] == 200, cluster.explain,
    )
