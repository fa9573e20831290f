"""The commands of docs/postgresql-operations.md, run on the hosts that the page names."""

import re
from pathlib import Path

from cluster import REPOSITORY, Database
from hosts import identity

PAGE = REPOSITORY / "docs/postgresql-operations.md"


class Runbook:
    """The blocks that are marked as tried, by section, each with the host on which it runs."""

    def __init__(self, page: Path = PAGE):
        self.blocks: dict[str, list[tuple[str, list[str]]]] = {}
        section, host, lines = "", None, None
        for line in page.read_text().splitlines():
            mark = re.fullmatch(r"<!-- tried on (.+) -->", line)
            if lines is not None and line == "```":
                self.blocks.setdefault(section, []).append((host, lines))
                host, lines = None, None
            elif lines is not None:
                lines.append(line)
            elif line.startswith("## "):
                section = line[3:]
            elif mark:
                host = mark.group(1)
            elif line == "```sh" and host:
                lines = []


def run(host: Database, lines: list[str], **names: str) -> str:
    """Runs a block in a shell that stops at the first failure, and returns what it prints. The service manager is the test."""
    output, script = [], []

    def finish():
        if script:
            output.append(host.run("bash", "-euo", "pipefail", "-c", "\n".join(script)).stdout)
            script.clear()

    for line in lines:
        for name, value in names.items():
            line = line.replace(name, value)
        service = re.fullmatch(r"systemctl start (patroni|etcd)", line)
        if service:
            finish()
            host.start_patroni() if service.group(1) == "patroni" else host.start_etcd()
        else:
            script.append(line.replace("sudo -u postgres ", " ".join(identity("postgres")) + " "))
    finish()
    return "".join(output)
