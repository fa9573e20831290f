#!/usr/bin/env python3
"""Measures an import beside sqlite3's .import and Django's bulk_create: the same rows, in turns, each into an empty store.

The rows are the flights of data.py, whose categories are created by the import. Aviary reads the names of the categories, checks
each value, and stores the history and receipts. sqlite3 gets rows that have their ids and those of their categories already, and
inserts them in one transaction, checking references alone, with the indexes of the store: once with the index of the texts and once
without. Django reads the names too and checks each record with full_clean, as its admin does.
"""
import argparse
import csv
import os
import subprocess
import tempfile
import time
import uuid
from pathlib import Path

import data
import figures
import servers

TABLES = ("Animal", "AnimalCategory")
TEXT_INDEX = """
CREATE VIRTUAL TABLE words USING fts5(name, content=Animal, content_rowid=rowid, tokenize='trigram case_sensitive 1');
CREATE TRIGGER noted AFTER INSERT ON Animal BEGIN INSERT INTO words (rowid, name) VALUES (NEW.rowid, NEW.name); END;
"""
DJANGO = """
import csv, sys, django
django.setup()
from django.core.management import call_command
from django.db import transaction
from zoo.models import Animal, AnimalCategory
call_command('migrate', run_syncdb=True, verbosity=0)
with transaction.atomic(), open(sys.argv[1], newline='') as file:
    categories, animals = {}, []
    def store():
        Animal.objects.bulk_create(animals)
        animals.clear()
    for row in csv.DictReader(file):
        category = categories.get(row['category'])
        if category is None:
            category = categories[row['category']] = AnimalCategory(name=row['category'])
            category.full_clean()
            category.save()
        animal = Animal(name=row['name'], diet=row['diet'], category=category)
        animal.full_clean()
        animals.append(animal)
        if len(animals) == 10_000:
            store()
    store()
"""


def timed(command, **options):
    """Seconds, seconds of the processors, and MiB."""
    begun = time.monotonic()
    process = subprocess.Popen([str(part) for part in command], stdout=subprocess.DEVNULL, **options)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, command
    return {"seconds": time.monotonic() - begun, "processor": usage.ru_utime + usage.ru_stime, "memory": usage.ru_maxrss / 1024}


def ours(program, file, directory):
    return timed([program, "import", "Animal", file, "--create-related", "--data", directory], stderr=subprocess.DEVNULL)


def count(store, table):
    return int(subprocess.run(["sqlite3", store, f"SELECT count(*) FROM {table}"], check=True, capture_output=True, text=True).stdout)


def definitions(store):
    """The statements that created the tables of the models and their indexes."""
    names = ", ".join(f"'{name}'" for name in TABLES)
    query = f"SELECT sql || ';' FROM sqlite_master WHERE tbl_name IN ({names}) AND type IN ('table', 'index') AND sql IS NOT NULL ORDER BY type DESC"
    return subprocess.run(["sqlite3", store, query], check=True, capture_output=True, text=True).stdout


def write_rows(file, work):
    """Writes the rows as the tables have them, with ids that rise as those of new records do."""
    categories = {}
    with open(file, newline="") as source, open(work / "animals.csv", "w", newline="") as target:
        writer = csv.writer(target)
        for number, row in enumerate(csv.DictReader(source)):
            category = categories.setdefault(row["category"], str(uuid.UUID(int=7 << 76 | 2 << 62 | len(categories))))
            writer.writerow([str(uuid.UUID(int=(1 << 96) + (number << 80) | 7 << 76 | 2 << 62 | number)), 1, row["name"], row["diet"], category])
    with open(work / "categories.csv", "w", newline="") as target:
        csv.writer(target).writerows([key, 1, name] for name, key in categories.items())


def shell(statements, work):
    store = work / "shell.sqlite"
    for suffix in ("", "-wal", "-shm"):
        Path(f"{store}{suffix}").unlink(missing_ok=True)
    script = work / "script.sql"
    script.write_text(
        f"PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; PRAGMA cache_size=-16384;\n{statements}\nBEGIN;\n"
        f".import --csv {work}/categories.csv AnimalCategory\n.import --csv {work}/animals.csv Animal\nCOMMIT;\n")
    with open(script) as source:
        return {**timed(["sqlite3", store], stdin=source), "store": store}


def django(file, work):
    database = work / "django.sqlite"
    for old in work.glob("django.sqlite*"):
        old.unlink()
    environment = {**os.environ, "ZOO_DATABASE": str(database), "DJANGO_SETTINGS_MODULE": "settings", "PYTHONPATH": str(servers.HERE / "django"),
                   "PYTHONDONTWRITEBYTECODE": "1"}
    return {**timed([servers.Gunicorn.tools / "python", "-c", DJANGO, file], env=environment), "store": database}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=sum(data.AIRLINES.values()))
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--json", help="write the result to this file")
    options = parser.parse_args()
    program = Path(os.environ.get("ZOO", servers.ROOT / ".build/release/zoo"))
    runs = {}

    def note(name, found, table):
        store = found.pop("store")
        assert count(store, table) == options.rows, name
        runs.setdefault(name, []).append(found)
        print(f"{name:40} {found['seconds']:7.1f} s  {found['processor']:7.1f} s of processors  {found['memory']:5.0f} MiB", flush=True)

    with tempfile.TemporaryDirectory() as directory:
        work = Path(directory)
        file = work / "flights.csv"
        data.write_flights(file, options.rows)
        write_rows(file, work)
        for run in range(options.runs):
            served = work / f"data-{run}"
            note("Aviary", {**ours(program, file, served), "store": served / "store.sqlite"}, "Animal")
            statements = definitions(served / "store.sqlite")
            subprocess.run(["rm", "-rf", served], check=True)
            note("sqlite3 .import, all indexes", shell(statements + TEXT_INDEX, work), "Animal")
            note("sqlite3 .import, no index of texts", shell(statements, work), "Animal")
            note("Django, full_clean and bulk_create", django(file, work), "zoo_animal")
    figures.write(options.json, "importing", options, {
        name: {key: figures.spread([run[key] for run in found]) for key in ("seconds", "processor", "memory")} for name, found in runs.items()})


if __name__ == "__main__":
    main()
