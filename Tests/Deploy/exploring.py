"""Tests that belong to `make explore` and not to `make test`, because they repeat others or take long."""

import os

import pytest


def explored(reason: str) -> pytest.MarkDecorator:
    """Limits a test to exploration. The reason names the test that covers the behaviour on a small scale."""
    return pytest.mark.skipif(os.environ.get("AVIARY_EXPLORE") != "1", reason=f"AVIARY_EXPLORE is not 1. {reason}")
