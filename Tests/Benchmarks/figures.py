"""Medians with their ranges, and the machine's own part in a run."""
import datetime
import json
import statistics
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def spread(values):
    return {"median": statistics.median(values), "lowest": min(values), "highest": max(values), "runs": len(values)}


def middle(runs, key):
    """Returns the median of a figure of all runs."""
    return statistics.median(run[key] for run in runs)


def total(runs, key):
    """Returns the sum of a figure that must be 0 in each run. A median would hide one run."""
    return sum(run[key] for run in runs)


def commit():
    """Returns the commit of the sources, with -dirty if they have changed since."""
    def git(*arguments):
        return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True).stdout.strip()
    changed = git("status", "--porcelain", "--", "Sources", "Public", "Package.swift", "Package.resolved", "Tests/Benchmarks")
    return (git("rev-parse", "--short", "HEAD") or "unknown") + ("-dirty" if changed else "")


def write(path, part, options, result):
    """Writes the result of a part with its date and commit, because the page may have parts of several days."""
    if path:
        shown = {name: str(value) if isinstance(value, Path) else value for name, value in vars(options).items()}
        date = datetime.datetime.now(datetime.timezone.utc).strftime("%-d %B %Y")
        Path(path).write_text(json.dumps(
            {"part": part, "date": date, "commit": commit(), "options": shown, "result": result}, indent=1) + "\n")


class MachineUse:
    """The share of the machine's processors that worked meanwhile."""

    def __enter__(self):
        self.before = self.ticks()
        return self

    def __exit__(self, *_):
        busy, all_ticks = (new - old for new, old in zip(self.ticks(), self.before))
        self.share = busy / max(1, all_ticks)

    @staticmethod
    def ticks():
        fields = [int(field) for field in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]]
        return sum(fields) - fields[3] - fields[4], sum(fields)
