"""A moment of a deal in the eyes of one player, for tests of what a bot does."""

from scoring import get_rulebook
from scoring.bots.knowledge import Knowledge, table
from scoring.cards import Kind, card_order
from scoring.game.play import order_of_play
from scoring.game.steps import legal_cards
from scoring.seats import Role

UNION = get_rulebook("union")


def cards(text):
    return tuple(text.split())


def trick(text):
    """`FH S4, MH SK`: who played what."""
    return tuple((Role(one.split()[0]), one.split()[1]) for one in text.split(", ") if one)


def seen(
    hand, *, role="MH", contract="simple_game", trump="C", declarer="FH", tricks=(), winners="", on_table="",
    discarded="", open_hand="", joined=(), king=None, rulebook=UNION, players=3, bid=None, others_passed=False,
    exchanged=(), talon=13,
):  # fmt: skip
    row = rulebook.by_id[contract] if contract else None
    kind = Kind.TRUMP if trump else Kind.NOLO if row and row.kind is Kind.NOLO else Kind.GRAND
    return Knowledge(
        rulebook=rulebook,
        players=players,
        role=Role(role),
        hand=cards(hand),
        discarded=cards(discarded),
        open_hand=cards(open_hand),
        tricks=tuple(trick(one) for one in tricks),
        trick=trick(on_table),
        winners=tuple(Role(winner) for winner in winners.split()),
        bid=rulebook.by_id[bid] if bid else None,
        others_passed=others_passed,
        contract=row,
        declarer=Role(declarer) if contract else None,
        joined=tuple(Role(other) for other in joined),
        partner_king=king,
        trump=trump,
        order=card_order(kind, trump, rulebook.pack.ranking) if contract else None,
        playing=order_of_play(players, fourth_plays="IDLE" in joined),
        exchanged=dict(exchanged),
        talon=talon,
    )


def at_table(hand, **situation):
    """The trick that a player with this hand is to play to."""
    eyes = seen(hand, **situation)
    led = eyes.trick[0][1] if eyes.trick else None
    return table(eyes, eyes.order, legal_cards(eyes.order, led, eyes.hand))
