"""The zoo under test: a real process on a free port, with its own data directory."""

import http.cookiejar
import os
import re
import shutil
import signal
import socket
import subprocess
import urllib.parse
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BINARY = Path(os.environ.get("ZOO", ROOT / ".build/debug/zoo"))
LIBRARY = Path(os.environ.get("LIBRARY", ROOT / ".build/debug/Library"))
# The password of every account.
PASSWORD = "tapir umbrella quartz"
PENGUINS = ROOT / "Tests/Fixtures/penguins-raw.csv"


class Zoo:
    binary = BINARY

    def __init__(self, directory: Path, template: "Template | None" = None):
        """Creates a zoo.

        - template: The initial data; without it, the data directory is empty.
        """
        self.data = directory / "data"
        self.sessions = {}
        if template:
            shutil.copytree(template.data, self.data, symlinks=True, ignore=shutil.ignore_patterns("*.sock"))
            self.sessions = template.sessions
        self.log = directory / "zoo.log"
        # A socket that never listens keeps the port for all starts. The server sets SO_REUSEADDR and can bind it too.
        self.holder = socket.socket()
        self.holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.holder.bind(("127.0.0.1", 0))
        self.port = self.holder.getsockname()[1]
        self.options = []
        self.process = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def import_penguins(self):
        subprocess.run(
            [self.binary, "import", "Animal", PENGUINS, "--data", self.data, "--null", "NA", "--create-related",
             "--map", "name=Individual ID", "--map", "category=Species"],
            check=True, capture_output=True,
        )

    def start(self):
        """Starts. Later starts use the same port, so that open pages keep working."""
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [self.binary, "serve", "--in-process", "--port", str(self.port), "--data", self.data, *self.options],
                stdout=subprocess.PIPE, stderr=log, text=True,
            )
        # The line is printed when the socket listens. An empty line means that the process could not start.
        announcement = self.process.stdout.readline()
        assert f"{self.url}/admin" in announcement, f"The zoo did not start: {announcement}{self.log.read_text()}"

    def add(self, name: str, role: str):
        """Adds an account. An existing account stays unchanged."""
        command = [self.binary, "user", "add", name, "--role", role, "--password-stdin", "--data", self.data]
        made = subprocess.run(command, input=f"{PASSWORD}\n", capture_output=True, text=True)
        assert made.returncode == 0 or "already" in made.stderr, made.stderr

    def sign_in(self, name: str = "local", role: str = "admin") -> dict:
        """Adds an account if necessary, signs it in with the password and returns the session cookie."""
        self.add(name, role)
        jar = http.cookiejar.CookieJar()
        web = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
        page = web.open(f"{self.url}/login").read().decode()
        fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', page))
        typed = {"username": name, "password": PASSWORD}
        web.open(f"{self.url}/login", urllib.parse.urlencode(fields | typed).encode()).read()
        return self._cookie(next(cookie.value for cookie in jar if cookie.name.startswith("session-")))

    def session(self, name: str = "local") -> dict:
        """Returns the cookie of a session from the initial data, or of a new session."""
        return self._cookie(self.sessions[name]) if name in self.sessions else self.sign_in(name)

    def _cookie(self, session: str) -> dict:
        return {"name": f"session-{self.port}", "value": session, "domain": "127.0.0.1", "path": "/", "httpOnly": True,
                "sameSite": "Lax", "secure": False, "expires": -1}

    def kill(self):
        """Kills the process without a clean shutdown, like a crash."""
        self._end(signal.SIGKILL)

    def stop(self):
        """Stops the process with a clean shutdown."""
        self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals):
        self.process.send_signal(how)
        self.process.wait()
        self.process.stdout.close()

    def end(self):
        """Kills the process and deletes its data, because the data of a thousand tests takes much space."""
        self.kill()
        self.holder.close()
        shutil.rmtree(self.data, ignore_errors=True)

    def pause(self):
        """Suspends the process: it accepts connections but does not respond."""
        self.process.send_signal(signal.SIGSTOP)
        # This returns when all threads of the process are stopped.
        os.waitid(os.P_PID, self.process.pid, os.WSTOPPED)

    def resume(self):
        self.process.send_signal(signal.SIGCONT)

    def restart(self):
        self.kill()
        self.start()

    def holds(self, text: str) -> bool:
        """Returns whether any file of the data directory contains the text."""
        return any(
            text.encode() in file.read_bytes()
            for file in self.data.rglob("*") if file.is_file() and not file.is_symlink()
        )


class Library(Zoo):
    """Another application, with models that have every kind of field and relation."""

    binary = LIBRARY

    def fill(self):
        subprocess.run([self.binary, "fill", "--data", self.data], check=True, capture_output=True)


@dataclass
class Template:
    """A data directory without a running server, with sessions that are valid on any port."""

    data: Path
    sessions: dict[str, str]

    @staticmethod
    def of(server: Zoo, fill: Callable[[Zoo], None] = lambda server: None) -> "Template":
        fill(server)
        # A server that began with the data of another template has its sessions, too.
        if not server.sessions:
            server.start()
            server.sessions = {name: server.sign_in(name)["value"] for name in ["local", "elsewhere"]}
            server.stop()
        return Template(server.data, server.sessions)
