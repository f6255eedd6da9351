"""What is found once in a moment stays; outside of one everything is looked for anew."""

from itertools import count

from core.caching import found_once, one_moment


def test_a_moment_keeps_what_was_found_and_ends():
    numbers = count()

    def find():
        return next(numbers)

    assert [found_once("a", find), found_once("a", find)] == [0, 1]
    with one_moment():
        assert [found_once("a", find), found_once("a", find), found_once("b", find)] == [2, 2, 3]
    with one_moment():
        assert found_once("a", find) == 4
    assert found_once("a", find) == 5
