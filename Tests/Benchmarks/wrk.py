"""Runs wrk against one address: in a closed loop, signed in, uncompressed."""
import re
import subprocess

# What the load harness sends, too: a server's answer may depend on it, and its work does.
HEADERS = ["-H", "Accept: text/html", "-H", "Accept-Language: en"]
UNITS = {"us": 0.001, "ms": 1.0, "s": 1000.0, "m": 60_000.0}


def get(port, path, cookie, connections, seconds, prefix=()):
    """Requests a second and percentiles in milliseconds. Any answer but a page is an error that ends the run."""
    command = [*prefix, "wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--timeout", "30s", "--latency", *HEADERS]
    if cookie:
        command += ["-H", f"Cookie: {cookie}"]
    output = subprocess.run([*command, f"http://127.0.0.1:{port}{path}"], check=True, capture_output=True, text=True).stdout
    assert "Non-2xx" not in output and "Socket errors" not in output, output
    percentiles = {name: milliseconds(output, name) for name in ("50%", "99%")}
    return {"rate": float(re.search(r"Requests/sec:\s+([\d.]+)", output).group(1)), "p50": percentiles["50%"], "p99": percentiles["99%"]}


def milliseconds(output, percentile):
    number, unit = re.search(rf"{percentile}\s+([\d.]+)(us|ms|s|m)", output).groups()
    return float(number) * UNITS[unit]
