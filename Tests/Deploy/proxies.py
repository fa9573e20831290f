"""nginx and Caddy, running with the files of deploy/; only addresses, paths and certificates are replaced."""

import os
import socket
import ssl
import subprocess
from pathlib import Path

from ports import held_port
from waiting import PATIENCE, eventually
from zoo import DEPLOY, NAME, PROGRAMS


class Certificate:
    """A self-signed certificate for the host name of the examples."""

    def __init__(self, directory: Path):
        self.file, self.key = directory / "fullchain.pem", directory / "privkey.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
             "-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}", "-keyout", self.key, "-out", self.file],
            check=True, capture_output=True,
        )


def replaced(text: str, *changes: tuple[str, str]) -> str:
    """Returns the text with all replacements made. A text that is missing is an error."""
    for old, new in changes:
        assert old in text, f"{old!r} is gone from the example."
        text = text.replace(old, new)
    return text


class Proxy:
    """A proxy in front of a server on a port."""

    # The time for which the proxy retries a restarting server, if the example sets it.
    patience_for_server = "5s"

    def __init__(self, directory: Path, certificate: Certificate):
        self.directory = directory
        self.certificate = certificate
        self.port, self.plain_port = held_port(), held_port()
        self.log = directory / "proxy.log"
        self.process = None

    def start(self, backend: int):
        self.directory.mkdir(exist_ok=True)
        command = self.prepare(backend)
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log, env=self.environment())
        eventually("the proxy listens", self.listens, self.log.read_text)

    def prepare(self, backend: int) -> list:
        raise NotImplementedError

    def environment(self) -> dict[str, str]:
        return os.environ | {"HOME": str(self.directory), "XDG_DATA_HOME": str(self.directory)}

    def listens(self) -> bool:
        assert self.process.poll() is None, self.log.read_text()
        try:
            socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE).close()
            return True
        except ConnectionRefusedError:
            return False

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.terminate()
            self.process.wait(timeout=PATIENCE)


class Nginx(Proxy):
    name = "nginx"

    def prepare(self, backend: int) -> list:
        site = replaced(
            (DEPLOY / "nginx/aviary.conf").read_text(),
            ("    listen [::]:80;\n", ""), ("    listen [::]:443 ssl http2 default_server;\n", ""),
            ("    listen [::]:443 ssl http2;\n", ""),
            ("listen 80;", f"listen 127.0.0.1:{self.plain_port};"), ("listen 443 ", f"listen 127.0.0.1:{self.port} "),
            ("server 127.0.0.1:8080;", f"server 127.0.0.1:{backend};"),
            ("/etc/ssl/aviary/fullchain.pem", str(self.certificate.file)),
            ("/etc/ssl/aviary/privkey.pem", str(self.certificate.key)),
        )
        (self.directory / "aviary.conf").write_text(site)
        # The relevant parts of a stock /etc/nginx/nginx.conf, with workers that may read the directory of the test.
        user = "user root;" if os.geteuid() == 0 else ""
        temporary = "".join(
            f"    {kind}_temp_path {self.directory}/{kind};\n"
            for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        (self.directory / "nginx.conf").write_text(
            f"{user}\ndaemon off;\nworker_processes 2;\npid {self.directory}/nginx.pid;\nerror_log stderr;\n"
            f"events {{ worker_connections 512; }}\n"
            f"http {{\n    access_log off;\n    gzip on;\n{temporary}    include {self.directory}/aviary.conf;\n}}\n"
        )
        return [PROGRAMS / "nginx", "-p", self.directory, "-e", "stderr", "-c", self.directory / "nginx.conf"]


class Caddy(Proxy):
    name = "Caddy"

    def prepare(self, backend: int) -> list:
        site = replaced(
            (DEPLOY / "caddy/Caddyfile").read_text(),
            ("{\n\tservers {", f"{{\n\tadmin off\n\thttp_port {self.plain_port}\n\thttps_port {self.port}\n\tservers {{"),
            (f"\n{NAME} {{", f"\n{NAME}:{self.port} {{\n\tbind 127.0.0.1\n\ttls {self.certificate.file} {self.certificate.key}"),
            ("lb_try_duration 5s", f"lb_try_duration {self.patience_for_server}"),
            ("reverse_proxy 127.0.0.1:8080", f"reverse_proxy 127.0.0.1:{backend}"),
        )
        (self.directory / "Caddyfile").write_text(site)
        return [PROGRAMS / "caddy", "run", "--adapter", "caddyfile", "--config", self.directory / "Caddyfile"]


def trusting(certificate: Certificate) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=certificate.file)
