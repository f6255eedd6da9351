import pytest

from scoring.seats import Role, Seating, Turns, dealer_of, deals_each, from_the_right_of, order_around

FH, MH, BH, IDLE, H3, H4 = Role


@pytest.mark.parametrize(
    ("players", "dealer", "roles"),
    [
        (3, 0, (BH, FH, MH)),
        (3, 1, (MH, BH, FH)),
        (3, 2, (FH, MH, BH)),
        (4, 0, (BH, FH, IDLE, MH)),
        (4, 1, (MH, BH, FH, IDLE)),
        (4, 2, (IDLE, MH, BH, FH)),
        (4, 3, (FH, IDLE, MH, BH)),
        (2, 0, (BH, FH)),
        (5, 1, (H4, BH, FH, MH, H3)),
    ],
)
def test_1_1_roles_follow_from_the_dealer(players, dealer, roles):
    seating = Seating(players, dealer)
    assert seating.roles == roles
    assert tuple(seating.role_of(position) for position in range(players)) == roles
    assert tuple(roles[seating.position_of(role)] for role in roles) == roles
    assert (seating.forehand, seating.sits_out) == (
        roles.index(FH),
        roles.index(IDLE) if IDLE in roles else None,
    )


@pytest.mark.parametrize(("players", "dealer"), [(1, 0), (6, 0), (3, 3), (4, 4), (4, -1)])
def test_there_is_no_other_table(players, dealer):
    with pytest.raises(ValueError, match="no table"):
        Seating(players, dealer)


def test_at_a_table_of_three_nobody_sits_out():
    with pytest.raises(KeyError):
        Seating(3, 0).position_of(IDLE)


@pytest.mark.parametrize("players", [3, 4])
def test_1_2_forehand_deals_next(players):
    for deal in range(1, 50):
        dealer = dealer_of(deal, players, first_dealer=2)
        assert dealer_of(deal + 1, players, first_dealer=2) == Seating(players, dealer).forehand
    assert dealer_of(1, players, first_dealer=2) == 2


@pytest.mark.parametrize(
    ("deals", "players", "each"),
    [(40, 4, (10, 10)), (30, 3, (10, 0)), (36, 3, (12, 0)), (42, 4, None), (40, 3, None)],
)
def test_1_3_deals_and_sitting_out_for_each(deals, players, each):
    assert deals_each(deals, players) == each


def test_a_role_is_its_word():
    assert {Role.FH: 1}["FH"] == 1
    assert f"{Role.IDLE}" == "IDLE"


@pytest.mark.parametrize(
    ("dealer", "roles"),
    [
        (0, (IDLE, FH, MH, BH)),
        (1, (BH, IDLE, FH, MH)),
        (2, (MH, BH, IDLE, FH)),
        (3, (FH, MH, BH, IDLE)),
    ],
)
def test_1_1_the_dealer_may_sit_out(dealer, roles):
    seating = Seating(4, dealer, dealer_out=True)
    assert seating.roles == roles
    assert [seating.position_of(role) for role in roles] == [0, 1, 2, 3]
    assert (seating.sits_out, seating.forehand) == (dealer, (dealer + 1) % 4)
    swapped = Seating(4, dealer, order=(0, 1, 2, 3), dealer_out=True)
    assert (swapped.roles, swapped.positions) == (seating.roles, seating.positions)


def test_1_1_the_dealer_sits_out_at_tables_of_four_only():
    assert [Seating(players, 0, dealer_out=True) for players in (2, 3, 5)] == [
        Seating(players, 0) for players in (2, 3, 5)
    ]
    with pytest.raises(ValueError, match="no pairs where the dealer sits out"):
        Seating(4, 0, in_pairs=True, dealer_out=True)


def test_a_fourth_player_plays_where_he_sits():
    assert order_around(4) == (FH, IDLE, MH, BH)
    assert order_around(4, dealer_out=True) == (FH, MH, BH, IDLE)
    assert from_the_right_of(MH, 4, dealer_out=True) == (BH, IDLE, FH)


def test_turns_go_around_with_dealers_who_sit_out():
    turns = Turns(4, 1, [{"deal": 3, "swap": [2, 3]}], dealer_out=True)
    assert [turns.seating(deal).sits_out for deal in range(1, 6)] == [1, 2, 2, 0, 1]
    assert all(turns.seating(deal).dealer == turns.seating(deal).sits_out for deal in range(1, 9))
