"""Medians with their ranges, and the machine's own part in a run."""
import json
import statistics
from pathlib import Path


def spread(values):
    return {"median": statistics.median(values), "lowest": min(values), "highest": max(values), "runs": len(values)}


def middle(runs, key):
    """Of the runs' figures of that name."""
    return statistics.median(run[key] for run in runs)


def write(path, part, options, result):
    """What a part found, for the page."""
    if path:
        shown = {name: str(value) if isinstance(value, Path) else value for name, value in vars(options).items()}
        Path(path).write_text(json.dumps({"part": part, "options": shown, "result": result}, indent=1) + "\n")


class MachineUse:
    """The share of the machine that was at work meanwhile."""

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
