#!/usr/bin/env python3
"""Measures other pages of a list: the last one, another order, a search, filters; of 100 thousand and of a million records.

Both sizes of Aviary in turns, and then those of Django's admin, one after the other. Each page is fetched once before and must show rows.
Aviary is measured once more while its model is changed, which makes each page anew after each save.
"""
import argparse
import contextlib
import http.client
import re
import tempfile
from pathlib import Path

import adding
import data
import figures
import servers
import wrk
from writer import Writer

PAGE = 50
CHANGED = "Aviary, changed"


def last_page(server, cookie):
    """The address of a page near the end, which is found page by page, because no link leads to it."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    address = f"{server.list_path}?size=200"
    while True:
        connection.request("GET", address, headers={"Cookie": cookie})
        page = connection.getresponse().read().decode()
        following = re.search(r'<a[^>]*rel="next"[^>]*>', page)
        if not following:
            break
        address = re.search(r'href="([^"]+)"', following.group(0)).group(1).replace("&amp;", "&")
    connection.close()
    return re.sub(r"size=\d+", f"size={PAGE}", address)


def aviary_pages(server, cookie, rows):
    path = server.list_path
    return {
        "first": path, "last": last_page(server, cookie), "sorted": f"{path}?sort=-name",
        "prefix": f"{path}?q={data.animal(rows // 2)[0].replace(' ', '+')}", "many": f"{path}?q=Amber",
        "filter": f"{path}?filter.diet=carnivorous", "both": f"{path}?q=Amber+A&filter.diet=carnivorous",
    }


def django_pages(server, cookie, rows):
    path = server.list_path
    return {
        "first": path, "last": f"{path}?p={rows // PAGE}", "sorted": f"{path}?o=-1",
        "prefix": f"{path}?q={data.animal(rows // 2)[0].replace(' ', '+')}", "many": f"{path}?q=Amber",
        "filter": f"{path}?diet__exact=carnivorous", "both": f"{path}?q=Amber+A&diet__exact=carnivorous",
    }


def ways(server, cookie, options):
    """The names of the measurements, each with a context. Without changes a worker of Aviary repeats pages; a save makes them anew."""
    yield server.name, contextlib.nullcontext
    if isinstance(server, servers.Aviary):
        form = adding.aviary_form(server, cookie)
        form.body = form.body.replace("Added", "Zebra+added")
        yield CHANGED, lambda: Writer(server.port, form, cookie, options.changes)


def measure(kind, pages, row_counts, options, results):
    """Measures sizes of one server in turns, because the speed of a machine changes from one minute to the next."""
    with contextlib.ExitStack() as stack:
        sizes = []
        for rows in row_counts:
            server = kind(Path(stack.enter_context(tempfile.TemporaryDirectory())), rows, options.workers)
            server.start()
            stack.callback(server.stop)
            cookie = server.sign_in()
            addresses = pages(server, cookie, rows)
            for name, address in addresses.items():
                status, _, page = servers.get(server.port, address, {"Cookie": cookie})
                # Few meet both conditions, or none: the work to find that out is what is measured.
                assert status == 200 and (name == "both" or re.search(rb"x\d{7}", page)), (server.name, address, status)
            sizes.append((rows, cookie, addresses, list(ways(server, cookie, options)), server))
        for way in range(len(sizes[0][3])):
            for run in range(options.runs + 1):
                for name in sizes[0][2]:
                    for rows, cookie, addresses, titles, server in sizes:
                        title, beside = titles[way]
                        with beside():
                            result = wrk.get(server.port, addresses[name], cookie, options.connections, options.seconds if run else 1)
                        if run:
                            results.setdefault(title, {}).setdefault(str(rows), {}).setdefault(name, []).append(result)
                            print(f"run {run}  {title:16} {rows:9,} {name:8} {result['rate']:10.1f} pages/s  p99 {result['p99']:.1f} ms", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, nargs="+", default=[100_000, 1_000_000])
    parser.add_argument("--connections", type=int, default=16)
    parser.add_argument("--seconds", type=int, default=3)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--changes", type=float, default=40, help="saves a second of the same model beside the second measurement")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--json", help="write the result to this file")
    options = parser.parse_args()
    results = {}
    measure(servers.Aviary, aviary_pages, options.rows, options, results)
    # Django works on a page of a million records long after its client has given up, beside whatever is measured then.
    for rows in options.rows:
        measure(servers.Django, django_pages, [rows], options, results)
    figures.write(options.json, "filtering", options, {
        server: {rows: {name: {**figures.spread([run["rate"] for run in runs]), "p99": figures.middle(runs, "p99")}
                        for name, runs in pages.items()} for rows, pages in sizes.items()}
        for server, sizes in results.items()
    })


if __name__ == "__main__":
    main()
