"""Machines in namespaces: each has a network, a name, processes and files of its own, and can be killed, paused and cut off."""

import os
import pwd
import shutil
import signal
import subprocess
from pathlib import Path

from waiting import eventually

# The test's own namespaces are those of scripts/test-cluster. All that is below this directory is in memory and ends with them.
ROOT = Path("/srv")
OPERATOR = "192.0.2.1"

ENVIRONMENT = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "HOME": "/tmp"}

# The first process of a host. It ends with the pipe of the test, and the kernel then ends all others of the host. As a shell it
# collects what its processes leave behind.
BOOT = """
set -e
hostname "$1"
for place in etc run tmp var/log var/lib/postgresql var/lib/etcd; do mount --bind "$2/$place" "/$place"; done
ip link set lo up
echo ready
read -r _ || true
"""


class Network:
    """A switch to which hosts are connected. The test itself has an address there too."""

    def __init__(self):
        run("ip", "link", "set", "lo", "up")
        run("ip", "link", "add", "switch", "type", "bridge")
        run("ip", "link", "set", "switch", "up")
        run("ip", "address", "add", f"{OPERATOR}/24", "dev", "switch")
        self.hosts: list[Host] = []

    def write_names(self, names: dict[str, str]):
        """Gives the names to all hosts, and to the test."""
        self.names = ROOT / "names"
        self.names.write_text("127.0.0.1 localhost\n" + "".join(f"{address} {name}\n" for name, address in names.items()))
        run("mount", "--bind", str(self.names), "/etc/hosts")

    def name(self, name: str, address: str):
        """Gives all hosts another name."""
        for file in [self.names, *(host.files / "etc/hosts" for host in self.hosts)]:
            with file.open("a") as names:
                names.write(f"{address} {name}\n")

    def add(self, host: "Host"):
        self.hosts.append(host)
        host.boot(self)

    def stop(self):
        for host in self.hosts:
            host.power_off()
        run("umount", "/etc/hosts")
        run("ip", "link", "delete", "switch")


class Host:
    def __init__(self, name: str, address: str):
        self.name, self.address = name, address
        self.files = ROOT / name
        self.first: subprocess.Popen | None = None
        self.services: dict[str, subprocess.Popen] = {}

    def boot(self, network: Network):
        if not self.files.exists():
            for place in ["run", "tmp", "var/log", "var/lib/postgresql", "var/lib/etcd"]:
                (self.files / place).mkdir(parents=True)
            (self.files / "tmp").chmod(0o1777)
            run("cp", "-a", "/etc", str(self.files / "etc"))
            # What is bound over /etc/hosts is copied as a file.
            shutil.copy(network.names, self.files / "etc/hosts")
            self.install()
        self.first = subprocess.Popen(
            ["unshare", "--net", "--mount", "--uts", "--pid", "--fork", "--kill-child", "--mount-proc", "bash", "-c", BOOT,
             "boot", self.name, self.files],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )
        assert self.first.stdout.readline() == "ready\n", f"{self.name} does not start."
        self.process = int(Path(f"/proc/{self.first.pid}/task/{self.first.pid}/children").read_text().split()[0])
        self.namespace = os.readlink(f"/proc/{self.process}/ns/pid")
        run("ip", "link", "add", self.port, "type", "veth", "peer", "name", "eth0", "netns", str(self.process))
        run("ip", "link", "set", self.port, "master", "switch", "up")
        self.run("ip", "address", "add", f"{self.address}/24", "dev", "eth0")
        self.run("ip", "link", "set", "eth0", "up")

    @property
    def port(self) -> str:
        """The host's end at the switch."""
        return f"to-{self.name}"

    def install(self):
        """Copies files to the host before it starts for the first time."""

    def start(self):
        """Starts what runs on the host, as its service manager does. What runs already stays."""

    # Commands

    def enter(self, user: str) -> list[str]:
        space = ["nsenter", "--target", str(self.process), "--net", "--mount", "--uts", "--pid", "--wd=/", "--"]
        return space + identity(user)

    def run(self, *command: str, user: str = "root", check: bool = True, **more) -> subprocess.CompletedProcess:
        """Runs a command to its end."""
        done = subprocess.run([*self.enter(user), *map(str, command)], capture_output=True, text=True, env=ENVIRONMENT, **more)
        assert not check or done.returncode == 0, f"{self.name}: {' '.join(map(str, command))}\n{done.stdout}{done.stderr}"
        return done

    def serve(
        self, service: str, *command: str, user: str = "root", environment: dict[str, str] | None = None,
        stdin: int = subprocess.DEVNULL,
    ) -> subprocess.Popen:
        """Starts a service, with its output in the host's log directory, unless it runs."""
        running = self.services.get(service)
        if running and running.poll() is None:
            return running
        with self.log(service).open("ab") as log:
            self.services[service] = subprocess.Popen(
                [*self.enter(user), *map(str, command)], stdin=stdin, stdout=log, stderr=log,
                env=ENVIRONMENT | (environment or {}), start_new_session=True,
            )
        return self.services[service]

    def log(self, service: str) -> Path:
        return self.files / "var/log" / f"{service}.log"

    # Faults

    def processes(self, program: str | None = None) -> list[int]:
        """The ids of the host's processes, those of one program or all but the first."""
        found = []
        for entry in Path("/proc").iterdir():
            if not entry.name.isdigit() or int(entry.name) == self.process:
                continue
            try:
                if os.readlink(entry / "ns/pid") == self.namespace and is_alive(entry) and runs(entry, program):
                    found.append(int(entry.name))
            except (FileNotFoundError, ProcessLookupError):
                continue  # It has ended meanwhile.
        return found

    def kill(self, program: str | None = None):
        """Ends processes as the kernel does when memory is used up. Connections are reset."""
        def look() -> bool:
            left = self.processes(program)
            for process in left:
                send(process, signal.SIGKILL)
            return not left

        eventually(f"{self.name} has no process of {program or 'any program'}", look)

    def pause(self, program: str | None = None):
        """Stops processes where they are. The kernel still takes what is sent to them, and answers nothing."""
        def look() -> bool:
            left = [process for process in self.processes(program) if state(process) not in ("T", "Z")]
            for process in left:
                send(process, signal.SIGSTOP)
            return not left

        eventually(f"{self.name} is paused", look)

    def resume(self, program: str | None = None):
        # A parent at this side of the namespace has stopped with its child.
        outside = [service.pid for service in self.services.values() if service.poll() is None]
        for process in [*self.processes(program), *outside]:
            send(process, signal.SIGCONT)

    def cut_off(self):
        """Pulls the cable. Nobody is told."""
        run("ip", "link", "set", self.port, "down")

    def reconnect(self):
        run("ip", "link", "set", self.port, "up")

    def lose(self, *hosts: "Host"):
        """Sends nothing more to these hosts, and still hears them."""
        for host in hosts:
            self.run("ip", "route", "replace", "blackhole", f"{host.address}/32")

    def find(self, *hosts: "Host"):
        for host in hosts:
            self.run("ip", "route", "delete", "blackhole", f"{host.address}/32", check=False)

    def power_off(self):
        """Ends the host with its network. Nobody is told; its files stay."""
        if self.first:
            self.first.kill()
            self.first.wait()
            for pipe in (self.first.stdin, self.first.stdout):
                pipe.close()
            for service in self.services.values():
                service.kill()
                service.wait()
            self.services.clear()
            self.first = None


def identity(user: str) -> list[str]:
    """The beginning of a command that runs as another user."""
    if user == "root":
        return []
    return ["setpriv", f"--reuid={user}", f"--regid={pwd.getpwnam(user).pw_gid}", "--init-groups", "--"]


def separate(some: list[Host], others: list[Host]):
    """Divides the network: neither side reaches the other. Who is on no side reaches both."""
    for host in some:
        host.lose(*others)
    for host in others:
        host.lose(*some)


def join(some: list[Host], others: list[Host]):
    for host in some:
        host.find(*others)
    for host in others:
        host.find(*some)


def run(*command: str):
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}{done.stderr}"


def send(process: int, number: signal.Signals):
    try:
        os.kill(process, number)
    except ProcessLookupError:
        pass  # It has ended meanwhile, which is what was wanted or makes no difference.


def state(process: int) -> str:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return "Z"


def is_alive(entry: Path) -> bool:
    return state(int(entry.name)) != "Z"


def runs(entry: Path, program: str | None) -> bool:
    """A program is named by its file: an interpreter's second word, and otherwise what the kernel executes."""
    if program is None:
        return True
    words = (entry / "cmdline").read_bytes().split(b"\0")[:2]
    executed = os.path.basename(os.readlink(entry / "exe"))
    return executed == program or program in (os.path.basename(word.decode(errors="replace")) for word in words)
