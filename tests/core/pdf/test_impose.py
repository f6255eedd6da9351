"""The order of pages on the sheets of a booklet that is folded."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.pdf.render import fold_order


@pytest.mark.parametrize(
    ("pages", "sides"),
    [
        (1, [(None, 0), (None, None)]),
        (4, [(3, 0), (1, 2)]),
        (6, [(None, 0), (1, None), (5, 2), (3, 4)]),
        (8, [(7, 0), (1, 6), (5, 2), (3, 4)]),
    ],
)
def test_the_last_page_is_beside_the_first(pages, sides):
    assert fold_order(pages) == sides


@given(st.integers(1, 200))
def test_a_folded_booklet_is_read_from_the_first_page_to_the_last(pages):
    sides = fold_order(pages)
    # Sheets lie in each other: their right fronts and left backs from outside in, then the others from inside out.
    fronts, backs = sides[::2], sides[1::2]
    leaves = [page for front, back in zip(fronts, backs, strict=True) for page in (front[1], back[0])]
    leaves += [
        page
        for front, back in zip(reversed(fronts), reversed(backs), strict=True)
        for page in (back[1], front[0])
    ]
    assert [page for page in leaves if page is not None] == list(range(pages))
    assert leaves[pages:] == [None] * (len(leaves) - pages)
