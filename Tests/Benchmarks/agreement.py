#!/usr/bin/env python3
"""Holds the load harness against wrk: the same list page in a closed loop, the server on one processor, the client on another.

On the same processors each client would measure how much of them it takes from the server; apart, both measure the server.
"""
import argparse
import json
import subprocess
import tempfile
from pathlib import Path

import figures
import servers
import wrk


def harness(server, options, seconds):
    output = subprocess.run(
        ["taskset", "-c", "1", server.binary, "loadtest", "--url", f"http://127.0.0.1:{server.port}", "--user", "admin", "--password-stdin",
         "--scenario", "browse", "--mix", "list=1", "--connections", str(options.connections), "--duration", f"{seconds}s",
         "--processes", "1", "--json"],
        input=server.password, text=True, check=True, capture_output=True).stdout
    result = json.loads(output)
    assert result["good"] and result["failedRequests"] == 0, result
    return {"rate": result["throughput"]["requestsPerSecond"], "p50": result["latency"]["list.page"]["p50"], "p99": result["latency"]["list.page"]["p99"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--connections", type=int, default=16)
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--json", help="write the result to this file")
    options = parser.parse_args()
    results = {"wrk": [], "harness": []}
    with tempfile.TemporaryDirectory() as work:
        server = servers.Aviary(Path(work), options.rows, 1)
        server.prefix = ["taskset", "-c", "0"]
        server.start()
        try:
            cookie = server.sign_in()
            for run in range(options.runs + 1):
                seconds = options.seconds if run else 1
                clients = {
                    "wrk": lambda: wrk.get(server.port, server.list_path, cookie, options.connections, seconds, ["taskset", "-c", "1"]),
                    "harness": lambda: harness(server, options, seconds),
                }
                # The first one has the cooler machine, or the colder one, so each is first in turn.
                for name in sorted(clients, reverse=run % 2 == 0):
                    result = clients[name]()
                    if run:
                        results[name].append(result)
                        print(f"run {run}  {name:8} {result['rate']:10.1f} pages/s  p50 {result['p50']:.2f} ms  p99 {result['p99']:.2f} ms", flush=True)
        finally:
            server.stop()
    rates = {name: figures.spread([run["rate"] for run in runs]) for name, runs in results.items()}
    ratio = rates["harness"]["median"] / rates["wrk"]["median"]
    print(f"the harness measures {ratio:.3f} of what wrk measures")
    figures.write(options.json, "agreement", options, {
        "rates": rates, "ratio": ratio, **{key: {name: figures.middle(runs, key) for name, runs in results.items()} for key in ("p50", "p99")},
    })


if __name__ == "__main__":
    main()
