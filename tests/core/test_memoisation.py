"""What is found once in a moment stays; outside of one everything is looked for anew."""

from itertools import count

from core.caching import memo_scope, memoize


def test_a_moment_keeps_what_was_found_and_ends():
    numbers = count()

    def find():
        return next(numbers)

    assert [memoize("a", find), memoize("a", find)] == [0, 1]
    with memo_scope():
        assert [memoize("a", find), memoize("a", find), memoize("b", find)] == [2, 2, 3]
    with memo_scope():
        assert memoize("a", find) == 4
    assert memoize("a", find) == 5
