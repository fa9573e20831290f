"""Runs sqlmap and wapiti against the zoo. Exits with 1 if anything is found or was not tried."""

import argparse
import json
import tempfile
import time
from importlib.metadata import version
from pathlib import Path

import sqlmap_run
import wapiti_run
from control import Control
from findings import Finding
from sqlmap_run import Place
from target import ROOT, Target
from visitor import Visitor


def check_scanners(output: Path, seconds: float, only: str | None) -> list[Finding]:
    """Returns a finding for each planted vulnerability that a scanner misses."""
    output = output / "control"
    output.mkdir(exist_ok=True)
    missed = []
    with Control() as control:
        if only != "wapiti":
            place = Place("planted", "/admin/animals?q=N1", "q")
            found = sqlmap_run.attack(control, Visitor(control.url), [place], output, seconds * 0.5)
            if not any(finding.kind == "injection" for finding in found):
                missed.append(Finding("sqlmap", "blind", "control", "The planted SQL injection was not found."))
        if only != "sqlmap":
            kinds = {finding.kind for finding in wapiti_run.attack(control, None, output, seconds * 0.5)}
            for kind in {"Reflected Cross Site Scripting", "Content Security Policy Configuration"} - kinds:
                missed.append(Finding("wapiti", "blind", "control", f"{kind} was not found, only {', '.join(sorted(kinds)) or 'nothing'}."))
    return missed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, default=ROOT / ".build/security/report")
    parser.add_argument("--minutes", type=float, default=24, help="the bound of the whole run")
    parser.add_argument("--only", choices=["sqlmap", "wapiti"])
    parser.add_argument("--modules", default=wapiti_run.MODULES, help="the modules of wapiti, after the control")
    arguments = parser.parse_args()
    output = arguments.output
    output.mkdir(parents=True, exist_ok=True)
    seconds = arguments.minutes * 60
    started = time.monotonic()
    findings = check_scanners(output, seconds * 0.15, arguments.only)
    with tempfile.TemporaryDirectory() as directory:
        target = Target(Path(directory))
        target.start()
        try:
            # Signs in before the scanners guess passwords, which delays further sign-ins from this address.
            visitor = target.signed_in()
            if arguments.only != "wapiti":
                findings += sqlmap_run.attack(target, visitor, sqlmap_run.places(visitor), output, seconds * 0.3)
            if arguments.only != "sqlmap":
                findings += wapiti_run.attack(target, None, output, seconds * 0.1, arguments.modules)
                findings += wapiti_run.attack(target, visitor, output, seconds * 0.45, arguments.modules)
            assert target.is_well(), "The server did not live through it."
        finally:
            target.kill()
    holes = [finding for finding in findings if not finding.excuse]
    summary = {
        "date": time.strftime("%Y-%m-%d", time.gmtime()), "seconds": round(time.monotonic() - started),
        "versions": {tool: version(name) for tool, name in [("sqlmap", "sqlmap"), ("wapiti", "wapiti3")]},
        "bounded": wapiti_run.bounded(output),
        "findings": [vars(finding) | {"excuse": finding.excuse} for finding in findings],
    }
    (output / "summary.json").write_text(json.dumps(summary, indent=1))
    for finding in findings:
        print(f"{'no hole' if finding.excuse else 'FOUND'}: {finding.tool}, {finding.kind}, {finding.place}: {finding.excuse or finding.text}")
    for visit, modules in summary["bounded"].items():
        print(f"{visit}: out of time before all was tried: {', '.join(modules)}")
    print(f"{len(holes)} found, {len(findings) - len(holes)} known to be none, {summary['seconds']} s, {output}/summary.json")
    return 1 if holes else 0


if __name__ == "__main__":
    raise SystemExit(main())
