"""What `make test` does in every run, and what `make explore` does beside it: more seeds, more browsers, more texts."""

import os
import random

import pytest

EXPLORES = os.environ.get("AVIARY_EXPLORE") == "1"

# In the environment, because the processes that share the work have to agree on which tests there are.
if EXPLORES:
    os.environ.setdefault("AVIARY_SEED", str(random.SystemRandom().randrange(1 << 32)))
SEED = int(os.environ.get("AVIARY_SEED") or 1)

exploration = pytest.mark.skipif(not EXPLORES, reason="belongs to exploration: AVIARY_EXPLORE=1")


def in_exploration(*values):
    """Parameters that only exploration has."""
    return [*values] if EXPLORES else []
