"""Who may do what: the files of deploy/patroni admit nobody else."""

import pytest

from cluster import BALANCER, PASSWORDS, Cluster, Web
from waiting import eventually
from writing import prepare


@pytest.fixture(scope="module", autouse=True)
def tables(cluster):
    cluster.repair()
    prepare(cluster)


def psql(cluster: Cluster, address: str, statement: str, check: bool = True):
    return cluster.webs[0].run("psql", "-XAtq", "-d", address, "-c", statement, user="nobody", check=check)


def refused(cluster: Cluster, address: str, statement: str = "SELECT 1") -> str:
    done = psql(cluster, address, statement, check=False)
    assert done.returncode != 0, done.stdout
    return done.stderr


def test_the_balancer_leads_to_the_primary_and_its_second_port_to_replicas(cluster):
    assert psql(cluster, Web.database("balancer"), "SELECT pg_is_in_recovery()").stdout == "f\n"
    replicas = Web.database("balancer", "aviary_reader").replace("port=5432", "port=5433")
    eventually("replicas are served", lambda: psql(cluster, replicas, "SELECT 1", check=False).returncode == 0)
    assert psql(cluster, replicas, "SELECT pg_is_in_recovery()").stdout == "t\n"


def test_an_address_with_several_hosts_leads_to_the_primary(cluster):
    assert psql(cluster, Web.database("hosts"), "SELECT pg_is_in_recovery()").stdout == "f\n"


def test_connections_are_encrypted_and_the_server_is_the_one_that_is_meant(cluster):
    address = Web.database("balancer")
    assert "TLSv1.3" in psql(cluster, address, "SELECT version FROM pg_stat_ssl WHERE pid = pg_backend_pid()").stdout
    assert "no encryption" in refused(cluster, address.replace("verify-full", "disable"))
    balancer = cluster.balancer.address
    assert "does not match host name" in refused(cluster, address.replace(f"host={BALANCER}", f"host={balancer}"))


def test_a_wrong_password_is_refused(cluster):
    assert "password authentication failed" in refused(cluster, Web.database("balancer").replace(PASSWORDS["aviary"], "guess"))


@pytest.mark.parametrize("role", ["postgres", "replicator", "rewind"])
def test_no_other_role_comes_from_a_web_host(cluster, role):
    assert "no pg_hba.conf entry" in refused(cluster, Web.database("balancer").replace("user=aviary", f"user={role}"))


@pytest.mark.parametrize("database", ["postgres", "template1"])
def test_no_other_database_is_open_to_the_store(cluster, database):
    assert "no pg_hba.conf entry" in refused(cluster, Web.database("balancer").replace("dbname=zoo", f"dbname={database}"))


def test_the_reader_reads_what_the_owner_makes_and_writes_nothing(cluster):
    reader = Web.database("balancer", "aviary_reader")
    psql(cluster, Web.database("balancer"), "DROP SCHEMA IF EXISTS made CASCADE; CREATE SCHEMA made; CREATE TABLE made.later (x int)")
    assert psql(cluster, reader, "SELECT count(*) FROM made.later").stdout == "0\n"
    for statement in ["INSERT INTO made.later VALUES (1)", "UPDATE aviary.position SET last = 0", "CREATE TABLE made.own (x int)"]:
        assert "permission denied" in refused(cluster, reader, statement)


def test_an_address_with_several_hosts_serves_the_reader_too(cluster):
    assert psql(cluster, Web.database("hosts", "aviary_reader"), "SELECT count(*) FROM aviary.position").stdout == "1\n"


def test_passwords_are_kept_as_scram(cluster):
    stored = cluster.primary().psql("SELECT count(*) FROM pg_authid WHERE rolpassword LIKE 'SCRAM-SHA-256$%'")
    assert stored == "2"
    assert cluster.primary().psql("SELECT count(*) FROM pg_authid WHERE rolpassword IS NOT NULL") == "2"


def test_only_a_certificate_of_the_authority_changes_the_cluster(cluster):
    primary = cluster.primary()
    assert primary.asked("GET", "/primary")[0] == 200
    assert primary.asked("POST", "/switchover", {"leader": primary.name})[0] == 403
    assert primary.asked("PATCH", "/config", {"synchronous_mode": False})[0] == 403
    assert cluster.find_primary() is primary


def test_etcd_answers_nobody_without_a_certificate(cluster):
    done = cluster.webs[0].run(
        "env", "ETCDCTL_API=3", "etcdctl", f"--endpoints=https://{cluster.databases[0].full_name}:2379",
        "--cacert=/etc/ssl/zoo/ca.pem", "endpoint", "health", check=False,
    )
    assert done.returncode != 0


def test_a_commit_waits_for_a_second_host(cluster):
    primary = cluster.primary()
    synchronous, _ = cluster.replicas()
    assert primary.psql("SHOW synchronous_standby_names").strip('"') == synchronous.name
    assert primary.psql("SHOW synchronous_commit") == "on"
    assert primary.psql("SHOW data_checksums") == "on"
