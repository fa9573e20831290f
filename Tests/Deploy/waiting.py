"""Waiting for events rather than for durations."""

import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

Found = TypeVar("Found")

# The limit of every wait, in seconds. Only a failing test reaches it.
PATIENCE = 180
# The pause between two checks of a condition that no event reports.
PAUSE = 0.01


def eventually(event: str, look: Callable[[], Found], explanation: Callable[[], object] = lambda: "") -> Found:
    """Polls until the result is true and returns it. The event is a statement, such as "the service is served"."""
    end = time.monotonic() + PATIENCE
    while not (found := look()):
        assert time.monotonic() < end, f"Waited {PATIENCE} s in vain: {event}. {explanation()}"
        time.sleep(PAUSE)
    return found


@contextmanager
def patience_with(process: subprocess.Popen) -> Iterator[None]:
    """Kills the process if reading its output takes too long, so that the reader sees the end of the output."""
    timer = threading.Timer(PATIENCE, process.kill)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
