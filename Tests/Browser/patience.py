"""How tests wait: for an event, never for a duration."""

import time

# Ends a test that fails; no other waits so long.
SECONDS = 120
MILLISECONDS = SECONDS * 1_000


def eventually(event: str, condition):
    """Looks until the condition gives something, and gives that. For what nothing reports by itself."""
    deadline = time.monotonic() + SECONDS
    while not (found := condition()):
        assert time.monotonic() < deadline, f"Waited {SECONDS} seconds in vain: {event}."
        time.sleep(0.01)
    return found
