"""Addresses, servers and databases that cannot be used: a sentence, an exit code, and nothing changed."""

import socket
import struct
import threading

import pytest

from zoo import Zoo


def refused(zoo: Zoo, *sentences: str, code: int = 1, command=("user", "list"), **variables: str):
    """Runs a command that fails with sentences, none of which repeats itself or an address with a secret."""
    done = zoo.attempt(*command, **variables)
    assert done.returncode == code, done.stdout + done.stderr
    assert done.stdout == ""
    for sentence in sentences:
        assert sentence in done.stderr
    assert "purple" not in done.stderr
    assert "??" not in done.stderr and ".." not in done.stderr.replace("...", "")


@pytest.mark.parametrize("address, sentence", [
    ("mysql://db/zoo", "must begin with postgresql://"),
    ("postgresql://db/zoo?colour=red", "is malformed"),
    ("postgresql://aviary:purple@db/zoo", "contains a password"),
    ("postgresql://aviary@db/zoo?password=purple", "contains a password"),
    ("", "must begin with postgresql://"),
])
def test_an_address_that_cannot_be_used_is_wrong_usage(make_zoo, address, sentence):
    zoo = make_zoo(address or None)
    if not address:
        done = zoo.attempt("user", "list", "--database", "")
        assert done.returncode == 2 and sentence in done.stderr
    else:
        refused(zoo, sentence, "--database", code=2)
    assert not zoo.data.exists()


def test_a_password_file_that_everybody_may_read_is_wrong_usage(zoo, tmp_path):
    file = tmp_path / "password"
    file.write_text("purple\n")
    file.chmod(0o644)
    refused(zoo, "chmod o=", code=2, AVIARY_DATABASE_PASSWORD_FILE=str(file))
    refused(zoo, "cannot be read", code=2, AVIARY_DATABASE_PASSWORD_FILE=str(tmp_path / "none"))


def test_a_server_that_cannot_be_reached(make_zoo):
    refused(make_zoo("postgresql://aviary@127.0.0.1:1/zoo"), "cannot be reached", "127.0.0.1")
    refused(make_zoo("postgresql://aviary@nowhere.invalid/zoo"), "host of the address is not known")


def test_a_database_a_role_and_a_connection_that_the_server_refuses(make_zoo, postgresql, database):
    refused(make_zoo(postgresql.address_of("missing")), "database of the address does not exist", "3D000")
    refused(make_zoo(postgresql.address_of("postgres", user="stranger")), "role of the address does not exist", "28000")
    postgresql.run("CREATE ROLE crowded LOGIN CONNECTION LIMIT 0")
    refused(make_zoo(database.replace("aviary@", "crowded@")), "no connection left", "53300")


def test_a_role_without_permission_creates_nothing(make_zoo, postgresql, database):
    postgresql.run("CREATE ROLE guest LOGIN")
    refused(make_zoo(database.replace("aviary@", "guest@")), "permission denied", "docs/postgresql.md")
    assert postgresql.run("SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'aviary%'", database) == "0"


def test_a_wrong_password_is_refused_and_the_right_one_accepted(make_zoo, postgresql, database, tmp_path):
    with postgresql.asking_for_passwords():
        postgresql.run("CREATE ROLE guarded LOGIN SUPERUSER PASSWORD 'six purple lamps'")
        zoo = make_zoo(database.replace("aviary@", "guarded@"))
        file = tmp_path / "password"
        file.write_text("six green lamps\n")
        file.chmod(0o600)
        refused(zoo, "the password is wrong or missing", "28P01", AVIARY_DATABASE_PASSWORD_FILE=str(file))
        refused(zoo, "the password is wrong or missing")
        refused(zoo, "the password is wrong or missing", command=("serve", "--port", "0"))
        file.write_text("six purple lamps\n")
        done = zoo.attempt("user", "list", AVIARY_DATABASE_PASSWORD_FILE=str(file))
        assert done.returncode == 0, done.stderr


def test_an_encoding_other_than_utf8(make_zoo, postgresql):
    refused(make_zoo(postgresql.create_database("LATIN1")), "encoding LATIN1", "UTF8")


@pytest.mark.parametrize("command", [("user", "list"), ("serve", "--port", "0"), ("serve", "--in-process", "--port", "0")])
def test_a_schema_of_another_application_stays_as_it_is(zoo, postgresql, database, command):
    postgresql.run("CREATE SCHEMA aviary CREATE TABLE mine (a integer)", database)
    postgresql.run("INSERT INTO aviary.mine VALUES (7)", database)
    refused(zoo, "is not a store of this library", command=command)
    check = zoo.attempt("check")
    assert check.returncode == 1 and "is of another application" in check.stdout
    assert postgresql.run("SELECT a FROM aviary.mine", database) == "7"
    assert postgresql.run("SELECT count(*) FROM pg_class WHERE relnamespace = 'aviary'::regnamespace", database) == "1"


def test_a_store_of_another_version_stays_as_it_is(zoo, postgresql, database):
    zoo.fill()
    postgresql.run("UPDATE aviary.aviary_store SET layout = 999", database)
    for command in [("user", "list"), ("migrate",), ("serve", "--port", "0")]:
        done = zoo.attempt(*command)
        assert done.returncode == 1 and "layout 999" in done.stdout + done.stderr, command
    postgresql.run("UPDATE aviary.aviary_store SET layout = 1", database)
    assert len(zoo.names()) == 40


def test_a_command_that_reads_names_the_database_without_a_store(zoo, database):
    for command in [("export", "Animal"), ("backup",), ("check", "--contents")]:
        refused(zoo, f"{database}: there is no store yet", command=command)


def test_a_server_of_an_older_version(make_zoo):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=answer_as, args=(listener, "13.9"), daemon=True).start()
        port = listener.getsockname()[1]
        refused(make_zoo(f"postgresql://aviary@127.0.0.1:{port}/zoo?sslmode=disable&gssencmode=disable"),
                "PostgreSQL 13", "Version 14 or newer is needed")


def answer_as(listener: socket.socket, version: str):
    """Lets clients in as a server of a version does, and answers nothing else."""
    def message(kind: bytes, body: bytes) -> bytes:
        return kind + struct.pack(">I", len(body) + 4) + body

    while True:
        try:
            connection, _ = listener.accept()
        except OSError:
            return
        length = struct.unpack(">I", connection.recv(4))[0]
        connection.recv(length - 4)
        settings = {"server_version": version, "server_encoding": "UTF8", "client_encoding": "UTF8"}
        connection.sendall(
            message(b"R", struct.pack(">I", 0))
            + b"".join(message(b"S", f"{name}\0{value}\0".encode()) for name, value in settings.items())
            + message(b"K", struct.pack(">II", 1, 1)) + message(b"Z", b"I"))
        connection.recv(1024)
        connection.close()
