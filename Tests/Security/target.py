"""The target of the scanners: a zoo with 344 penguins on a loopback address, and an account with all permissions."""

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Browser"))

from server import Zoo  # noqa: E402
from visitor import Visitor  # noqa: E402

PASSWORD = "six purple lamps at noon"


class Target(Zoo):
    def __init__(self, directory: Path):
        super().__init__(directory)
        self.import_penguins()
        for name, role in [("scanner", "admin"), ("bystander", "viewer")]:
            subprocess.run([self.binary, "user", "add", name, "--role", role, "--password-stdin", "--data", self.data],
                           input=PASSWORD, text=True, check=True, capture_output=True)

    def start(self):
        """
        Starts the server with the client as a trusted proxy, because failed sign-ins from one address would be delayed
        after twenty.
        """
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [self.binary, "serve", "--in-process", "--port", "0", "--data", self.data, "--trusted-proxy", "127.0.0.1"],
                stdout=subprocess.PIPE, stderr=log, text=True, env={**os.environ, "AVIARY_LOG_LEVEL": "warning"})
        announcement = self.process.stdout.readline()
        self.port = int(re.search(r":(\d+)/", announcement).group(1))

    def signed_in(self) -> Visitor:
        visitor = Visitor(self.url, agent=b"Scanner")
        form = visitor.get("/login").form_to("/login")
        answer = visitor.post("/login", form | {"username": ["scanner"], "password": [PASSWORD]})
        assert answer.status == 303, answer.texts()
        return visitor

    def is_well(self) -> bool:
        return self.process.poll() is None and Visitor(self.url).get("/readyz").status == 200
