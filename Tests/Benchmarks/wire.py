#!/usr/bin/env python3
"""Measures the bytes that a browser receives for a list page: in the first visit, and in the next, when it has the parts kept.

Counts heads and bodies, compressed as the server sends them to one who accepts gzip. A part is a style sheet, a script or an icon that
the page names, with what style sheets name. The next visit is the page alone, if each part may be kept. Django is left out: another
server sends its parts.
"""
import argparse
import gzip
import http.client
import re
import tempfile
import urllib.parse
from pathlib import Path

import figures
import servers

PART = re.compile(rb"""<(?:link|script|img)\b[^>]*?(?:href|src)="([^"]+)\"""")
NAMED_BY_STYLE = re.compile(rb"""(?:url\(|@import\s+)["']?([^"')]+)""")


def fetch(server, path, cookie):
    """The answer's size in bytes, its content as plain bytes, and whether it may be kept without asking again."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    connection.request("GET", path, headers={"Cookie": cookie, "Accept-Encoding": "gzip", "Accept": "*/*", "Accept-Language": "en"})
    response = connection.getresponse()
    body = response.read()
    connection.close()
    assert response.status == 200, (server.name, path, response.status)
    head = len(f"HTTP/1.1 {response.status} {response.reason}\r\n\r\n") + sum(
        len(name) + len(value) + 4 for name, value in response.getheaders())
    is_kept = re.search(r"max-age=[1-9]", response.headers.get("Cache-Control", "")) is not None
    content = gzip.decompress(body) if response.headers.get("Content-Encoding") == "gzip" else body
    return head + len(body), content, is_kept


def measure(server, cookie):
    page_size, page, _ = fetch(server, server.list_path, cookie)
    waiting = [urllib.parse.urljoin(server.list_path, part.decode().replace("&amp;", "&")) for part in PART.findall(page)]
    sizes, is_every_part_kept = {}, True
    while waiting:
        path = waiting.pop()
        if path in sizes or not path.startswith("/"):
            continue
        sizes[path], content, is_kept = fetch(server, path, cookie)
        is_every_part_kept = is_every_part_kept and is_kept
        if urllib.parse.urlsplit(path).path.endswith(".css"):
            waiting += [urllib.parse.urljoin(path, part.decode()) for part in NAMED_BY_STYLE.findall(content) if not part.startswith((b"data:", b"#"))]
    first = page_size + sum(sizes.values())
    return {"first": first, "next": page_size if is_every_part_kept else first, "page": page_size, "parts": len(sizes)}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1000)
    parser.add_argument("--json", help="write the result to this file")
    options = parser.parse_args()
    results = {}
    for kind in (servers.Aviary, servers.FlaskAdmin):
        with tempfile.TemporaryDirectory() as work:
            server = kind(Path(work), options.rows, 1)
            server.start()
            try:
                found = results[server.name] = measure(server, server.sign_in())
            finally:
                server.stop()
        print(f"{server.name:14} first visit {found['first']:8,} bytes with {found['parts']} parts, next {found['next']:8,}", flush=True)
    figures.write(options.json, "wire", options, results)


if __name__ == "__main__":
    main()
