"""The referee on results: what came out and why, and who pays whom for what."""

from __future__ import annotations

import re

import pytest

from scoring import get_rulebook
from scoring.notation import read_line
from scoring.referee import result_in_english, rule_on_result
from scoring.results import read_result
from scoring.seats import Seating, dealer_of
from tests.scoring.referee.reading import book_of, cases, place_of

GRAND = {"grand": True}


def told_by_roles(case):
    """Some cases name seats by what they became: ombre, partner; a captain never does."""
    return "OMBRE" not in case["situation"].get("tricks", {}) and case["situation"].get("declarer") != "OMBRE"


@pytest.mark.parametrize("case", [case for case in cases("score") if told_by_roles(case.values[0])])
def test_results(case):
    book, players = book_of(case), case["players"]
    seating = Seating(players, players - 1)
    result = read_result(case["situation"], seating, book.roles_by_name)
    ruling = rule_on_result(book, seating, result)
    lines = list(result_in_english(ruling, book, seating, result))
    cited = re.findall(r"\((\w+ §[\d.]+)\)", "\n".join(lines))
    assert [paragraph for paragraph in cited if not place_of(paragraph)] == []
    assert ruling.allowed is not bool(case["expected"].get("illegal"))
    if ruling.settlement:
        assert ruling.settlement.outcome == case["expected"].get("outcome", ruling.settlement.outcome)
        paid = sum(tokens for _payer, _payee, tokens, _why in ruling.payments)
        assert paid >= sum(abs(tokens) for tokens in ruling.settlement.tokens) / 2
    else:
        assert all(line.startswith("not possible: ") for line in lines)


@pytest.mark.parametrize(
    ("book", "line", "said"),
    [
        ("crocodile", "1 A solo h contraprimeras", "A loses 16: Solo: contraprimeras (crocodile §6.3)"),
        ("crocodile", "2 A play h 5-2-2 bid cuatro", "A scores 2: Play won (crocodile §6.2)"),
        ("crocodile", "2 A play h 5-2-2 bid cuatro", "A loses 4: Cuatro bid and not made (crocodile §6.4)"),
        ("crocodile", "2 A play h 4-3-2", "A scores 2: Silent cuatro (crocodile §6.4)"),
        ("crocodile", "1 B play h gave up", "B loses 2: Play: simple loss (crocodile §4.5)"),
        ("renegado", "1 B entrada c bête pool 12", "B pays the pool 32: Entrada lost (renegado §6.2)"),
        ("renegado", "1 B entrada c won vole pool 12", "the pool pays B 12: The pool (renegado §6.2)"),
        ("renegado", "1 B entrada c won vole pool 12", "D pays B 10: Vole (renegado §6.4)"),
        ("renegado", "1 B entrada c won pool 12", "A pays the pool 5: Ante (renegado §6.5)"),
        ("ombre_two", "1 A ombre s 4 pool 6", "A pays the pool 6: Ombre: remise (ombre_two §6.2)"),
        ("rasle", "1 B solo h kodille", "B pays D 2: Solo lost (rasle §6.2)"),
        ("rasle", "1 B solo h kodille", "B pays D 1: Kodille (rasle §6.3)"),
        ("rasle", "1 B game h won tout failed", "B pays D 1: Tout failed (rasle §6.4)"),
        ("rasle", "1 B game h gave up", "B pays D 1: Game given up (rasle §4.5)"),
        ("rasle", "1 B game h foul B", "B pays D 1: Game lost by a fouled exchange (rasle §4.4)"),
        ("rasle", "1 B nolo 0 join C 1", "C pays D 2: Joined Simple nolo lost (rasle §7.2)"),
    ],
)
def test_every_payment_names_the_paragraph_that_sets_the_price(book, line, said):
    # Renegado's estuches are left out of the lines: they say nothing here.
    options = {"count_estuches": False} if book == "renegado" else {}
    rulebook = get_rulebook(book, options)
    players = max(rulebook.players)
    deal, result = read_line(line, players, rulebook=rulebook)
    seating = Seating(players, dealer_of(deal, players))
    ruling = rule_on_result(rulebook, seating, result)
    assert said in list(result_in_english(ruling, rulebook, seating, result))


@pytest.mark.parametrize(
    ("book", "options", "line", "said"),
    [
        ("ombre_five", {}, "1 A ask leave h 3-2-1-1-1 pool 15 partner B", "Forehand took 2 of 8 tricks. (§5.1)"),
        ("ombre_five", {}, "1 A ask leave h 3-2-1-1-1 pool 15 partner B", "Five tricks or more: won. (§5.3)"),
        ("ombre_five", {}, "1 A ask leave h 2-2-4-0-0 pool 15 partner B", "Too few tricks to win: remise. (§5.3)"),
        ("ombre_two", {}, "1 A ombre s 3-5 pool 6", "Too few tricks for a remise: kodille. (§5.3)"),
        ("rasle", GRAND, "1 B grand 4-3-2", "Too few tricks to win, but"),
        ("rasle", GRAND | {"grand_short": "kodille"}, "1 B grand 4-3-2", "Too few tricks to win: kodille. (§5.3)"),
        ("rasle", {}, "1 B game c 1-4-4", "One trick against four and four: kodille. (§5.5)"),
        ("rasle", {"nine_matadors": True}, "1 B solo h won nine matadors D", "Middlehand held nine matadors"),
        ("crocodile", {}, "1 A play c 1-4-4", "One trick against four and four: piccolo remis. (§5.5)"),
        ("crocodile", {}, "1 A play c 1-4-4 first five against", "The opponents won the first five tricks"),
        ("crocodile", {}, "1 A play c piccolo", "One trick against four and four: piccolo remis. (§5.5)"),
        ("ombre_intro", {}, "1 A ombre c vole lost", "The first five tricks, but not all of them: lost. (§5.6)"),
    ],
)  # fmt: skip
def test_the_reason_is_the_one_that_counted(book, options, line, said):
    rulebook = get_rulebook(book, options)
    players = max(rulebook.players)
    _deal, result = read_line(line, players, rulebook=rulebook)
    seating = Seating(players, 0)
    ruling = rule_on_result(rulebook, seating, result)
    read = list(result_in_english(ruling, rulebook, seating, result))
    assert said.replace("§", f"{book} §") in "\n".join(read)
    assert all(map(place_of, re.findall(r"\((\w+ §[\d.]+)\)", "\n".join(read))))
