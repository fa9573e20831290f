"""The zoo under test: a real process on a free port, with a data directory of its own."""

import http.cookiejar
import os
import re
import signal
import subprocess
import time
import urllib.parse
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BINARY = Path(os.environ.get("ZOO", ROOT / ".build/debug/zoo"))
LIBRARY = Path(os.environ.get("LIBRARY", ROOT / ".build/debug/Library"))
PENGUINS = ROOT / "Tests/Fixtures/penguins-raw.csv"


class Zoo:
    binary = BINARY

    def __init__(self, directory: Path):
        self.data = directory / "data"
        self.log = directory / "zoo.log"
        self.port = 0
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
        """Starts on a free port; later starts take the same one, so that open pages go on."""
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [self.binary, "serve", "--in-process", "--port", str(self.port), "--data", self.data, *self.options],
                stdout=subprocess.PIPE, stderr=log, text=True,
            )
        # Comes once the socket listens; an empty line is the end of a process that could not start.
        announcement = self.process.stdout.readline()
        address = re.search(r"http://127\.0\.0\.1:(\d+)/admin", announcement)
        assert address, f"The zoo did not start: {announcement}{self.log.read_text()}"
        self.port = int(address.group(1))

    def link(self, name: str, role: str) -> str:
        """The path by which somebody signs in who has no password yet. Makes the account."""
        command = [self.binary, "user", "add", name, "--role", role, "--link", "--data", self.data]
        made = subprocess.run(command, capture_output=True, text=True)
        if made.returncode != 0:
            again = [self.binary, "user", "link", name, "--data", self.data]
            made = subprocess.run(again, capture_output=True, text=True, check=True)
        return made.stdout.strip()

    def sign_in(self, name: str = "local", role: str = "admin") -> dict:
        """Signs somebody in by a link and gives the session's cookie. Makes the account."""
        jar = http.cookiejar.CookieJar()
        web = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
        page = web.open(self.url + self.link(name, role)).read().decode()
        fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', page))
        web.open(self.url + "/login", urllib.parse.urlencode(fields).encode()).read()
        cookie = next(cookie for cookie in jar if cookie.name.startswith("session-"))
        return {"name": cookie.name, "value": cookie.value, "domain": "127.0.0.1", "path": "/", "httpOnly": True,
                "sameSite": "Lax", "secure": False, "expires": -1}

    def kill(self):
        """Ends the process without a chance to tidy up, as a crash does."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.process.stdout.close()

    def pause(self):
        """The process stands still: it takes requests and answers none."""
        self.process.send_signal(signal.SIGSTOP)
        # Each thread stops when it is its turn to.
        threads = Path(f"/proc/{self.process.pid}/task")
        deadline = time.monotonic() + 10
        while not all(stat.read_text().rpartition(")")[2].split()[0] == "T" for stat in threads.glob("*/stat")):
            assert time.monotonic() < deadline, "The zoo does not stand still."
            time.sleep(0.01)

    def resume(self):
        self.process.send_signal(signal.SIGCONT)

    def restart(self):
        self.kill()
        self.start()

    def holds(self, text: str) -> bool:
        """Whether any file of the data directory contains the text, in whatever state."""
        return any(
            text.encode() in file.read_bytes()
            for file in self.data.rglob("*") if file.is_file() and not file.is_symlink()
        )


class Library(Zoo):
    """Another application: models with every kind of field and relation."""

    binary = LIBRARY

    def fill(self):
        subprocess.run([self.binary, "fill", "--data", self.data], check=True, capture_output=True)
