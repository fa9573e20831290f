"""The system calls of the services as strace records them, compared with what their units allow."""

import os
import re
import signal
import subprocess
import urllib.error
import urllib.request
from urllib.parse import urlencode

import pytest

from ports import held_port
from units import Unit
from waiting import PATIENCE, eventually, patience_with
from zoo import BINARY, DEPLOY, PASSWORD, USER, Family, add_user, environment

UNITS = DEPLOY / "systemd"


def system_calls(filters: list[str]) -> set[str]:
    """Returns the system calls that the `SystemCallFilter=` lines allow."""
    allowed = expanded("@default")
    for line in filters:
        removes = line.startswith("~")
        for name in line.lstrip("~").split():
            calls = expanded(name) if name.startswith("@") else {name}
            allowed = allowed - calls if removes else allowed | calls
    return allowed


def expanded(group: str) -> set[str]:
    listing = subprocess.run(["systemd-analyze", "syscall-filter", group], capture_output=True, text=True, check=True)
    calls = set()
    for line in listing.stdout.splitlines()[1:]:
        name = line.strip()
        if name.startswith("@"):
            calls |= expanded(name)
        elif name and not name.startswith("#"):
            calls.add(name)
    return calls


class Trace:
    """The system calls of a process and all of its descendants."""

    def __init__(self, text: str):
        self.lines = [match for match in re.finditer(r"^\d+ +(\w+)\((.*)", text, re.MULTILINE)]

    @property
    def calls(self) -> set[str]:
        return {line.group(1) for line in self.lines}

    def arguments(self, *calls: str) -> list[str]:
        return [line.group(2) for line in self.lines if line.group(1) in calls]


def is_ready(address: str) -> bool:
    try:
        with urllib.request.urlopen(f"{address}/readyz", timeout=PATIENCE) as answer:
            return answer.status == 200
    except urllib.error.HTTPError:
        return False


def signed_in(address: str) -> urllib.request.OpenerDirector:
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    page = browser.open(f"{address}/login").read().decode()
    fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', page))
    form = urlencode(fields | {"username": USER, "password": PASSWORD})
    assert browser.open(f"{address}/login", form.encode()).url == f"{address}/admin"
    return browser


def runs(*command: str) -> bool:
    return subprocess.run([*command, "true"], capture_output=True).returncode == 0


# The units remove every capability, so operations that only root may perform must fail in tests that run as root too.
UNPRIVILEGED = ["setpriv", "--bounding-set=-all"]
if os.geteuid() != 0 or not runs(*UNPRIVILEGED):
    UNPRIVILEGED = []
STRACE = [*UNPRIVILEGED, "strace", "-f", "-qq", "-o"]


def is_traceable() -> bool:
    return runs(*STRACE, "/dev/null")


traced = pytest.mark.skipif(not is_traceable(), reason="This machine does not let strace trace.")


@pytest.fixture(scope="module")
def traces(tmp_path_factory) -> dict[str, Trace]:
    """
    Traces of a server that starts, signs an account in, stores a record, is replaced by a deploy and stops, and of a
    backup.
    """
    directory = tmp_path_factory.mktemp("traced")
    data, port = directory / "data", held_port()
    add_user(data)
    serve = subprocess.Popen(
        [*STRACE, directory / "aviary.service", BINARY, "serve", "--port", str(port),
         "--metrics-port", str(held_port()), "--workers", "2", "--data", data],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment(),
    )
    try:
        with patience_with(serve):
            assert "is served at" in serve.stdout.readline()
        subprocess.run(
            [BINARY, "import", "Friend", DEPLOY.parent / "Tests/Deploy/friends.csv", "--data", data], check=True,
            capture_output=True, env=environment(),
        )
        browser = signed_in(f"http://127.0.0.1:{port}")
        eventually("the store answers in time", lambda: is_ready(f"http://127.0.0.1:{port}"))
        for path in ["/admin/friends", "/admin/friends/new"]:
            answer = browser.open(f"http://127.0.0.1:{port}{path}")
            assert answer.status == 200 and answer.url.endswith(path)
        subprocess.run(
            [*STRACE, directory / "aviary-backup.service", BINARY, "backup", "--data", data],
            check=True, capture_output=True, env=environment(),
        )
        family = Family.ready(data)
        os.kill(family.supervisor, signal.SIGHUP)
        Family.replaced(family, data)
        os.kill(family.supervisor, signal.SIGTERM)
        assert serve.wait(timeout=PATIENCE) == 0
    finally:
        if serve.poll() is None:
            # strace ends only with the process that it traces.
            if supervisor := Family(data).supervisor:
                os.kill(supervisor, signal.SIGKILL)
            else:
                serve.kill()
            serve.wait(timeout=PATIENCE)
    return {name: Trace((directory / name).read_text()) for name in ["aviary.service", "aviary-backup.service"]}


@traced
@pytest.mark.parametrize("name", ["aviary.service", "aviary-backup.service"])
class TestSandbox:
    def test_no_option_of_a_socket_is_set_that_takes_a_capability(self, traces, name):
        assert Unit(UNITS / name).value("Service", "CapabilityBoundingSet") == ""
        privileged = {"SO_DEBUG", "SO_MARK", "SO_RCVBUFFORCE", "SO_SNDBUFFORCE", "SO_BINDTODEVICE"}
        options = {call.split(", ")[2] for call in traces[name].arguments("setsockopt")}
        assert not options & privileged

    def test_no_system_call_is_refused(self, traces, name):
        allowed = system_calls(Unit(UNITS / name).values("Service", "SystemCallFilter"))
        assert "openat" in allowed and "reboot" not in allowed
        assert len(traces[name].calls) > 30
        # SQLite calls fchown only as root, to preserve the owner of a file. The services do not run as root.
        as_root = {"fchown"} if os.geteuid() == 0 else set()
        assert traces[name].calls - allowed - as_root == set()

    def test_no_memory_is_writable_and_executable(self, traces, name):
        assert Unit(UNITS / name).value("Service", "MemoryDenyWriteExecute") == "yes"
        assert [call for call in traces[name].arguments("mmap") if "PROT_WRITE|PROT_EXEC" in call] == []
        assert [call for call in traces[name].arguments("mprotect", "pkey_mprotect") if "PROT_EXEC" in call] == []

    def test_no_other_address_family_is_used(self, traces, name):
        families = set(Unit(UNITS / name).value("Service", "RestrictAddressFamilies").split())
        used = {call.split(",")[0].rstrip(")") for call in traces[name].arguments("socket", "socketpair")}
        assert used <= families

    def test_no_other_program_is_run(self, traces, name):
        programs = {call.split(",")[0].strip('"') for call in traces[name].arguments("execve", "execveat")}
        assert str(BINARY) in programs
        # The supervisor starts its children from its open executable file.
        assert [program for program in programs - {str(BINARY)} if not re.fullmatch(r"/proc/\d+/fd/\d+", program)] == []

    def test_nothing_is_written_outside_the_data_directory_and_temporary_ones(self, traces, name):
        assert Unit(UNITS / name).value("Service", "ProtectSystem") == "strict"
        written = {
            call.split('"')[1] for call in traces[name].arguments("openat", "open", "creat")
            if re.search(r"O_(WRONLY|RDWR|CREAT)", call) and '"' in call and " = -1 " not in call
        }
        places = ("/tmp/", "/dev/", "/proc/self/", "/var/tmp/")
        assert [path for path in written if path.startswith("/") and not path.startswith(places)] == []
