"""A failure in any part of the tests makes `scripts/test` fail, and the other parts run nevertheless.

The script runs in a directory where each program that it calls only writes its name down, and one of them fails.
"""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from zoo import ROOT

# A part of the call that fails, by the part of the tests that it belongs to.
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
*"$FAILING"*) echo "FAILED because the test planted it"; exit 1 ;;
esac
echo "Test run with 1 test passed"
"""


def program(path: Path, name: str):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(STUB.format(name=name))
    path.chmod(0o755)


def run(directory: Path, failing: str) -> subprocess.CompletedProcess:
    (directory / "scripts").mkdir()
    shutil.copy(ROOT / "scripts/test", directory / "scripts/test")
    for script in SCRIPTS:
        program(directory / "scripts" / script, f"scripts/{script}")
    program(directory / ".build/browser/bin/pytest", "pytest")
    program(directory / "bin/swift", "swift")
    return subprocess.run(
        [directory / "scripts/test"], capture_output=True, text=True,
        env={"PATH": f"{directory}/bin:/usr/bin:/bin", "FAILING": failing})


def results(output: str) -> dict[str, str]:
    """Returns the result of each part in the table."""
    return dict(re.findall(r"^(\w+) +(passed|FAILED) ", output, re.MULTILINE))


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
        expected = {"lint": "passed", "build": "FAILED", "all": "FAILED"}
    assert results(done.stdout) == expected
    assert f"Failed in {part}" in done.stdout
