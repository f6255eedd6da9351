"""A result less the mean of the others in the same seat of the same folder."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from tournaments.boards.dealing import Part, compare
from tournaments.boards.luck import residuals_by_player, split_tokens


def scores(played):
    splits = {
        player: split_tokens(residuals) for player, residuals in residuals_by_player(compare(played)).items()
    }
    return {player: (split.deals, split.play) for player, split in splits.items()}


def test_the_datum_is_the_mean_of_the_others():
    """Forehand of folder 3 got 4, -2 and -3 at three tables."""
    parts = [Part(3, "FH", player, player, tokens) for player, tokens in ((1, 4), (2, -2), (3, -3))]
    compared = compare(parts)
    assert [one.datum for one in compared] == [Fraction(-5, 2), Fraction(1, 2), Fraction(1)]
    assert [one.difference for one in compared] == [Fraction(13, 2), Fraction(-5, 2), Fraction(-4)]
    assert [one.others for one in compared] == [2, 2, 2]


def test_only_the_same_seat_with_the_same_cards_is_compared():
    alone = [
        Part(3, "FH", 1, 1, 4),
        Part(3, "MH", 2, 2, 4),
        Part(4, "FH", 3, 3, 4),
    ]
    assert compare(alone) == []
    assert len(compare([*alone, Part(4, "FH", 4, 1, 4)])) == 2


def test_a_players_score_is_the_exact_sum_of_the_differences():
    parts = [Part(1, "FH", player, player, tokens) for player, tokens in ((1, 1), (2, 0), (3, 0), (4, 0))]
    parts += [Part(2, "BH", player, player, tokens) for player, tokens in ((1, 0), (2, 2))]
    assert scores(parts) == {
        1: (2, Fraction(-1)),
        2: (2, Fraction(5, 3)),
        3: (1, Fraction(-1, 3)),
        4: (1, Fraction(-1, 3)),
    }


parts = st.builds(
    Part,
    cards=st.integers(1, 3),
    seat=st.sampled_from(["FH", "MH", "BH", "IDLE"]),
    player=st.integers(1, 6),
    table=st.integers(1, 3),
    tokens=st.integers(-20, 20),
)


@given(st.lists(parts))
def test_what_some_win_by_the_same_cards_others_lose(played):
    compared = compare(played)
    sums = {}
    for one in compared:
        sums[one.part.cards, one.part.seat] = sums.get((one.part.cards, one.part.seat), 0) + one.difference
    assert set(sums.values()) <= {0}
    assert sum(difference for _deals, difference in scores(played).values()) == 0
    assert sum(deals for deals, _difference in scores(played).values()) == len(compared)
