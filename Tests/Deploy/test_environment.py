"""The example of an environment file says what the program reads, no less and no more."""

import re
import subprocess

from zoo import BINARY, DEPLOY, ROOT, environment

EXAMPLE = (DEPLOY / "aviary.env.example").read_text()


def read_by_the_program() -> set[str]:
    """The names in the sources' string literals."""
    return {
        name
        for file in (ROOT / "Sources").rglob("*.swift")
        for name in re.findall(r'"(AVIARY_[A-Z0-9_]+)"', file.read_text())
    }


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
    """All of it, but for the token that nobody should copy: also what is commented out has to be well formed."""
    values = dict(re.findall(r"^#?(AVIARY_[A-Z0-9_]+)=(.+)$", EXAMPLE, re.MULTILINE))
    assert "AVIARY_METRICS_TOKEN" not in values
    file = tmp_path / "file"
    file.write_text("")
    values["AVIARY_DATA"] = str(file / "data")
    run = subprocess.run([BINARY, "serve"], env=environment(**values), capture_output=True, text=True)
    # What it complains about is the directory, which comes after the settings.
    assert run.returncode == 1 and str(file) in run.stderr, run.stderr
