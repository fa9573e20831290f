"""A PostgreSQL of the tests' own, and databases in it."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from zoo import ROOT, environment


class PostgreSQL:
    """A server that scripts/with-postgresql starts for as long as its command runs."""

    def __init__(self):
        # AVIARY_TEST_DATABASE is the way in which the script tells its command the address.
        self.process = subprocess.Popen(
            [ROOT / "scripts/with-postgresql", "sh", "-c", 'echo "$AVIARY_TEST_DATABASE"; cat'],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment(),
        )
        self.address = self.process.stdout.readline().strip()
        assert self.address, "scripts/with-postgresql has started no server."
        self.socket = parse_qs(urlsplit(self.address).query)["host"][0]
        self.count = 0

    def create_database(self, encoding: str = "UTF8") -> str:
        """Creates a database and returns its address."""
        self.count += 1
        name = f"zoo{self.count}"
        self.run(
            f"CREATE DATABASE {name} TEMPLATE template0 ENCODING '{encoding}' LC_COLLATE 'C' LC_CTYPE 'C' LOCALE_PROVIDER libc"
        )
        return self.address_of(name)

    def address_of(self, database: str, user: str = "aviary", more: str = "") -> str:
        return f"postgresql://{user}@/{database}?host={self.socket}{more}"

    def run(self, sql: str, database: str | None = None) -> str:
        """Runs a statement as the superuser and returns its rows."""
        done = subprocess.run(
            ["psql", "-XAtq", "-v", "ON_ERROR_STOP=1", database or self.address, "-c", sql],
            capture_output=True, text=True, env=os.environ,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    @contextmanager
    def asking_for_passwords(self) -> Iterator[None]:
        """Has the server ask roles other than its own for a password."""
        file = Path(self.run("SHOW hba_file"))
        before = file.read_text()
        file.write_text("local all aviary trust\nlocal all all scram-sha-256\n")
        self.run("SELECT pg_reload_conf()")
        try:
            yield
        finally:
            file.write_text(before)
            self.run("SELECT pg_reload_conf()")

    def stop(self):
        self.process.stdin.close()
        self.process.wait()
