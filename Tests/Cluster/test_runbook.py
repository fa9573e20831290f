"""The commands of docs/postgresql-operations.md do on the cluster what the page says."""

import re
import shutil
import time


from cluster import BALANCER, CERTIFICATES, FILES, Database, Web
from runbook import PAGE, Runbook, run
from waiting import eventually
from writing import Ledger, compare

BLOCKS = Runbook().blocks


def test_what_is_marked_as_tried_is_tried_here():
    tested = open(__file__).read()
    assert len(BLOCKS) > 5
    for section in BLOCKS:
        assert f'"{section}"' in tested, f"{section} is marked as tried, and is not."


def commands(section: str, index: int = 0) -> list[str]:
    return BLOCKS[section][index][1]


def test_a_healthy_cluster_is_told(whole):
    told = run(whole.primary(), commands("See how it is"))
    for word in ["Leader", "Sync Standby", "Replica", "| sync", "| async"]:
        assert word in told, told


def test_a_replica_gets_a_new_copy(whole):
    _, replica = whole.replicas()
    identity = (replica.files / "var/lib/postgresql/15/zoo/PG_VERSION").stat().st_ino
    run(whole.primary(), commands("Failover"), REPLICA=replica.name)
    eventually("the copy is new", lambda: is_new(replica, identity), whole.explain)
    whole.wait_until_whole()


def is_new(host: Database, identity: int) -> bool:
    version = host.files / "var/lib/postgresql/15/zoo/PG_VERSION"
    return version.exists() and version.stat().st_ino != identity


def test_a_switchover_loses_nothing(whole, ledgers, figures):
    primary = whole.primary()
    synchronous, _ = whole.replicas()
    for ledger in ledgers:
        ledger.first_acknowledgement(0)
    begin = time.monotonic()
    run(primary, commands("Switchover"), PRIMARY=primary.name, SYNCHRONOUS=synchronous.name)
    assert whole.successor(primary) is synchronous
    for ledger in ledgers:
        ledger.first_acknowledgement(after=time.monotonic())
    whole.wait_until_whole()
    figures.append({"fault": "switchover", "gap": {ledger.kind: ledger.longest_gap(begin) for ledger in ledgers}})
    for ledger in ledgers:
        ledger.stop()
    verdict = compare(ledgers, synchronous)
    assert verdict.is_clean, verdict


def test_a_replica_is_started_again(whole):
    _, replica = whole.replicas()
    before = replica.psql("SELECT pg_postmaster_start_time()")
    run(whole.primary(), commands("New settings, and a minor version of PostgreSQL"), REPLICA=replica.name)
    assert replica.psql("SELECT pg_postmaster_start_time()") != before
    whole.wait_until_whole()


def test_a_host_is_replaced_by_an_empty_one(whole, ledgers):
    _, lost = whole.replicas()
    lost.power_off()
    for directory in ["postgresql/15", "etcd/zoo"]:
        shutil.rmtree(lost.files / "var/lib" / directory)
    primary = whole.primary()
    run(primary, commands("Replace a host"), PRIMARY=primary.name, REPLICA=lost.name)
    lost.boot(whole.network)
    run(lost, commands("Replace a host", 1))
    whole.wait_until_whole()
    for ledger in ledgers:
        ledger.first_acknowledgement(after=time.monotonic())
        ledger.stop()
    assert compare(ledgers, primary).is_clean


def test_a_host_is_added(whole):
    section = PAGE.read_text().partition("## Add a host")[2]
    command = re.search(r"```sh\n(.*?)\n```", section, re.DOTALL).group(1)
    arguments = command.split()[1:]
    assert arguments == ["certificates", BALANCER, "db4.zoo.example.org"]
    added = Database("db4", "192.0.2.14")
    whole.add(added, [FILES / "make-certificates", CERTIFICATES, *arguments[1:]])
    try:
        added.start_patroni()
        eventually(
            "the new host is a replica", lambda: whole.members().get("db4", {}).get("state") in ("running", "streaming"),
            whole.explain,
        )
    finally:
        added.power_off()
        whole.network.hosts.remove(added)
        eventually("the host is forgotten", lambda: "db4" not in whole.members(), whole.explain)


def test_a_dump_of_a_replica_is_restored(whole):
    ledger = Ledger(whole.webs[0], "hosts")
    ledger.start()
    ledger.first_acknowledgement(0)
    ledger.stop()
    primary = whole.primary()
    synchronous, _ = whole.replicas()
    count = primary.psql("SELECT count(*) FROM aviary.entries")
    eventually("the replica has all", lambda: synchronous.psql("SELECT count(*) FROM aviary.entries") == count)
    run(synchronous, commands("Back up"))
    dump = primary.files / "tmp/copied.dump"
    shutil.copy(synchronous.files / "tmp/zoo.dump", dump)
    dump.chmod(0o644)
    run(primary, commands("Back up", 1), DUMP="/tmp/copied.dump")
    assert primary.psql("SELECT count(*) FROM aviary.entries", database="zoo_restored") == count
    primary.psql("DROP DATABASE zoo_restored", database="postgres")


def test_a_new_password_counts_at_once(whole):
    primary = whole.primary()
    files = [host.files / "etc/patroni/aviary_reader.password" for host in whole.databases]
    before = files[0].read_text()
    address = Web.database("hosts", "aviary_reader")
    try:
        for file in files:
            file.write_text("another one\n")
        run(primary, commands("Change a password or a certificate"))
        web = whole.webs[0]
        assert web.run("psql", "-d", address, "-c", "SELECT 1", user="nobody", check=False).returncode != 0
        web.run("psql", "-d", address.replace(before.strip(), "'another one'"), "-c", "SELECT 1", user="nobody")
    finally:
        for file in files:
            file.write_text(before)
        run(primary, commands("Change a password or a certificate"))


def test_new_certificates_are_read_by_a_reload(whole):
    primary = whole.primary()
    run(primary, commands("Change a password or a certificate", 1))
    whole.wait_until_whole()


def test_the_figures_to_watch_are_there(whole):
    primary = whole.primary()
    told = run(primary, commands("Watch")) + whole.balancer.run("curl", "-s", "http://127.0.0.1:8404/metrics").stdout
    section = PAGE.read_text().partition("## Watch")[2]
    names = set(re.findall(r"\b(?:patroni|etcd|haproxy)_[a-z_]+", section))
    assert len(names) > 8
    for name in names:
        assert name in told, name
