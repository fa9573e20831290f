"""The zoo with a store in a database or in its data directory: commands and a server."""

import json
import os
import re
import signal
import subprocess
import threading
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BINARY = Path(os.environ.get("ZOO", ROOT / ".build/debug/zoo"))
# The limit of every wait, in seconds. Only a failing test reaches it.
PATIENCE = 180


def environment(**more: str) -> dict[str, str]:
    """Returns the environment of the tests without the settings of the program."""
    return {name: value for name, value in os.environ.items() if not name.startswith("AVIARY_")} | more


def until(holds: Callable, read: Callable):
    """Reads until a condition holds, and returns the last value.

    Commands, pages and metrics wait for a second for the store and its database, which may be too short on a busy
    machine.
    """
    end = time.monotonic() + PATIENCE
    while not holds(value := read()) and time.monotonic() < end:
        time.sleep(0.05)
    return value


class Zoo:
    """A data directory, and the database that contains its store; without one, the directory contains it."""

    def __init__(self, directory: Path, database: str | None = None):
        self.data = directory / "data"
        self.database = database
        self.log = directory / "zoo.log"
        self.process = None
        self.address = None

    @property
    def flags(self) -> list[str]:
        return (["--database", self.database] if self.database else []) + ["--data", str(self.data)]

    def attempt(self, *arguments, input: str = "", **variables: str) -> subprocess.CompletedProcess:
        """Runs a command of the program, with its output whatever its end."""
        return subprocess.run(
            [BINARY, *arguments, *self.flags], input=input, capture_output=True, text=True, timeout=PATIENCE,
            env=environment(**variables),
        )

    def run(self, *arguments, input: str = "") -> str:
        """Runs a command of the program that succeeds, and returns what it wrote to standard output."""
        done = self.attempt(*arguments, input=input)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def fill(self):
        """Imports some animals as a series of commits, and adds an account without a password."""
        file = self.data.parent / "animals.csv"
        file.write_text("name,diet\n" + "".join(f"Animal {n},{'herbivorous' if n % 2 else 'carnivorous'}\n" for n in range(40)))
        self.run("import", "Animal", str(file))
        self.run("user", "add", "ada", "--role", "admin", "--link")

    def fill_more(self, *names: str):
        """Imports animals with these names."""
        file = self.data.parent / "more.csv"
        file.write_text("name,diet\n" + "".join(f"{name},omnivorous\n" for name in names))
        self.run("import", "Animal", str(file))

    def demo(self) -> subprocess.CompletedProcess:
        """Tries to serve sample data from the database."""
        return subprocess.run(
            [BINARY, "serve", "--demo", "--port", "0", "--database", self.database], capture_output=True, text=True,
            timeout=PATIENCE, env=environment())

    def names(self, model: str = "Animal") -> list[str]:
        lines = self.run("export", model, "--format", "jsonl").splitlines()
        return sorted(json.loads(line)["name"] for line in lines)

    def status(self) -> dict:
        """Returns the report of `status` once the store answers it."""
        return until(
            lambda report: (report.get("store") or {}).get("answers"),
            lambda: json.loads(self.attempt("status", "--json").stdout))

    # MARK: Serving

    def serve(self, *flags, **variables: str) -> str:
        """Starts the server on a free port and returns the line that follows its address, or an empty one."""
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [BINARY, "serve", "--port", "0", *flags, *(self.flags if "--demo" not in flags else [])],
                stdout=subprocess.PIPE, stderr=log, text=True, env=environment(**variables),
            )
        line = self._next_line()
        found = re.search(r"is served at (http://127\.0\.0\.1:\d+)/admin", line)
        assert found, f"The zoo did not start: {line}{self.log.read_text()}"
        self.address = found.group(1)
        return line

    def link(self) -> str:
        """Returns the link that the server prints on its second line."""
        return self._next_line().strip().rpartition(" ")[2]

    def line(self) -> str:
        """Returns the next line that the server prints."""
        return self._next_line()

    def get(self, path: str) -> tuple[int, str]:
        try:
            with urllib.request.urlopen(self.address + path, timeout=PATIENCE) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def stop(self):
        """Stops the server like a service manager."""
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(timeout=PATIENCE) == 0, self.log.read_text()
        self.process.stdout.close()
        self.process = None

    def kill(self):
        """Ends the server at the end of a test, even if the test failed."""
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(timeout=30)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
            self.process.stdout.close()

    def _next_line(self) -> str:
        timer = threading.Timer(PATIENCE, self.process.kill)
        timer.start()
        try:
            return self.process.stdout.readline()
        finally:
            timer.cancel()
