"""The difference between `make test` and `make explore`, which adds seeds, browsers and texts."""

import os
import random

import pytest

EXPLORES = os.environ.get("AVIARY_EXPLORE") == "1"

# The seed is in the environment, because all processes must agree on the tests that exist.
if EXPLORES:
    os.environ.setdefault("AVIARY_SEED", str(random.SystemRandom().randrange(1 << 32)))
SEED = int(os.environ.get("AVIARY_SEED") or 1)

exploration = pytest.mark.skipif(not EXPLORES, reason="belongs to exploration: AVIARY_EXPLORE=1")


def in_exploration(*values):
    """Returns parameters that only exploration uses."""
    return [*values] if EXPLORES else []
