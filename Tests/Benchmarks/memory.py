#!/usr/bin/env python3
"""The memory of a web worker under what strangers and one account can send.

Each load has a server of its own. The figure of a load is the largest resident memory of a worker since its start (VmHWM) in
the course of the load, beside that of the worker before it. ZOO names the program, else it is the release build.
"""
import argparse
import asyncio
import gzip
import http.client
import re
import secrets
import tempfile
import time
import urllib.parse
from pathlib import Path

import figures as found
from servers import Aviary, get
from storm import family

MEBIBYTE = 1024  # VmHWM is in KiB
GOAL = 128
# A process has few ports to one address of the server, and a server few places for one address.
ADDRESSES = [f"127.0.3.{number + 1}" for number in range(30)]


def workers(server):
    """Returns the most memory that a worker has had, in MiB, and how many workers there are."""
    most = []
    for pid in family(server.process.pid)[1:]:
        command = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
        status = Path(f"/proc/{pid}/status").read_text()
        if any(b"worker" in argument for argument in command):
            most.append(int(re.search(r"VmHWM:\s+(\d+)", status).group(1)) / MEBIBYTE)
    assert most, "the server has no workers"
    return max(most), len(most)


async def stranger(server, number, seconds, again):
    """Sends a form byte by byte, and connects again when it is rejected, if told so. Returns the number of connections."""
    connections, loop = 0, asyncio.get_running_loop()
    end = loop.time() + seconds
    while loop.time() < end:
        try:
            reader, writer = await asyncio.open_connection(
                "127.0.0.1", server.port, local_addr=(ADDRESSES[number % len(ADDRESSES)], 0))
        except OSError:
            await asyncio.sleep(0.1)
            continue
        connections += 1
        try:
            writer.write(b"POST /login HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Length: 16000\r\n"
                         b"Content-Type: application/x-www-form-urlencoded\r\n\r\n" % server.port)
            while loop.time() < end and not reader.at_eof():
                writer.write(b"x" * 400)
                await writer.drain()
                try:
                    await asyncio.wait_for(reader.read(4096), 0.5)
                except TimeoutError:
                    pass
        except OSError:
            pass
        finally:
            writer.close()
        if not again:
            break
    return connections


def strangers(server, _, options, again):
    async def all_of_them():
        return await asyncio.gather(*(stranger(server, n, options.seconds, again) for n in range(options.connections)))
    return {"connections": sum(asyncio.run(all_of_them()))}


def upload(server, cookie, page, fields, name, content):
    """Sends a file by the form of a page. Returns the status."""
    # The page has no such form while the server checks the file before.
    for _ in range(600):
        _, _, text = get(server.port, page, {"Cookie": cookie})
        if form := re.search(rb"<form[^>]*multipart.*?</form>", text, re.S):
            break
        time.sleep(0.1)
    form = form.group(0)
    action = re.search(rb'action="([^"]*)"', form).group(1).decode()
    field = re.search(rb'<input[^>]*type="file"[^>]*>', form).group(0)
    file = re.search(rb'name="([^"]*)"', field).group(1).decode()
    token = re.search(rb'name="csrf" value="([^"]+)"', form).group(1).decode()
    edge = secrets.token_hex(16)
    parts = [f'--{edge}\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{value}\r\n'
             for key, value in {"csrf": token, **fields}.items()]
    body = ("".join(parts) + f'--{edge}\r\nContent-Disposition: form-data; name="{file}"; filename="{name}"\r\n'
            "Content-Type: application/octet-stream\r\n\r\n").encode() + content + f"\r\n--{edge}--\r\n".encode()
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=300)
    try:
        connection.request("POST", action.replace("&amp;", "&"), body, {
            "Cookie": cookie, "Content-Type": f"multipart/form-data; boundary={edge}", "Sec-Fetch-Site": "same-origin"})
        response = connection.getresponse()
        response.read()
        return response.status
    except (ConnectionResetError, BrokenPipeError):
        return 0  # the server does not read on
    finally:
        connection.close()


def bombs(server, cookie, options):
    """A snapshot of one line of 1 GiB, compressed, three times."""
    line = gzip.compress(b'{"format":"' + bytes(1 << 20) * 1024, 6)
    return {"bytes": len(line), "statuses": [upload(server, cookie, "/admin/backups", {}, "bomb.jsonl.gz", line) for _ in range(3)]}


def records(server, cookie, options):
    """A snapshot with a manifest of its own and a line of 1 GiB, compressed, three times."""
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "backup.jsonl.gz"
        server.command("backup", "--output", path)
        manifest = gzip.decompress(path.read_bytes()).split(b"\n")[0]
    file = gzip.compress(manifest + b'\n{"model":"Animal","name":"' + b"\\u0041" * 6 * (1024 ** 3 // 36), 6)
    return {"bytes": len(file), "statuses": [upload(server, cookie, "/admin/backups", {}, "bomb.jsonl.gz", file) for _ in range(3)]}


def columns(server, cookie, options):
    """A table with two million names of columns, three times."""
    table = ",".join(f"c{n}" for n in range(2_000_000)).encode() + b"\n"
    return {"bytes": len(table), "statuses": [
        upload(server, cookie, "/admin/animals/import", {}, "wide.csv", table[:16 << 20]) for _ in range(3)]}


LOADS = {
    "nothing": lambda *_: {},
    "strangers who drip a form": lambda *given: strangers(*given, again=False),
    "strangers who drip a form and come again": lambda *given: strangers(*given, again=True),
    "a compressed gibibyte as a snapshot": bombs,
    "a compressed gibibyte as a record of a snapshot": records,
    "a table of two million columns": columns,
}


def measure(name, options):
    with tempfile.TemporaryDirectory() as directory:
        server = Aviary(Path(directory), options.rows, 2)
        server.start()
        try:
            cookie = server.sign_in()
            for _ in range(20):
                get(server.port, server.list_path, {"Cookie": cookie})
            before, count = workers(server)
            sent = LOADS[name](server, cookie, options)
            after, left = workers(server)
            assert left == count, "a worker has ended"
            assert get(server.port, server.list_path, {"Cookie": cookie})[0] == 200
            return {"before": before, "after": after, **sent}
        finally:
            server.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=2000)
    parser.add_argument("--connections", type=int, default=900)
    parser.add_argument("--seconds", type=float, default=40)
    parser.add_argument("--only", help="measure the loads whose names contain this text")
    parser.add_argument("--json", help="write the result to this file")
    options = parser.parse_args()
    result = {}
    for name in (name for name in LOADS if not options.only or options.only in name):
        result[name] = measure(name, options)
        print(f"{name}: {result[name]['before']:.0f} MiB before, {result[name]['after']:.0f} MiB at most; "
              f"{ {key: value for key, value in result[name].items() if key not in ('before', 'after')} }", flush=True)
    worst = max(load["after"] for load in result.values())
    print(f"at most {worst:.0f} MiB a worker, {GOAL} are allowed")
    found.write(options.json, "memory", options, result)


if __name__ == "__main__":
    main()
