"""A simulated machine for the commands of the runbook: its own directories, and stand-ins for systemctl and sudo."""

import os
import re
import shutil
import subprocess
from pathlib import Path

from ports import held_port
from zoo import BINARY, DEPLOY, ROOT, Family, environment

PLAYED = ROOT / "Tests/Deploy/played"


class Runbook:
    """The blocks of the runbook that are marked as tried, by section."""

    def __init__(self):
        self.blocks: dict[str, list[str]] = {}
        section, marked, lines = "", False, None
        for line in (DEPLOY / "RUNBOOK.md").read_text().splitlines():
            if lines is not None:
                if line == "```":
                    self.blocks.setdefault(section, []).append("\n".join(lines))
                    lines = None
                else:
                    lines.append(line)
            elif line.startswith("## "):
                section = line[3:]
            elif line.startswith("<!-- tried"):
                marked = True
            elif line == "```sh" and marked:
                lines, marked = [], False


class Machine:
    def __init__(self, directory: Path, backup: Path | None = None):
        self.directory = directory
        self.data = directory / "lib/aviary"
        self.backup = backup or directory / "backup"
        self.port = held_port()
        self.release = directory / "release/zoo"
        for name in ["bin", "lib", "etc/aviary", "etc/systemd", "sysusers.d", "release"]:
            (directory / name).mkdir(parents=True)
        self.backup.mkdir(exist_ok=True)
        self.new_program()

    def new_program(self, source: Path = BINARY, line: str = "another file with the same program"):
        """Creates a program in the place where a build puts it."""
        self.release.unlink(missing_ok=True)
        shutil.copy(source, self.release)
        with self.release.open("a") as file:
            file.write(f"\n{line}\n")

    def run(self, block: str) -> str:
        """Runs a block in a shell that stops at the first failure."""
        places = {
            "/usr/local/bin": "bin", "/var/lib/aviary": "lib/aviary", "/etc/aviary": "etc/aviary",
            "/etc/systemd/system/": "etc/systemd/", "/usr/lib/sysusers.d": "sysusers.d", ".build/release/zoo": "release/zoo",
        }
        for place, ours in places.items():
            block = block.replace(place, f"{self.directory}/{ours}")
        block = block.replace("/root/backup", str(self.backup))
        run = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", block], cwd=ROOT, capture_output=True, text=True, env=environment(
                PATH=f"{PLAYED}:{self.directory}/bin:{os.environ['PATH']}", MACHINE=str(self.directory), PORT=str(self.port)
            )
        )
        output = self.directory / "output"
        log = output.read_text() if output.exists() else ""
        assert run.returncode == 0, f"{block}\n{run.stdout}{run.stderr}{log}"
        return run.stdout + run.stderr

    @property
    def family(self) -> Family:
        return Family(self.data)

    def end(self):
        self.run("systemctl stop aviary")

    def add(self, *names: str):
        """Adds friends."""
        file = self.directory / "friends.csv"
        file.write_text("name\n" + "".join(f"{name}\n" for name in names))
        subprocess.run(
            [self.directory / "bin/zoo", "import", "Friend", file, "--data", self.data], check=True, capture_output=True,
            env=environment(),
        )

    @property
    def journal(self) -> str:
        """The output of the service since its start."""
        return (self.directory / "output").read_text()

    def link(self, name: str) -> str:
        """Returns the output of `user link`, with a link that signs the account in once."""
        return subprocess.run(
            [self.directory / "bin/zoo", "user", "link", name, "--data", self.data], check=True, capture_output=True, text=True,
            env=environment(),
        ).stdout

    @property
    def friends(self) -> set[str]:
        """The names of the friends in a snapshot that is taken now."""
        run = subprocess.run(
            f"'{self.directory}/bin/zoo' backup --output - --data '{self.data}' | gzip -dc", shell=True, check=True,
            capture_output=True, text=True, env=environment(),
        )
        return set(re.findall(r'"model":"Friend".*?"name":"([^"]*)"', run.stdout))
