"""What is offered can be reported, at the price that is shown; and all that can happen is offered."""

import json
from itertools import combinations, product

import pytest

from scoring import get_rulebook
from scoring.choices import choices
from scoring.results import read_result
from scoring.settlement import problems, settle
from tests.scoring.reports import SEATINGS, book_id, books, distributions, report

EXTRAS_AT_ONCE = 3


def merged(patches, declarer):
    """The deep merge of patches' `set`s: objects are merged, lists joined, DECLARER is a seat."""
    fields = {}
    for patch in patches:
        for name, value in patch["set"].items():
            if isinstance(value, dict):
                named = {declarer if seat == "DECLARER" else seat: count for seat, count in value.items()}
                fields[name] = fields.get(name, {}) | named
            elif isinstance(value, list):
                fields[name] = fields.get(name, []) + value
            else:
                fields[name] = value
    return fields


def summed(patches, declarer, roles):
    return {role: sum(patch["tokens"][declarer][role] for patch in patches) for role in roles}


def allowed_extras(contract, result):
    """Every set of extras that goes with a result and with each other."""
    fitting = [extra for extra in contract["extras"] if result["code"] in extra["with"]]
    for size in range(EXTRAS_AT_ONCE + 1):
        for extras in combinations(fitting, size):
            if not any(one["code"] in other["without"] for one, other in product(extras, extras)):
                yield extras


def joined_in_full(contract, declarer, result):
    """Every way in which those who must join do, and of the others each alone at some counts."""
    joiners = [joiner for joiner in contract["joiners"] if declarer in joiner["results"][0]["tokens"]]
    if not any(result["code"] in joiner["with"] for joiner in joiners):
        return [()]
    ways = [
        joiner["results"] if joiner["must"] else [None, joiner["results"][0], joiner["results"][3]]
        for joiner in joiners
    ]
    return [tuple(patch for patch in way if patch) for way in product(*ways)]


def offers(contract, declarer):
    for result in contract["results"] + contract["rare"]:
        for extras in allowed_extras(contract, result):
            for joined in joined_in_full(contract, declarer, result):
                yield (result, *extras, *joined)


@pytest.mark.parametrize(("book", "players"), books(), ids=book_id)
def test_each_offer_is_legal_and_costs_what_it_says(book, players):
    table, seating = choices(book, players), SEATINGS[players]
    for contract in table["contracts"]:
        for declarer in contract["declarers"]:
            for patches in offers(contract, declarer):
                fields = merged(patches, declarer)
                if not nine_tricks_allow(fields):
                    continue
                result = read_result({"contract": contract["id"], "declarer": declarer} | fields, seating)
                settled = settle(result, seating, book)
                came_to = dict(zip(seating.roles, settled.tokens, strict=True))
                assert came_to == summed(patches, declarer, table["roles"]), fields


def nine_tricks_allow(fields):
    """Whether the counts of tricks go together: nine in all where nobody's is open, else nine at most."""
    counts = fields.get("tricks", {})
    joined = fields.get("joined", [])
    hands = 3 + ("IDLE" in joined and not fields.get("idle_abandoned"))
    return sum(counts.values()) <= 9 and (len(counts) < hands or sum(counts.values()) == 9)


def came_to(book, players, fields):
    """Outcome and tokens, or None for what is refused."""
    result = report(players, **fields)
    if any(not problem.is_warning for problem in problems(result, SEATINGS[players], book)):
        return None
    settled = settle(result, SEATINGS[players], book)
    return settled.outcome, settled.tokens


@pytest.mark.parametrize(("book", "players"), books(), ids=book_id)
def test_whatever_the_tricks_are_an_offer_comes_to_the_same(book, players):
    for contract in choices(book, players)["contracts"]:
        row = book.by_id[contract["id"]]
        declarer = contract["declarers"][-1]
        joined = {"joined": ["IDLE"]} if row.fourth_joins and players == 4 else {}
        seats = (
            contract["declarers"] + ["FH", "MH", "BH", "IDLE"][: players if joined or row.by_fourth else 3]
        )
        seats = [declarer, *(seat for seat in dict.fromkeys(seats) if seat != declarer)]
        offered = {
            came_to(
                book, players, {"contract": row.id, "declarer": declarer} | merged(patches, declarer) | joined
            )
            for patches in offers(contract, declarer)
            if nine_tricks_allow(merged(patches, declarer))
        }
        played = {
            came_to(
                book,
                players,
                {"contract": row.id, "declarer": declarer, "tricks": dict(zip(seats, counts, strict=True))}
                | joined,
            )
            for counts in distributions(len(seats))
        }
        assert None not in played, row.id
        assert played <= offered, row.id


def test_the_table_is_data():
    table = choices(get_rulebook("rasle", {"grand": True}), 4)
    assert json.loads(json.dumps(table)) == table
    assert (table["rulebook"], table["players"], table["roles"]) == ("rasle", 4, ["FH", "MH", "BH", "IDLE"])


def test_contracts_are_offered_in_the_order_of_bidding():
    assert [contract["id"] for contract in choices(get_rulebook("union"), 4)["contracts"]] == [
        "simple_game", "spade_game", "tourne", "simple_nolo", "grand_tourne", "solo", "spade_solo",
        "pure_nolo", "nolo_ouvert",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("contract", "trumps"),
    [
        ("simple_game", "SHDC"),
        ("tourne", "SHDC"),
        ("spade_game", ""),
        ("simple_nolo", ""),
        ("spade_solo", ""),
    ],
)
def test_3_3_trumps_are_asked_for_where_they_are_chosen_or_turned(contract, trumps):
    offered = {row["id"]: row["trumps"] for row in choices(get_rulebook("union"), 3)["contracts"]}
    assert offered[contract] == list(trumps)


@pytest.mark.parametrize(
    ("options", "players", "offered"),
    [
        ({}, 4, True),
        ({"mort": True}, 3, True),
        ({"mort": True}, 4, False),
        ({"forced_spadille": True}, 3, False),
    ],
)
def test_a_wash_out_is_offered_where_it_can_be(options, players, offered):
    assert choices(get_rulebook("rasle", options), players)["all_passed"] is offered


def test_mort_is_offered_to_the_fourth_player_at_a_table_of_four():
    book = get_rulebook("rasle", {"mort": True})
    offered = {players: choices(book, players)["contracts"][0] for players in (3, 4)}
    assert offered[3]["id"] == "simple_game"
    assert (offered[4]["id"], offered[4]["declarers"]) == ("mort", ["IDLE"])
