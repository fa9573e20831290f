"""Runs wapiti, which crawls the pages that a user can reach and attacks every address and form."""

import json
import re
import subprocess
import sys
import time
from pathlib import Path

from control import Control
from findings import Finding
from target import Target
from visitor import Visitor

# Modules that send requests only to the server. Others use services on the internet or look for files of other programs.
MODULES = "cookieflags,crlf,csp,csrf,exec,file,htaccess,http_headers,ldap,methods,permanentxss,redirect,sql,timesql,upload,xss"
# Addresses that would end the session of the scan.
CLOSED = ["/logout", "/admin/account/*", "/admin/accounts/scanner"]


def attack(
    target: Target | Control, visitor: Visitor | None, output: Path, seconds: float, modules: str = MODULES
) -> list[Finding]:
    name = "wapiti signed in" if visitor else "wapiti as nobody"
    report, log = output / f"{name}.json", output / f"{name}.txt"
    command = [
        Path(sys.executable).with_name("wapiti"), "-u", target.url + ("/admin" if visitor else "/login"), "--scope", "domain",
        "-m", modules, "-f", "json", "-o", report, "-dr", "1", "--flush-session", "--store-session", output / "wapiti-session",
        "--no-bugreport", "--max-scan-time", str(int(seconds * 0.25)), "--max-attack-time", str(int(seconds * max(0.12, 0.7 / len(modules.split(","))))),
        "--max-links-per-page", "40", "--max-files-per-dir", "40", "-d", "4", "-t", "10", "--tasks", "2", "-v", "1",
    ]
    if visitor:
        command += ["-C", "; ".join(f"{name}={value}" for name, value in visitor.cookies.items())]
    for path in CLOSED:
        command += ["-x", target.url + path]
    started = time.monotonic()
    with log.open("w") as file:
        try:
            subprocess.run(command, stdout=file, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, timeout=seconds)
        except subprocess.TimeoutExpired:
            return [Finding("wapiti", "not finished", name, "out of time")]
    print(f"{name}, {time.monotonic() - started:.0f} s", flush=True)
    if not report.exists():
        return [Finding("wapiti", "not tried", name, log.read_text(errors="replace")[-400:])]
    result = json.loads(report.read_text())
    found = result["vulnerabilities"] | result["anomalies"]
    findings = [Finding("wapiti", kind, f"{one['method']} {one['path']} {one['parameter'] or ''}", one["info"])
                for kind, all in found.items() for one in all]
    pages = result["infos"]["crawled_pages_nbr"]
    print(f"{name}: {pages} addresses and forms")
    if visitor and (pages < 30 or visitor.anew().get("/admin").status != 200):
        findings.append(Finding("wapiti", "not tried", name, f"Only {pages} addresses, or signed out on the way."))
    return findings


def bounded(output: Path) -> dict[str, list[str]]:
    """Returns the modules of each visit that ran out of time before they had tried every address."""
    found = {log.stem: sorted(set(re.findall(r"Max attack time was reached for module (\w+)", log.read_text(errors="replace"))))
             for log in sorted(output.glob("wapiti*.txt"))}
    return {visit: modules for visit, modules in found.items() if modules}
