"""What the program tells of its database."""

import json
import urllib.request

from browser import Browser
from zoo import until


def findings(zoo, *flags: str) -> dict[str, dict]:
    done = zoo.attempt("check", "--deploy", "--json", *flags)
    return {finding["check"]: finding for finding in json.loads(done.stdout)}


def series(metrics: str) -> list[str]:
    with urllib.request.urlopen(metrics) as answer:
        return answer.read().decode().splitlines()


def test_check_judges_the_server_and_its_role(make_zoo, postgresql, database):
    zoo = make_zoo(database)
    zoo.fill()
    found = findings(zoo)
    assert found["database-tls"]["level"] == "ok"
    assert found["database-server"]["level"] == "ok" and "primary" in found["database-server"]["text"]
    # The server of the tests writes nothing to its disk, and its role is a superuser.
    assert found["database-durability"]["level"] == "danger" and "fsync" in found["database-durability"]["advice"]
    assert found["database-role"]["level"] == "danger" and "superuser" in found["database-role"]["text"]
    assert found["database-replication"]["level"] == "warning"
    assert found["database-connections"]["level"] == "ok"
    assert "database-extension" not in found
    assert all(finding.get("advice") for finding in found.values() if finding["level"] != "ok")


def test_an_owner_that_is_no_superuser_serves_and_passes_the_check(make_zoo, postgresql):
    postgresql.run("CREATE ROLE keeper LOGIN CONNECTION LIMIT 20")
    database = postgresql.create_database()
    postgresql.run(f"ALTER DATABASE {database.split('/')[3].split('?')[0]} OWNER TO keeper")
    zoo = make_zoo(database.replace("aviary@", "keeper@"))
    zoo.fill()
    found = findings(zoo)
    assert found["database-role"]["level"] == "ok", found["database-role"]
    assert found["database-connections"]["level"] == "warning" and "20" in found["database-connections"]["text"]
    snapshot = str(zoo.data.parent / "snapshot.jsonl.gz")
    zoo.run("backup", "--prove", "--output", snapshot)
    zoo.run("restore", snapshot, "--yes")
    assert len(zoo.names()) == 40


def test_a_connection_that_verifies_nobody_is_a_danger(make_zoo):
    found = findings(make_zoo("postgresql://aviary@192.0.2.1/zoo?connect_timeout=1"))
    assert found["database-tls"]["level"] == "danger" and "sslmode=verify-full" in found["database-tls"]["advice"]


def test_status_health_metrics_and_the_overview_tell_of_the_server(zoo):
    zoo.serve("--workers", "1", "--metrics-port", "0")
    metrics = zoo.line().strip().rpartition(" ")[2]
    zoo.fill()
    status = until(lambda status: status.get("version"), lambda: zoo.status()["database"])
    assert status["role"] == "primary" and status["version"] and status["replicas"] == []
    assert 0 < status["connections"] < status["connectionLimit"] and status["lastCommit"] > 0
    text = until(lambda done: done.returncode == 0, lambda: zoo.attempt("status")).stdout
    assert zoo.database in text and "primary" in text and "connections" in text
    assert until(lambda answer: answer[0] == 200, lambda: zoo.get("/readyz")) == (200, "ready\n")
    lines = until(lambda lines: {"aviary_store_up 1", "aviary_database_up 1"} <= set(lines), lambda: series(metrics))
    assert "aviary_database_up 1" in lines and "aviary_database_primary 1" in lines
    assert any(line.startswith('aviary_store_info{') and 'engine="postgresql"' in line for line in lines)
    browser = Browser(zoo.address)
    browser.sign_in(zoo.run("user", "add", "grace", "--role", "admin", "--link"))
    page = until(lambda page: "PostgreSQL" in page, lambda: browser.get("/admin"))
    assert "Database" in page and f"PostgreSQL {status['version']}, primary" in page
    zoo.stop()


def test_a_file_has_no_figures_of_a_database(make_zoo):
    zoo = make_zoo()
    zoo.serve("--workers", "1", "--metrics-port", "0")
    metrics = zoo.line().strip().rpartition(" ")[2]
    assert "database" not in zoo.status()
    assert not [line for line in series(metrics) if "aviary_database_" in line]
    zoo.stop()
