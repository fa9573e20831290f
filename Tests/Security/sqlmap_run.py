"""Runs sqlmap against every parameter that could reach the store."""

import os
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import urlencode

from control import Control
from findings import Finding
from target import Target
from visitor import Visitor

NEW_IDS = "import uuid;draft=str(uuid.uuid4());id=str(uuid.uuid4())"


class Place:
    """An address with the parameters to attack."""

    def __init__(self, name: str, path: str, parameters: str = "", form: dict | None = None, more: list[str] = [],
                 by: Visitor | None = None):
        self.name, self.path, self.parameters, self.form, self.more, self.by = name, path, parameters, form, more, by


def places(visitor: Visitor) -> list[Place]:
    record = next(link.get("href") for link in visitor.get("/admin/animals").tree.iter("a")
                  if len(link.get("href", "")) == len("/admin/animals/") + 36)
    new = visitor.get("/admin/animals/new").form("sheet-form")
    stranger = Visitor(visitor.url)
    sign_in = stranger.get("/login").form_to("/login")
    identifier = record.rpartition("/")[2]
    return [
        Place("list", "/admin/animals?q=N1&sort=name&size=50&filter.diet=herbivorous", "q,sort,size,filter.diet"),
        Place("page of a list", f"/admin/animals?after=x&before=x&filter.category={identifier}", "after,before,filter.category"),
        Place("record", "/admin/animals/" + identifier + "*"),
        Place("model", "/admin/animals*"),
        Place("delete question", f"/admin/animals/delete?id={identifier}", "id"),
        Place("new record", "/admin/animals", "name,diet,category", new | {"name": ["Tapir"]}, ["--eval", NEW_IDS]),
        Place("draft", "/admin/animals/draft", "name,diet", new | {"name": ["Tapir"]}),
        Place("account", "/admin/accounts/bystander*"),
        # Each attempt has another address, so that none is delayed. Each attempt hashes a password, so there are few tests.
        Place("sign in", "/login", "username", sign_in | {"username": ["bystander"], "password": ["x"]},
              ["--tamper", "xforwardedfor", "--level", "1", "--technique", "BE"], by=stranger),
    ]


def attack(target: Target | Control, visitor: Visitor, places: list[Place], output: Path, seconds: float) -> list[Finding]:
    findings = []
    end = time.monotonic() + seconds
    for place in places:
        log = output / f"sqlmap {place.name}.txt"
        command = [Path(sys.executable).with_name("sqlmap"), "-u", target.url + place.path, "--batch", "--flush-session",
                   "--disable-coloring", "--dbms", "SQLite", "--level", "3", "--risk", "2", "--threads", "2", "--timeout", "10",
                   "--ignore-code", "*", "--ignore-redirects", "--output-dir", output / "sqlmap", *place.more]
        cookies = (place.by or visitor).cookies
        command += ["--cookie", "; ".join(f"{name}={value}" for name, value in cookies.items())]
        if place.parameters:
            command += ["-p", place.parameters]
        if place.form:
            command += ["--data", urlencode(place.form, doseq=True)]
        started = time.monotonic()
        with log.open("w") as file:
            try:
                subprocess.run(command, stdout=file, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                               timeout=max(1, end - started), env={**os.environ, "SQLMAP_UNSAFE_EVAL": "1"})
            except subprocess.TimeoutExpired:
                findings.append(Finding("sqlmap", "not finished", place.name, "out of time"))
                continue
        text = log.read_text(errors="replace")
        print(f"sqlmap: {place.name}, {time.monotonic() - started:.0f} s", flush=True)
        if "identified the following injection point" in text:
            findings.append(Finding("sqlmap", "injection", place.name, text[text.index("identified the following"):][:600]))
        elif "403 (Forbidden)" in text or visitor.anew().get("/admin").status != 200:
            findings.append(Finding("sqlmap", "not tried", place.name, "The token or the sign-in was not accepted."))
        elif "do not appear to be injectable" not in text:
            findings.append(Finding("sqlmap", "not tried", place.name, text[-400:]))
    return findings
