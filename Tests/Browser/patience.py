"""Waiting for events rather than for durations."""

import time

# The limit of every wait. Only a failing test reaches it.
SECONDS = 120
MILLISECONDS = SECONDS * 1_000


def eventually(event: str, condition):
    """
    Polls a condition until it returns a true value, and returns that value. Use it only if no event reports the change.
    """
    deadline = time.monotonic() + SECONDS
    while not (found := condition()):
        assert time.monotonic() < deadline, f"Waited {SECONDS} seconds in vain: {event}."
        time.sleep(0.01)
    return found
