"""A writer that saves records at a steady rate while something else is measured."""
import http.client
import itertools
import threading
import time
import uuid


class Writer:
    """Posts a form so many times a second, until it is left.

    Each save is due at a fixed time. Several connections take turns, so that a late answer does not make the next save late. `waits` are
    the milliseconds from the time at which each save was due to its answer. A strict writer fails if a save is refused.
    """

    CONNECTIONS = 8

    def __init__(self, port, form, cookie, rate, is_strict=True):
        self.port, self.form, self.rate, self.is_strict = port, form, rate, is_strict
        self.headers = {"Cookie": cookie, "Content-Type": "application/x-www-form-urlencoded"}
        self.statuses, self.waits, self.numbers = [], [], itertools.count(1)
        self.is_over = threading.Event()
        self.threads = [threading.Thread(target=self._write) for _ in range(self.CONNECTIONS)]

    def __enter__(self):
        self.begun = time.monotonic()
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.is_over.set()
        for thread in self.threads:
            thread.join()
        self.seconds = time.monotonic() - self.begun
        assert not self.is_strict or not self.refused, f"{len(self.refused)} saves were refused, the first with {self.refused[0]}"

    @property
    def refused(self):
        return [status for status in self.statuses if status != self.form.status]

    @property
    def reached(self):
        """The saves a second that were acknowledged."""
        return len(self.statuses) / self.seconds

    def _write(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        for number in self.numbers:
            due = self.begun + number / self.rate
            if self.is_over.wait(max(0, due - time.monotonic())):
                break
            body = self.form.body.format(n=number, id=version7(), draft=version7())
            connection.request("POST", self.form.path, body, self.headers)
            response = connection.getresponse()
            response.read()
            self.waits.append((time.monotonic() - due) * 1000)
            self.statuses.append(response.status)
        connection.close()


def version7():
    """A UUID of version 7, as a form's draft has one."""
    random = uuid.uuid4().int & (1 << 80) - 1
    return str(uuid.UUID(int=time.time_ns() // 1_000_000 << 80 | random & ~(0xF << 76) & ~(0x3 << 62) | 0x7 << 76 | 0x2 << 62))
