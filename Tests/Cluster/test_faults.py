"""The primary stays when something else is lost, and writes go on."""

import subprocess
import time
from collections.abc import Callable

import pytest

from cluster import Cluster, Database, Web
from waiting import eventually
from writing import Ledger, compare

WAYS: dict[str, Callable[[Database], None]] = {
    "killed": lambda host: host.kill(), "paused": lambda host: host.pause(), "cut off": lambda host: host.cut_off(),
}


def finish(cluster: Cluster, ledgers: list[Ledger], primary: Database):
    """Repairs the cluster, and compares."""
    cluster.repair()
    for ledger in ledgers:
        ledger.first_acknowledgement(after=time.monotonic())
        ledger.stop()
    assert cluster.find_primary() is primary
    verdict = compare(ledgers, primary)
    assert verdict.is_clean, verdict


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("which", ["synchronous replica", "other replica"])
def test_writes_go_on_without_a_replica(whole, ledgers, which, way, figures):
    primary = whole.primary()
    synchronous, other = whole.replicas()
    begin = time.monotonic()
    WAYS[way](synchronous if which == "synchronous replica" else other)
    if which == "synchronous replica":
        # Until the other one takes its place nothing is acknowledged.
        eventually("the other replica is the synchronous one", lambda: role(whole, other) == "sync_standby", whole.explain)
    for ledger in ledgers:
        ledger.first_acknowledgement(after=time.monotonic())
    figures.append({"fault": f"{which} {way}", "gap": {ledger.kind: ledger.longest_gap(begin) for ledger in ledgers}})
    finish(whole, ledgers, primary)


def role(cluster: Cluster, host: Database) -> str | None:
    return cluster.members().get(host.name, {}).get("role")


@pytest.mark.parametrize("way", ["killed", "paused"])
def test_writes_go_on_without_a_member_of_etcd(whole, ledgers, way, figures):
    primary = whole.primary()
    begin = time.monotonic()
    # The leader of etcd, so that the others have to elect another.
    leader = next(host for host in whole.databases if is_leader(host))
    leader.kill("etcd") if way == "killed" else leader.pause("etcd")
    remaining = [host for host in whole.databases if host is not leader]
    eventually("etcd has another leader", lambda: any(is_leader(host) for host in remaining), whole.explain)
    for ledger in ledgers:
        ledger.first_acknowledgement(after=time.monotonic())
    figures.append({"fault": f"leader of etcd {way}", "gap": {ledger.kind: ledger.longest_gap(begin) for ledger in ledgers}})
    finish(whole, ledgers, primary)


def is_leader(host: Database) -> bool:
    """Whether the host's own member of etcd says that it is the leader."""
    columns = host.etcdctl("endpoint", "status", check=False).stdout.split(", ")
    return len(columns) > 4 and columns[4] == "true"


def test_writes_go_on_without_etcd_while_all_databases_reach_each_other(whole, ledgers):
    primary = whole.primary()
    for host in whole.databases:
        host.kill("etcd")
    eventually(
        "the primary goes on without a lease",
        lambda: isinstance(answer := primary.asked("GET", "/patroni")[1], dict) and answer.get("failsafe_mode_is_active"),
        whole.explain,
    )
    for ledger in ledgers:
        ledger.first_acknowledgement(after=time.monotonic())
    finish(whole, ledgers, primary)


@pytest.mark.parametrize("way", WAYS)
def test_a_web_host_is_lost_and_the_other_one_writes_on(whole, ledgers, way):
    lost, remaining = ledgers
    WAYS[way](lost.host)
    remaining.first_acknowledgement(after=time.monotonic())
    if way == "killed":
        again = Ledger(lost.host, lost.kind)
        lost.stop()
        again.start()
        again.first_acknowledgement(0)
        again.stop()
        ledgers.append(again)
        lost = again
    whole.repair()
    remaining.first_acknowledgement(after=time.monotonic())
    for ledger in ledgers:
        ledger.stop()
    verdict = compare(ledgers, whole.primary())
    assert verdict.is_clean, verdict


def test_a_web_host_that_hangs_within_a_write_releases_the_others(whole):
    """A host that hangs holds the lock of the row that numbers the writes. The server ends its transaction."""
    hanging = whole.webs[0]
    session = hanging.serve(
        "psql", "psql", "-XAtq", "-d", Web.database("hosts"), user="nobody", stdin=subprocess.PIPE,
    )
    session.stdin.write(b"BEGIN;\nSELECT 'locked' FROM position FOR UPDATE;\n")
    session.stdin.flush()
    eventually("the session has the lock", lambda: "locked" in hanging.log("psql").read_text())
    hanging.pause()
    ledger = Ledger(whole.webs[1], "balancer")
    ledger.start()
    ledger.first_acknowledgement(0)
    hanging.resume()
    session.stdin.write(b"COMMIT;\n")
    session.stdin.close()
    session.wait()
    del hanging.services["psql"]
    ledger.stop()
    assert "idle-in-transaction timeout" in hanging.log("psql").read_text()
    assert compare([ledger], whole.primary()).is_clean


def test_with_one_database_host_left_no_write_is_acknowledged(whole, ledgers):
    """Strict: what is on one host only can be lost with it."""
    primary = whole.primary()
    for host in whole.replicas():
        host.kill("postgres")
        host.kill("patroni")
    eventually("the primary waits for a replica", lambda: waits_for_a_replica(primary))
    counts = [len(ledger.notes.acknowledged) for ledger in ledgers]
    eventually("a write is given up", lambda: all(ledger.notes.unknown for ledger in ledgers))
    assert [len(ledger.notes.acknowledged) for ledger in ledgers] == counts
    whole.repair()
    for ledger in ledgers:
        ledger.first_acknowledgement(after=time.monotonic())
        ledger.stop()
    verdict = compare(ledgers, whole.primary())
    assert verdict.is_clean, verdict


def waits_for_a_replica(host: Database) -> bool:
    return host.psql(
        "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND NOT EXISTS (SELECT FROM pg_stat_replication)"
    ) not in ("", "0")


def test_everything_is_killed_and_nothing_is_lost(whole, ledgers):
    for host in whole.hosts:
        host.kill()
    for ledger in ledgers:
        ledger.stop()
    whole.repair()
    again = [Ledger(ledger.host, ledger.kind) for ledger in ledgers]
    for ledger in again:
        ledger.start()
        ledger.first_acknowledgement(0)
        ledger.stop()
    verdict = compare([*ledgers, *again], whole.primary())
    assert verdict.is_clean, verdict


def test_a_host_that_is_switched_off_leaves_no_process(whole):
    host = whole.webs[0]
    host.serve("sleep", "sleep", "infinity")
    assert eventually("the process runs", lambda: host.processes("sleep"))
    host.power_off()
    assert host.processes() == []
    host.boot(whole.network)
