"""What a request sends is waited for, but not for ever."""

from __future__ import annotations

import asyncio
import io

import pytest

from core.serving.limits import (
    MOST_BYTES,
    TOO_LARGE,
    TOO_SLOW,
    ClientDisconnected,
    UploadPace,
    UploadSlots,
    receive_body,
)

PACE = UploadPace(grace=15, least_rate=8192, silence=15, deadline=600)
QUICK = UploadPace(grace=0.15, least_rate=1000, silence=0.1, deadline=1)


@pytest.mark.parametrize(
    ("elapsed", "size", "patience"),
    [
        (0, 0, 15),
        (10, 0, 5),
        (14, 14, 1 + 14 / 8192),  # a byte a second
        (20, 8192 * 10, 5),  # a slow network is waited for as long as it brings its share
        (20, 8192 * 1000, 15),  # what came fast is no licence for silence
        (595, 8192 * 1000, 5),
        (600, 8192 * 1000, 0),
    ],
)
def test_how_long_the_next_bytes_are_waited_for(elapsed, size, patience):
    assert PACE.patience(elapsed, size) == patience


def told(*pieces: bytes, every: float = 0.0):
    """A sender of these pieces."""
    waiting = [{"type": "http.request", "body": piece, "more_body": True} for piece in pieces]
    waiting[-1]["more_body"] = False

    async def receive():
        await asyncio.sleep(every)
        return waiting.pop(0)

    return receive


def taken(receive, pace=PACE):
    body = io.BytesIO()
    return asyncio.run(receive_body(receive, body, pace)), body.getvalue()


def test_a_body_is_taken_in_piece_by_piece():
    assert taken(told(b"one ", b"two ", b"three")) == ("", b"one two three")


@pytest.mark.parametrize("every", [0.02, 30], ids=["dripped", "silent"])
def test_a_body_that_is_dripped_or_never_comes_is_given_up(every):
    refused, body = taken(told(*[b"x"] * 1000, every=every), QUICK)
    assert refused == TOO_SLOW
    assert len(body) < 20


def test_a_body_that_says_nothing_of_its_length_is_given_up_when_it_is_too_large():
    piece = b"x" * 1024 * 1024
    refused, body = taken(told(*[piece] * 20))
    assert (refused, len(body)) == (TOO_LARGE, MOST_BYTES)


def test_who_has_gone_is_not_waited_for():
    async def receive():
        return {"type": "http.disconnect"}

    with pytest.raises(ClientDisconnected):
        taken(receive)


def test_large_bodies_are_counted_and_small_ones_never_wait():
    slots = UploadSlots(most=2, small=100)
    with slots.slot(101) as first, slots.slot(None) as second:
        assert first
        assert second
        with slots.slot(101) as third, slots.slot(100) as small:
            assert not third
            assert small
    with slots.slot(101) as free:
        assert free
    assert slots.taken == 0
