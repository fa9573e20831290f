"""The units as the tools of systemd judge them, and the service as the units start it."""

import re
import socket
import subprocess
from pathlib import Path

import pytest

from ports import held_port
from units import SERVICES, Notifications, Unit, installed
from waiting import PATIENCE, eventually
from zoo import BINARY, DEPLOY, environment

UNITS = DEPLOY / "systemd"


@pytest.mark.parametrize("name", SERVICES)
def test_exposure_is_at_most_two(name):
    run = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", UNITS / name], capture_output=True, text=True, check=True
    )
    figure = re.search(r"Overall exposure level for \S+: ([0-9.]+)", run.stdout)
    assert figure, run.stdout
    assert float(figure.group(1)) <= 2.0, run.stdout


def test_a_unit_without_its_sandbox_is_found(tmp_path):
    bare = tmp_path / "bare.service"
    bare.write_text("[Service]\nExecStart=/bin/true\n")
    run = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--threshold=20", bare], capture_output=True, text=True
    )
    assert run.returncode != 0


def test_systemd_finds_nothing_wrong(tmp_path):
    run = subprocess.run(
        ["systemd-analyze", "verify", *installed(tmp_path)], capture_output=True, text=True,
    )
    assert (run.returncode, run.stderr) == (0, "")


def test_a_misspelt_setting_is_found(tmp_path):
    units = installed(tmp_path)
    units[0].write_text(units[0].read_text().replace("KillMode=mixed", "KillMood=mixed"))
    run = subprocess.run(["systemd-analyze", "verify", *units], capture_output=True, text=True)
    assert "KillMood" in run.stderr


def test_backups_are_made_every_hour():
    when = Unit(UNITS / "aviary-backup.timer").value("Timer", "OnCalendar")
    run = subprocess.run(["systemd-analyze", "calendar", when], capture_output=True, text=True, check=True)
    assert "*-*-* *:00:00" in run.stdout


def test_time_to_stop_is_longer_than_what_the_supervisor_gives_its_children():
    unit = Unit(UNITS / "aviary.service")
    assert unit.value("Service", "KillMode") == "mixed"
    # The limit is 10 s for the workers and 10 s for the store.
    assert int(unit.value("Service", "TimeoutStopSec")) > 20
    # A migration takes longer for a larger file and must not be interrupted repeatedly.
    assert unit.value("Service", "TimeoutStartSec") == "infinity"


def test_the_socket_serves_as_the_unit_says(tmp_path):
    """Runs the command line of the service on the address of the socket, with another port."""
    assert Unit(UNITS / "aviary.socket").value("Socket", "ListenStream") == "127.0.0.1:8080"
    name = Unit(UNITS / "aviary.socket").value("Socket", "FileDescriptorName")
    command = Unit(UNITS / "aviary.service").value("Service", "ExecStart").split()
    assert command == ["/usr/local/bin/zoo", "serve", "--data", "/var/lib/aviary"]
    port = held_port()
    log, journal = tmp_path / "zoo.log", tmp_path / "journal"
    with Notifications(tmp_path / "notify") as notifications, log.open("w") as errors, journal.open("w") as output:
        process = subprocess.Popen(
            ["systemd-socket-activate", f"--listen=127.0.0.1:{port}", f"--fdname={name}",
             f"--setenv=NOTIFY_SOCKET={notifications.path}", "--setenv=JOURNAL_STREAM=8:1", BINARY, *command[1:-1],
             tmp_path / "data", "--workers", "1"],
            stdout=output, stderr=errors, env=environment(),
        )
        try:
            # The first connection starts the program and waits in the socket until the program serves it.
            with eventually("the socket listens", lambda: connected(port), log.read_text) as connection:
                connection.sendall(f"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n".encode())
                answer = connection.makefile("rb").read()
            assert answer.startswith(b"HTTP/1.1 200") and answer.endswith(b"ok\n"), log.read_text()
            assert "READY=1" in notifications.next_with("READY=1")
            process.terminate()
            assert "STOPPING=1" in notifications.next_with("STOPPING=1")
            assert process.wait(timeout=PATIENCE) == 0
            # There is no account yet, and the link for the first one must not appear in the journal.
            assert "zoo user add NAME --role admin" in journal.read_text()
            assert "/login" not in journal.read_text() + log.read_text()
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()


def connected(port: int) -> socket.socket | None:
    try:
        return socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
    except ConnectionRefusedError:
        return None


def test_every_file_that_the_units_name_is_explained(tmp_path):
    """The runbook installs every file that the units name."""
    runbook = (DEPLOY / "RUNBOOK.md").read_text()
    for unit in sorted(UNITS.iterdir()):
        assert unit.name in runbook, f"{unit.name} is not installed by the runbook."
    for path in ["/usr/local/bin/zoo", "/etc/aviary/aviary.env", "/var/lib/aviary"]:
        assert path in runbook
