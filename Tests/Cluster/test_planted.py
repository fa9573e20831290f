"""The ledger finds what it is there to find. Each test plants a bug in the way in which it would cause a loss or a double."""

import time
from collections.abc import Iterator

import pytest

from cluster import Cluster
from hosts import join, separate
from waiting import eventually
from writing import Ledger, compare


@pytest.fixture
def ledger(whole, request) -> Iterator[Ledger]:
    """A writer that looks for the primary by itself, with the bug of the test."""
    ledger = Ledger(whole.webs[1], "hosts", bug=getattr(request, "param", None))
    ledger.start()
    ledger.first_acknowledgement(0)
    yield ledger
    ledger.stop()


def test_without_synchronous_replication_acknowledged_writes_are_lost(asynchronous, ledger):
    primary = asynchronous.primary()
    others = [host for host in asynchronous.databases if host is not primary]
    separate([primary], others)
    # Nobody but the primary gets these.
    ledger.first_acknowledgement(after=time.monotonic())
    successor = asynchronous.successor(primary)
    ledger.first_acknowledgement(after=time.monotonic())
    join([primary], others)
    ledger.stop()
    assert compare([ledger], successor).lost


@pytest.mark.parametrize("ledger", ["early-acknowledgement"], indirect=True)
def test_what_is_acknowledged_before_its_commit_is_lost(whole, ledger):
    primary = whole.primary()
    others = [host for host in whole.databases if host is not primary]
    separate([primary], others)
    successor = whole.successor(primary)
    ledger.first_acknowledgement(after=time.monotonic())
    join([primary], others)
    ledger.stop()
    assert compare([ledger], successor).lost


@pytest.mark.parametrize(("ledger", "is_doubled"), [(None, False), ("no-receipt", True)], indirect=["ledger"])
def test_a_write_whose_answer_is_lost_is_doubled_unless_it_has_a_receipt(whole, ledger, is_doubled):
    before = len(ledger.notes.unknown)
    # The databases hear the web host, and their answers do not arrive.
    for host in whole.databases:
        host.lose(ledger.host)
    eventually("the answer to a write is given up", lambda: len(ledger.notes.unknown) > before)
    for host in whole.databases:
        host.find(ledger.host)
    ledger.first_acknowledgement(after=time.monotonic())
    ledger.stop()
    verdict = compare([ledger], whole.primary())
    assert bool(verdict.doubled) == is_doubled, verdict
    assert not verdict.lost
