"""A failure in any part of the tests makes `scripts/test` fail, and the other parts run nevertheless.

The script runs in a directory where each program that it calls only prints a line, and one of them fails.
"""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from zoo import ROOT

# A part of the call that is made to fail, by the part of the tests that it belongs to.
PARTS = {
    "lint": "scripts/lint",
    "build": "scripts/build-tests",
    "documentation": "scripts/public-api",
    "unit": "--skip ^(",
    "postgresql": "scripts/with-postgresql",
    "faults": "--filter ^FaultTests",
    "processes": "--filter ^(AviaryLoadTests|ProcessTests)",
    "database": "pytest Tests/Database",
    "browser": "pytest Tests/Browser",
    "deploy": "pytest Tests/Deploy",
}
SCRIPTS = [
    "lint", "build-tests", "documentation", "public-api", "install-browser-dependencies", "install-database-dependencies",
    "install-deploy-dependencies", "with-postgresql",
]
STUB = """#!/usr/bin/env bash
case "{name} $*" in
*"$FAILING"*)
    case "$FAILURE" in
    error) echo "FAILED because the test planted it"; exit 1 ;;
    empty) echo "Test run with 0 tests passed"; exit 0 ;;
    interrupt) trap 'exit 2' INT; kill -INT 0 ;;
    esac ;;
esac
case "{name}" in
scripts/install-*) ;;
*) echo "Test run with 1 test passed" ;;
esac
"""


def program(path: Path, name: str):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(STUB.format(name=name))
    path.chmod(0o755)


def run(directory: Path, failing: str, failure: str = "error", parts: tuple[str, ...] = ()) -> subprocess.CompletedProcess:
    """Runs parts, of which the one whose call contains a text fails: with an error, without a test, or by Ctrl-C."""
    (directory / "scripts").mkdir()
    shutil.copy(ROOT / "scripts/test", directory / "scripts/test")
    for script in SCRIPTS:
        program(directory / "scripts" / script, f"scripts/{script}")
    program(directory / ".build/browser/bin/pytest", "pytest")
    program(directory / "bin/swift", "swift")
    # A shell cannot trap a signal that is ignored when it starts, as in a background job.
    return subprocess.run(
        ["env", "--default-signal=INT", directory / "scripts/test", *parts], capture_output=True, text=True, start_new_session=True,
        env={"PATH": f"{directory}/bin:/usr/bin:/bin", "FAILING": failing, "FAILURE": failure})


def results(output: str) -> dict[str, str]:
    """Returns the result of each part in the table."""
    return dict(re.findall(r"^(\w+) +(passed|FAILED|not run)", output, re.MULTILINE))


def test_a_run_without_a_failure_passes(tmp_path):
    done = run(tmp_path, "nothing that is called")
    assert done.returncode == 0, done.stdout + done.stderr
    assert results(done.stdout) == {part: "passed" for part in [*PARTS, "all"]}


@pytest.mark.parametrize("part", PARTS)
def test_a_failure_in_one_part_fails_the_run(tmp_path, part):
    done = run(tmp_path, PARTS[part])
    assert done.returncode == 1, done.stdout + done.stderr
    expected = {other: "FAILED" if other in (part, "all") else "passed" for other in [*PARTS, "all"]}
    if part == "build":
        # Nothing that follows a failed build is tested.
        expected = {part: "not run" for part in PARTS} | {"lint": "passed", "build": "FAILED", "all": "FAILED"}
    assert results(done.stdout) == expected
    assert f"Failed in {part} with AVIARY_SEED=1" in done.stdout


# pytest by itself fails when it finds no test.
@pytest.mark.parametrize("part", ["unit", "postgresql", "faults", "processes"])
def test_a_part_that_runs_no_test_fails(tmp_path, part):
    done = run(tmp_path, PARTS[part], "empty", (part,))
    assert done.returncode == 1, done.stdout + done.stderr
    assert results(done.stdout) == {part: "FAILED", "all": "FAILED"}
    assert "error: no test ran" in done.stdout


def test_an_interrupted_run_starts_no_other_part(tmp_path):
    done = run(tmp_path, PARTS["unit"], "interrupt", ("unit", "faults"))
    assert done.returncode == 130, done.stdout + done.stderr
    assert "interrupted" in done.stderr
    assert "== faults" not in done.stdout


def test_an_unknown_part_is_refused_before_any_part_runs(tmp_path):
    done = run(tmp_path, "nothing that is called", parts=("unit", "brwser"))
    assert done.returncode == 2
    assert "there is no part 'brwser'" in done.stderr
    assert done.stdout == ""


def test_the_table_names_the_command_that_builds_and_runs_a_part(tmp_path):
    done = run(tmp_path, "nothing that is called", parts=("lint", "unit"))
    assert re.search(r"^lint .*  scripts/test lint$", done.stdout, re.MULTILINE)
    assert re.search(r"^unit .*  scripts/test build unit$", done.stdout, re.MULTILINE)
