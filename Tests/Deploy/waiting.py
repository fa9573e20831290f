"""Waiting for an event, never for a duration."""

import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

Found = TypeVar("Found")

# The bound of every wait, in seconds: so long that only a test that fails reaches it.
PATIENCE = 180
# The pause between two looks at a condition that reports nothing by itself.
PAUSE = 0.01


def eventually(event: str, look: Callable[[], Found], explanation: Callable[[], object] = lambda: "") -> Found:
    """What the look finds once that is true; the event is a statement: "the service is served"."""
    end = time.monotonic() + PATIENCE
    while not (found := look()):
        assert time.monotonic() < end, f"Waited {PATIENCE} s in vain: {event}. {explanation()}"
        time.sleep(PAUSE)
    return found


@contextmanager
def patience_with(process: subprocess.Popen) -> Iterator[None]:
    """Ends the process where reading its output would take forever; the reader then sees the output's end."""
    timer = threading.Timer(PATIENCE, process.kill)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
