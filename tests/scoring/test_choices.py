"""What is offered can be reported, at the price that is shown; and all that can happen is offered."""

import json
from itertools import combinations, product

import pytest

from scoring import get_rulebook
from scoring.choices import choices
from scoring.family_rules import CrocodileRules, IntroRules, RenegadoRules
from scoring.offers import Pricing
from scoring.results import read_result
from scoring.seats import PLAYING, ROLES, Role
from scoring.settlement import problems, settle
from tests.scoring.reports import SEATINGS, book_id, books, distributions, report

EXTRAS_AT_ONCE = 3


def merged(patches, declarer, count=1):
    """The deep merge of patches' `set`s: objects are merged, lists joined; DECLARER is a seat, COUNT a number."""
    places = {"DECLARER": declarer, "COUNT": count}
    fields = {}
    for patch in patches:
        for name, value in patch["set"].items():
            if isinstance(value, dict):
                named = {places.get(seat, seat): count for seat, count in value.items()}
                fields[name] = fields.get(name, {}) | named
            elif isinstance(value, list):
                fields[name] = fields.get(name, []) + value
            else:
                fields[name] = places.get(value, value)
    return fields


def summed(patches, declarer, roles, pool=0, count=1):
    """The effect by role, with so many tokens in the pool."""
    effect = dict.fromkeys(roles, 0)
    for patch in patches:
        times = count if "count" in patch else 1
        for role in roles:
            effect[role] += patch["tokens"][declarer][role] * times
            effect[role] += from_pool(patch.get("pool", {}).get(declarer, {}).get(role, 0), pool)
    return effect


def from_pool(part, pool):
    if isinstance(part, int):
        return part * pool
    if isinstance(part, dict):
        return min(part["most"], pool)
    times, plus, by = part
    return times * ((pool + plus) // by)


def allowed_extras(contract, result):
    """Every set of extras that goes with a result and with each other; those that must be always."""
    fitting = [extra for extra in contract["extras"] if result["code"] in extra["with"]]
    must = [extra for extra in fitting if extra.get("must")]
    free = [extra for extra in fitting if not extra.get("must")]
    for size in range(EXTRAS_AT_ONCE + 1):
        for extras in combinations(free, size):
            if not any(one["code"] in other["without"] for one, other in product(extras, extras)):
                yield (*must, *extras)


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


def partnered(contract, declarer, result):
    """Each partner whom the declarer can have, or nobody."""
    partners = [
        (patch,)
        for patch in contract["partners"]
        if declarer in patch["tokens"] and result["code"] in patch["with"]
    ]
    return partners or [()]


def offers(contract, declarer):
    for result in contract["results"] + contract["rare"]:
        if declarer not in result["tokens"]:
            continue
        for extras in allowed_extras(contract, result):
            for joined in joined_in_full(contract, declarer, result):
                for partner in partnered(contract, declarer, result):
                    yield (result, *extras, *joined, *partner)


def told(table, contract, declarer, fields, pool):
    """The whole report."""
    needs_pool = any(field["name"] == "pool" and field["must"] for field in contract["fields"])
    assert needs_pool == (table["pool"] is not None)
    report = {"contract": contract["id"], "declarer": declarer} | fields
    return report | ({"pool": pool} if needs_pool else {})


@pytest.mark.slow
@pytest.mark.parametrize(("book", "players"), books(), ids=book_id)
def test_each_offer_is_legal_and_costs_what_it_says(book, players):
    table, seating = choices(book, players), SEATINGS[players]
    for contract in table["contracts"]:
        for declarer in contract["declarers"]:
            for patches in offers(contract, declarer):
                for pool, count in ((0, 3), (16, 1)) if table["pool"] else ((0, 1),):
                    fields = merged(patches, declarer, count)
                    if not nine_tricks_allow(fields):
                        continue
                    result = read_result(told(table, contract, declarer, fields, pool), seating)
                    settled = settle(result, seating, book)
                    came_to = dict(zip(seating.roles, settled.tokens, strict=True))
                    effect = summed(patches, declarer, table["roles"], pool, count)
                    assert came_to == effect, fields
                    assert not table["zero_sum"] or settled.pool == -sum(effect.values()), fields


def option_by_option():
    """Every row of `books`: each option alone is slow, but where there are few; none, and all at once, are not."""
    for book, players in books():
        alone = not book_id(book).endswith(("{}", "-all")) and book.id != "ombre_intro"
        yield pytest.param(book, players, marks=[pytest.mark.slow] if alone else [])


@pytest.mark.parametrize(("book", "players"), list(option_by_option()), ids=book_id)
def test_who_takes_over_is_reported_and_priced_as_the_declarer(book, players):
    table, seating = choices(book, players), SEATINGS[players]
    for contract in table["contracts"]:
        surrendered_by = contract["declarers"][0]
        for taker in contract["takeovers"]:
            seat = taker["seat"]
            if seat == surrendered_by:
                continue
            result = contract["results"][0]
            patches = [result, *next(allowed_extras(contract, result))]
            fields = merged([*patches, taker], seat) | {"declarer": surrendered_by}
            report = read_result(told(table, contract, surrendered_by, fields, 7), seating)
            came_to = dict(zip(seating.roles, settle(report, seating, book).tokens, strict=True))
            if seat in result["tokens"]:
                assert came_to == summed(patches, seat, table["roles"], 7)


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


def played_reports(book, contract, seats, extra):
    """Reports of every way in which the tricks fall, and the first five with them where they count."""
    row, house = book.by_id[contract["id"]], book.house
    noted = isinstance(house, CrocodileRules | RenegadoRules | IntroRules) and row.is_game
    for counts in distributions(len(seats), house.tricks):
        fields = {"tricks": dict(zip(seats, counts, strict=True))} | extra
        yield fields
        if noted and house.tricks - counts[0] >= 5:
            yield fields | {"first_five_by": "OPP"}
        if noted and counts[0] >= 5:
            yield fields | {"first_five_by": seats[0]}
    if noted and not row.bids_beyond_five:
        five = dict(zip(seats, (5, 0, 0, 0), strict=False))
        yield {"tricks": five, "first_five_by": seats[0], "played_out": False} | extra


@pytest.mark.slow
@pytest.mark.parametrize(("book", "players"), books(), ids=book_id)
def test_whatever_the_tricks_are_an_offer_comes_to_the_same(book, players):
    table = choices(book, players)
    for contract in table["contracts"]:
        row = book.by_id[contract["id"]]
        declarer = contract["declarers"][-1]
        extra = {"joined": ["IDLE"]} if row.fourth_joins and players == 4 else {}
        fourth = extra or row.by_fourth
        seats = [role.value for role in (ROLES[players] if fourth else PLAYING[players])]
        seats = [declarer, *(seat for seat in seats if seat != declarer)]
        offered = {
            came_to(book, players, told(table, contract, declarer, merged(patches, declarer) | extra, 16))
            for patches in offers(contract, declarer)
            if nine_tricks_allow(merged(patches, declarer))
        }
        if row.with_partner:
            extra = {"partner": seats[1]}
        if any(offer["code"] == "estuches" for offer in contract["extras"]):
            extra = {"estuches": 1}
        played = {
            came_to(book, players, told(table, contract, declarer, fields, 16))
            for fields in played_reports(book, contract, seats, extra)
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


def test_an_offer_that_the_rules_refuse_is_a_fault_of_the_rulebook():
    book = get_rulebook("crocodile")
    pricing = Pricing(book, 3, book.by_id["nolo"])
    with pytest.raises(RuntimeError, match="refuse what they offer"):
        pricing.effect({"outcome": "simple_remis"}, Role.FH)
