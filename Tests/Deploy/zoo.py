"""The zoo as a service behind a proxy: supervisor, store and workers, with their own port and data directory."""

import json
import os
import re
import signal
import subprocess
from pathlib import Path

from ports import held_port
from waiting import PATIENCE, eventually, patience_with

ROOT = Path(__file__).resolve().parents[2]
BINARY = Path(os.environ.get("ZOO", ROOT / ".build/debug/zoo"))
DEPLOY = ROOT / "deploy"
PROGRAMS = ROOT / ".build/deploy/bin"
NAME = "zoo.example.org"
USER, PASSWORD = "ada", "six purple lamps at noon"


def environment(**more: str) -> dict[str, str]:
    """Returns the environment of the tests without the settings of the program."""
    return {name: value for name, value in os.environ.items() if not name.startswith("AVIARY_")} | more


def run(*arguments, input: str = "") -> str:
    """Runs a command of the program and returns its output."""
    return subprocess.run(
        [BINARY, *arguments], input=input, check=True, capture_output=True, text=True, env=environment()
    ).stdout


def add_user(data: Path, name: str = USER, role: str = "admin", password: str | None = PASSWORD):
    """Adds an account. Without a password, only links sign in. Hashing a password takes seconds in a debug build."""
    how = ["--link"] if password is None else ["--password-stdin"]
    run("user", "add", name, "--role", role, *how, "--data", data, input=f"{password or ''}\n")


def give_password(data: Path, name: str = USER, password: str = PASSWORD):
    run("user", "password", name, "--password-stdin", "--data", data, input=password + "\n")


class Zoo:
    def __init__(self, directory: Path, public_port: int):
        self.data = directory / "data"
        self.log = directory / "zoo.log"
        self.port = held_port()
        self.public_url = f"https://{NAME}:{public_port}"
        self.process = None

    def start(self):
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [BINARY, "serve", "--public-url", self.public_url, "--port", str(self.port), "--workers", "2",
                 "--access-log", "--trusted-proxy", "127.0.0.1", "--data", self.data],
                stdout=subprocess.PIPE, stderr=log, text=True, env=environment(),
            )
        announcement = self.next_line()
        assert re.fullmatch(
            rf"Zoo is served at {re.escape(self.public_url)}/admin by a proxy that passes on to "
            rf"http://127\.0\.0\.1:{self.port}\n", announcement
        ), f"The zoo did not start: {announcement}{self.log.read_text()}"

    def first_link(self) -> str:
        """Returns the link for the first account, which the program prints if there is no account."""
        line = self.next_line()
        assert line.startswith("Make the first account within an hour: "), line
        return line.strip().rpartition(" ")[2]

    def link(self, name: str) -> str:
        """Creates a link that lets the account set a password once."""
        return run("user", "link", name, "--public-url", self.public_url, "--data", self.data).strip()

    def next_line(self) -> str:
        with patience_with(self.process):
            return self.process.stdout.readline()

    def signal(self, number: signal.Signals):
        self.process.send_signal(number)

    def stop(self):
        """Stops the process like a service manager."""
        self.signal(signal.SIGTERM)
        assert self.process.wait(timeout=PATIENCE) == 0
        self.process.stdout.close()

    def kill(self):
        """Kills the process at the end of a test, even if the test failed."""
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()
            self.process.stdout.close()


class Family:
    """The processes that serve a data directory, as `status` reports them."""

    def __init__(self, data: Path):
        run = subprocess.run(
            [BINARY, "status", "--json", "--data", data], capture_output=True, text=True, env=environment()
        )
        status = json.loads(run.stdout) if run.stdout else {}
        members = [status.get("store"), *status.get("workers", [])]
        self.supervisor: int | None = status.get("supervisor", {}).get("pid")
        self.is_ready = bool(status) and all(member and member["ready"] for member in members)
        self.members = {member["pid"] for member in members if member}

    @staticmethod
    def ready(data: Path) -> "Family":
        def look() -> Family | None:
            family = Family(data)
            return family if family.is_ready else None

        return eventually("store and workers are ready", look)

    @staticmethod
    def replaced(before: "Family", data: Path) -> "Family":
        """Waits until a deploy has replaced every process, and returns the new processes."""
        seen = []

        def look() -> Family | None:
            now = Family(data)
            seen[:] = now.members
            is_new = now.is_ready and len(now.members) == len(before.members) and not now.members & before.members
            return now if is_new else None

        return eventually("every process is replaced", look, lambda: f"{before.members} became {seen}")
