"""Auctions for the tests: calls as one line, and how they came out as one word or two."""

from scoring import get_rulebook
from scoring.answers import answer_case


def calls_of(line):
    """`FH pass, MH tourne, FH self simple_nolo` as a case has it."""
    calls = []
    for part in line.split(","):
        seat, call, *contract = part.split()
        calls.append({"seat": seat, "call": call} | ({"contract": contract[0]} if contract else {}))
    return calls


def outcome(rulebook, line, *, players=None, options=None, holding=None):
    """`FH solo`, `washout FH`, `open BH`, or `2 bid_too_low`: the index of the first illegal call and why."""
    sizes = get_rulebook(rulebook).players
    answer = answer_case(
        {
            "kind": "auction",
            "rulebook": rulebook,
            "players": players or (3 if 3 in sizes else sizes[0]),
            "options": options or {},
            "situation": {"calls": calls_of(line) if line else [], "holding": holding},
        }
    )
    status = answer["status"]
    if status == "illegal":
        return f"{answer['call_index']} {answer['code']}"
    told = {"complete": ("declarer", "contract"), "washout": ("next_dealer",), "open": ("to_call",)}[status]
    words = [answer[name] for name in told]
    return " ".join(words if status == "complete" else [status, *words])


def legal(rulebook, line, *, players=3, options=None, holding=None):
    """What may be called next, in one line; a call that equals the last bid is `self`."""
    answer = answer_case(
        {
            "kind": "auction",
            "rulebook": rulebook,
            "players": players,
            "options": options or {},
            "situation": {"calls": calls_of(line) if line else [], "holding": holding},
        }
    )
    return " ".join(
        f"self:{call['contract']}" if call["call"] == "self" else call["contract"] or call["call"]
        for call in answer["legal_calls"]
    )
