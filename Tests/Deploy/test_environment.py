"""The example environment file lists exactly the variables that the program reads."""

import re
import subprocess

from zoo import BINARY, DEPLOY, ROOT, environment

EXAMPLE = (DEPLOY / "aviary.env.example").read_text()


def read_by_the_program() -> set[str]:
    """Returns the names of variables in string literals of the sources, without those that the data tests set."""
    names = {
        name
        for file in (ROOT / "Sources").rglob("*.swift")
        for name in re.findall(r'"(AVIARY_[A-Z0-9_]+)"', file.read_text())
    }
    return names - {"AVIARY_ENGINE", "AVIARY_TEST_DATABASE"}


def in_the_example() -> list[str]:
    return re.findall(r"^#?(AVIARY_[A-Z0-9_]+)=", EXAMPLE, re.MULTILINE)


def test_every_variable_that_the_program_reads_is_there_once():
    names = in_the_example()
    assert sorted(names) == sorted(set(names))
    assert set(names) == read_by_the_program()
    assert len(names) > 5


def test_every_variable_has_a_comment_in_front():
    comment = False
    for line in EXAMPLE.splitlines():
        if re.match(r"#?AVIARY_", line):
            assert comment, line
        else:
            comment = line.startswith("# ")


def test_the_program_takes_the_example_as_it_is(tmp_path):
    """Every value of the example is valid, even if it is commented out. The metrics token has no example value."""
    values = dict(re.findall(r"^#?(AVIARY_[A-Z0-9_]+)=(.+)$", EXAMPLE, re.MULTILINE))
    assert "AVIARY_METRICS_TOKEN" not in values
    file = tmp_path / "file"
    file.write_text("")
    values["AVIARY_DATA"] = str(file / "data")
    run = subprocess.run([BINARY, "serve"], env=environment(**values), capture_output=True, text=True)
    # The error is about the data directory, which is checked after the settings.
    assert run.returncode == 1 and str(file) in run.stderr, run.stderr
