"""Unit files of systemd, and the messages of a service to its manager."""

import socket
from pathlib import Path

from waiting import PATIENCE
from zoo import BINARY, DEPLOY

SERVICES = ["aviary.service", "aviary-backup.service"]


class Unit:
    def __init__(self, path: Path):
        self.settings: dict[tuple[str, str], list[str]] = {}
        section = ""
        for line in path.read_text().splitlines():
            line = line.strip()
            if line.startswith("["):
                section = line.strip("[]")
            elif line and not line.startswith(("#", ";")):
                name, _, value = line.partition("=")
                self.settings.setdefault((section, name), []).append(value)

    def values(self, section: str, name: str) -> list[str]:
        return self.settings.get((section, name), [])

    def value(self, section: str, name: str) -> str:
        values = self.values(section, name)
        assert len(values) == 1, f"{name} is there {len(values)} times."
        return values[0]


def installed(directory: Path) -> list[Path]:
    """Writes copies of the units that name the program of this build, and returns their paths."""
    copies = []
    for unit in sorted((DEPLOY / "systemd").glob("aviary*.*")):
        if unit.suffix in (".service", ".socket", ".timer"):
            copy = directory / unit.name
            copy.write_text(unit.read_text().replace("/usr/local/bin/zoo", str(BINARY)))
            copies.append(copy)
    return sorted(copies, key=lambda copy: copy.name != "aviary.service")


class Notifications:
    """The receiving end of sd_notify."""

    def __init__(self, path: Path):
        self.path = path

    def __enter__(self):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(str(self.path))
        self.socket.settimeout(PATIENCE)
        return self

    def __exit__(self, *_):
        self.socket.close()

    def next_with(self, text: str) -> str:
        """Returns the next message with a line that equals the text, and skips other messages."""
        while True:
            message = self.socket.recv(4096).decode()
            if text in message.splitlines():
                return message
