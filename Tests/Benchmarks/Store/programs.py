"""The two programs that are measured, and the store files that they work on."""
import hashlib
import json
import resource
import shutil
import sqlite3
import subprocess
from pathlib import Path

TABLE = "Sample"
# How many changes about fill the history, whose limit is a gigabyte unless given.
FULL_HISTORY = 3_500_000


class Programs:
    def __init__(self, benchmark, peer):
        self.benchmark = Path(benchmark).resolve()
        self.peer = Path(peer).resolve()

    def rows(self, keys, count, first=0):
        """The command that writes rows to its standard output."""
        return [self.benchmark, "rows", "--keys", keys, "--first", str(first), "--count", str(count)]

    def write_rows(self, path, keys, count):
        with open(path, "w") as file:
            subprocess.run(self.rows(keys, count), check=True, stdout=file)

    def prepare(self, directory):
        """An empty store as our own program makes it; the peer inserts into a copy, so that the tables are the same."""
        subprocess.run([self.benchmark, "prepare", directory], check=True)
        return Path(directory) / "store.sqlite"

    def run_peer(self, store, rows, *options):
        with open(rows) as file:
            return measured([self.peer, store, TABLE, *options], stdin=file)

    def run_store(self, directory, rows, callers, *options):
        return measured([self.benchmark, "measure", directory, "--rows", rows, "--callers", str(callers), *options])

    def fill(self, store, keys, count, history):
        """With the commits of all rows, and with the history of as many as a full one holds."""
        options = ["--fill", "--commits"]
        if history == "on":
            options += ["--history-from", str(max(0, count - FULL_HISTORY))]
        source = subprocess.Popen(self.rows(keys, count), stdout=subprocess.PIPE)
        result = measured([self.peer, store, TABLE, *options], stdin=source.stdout)
        source.stdout.close()
        if source.wait() != 0:
            raise SystemExit("the rows could not be made")
        return result


def measured(command, stdin=None):
    """The program's line of JSON, with the share of the machine that other programs had meanwhile."""
    before = usage()
    output = subprocess.run([str(part) for part in command], check=True, stdin=stdin, capture_output=True, text=True)
    after = usage()
    busy, total, own = (new - old for new, old in zip(after, before))
    return json.loads(output.stdout) | {"others": max(0.0, busy - own) / max(total, 1e-9)}


def usage():
    """Seconds that the machine was busy, seconds that there were, and seconds of our own children."""
    ticks = [int(field) / 100 for field in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]]
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return sum(ticks) - ticks[3] - ticks[4], sum(ticks), children.ru_utime + children.ru_stime


def fresh_copy(empty, directory):
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    return Path(shutil.copy(empty, directory))


def check_contents(store, rows):
    """Exactly the rows of the file are stored, whoever stored them."""
    with sqlite3.connect(store) as connection:
        columns = [name for _, name, *_ in connection.execute(f"PRAGMA table_info({TABLE})") if name != "aviary_version"]
        stored = hashlib.sha256()
        for row in connection.execute(f"SELECT {', '.join(columns)} FROM {TABLE} ORDER BY id"):
            stored.update("\t".join(map(str, row)).encode() + b"\n")
    with open(rows) as file:
        lines = sorted(line.split("\t", 1)[1] for line in file)
    wanted = hashlib.sha256("".join(lines).encode())
    if stored.digest() != wanted.digest():
        raise SystemExit(f"{store} does not hold the rows of {rows}")
