"""Runs sqlmap and wapiti against the zoo. Exits with 1 when anything is found, or was not tried."""

import argparse
import json
import tempfile
import time
from importlib.metadata import version
from pathlib import Path

import sqlmap_run
import wapiti_run
from target import ROOT, Target

def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, default=ROOT / ".build/security/report")
    parser.add_argument("--minutes", type=float, default=9, help="the bound of the whole run")
    parser.add_argument("--only", choices=["sqlmap", "wapiti"])
    arguments = parser.parse_args()
    output = arguments.output
    output.mkdir(parents=True, exist_ok=True)
    seconds = arguments.minutes * 60
    started = time.monotonic()
    findings = []
    with tempfile.TemporaryDirectory() as directory:
        target = Target(Path(directory))
        target.start()
        try:
            if arguments.only != "wapiti":
                findings += sqlmap_run.attack(target, target.signed_in(), output, seconds * 0.5)
            if arguments.only != "sqlmap":
                findings += wapiti_run.attack(target, None, output, seconds * 0.12)
                findings += wapiti_run.attack(target, target.signed_in(), output, seconds * 0.35)
            assert target.is_well(), "The server did not live through it."
        finally:
            target.kill()
    holes = [finding for finding in findings if not finding.excuse]
    summary = {
        "date": time.strftime("%Y-%m-%d", time.gmtime()), "seconds": round(time.monotonic() - started),
        "versions": {tool: version(name) for tool, name in [("sqlmap", "sqlmap"), ("wapiti", "wapiti3")]},
        "findings": [vars(finding) | {"excuse": finding.excuse} for finding in findings],
    }
    (output / "summary.json").write_text(json.dumps(summary, indent=1))
    for finding in findings:
        print(f"{'no hole' if finding.excuse else 'FOUND'}: {finding.tool}, {finding.kind}, {finding.place}: {finding.excuse or finding.text}")
    print(f"{len(holes)} found, {len(findings) - len(holes)} known to be none, {summary['seconds']} s, {output}/summary.json")
    return 1 if holes else 0


if __name__ == "__main__":
    raise SystemExit(main())
