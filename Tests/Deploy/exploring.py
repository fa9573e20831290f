"""What belongs to `make explore` and not to `make test`: what only repeats, and what takes long."""

import os

import pytest


def explored(reason: str) -> pytest.MarkDecorator:
    """Leaves a test to exploration; the reason says where the same is tried in small."""
    return pytest.mark.skipif(os.environ.get("AVIARY_EXPLORE") != "1", reason=f"AVIARY_EXPLORE is not 1. {reason}")
