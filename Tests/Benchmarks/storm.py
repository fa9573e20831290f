#!/usr/bin/env python3
"""Fifty who sign in at once with their passwords: what it takes of memory, and how much longer a list takes meanwhile.

Each comes from a loopback address of its own, as fifty people do; of those behind one address most would be made to wait.
Latencies are those of one reader, who asks for a list again and again. ZOO names the program, else it is the release build.
"""
import argparse
import http.client
import re
import statistics
import tempfile
import threading
import time
import urllib.parse
from pathlib import Path

import figures as found
from servers import Aviary, family, header

MEBIBYTE = 1024  # VmRSS is in KiB


class Person:
    """Somebody with the form before them."""

    def __init__(self, port, number, name, password):
        self.port, self.address, self.status = port, f"127.0.2.{number + 1}", 0
        response, page = self.exchange("GET", {})
        cookies = dict(re.findall(r"^([^=]+)=([^;]*)", value)[0] for value in response.headers.get_all("Set-Cookie"))
        self.headers = {"Cookie": header(cookies), "Content-Type": "application/x-www-form-urlencoded"}
        token = re.search(rb'name="csrf" value="([^"]+)"', page).group(1).decode()
        self.form = urllib.parse.urlencode({"csrf": token, "username": name, "password": password})

    def exchange(self, method, headers, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=150, source_address=(self.address, 0))
        connection.request(method, "/login", body, headers)
        response = connection.getresponse()
        page = response.read()
        connection.close()
        return response, page

    def sign_in(self):
        """Sends a request again after the time that the answer names."""
        while self.status in (0, 429, 503):
            try:
                response, _ = self.exchange("POST", self.headers, self.form)
            except TimeoutError:
                return  # is counted as who did not get in
            self.status = response.status
            if "Retry-After" in response.headers:
                time.sleep(int(response.headers["Retry-After"]))


class Reader:
    def __init__(self, server, cookie):
        self.connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
        self.path, self.headers = server.list_path, {"Cookie": cookie}

    def read(self, goes_on):
        """The milliseconds of each page."""
        times = []
        while goes_on(times):
            began = time.perf_counter()
            self.connection.request("GET", self.path, headers=self.headers)
            response = self.connection.getresponse()
            response.read()
            assert response.status == 200, response.status
            times.append((time.perf_counter() - began) * 1000)
            time.sleep(0.03)  # a person turns pages; one who never rests would leave the machine's rest to the passwords
        return times


def resident(processes):
    return [int(re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{process}/status").read_text()).group(1)) / MEBIBYTE
            for process in processes]


def figures(times):
    ordered = sorted(times)
    return statistics.median(ordered), ordered[int(len(ordered) * 0.95)]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=50)
    parser.add_argument("--rows", type=int, default=1000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--json", help="write the result to this file")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        server = Aviary(Path(directory), options.rows, options.workers)
        for number in range(options.people):
            server.command("user", "add", f"person{number}", "--role", "viewer", "--password-stdin", text=server.password)
        server.start()
        try:
            return measure(server, options)
        finally:
            server.stop()


def measure(server, options):
    reader = Reader(server, server.sign_in())
    people = [Person(server.port, number, f"person{number}", server.password) for number in range(options.people)]
    reader.read(lambda times: len(times) < 50)
    calm = reader.read(lambda times: len(times) < 300)
    processes = family(server.process.pid)
    before = resident(processes)
    threads = [threading.Thread(target=person.sign_in) for person in people]
    peaks, over = list(before), threading.Event()

    def watch():
        while not over.is_set():
            peaks[:] = map(max, peaks, resident(processes))
            time.sleep(0.02)

    watcher = threading.Thread(target=watch)
    watcher.start()
    began = time.monotonic()
    for thread in threads:
        thread.start()
    stormy = reader.read(lambda times: any(thread.is_alive() for thread in threads))
    took = time.monotonic() - began
    over.set()
    watcher.join()
    refused = [person.status for person in people if person.status != 303]
    (median, late), (median_storm, late_storm) = figures(calm), figures(stormy)
    print(f"program: {server.binary}, {options.workers} workers, {options.rows} animals")
    print(f"{options.people - len(refused)} of {options.people} signed in within {took:.1f} s {refused or ''}")
    print(f"memory of {len(processes)} processes: {sum(before):.0f} MiB before, at most {sum(peaks):.0f} MiB "
          f"(+{sum(peaks) - sum(before):.0f}; of one at most +{max(peak - one for peak, one in zip(peaks, before)):.0f})")
    print(f"a list: median {median:.1f} ms before, {median_storm:.1f} ms meanwhile ({median_storm / median:.2f} times); "
          f"95 % within {late:.1f} ms and {late_storm:.1f} ms ({late_storm / late:.2f} times), "
          f"{len(calm)} and {len(stormy)} pages")
    found.write(options.json, "storm", options, {
        "people": options.people, "signedIn": options.people - len(refused), "seconds": took, "before": sum(before), "most": sum(peaks),
        "calm": median, "stormy": median_storm, "late": late, "lateStormy": late_storm,
    })
    return 1 if refused or sum(peaks) - sum(before) >= 200 or median_storm >= 2 * median else 0


if __name__ == "__main__":
    raise SystemExit(main())
