"""Two web hosts that serve one store behind a balancer, the load test that watches its promises, and saves at a steady pace."""

import json
import shutil
import subprocess
import threading
import time
from pathlib import Path

from browser import PASSWORD, Browser
from cluster import ZOO, Cluster, Web
from hosts import ROOT
from waiting import PATIENCE, eventually
from zoo import BINARY

# The account of the load test.
USER = "tester"


class Served:
    """The store of both web hosts, and what a person does to set it up."""

    def __init__(self, cluster: Cluster, program: Path = BINARY):
        self.cluster, self.program = cluster, program

    def start(self):
        self.clear()
        first, second = self.cluster.webs
        for host, kind in [(first, "balancer"), (second, "hosts")]:
            host.kind, host.program = kind, self.program
        link = first.zoo("user", "add", USER, "--role", "admin", "--link")
        first.start()
        self.wait_until_ready(first)
        # The hosts need the same keys, before they start.
        shutil.copytree(first.data / "keys", second.data / "keys")
        for path in [second.data / "keys", *(second.data / "keys").iterdir()]:
            shutil.chown(path, "nobody", "nogroup")
        second.start()
        self.wait_until_ready(second)
        eventually("the balancer has both hosts", lambda: self.cluster.balancer.counts_as_ready() == 2)
        Browser(f"http://{ZOO}").sign_in(link)

    def stop(self):
        for host in self.cluster.webs:
            host.program = None
            host.kill("zoo")
            host.services.pop("zoo", None)

    def clear(self):
        """Removes the store, and what the hosts have beside it."""
        self.cluster.primary().psql("DROP SCHEMA IF EXISTS aviary CASCADE")
        for host in self.cluster.webs:
            for file in host.data.iterdir():
                shutil.rmtree(file) if file.is_dir() else file.unlink()

    def wait_until_ready(self, host: Web):
        def look() -> bool:
            process = host.services["zoo"]
            assert process.poll() is None, host.log("zoo").read_text()
            return subprocess.run(
                ["curl", "--silent", "--fail", "--max-time", "2", f"http://{host.address}:8080/readyz"], capture_output=True
            ).returncode == 0

        eventually(f"{host.name} is ready", look, lambda: host.log("zoo").read_text()[-2000:])

    def names(self, model: str) -> list[str]:
        lines = self.cluster.webs[0].zoo("export", model, "--format", "jsonl").splitlines()
        return sorted(json.loads(line)["name"] for line in lines)


class Load:
    """The load test: people who add, edit, delete and undo through the balancer, and a list of all they were promised."""

    # Actions a second: a quarter of what the machine of the tests manages with two hosts.
    RATE = 12

    def __init__(self, seconds: int, scenario: str = "mixed"):
        self.log = (ROOT / "load.log").open("w+")
        self.process = subprocess.Popen(
            [BINARY, "loadtest", "--url", f"http://{ZOO}", "--yes-load-another-host", "--user", USER, "--password-stdin",
             "--scenario", scenario, "--rate", str(self.RATE), "--connections", "12", "--processes", "1", "--warm-up", "0s",
             "--duration", f"{seconds}s", "--outage", f"{PATIENCE}s", "--json"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log, text=True,
        )
        self.process.stdin.write(PASSWORD + "\n")
        self.process.stdin.close()
        eventually("the load has begun", lambda: self.has_begun, self.explain)

    @property
    def has_begun(self) -> bool:
        assert self.process.poll() is None, self.explain()
        return "Loading for" in self.explain()

    @property
    def is_over(self) -> bool:
        """Whether the time of the load is over, and the comparison has begun."""
        return "Checking." in self.explain()

    def explain(self) -> str:
        return Path(self.log.name).read_text()[-3000:]

    def result(self) -> dict:
        """Waits for the end, and returns what was found."""
        output = self.process.stdout.read()
        self.process.wait(timeout=PATIENCE)
        assert output, self.explain()
        return json.loads(output)

    def end(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()
        self.log.close()


class Saves(threading.Thread):
    """A person who saves one record after the other through the balancer, and repeats each until it is acknowledged."""

    # The seconds after which an answer is no longer waited for, and between two attempts.
    DEADLINE, PAUSE = 3, 0.05

    def __init__(self):
        super().__init__(name="saves")
        self.ended = threading.Event()
        self.acknowledged: list[tuple[float, str]] = []
        self.begun: list[str] = []
        self.last_failure = ""
        self.browser = Browser(f"http://{ZOO}")
        # A debug build takes seconds for the hash of a password.
        self.browser.submit("/login", 'action="/login"', username=USER, password=PASSWORD)
        self.browser.patience = self.DEADLINE

    def run(self):
        while not self.ended.is_set():
            name = f"Friend {len(self.begun)}"
            self.begun.append(name)
            form = self.repeat(lambda: self.browser.filled("/admin/friends/new", 'id="sheet-form"', name=name))
            if form and self.repeat(lambda: self.browser.post(*form)):
                self.acknowledged.append((time.monotonic(), name))
            self.ended.wait(self.PAUSE)

    def repeat(self, action):
        while not self.ended.is_set():
            try:
                return action()
            except (AssertionError, OSError) as failure:
                self.last_failure = str(failure)[:500]
                self.ended.wait(self.PAUSE)

    def first_acknowledgement(self, after: float) -> float:
        """Waits for a save that is acknowledged after this moment, and returns when it was."""
        def look() -> float | None:
            return next((at for at, _ in reversed(self.acknowledged) if at > after), None)

        eventually("a save is acknowledged", look, lambda: self.last_failure)
        return next(at for at, _ in self.acknowledged if at > after)

    def acknowledge(self, count: int):
        """Waits for so many further saves."""
        wanted = len(self.acknowledged) + count
        eventually(f"{count} further saves are acknowledged", lambda: len(self.acknowledged) >= wanted, lambda: self.last_failure)

    def longest_gap(self, since: float) -> float:
        times = [since, *(at for at, _ in self.acknowledged if at > since)]
        return max(after - before for before, after in zip(times, times[1:]))

    def stop(self):
        self.ended.set()
        self.join(timeout=PATIENCE)
