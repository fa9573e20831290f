#!/usr/bin/env python3
"""Measures lists with one filter whose values correlate with the order: flights by airline, whose names begin
with the airline's code, in the sizes that the airlines of New York had in 2013.

One client requests the first page of every airline in every order, and each page must show as many rows as there are. Before each request
an animal is saved, so that no page is repeated.
"""
import argparse
import csv
import http.client
import io
import re
import statistics
import tempfile
import time
import urllib.parse
from pathlib import Path

import adding
import data
import figures
import servers
from writer import version7

PAGE = 50
ORDERS = {"by name": "name", "by name, descending": "-name", "by diet": "diet", "by diet, descending": "-diet"}


class Flights(servers.Aviary):
    write = staticmethod(data.write_flights)


def airlines(server, cookie):
    """The id of each airline, by its code."""
    _, _, file = servers.get(server.port, "/admin/animal-categories/export?format=csv", {"Cookie": cookie})
    return {row["name"]: row["id"] for row in csv.DictReader(io.StringIO(file.decode("utf-8-sig")))}


def measure(rows, options, results):
    counts = data.flight_counts(rows)
    with tempfile.TemporaryDirectory() as work:
        server = Flights(Path(work), rows, options.workers)
        server.start()
        try:
            cookie = server.sign_in()
            connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
            form = adding.aviary_form(server, cookie)

            def save(name):
                """Saves a flight of no airline, so that no worker can repeat a page."""
                body = form.body.replace("Added+{n}", urllib.parse.quote_plus(name)).format(id=version7(), draft=version7())
                status, *_ = servers.get(server.port, form.path, {"Cookie": cookie, "Content-Type": "application/x-www-form-urlencoded"}, "POST", body)
                assert status == form.status, status

            for title, order in ORDERS.items():
                times = {}
                for code, identity in airlines(server, cookie).items():
                    found = []
                    for run in range(options.runs):
                        save(f"{code} {title} {run}")
                        began = time.monotonic()
                        connection.request("GET", f"{server.list_path}?sort={order}&filter.category={identity}", headers={"Cookie": cookie})
                        answer = connection.getresponse()
                        page = answer.read()
                        found.append((time.monotonic() - began) * 1000)
                        shown = len(set(re.findall(rb"x\d{7}", page)))
                        assert answer.status == 200 and shown == min(PAGE, counts[code]), (code, order, answer.status, shown)
                    times[code] = statistics.median(found)
                slowest = max(times, key=times.get)
                results.setdefault(str(rows), {})[title] = {
                    "median": statistics.median(times.values()), "slowest": times[slowest], "airline": slowest, "records": counts[slowest]}
                print(f"{rows:9,} {title:22} median {statistics.median(times.values()):7.1f} ms, slowest {times[slowest]:7.1f} ms ({slowest})", flush=True)
        finally:
            server.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, nargs="+", default=[336_776, 1_000_000])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--json", help="write the result to this file")
    options = parser.parse_args()
    results = {}
    for rows in options.rows:
        measure(rows, options, results)
    figures.write(options.json, "correlated", options, results)


if __name__ == "__main__":
    main()
