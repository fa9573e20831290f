"""The cluster of deploy/patroni: three database hosts, a balancer and two web hosts, behind deploy/haproxy."""

import http.client
import json
import re
import secrets
import shutil
import ssl
import subprocess
from pathlib import Path

from hosts import ROOT, Host, Network
from waiting import eventually

REPOSITORY = Path(__file__).resolve().parents[2]
FILES = REPOSITORY / "deploy/patroni"
DOMAIN = "zoo.example.org"
BALANCER = f"db.{DOMAIN}"
CERTIFICATES = ROOT / "certificates"
# The name by which browsers know the zoo: the balancer has it.
ZOO = DOMAIN
PASSWORDS = {role: secrets.token_hex(16) for role in ("aviary", "aviary_reader")}


class Database(Host):
    """PostgreSQL, Patroni and etcd, with the files as an operator copies them."""

    @property
    def full_name(self) -> str:
        return f"{self.name}.{DOMAIN}"

    def install(self):
        for source, target in [
            ("etcd.env", "default/etcd"), ("patroni.yml", "patroni/config.yml"), ("roles.sql", "patroni/roles.sql")
        ]:
            text = (FILES / source).read_text()
            # A host that hangs is what the tests want: nothing may reset the machine on which they run.
            text = text.replace("mode: automatic", "mode: off")
            self.write(target, adapted(text, self.name))
        for role, password in PASSWORDS.items():
            self.write(f"patroni/{role}.password", password + "\n", "postgres:postgres", "0400")
        install_certificates(self, self.full_name)
        etcd = self.files / "var/lib/etcd"
        shutil.chown(etcd, "etcd", "etcd")
        shutil.chown(self.files / "var/lib/postgresql", "postgres", "postgres")
        (self.files / "run/postgresql").mkdir()
        shutil.chown(self.files / "run/postgresql", "postgres", "postgres")

    def write(self, name: str, text: str, owner: str = "root:root", mode: str = "0644"):
        path = self.files / "etc" / name
        path.write_text(text)
        subprocess.run(["chown", owner, path], check=True)
        path.chmod(int(mode, 8))

    def start(self):
        self.start_etcd()
        self.start_patroni()

    def start_etcd(self):
        settings = dict(
            line.split("=", 1) for line in (self.files / "etc/default/etcd").read_text().splitlines() if line[:1].isalpha()
        )
        self.serve("etcd", "etcd", user="etcd", environment=settings)

    def start_patroni(self):
        self.serve("patroni", "patroni", "/etc/patroni/config.yml", user="postgres")

    def psql(self, statement: str, database: str = "zoo", **more) -> str:
        """The answer of the host's own PostgreSQL."""
        return self.run(
            "psql", "-XAtq", "-v", "ON_ERROR_STOP=1", "-d", database, "-c", statement, user="postgres", **more
        ).stdout.strip()

    def patronictl(self, *arguments: str, **more) -> str:
        return self.run("patronictl", "-c", "/etc/patroni/config.yml", *arguments, user="postgres", **more).stdout

    def etcdctl(self, *arguments: str, **more) -> subprocess.CompletedProcess:
        files = ["--cacert=/etc/ssl/zoo/ca.pem", "--cert=/etc/ssl/zoo/host.pem", "--key=/etc/ssl/zoo/host.key"]
        return self.run(
            "env", "ETCDCTL_API=3", "etcdctl", f"--endpoints=https://{self.full_name}:2379", *files, *arguments, **more
        )

    def has_etcd(self) -> bool:
        return self.etcdctl("endpoint", "health", check=False).returncode == 0

    def is_primary(self) -> bool:
        return self.asked("GET", "/primary")[0] == 200

    def asked(self, method: str, path: str, body: object = None, certificate: bool = False) -> tuple[int, object]:
        """The answer of Patroni, and (0, None) when there is none within a moment."""
        context = ssl.create_default_context(cafile=CERTIFICATES / "ca.pem")
        if certificate:
            context.load_cert_chain(CERTIFICATES / f"{self.full_name}.pem", CERTIFICATES / f"{self.full_name}.key")
        connection = http.client.HTTPSConnection(self.full_name, 8008, timeout=1, context=context)
        try:
            connection.request(method, path, json.dumps(body) if body is not None else None)
            answer = connection.getresponse()
            text = answer.read().decode()
            return answer.status, json.loads(text) if text.startswith(("{", "[")) else text
        except (OSError, http.client.HTTPException):
            return 0, None
        finally:
            connection.close()


class Balancer(Host):
    def install(self):
        shutil.copy(FILES / "haproxy.cfg", self.files / "etc/haproxy/haproxy.cfg")
        web = (REPOSITORY / "deploy/haproxy/web.cfg").read_text()
        # The load test has no TLS.
        lines = [line for line in web.splitlines() if " ssl" not in line]
        (self.files / "etc/haproxy/web.cfg").write_text("\n".join(lines) + "\n")
        install_certificates(self)

    def start(self):
        self.serve("haproxy", "haproxy", "-W", "-db", "-f", "/etc/haproxy/haproxy.cfg", "-f", "/etc/haproxy/web.cfg")

    def counts_as_ready(self) -> int:
        """The number of web hosts that it sends requests to."""
        metrics = self.run("curl", "-s", "http://127.0.0.1:8404/metrics").stdout
        found = re.search(r'^haproxy_backend_active_servers\{proxy="ready"\} (\d+)', metrics, re.MULTILINE)
        return int(found.group(1)) if found else 0


class Web(Host):
    """A host that writes through the balancer, or finds the primary by itself."""

    addresses = {
        "balancer": f"host={BALANCER} port=5432",
        "hosts": "host=" + ",".join(f"db{number}.{DOMAIN}" for number in (1, 2, 3)) + " target_session_attrs=read-write",
    }

    def __init__(self, name: str, address: str):
        super().__init__(name, address)
        # The program that serves the zoo from here, and the way to the database; no program unless a test says so.
        self.program: Path | None = None
        self.kind = "balancer"

    def install(self):
        install_certificates(self)
        self.data.mkdir()
        self.password.write_text(PASSWORDS["aviary"] + "\n")
        for path, mode in [(self.data, 0o700), (self.password, 0o400)]:
            path.chmod(mode)
            shutil.chown(path, "nobody", "nogroup")

    @property
    def data(self) -> Path:
        return self.files / "aviary"

    @property
    def password(self) -> Path:
        return self.files / "database.password"

    def start(self):
        if self.program:
            self.serve(
                "zoo", self.program, "serve", "--data", self.data, "--host", self.address, "--port", "8080", "--workers", "1",
                "--public-url", f"https://{ZOO}", "--trusted-proxy", "192.0.2.70", user="nobody", environment=self.settings,
            )

    @property
    def settings(self) -> dict[str, str]:
        """The environment of the zoo's server and of its commands on this host."""
        hosts, more = {
            "balancer": (BALANCER, ""),
            "hosts": (",".join(f"db{number}.{DOMAIN}" for number in (1, 2, 3)), "&target_session_attrs=read-write"),
        }[self.kind]
        address = f"postgresql://aviary@{hosts}/zoo?sslmode=verify-full&sslrootcert=/etc/ssl/zoo/ca.pem&connect_timeout=2{more}"
        return {"AVIARY_DATABASE": address, "AVIARY_DATABASE_PASSWORD_FILE": str(self.password)}

    def zoo(self, *arguments: str, **more) -> str:
        """The output of a command of the zoo."""
        settings = [f"{name}={value}" for name, value in self.settings.items()]
        return self.run("env", *settings, self.program, *arguments, "--data", self.data, user="nobody", **more).stdout

    @staticmethod
    def database(kind: str, role: str = "aviary") -> str:
        return (
            f"{Web.addresses[kind]} dbname=zoo user={role} password={PASSWORDS[role]} connect_timeout=2 sslmode=verify-full "
            "sslrootcert=/etc/ssl/zoo/ca.pem"
        )


class Cluster:
    def __init__(self):
        self.databases = [Database(f"db{number}", f"192.0.2.1{number}") for number in (1, 2, 3)]
        self.balancer = Balancer("balancer", "192.0.2.70")
        self.webs = [Web("web1", "192.0.2.71"), Web("web2", "192.0.2.72")]
        self.network = Network()

    @property
    def hosts(self) -> list[Host]:
        return [*self.databases, self.balancer, *self.webs]

    def start(self):
        names = {BALANCER: self.balancer.address, ZOO: self.balancer.address} | {
            f"{host.name}.{DOMAIN}": host.address for host in self.webs
        } | {host.full_name: host.address for host in self.databases}
        self.network.write_names(names)
        subprocess.run(
            [FILES / "make-certificates", CERTIFICATES, BALANCER, *(host.full_name for host in self.databases)], check=True
        )
        for host in self.hosts:
            self.network.add(host)
        for host in self.hosts:
            host.start()
        self.wait_until_whole()
        self.primary().run("psql", "-Xq", "-f", "/etc/patroni/roles.sql", user="postgres")

    def add(self, host: Database, certificate: list):
        """Starts a further database host, with nothing running on it."""
        subprocess.run(certificate, check=True)
        self.network.name(host.full_name, host.address)
        self.network.add(host)

    def stop(self):
        self.network.stop()

    def successor(self, former: Database) -> Database:
        """Waits until another host than this one is the primary."""
        def look() -> Database | None:
            return next((host for host in self.databases if host is not former and host.is_primary()), None)

        return eventually(f"another host than {former.name} is the primary", look, self.explain)

    # What is so now

    def primary(self) -> Database:
        return eventually("there is a primary", self.find_primary, self.explain)

    def find_primary(self) -> Database | None:
        return next((host for host in self.databases if host.is_primary()), None)

    def members(self) -> dict[str, dict]:
        """The members as Patroni knows them, by name. Empty when nobody answers."""
        for host in self.databases:
            status, answer = host.asked("GET", "/cluster")
            if status == 200 and isinstance(answer, dict):
                return {member["name"]: member for member in answer["members"]}
        return {}

    def replicas(self) -> tuple[Database, Database]:
        """The synchronous replica and the other one."""
        members = self.members()
        synchronous = next(host for host in self.databases if members[host.name]["role"] == "sync_standby")
        other = next(host for host in self.databases if members[host.name]["role"] == "replica")
        return synchronous, other

    def is_whole(self) -> bool:
        for host in self.hosts:
            for service, process in host.services.items():
                assert process.poll() is None, f"{service} of {host.name} has ended.\n{self.explain()}"
        members = self.members()
        leader = [member for member in members.values() if member["role"] == "leader"]
        return (
            len(members) == 3 and len(leader) == 1
            and sorted(member["role"] for member in members.values()) == ["leader", "replica", "sync_standby"]
            and all(member["state"] in ("running", "streaming") for member in members.values())
            and len({member.get("timeline") for member in members.values()}) == 1
            and all(host.asked("GET", "/health")[0] == 200 for host in self.databases)
            and all(host.has_etcd() for host in self.databases)
        )

    def wait_until_whole(self):
        eventually("a primary, a synchronous replica and a replica run, and three members of etcd", self.is_whole, self.explain)

    def repair(self):
        """Takes back every fault, and starts again what was killed."""
        for host in self.hosts:
            host.resume()
            host.reconnect()
            host.find(*self.hosts)
            host.start()
        self.wait_until_whole()

    def explain(self) -> str:
        parts = [json.dumps(self.members(), indent=1)]
        for host in self.databases:
            for service in ("patroni", "etcd"):
                if host.log(service).exists():
                    parts.append(f"{host.name} {service}:\n" + "\n".join(host.log(service).read_text().splitlines()[-20:]))
        return "\n".join(parts)


def adapted(text: str, name: str) -> str:
    """The text for another host than db1: its name in the three places of which the file speaks."""
    for before, after in [
        ("NAME=db1\n", f"NAME={name}\n"), ("URLS=https://db1.", f"URLS=https://{name}."), ("\nname: db1\n", f"\nname: {name}\n"),
        ("connect_address: db1.", f"connect_address: {name}."),
    ]:
        text = text.replace(before, after)
    return text


def install_certificates(host: Host, name: str | None = None):
    """The authority for all; for a database host its own certificate too, for root and the group ssl-cert."""
    directory = host.files / "etc/ssl/zoo"
    directory.mkdir()
    directory.chmod(0o755)
    shutil.copy(CERTIFICATES / "ca.pem", directory / "ca.pem")
    (directory / "ca.pem").chmod(0o644)
    if name:
        shutil.copy(CERTIFICATES / f"{name}.pem", directory / "host.pem")
        shutil.copy(CERTIFICATES / f"{name}.key", directory / "host.key")
        (directory / "host.pem").chmod(0o644)
        (directory / "host.key").chmod(0o640)
        shutil.chown(directory / "host.key", "root", "ssl-cert")
        groups = host.files / "etc/group"
        groups.write_text(re.sub(r"^(ssl-cert:.*)$", r"\1,etcd", groups.read_text(), flags=re.MULTILINE))
