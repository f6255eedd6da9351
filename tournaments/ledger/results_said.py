"""A result in the reader's words: as the cells of a sheet's line, read aloud, and what is called or doubted of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.results import OPPONENTS
from scoring.seats import Seating
from scoring.words import BONUS_NAMES
from tournaments.domain.outcomes import declarer_of, is_totals_only
from tournaments.domain.terms import (
    SUIT_SIGNS,
    card_words,
    contract_name,
    doubt_words,
    outcome_name,
    reason_words,
    suit_name,
)
from tournaments.ledger.sitting import names_then
from tournaments.models import Flag, Report

if TYPE_CHECKING:
    from scoring.rulebooks import Rulebook


def result_texts(
    rulebook: Rulebook,
    result: Mapping[str, Any],
    outcome: str,
    names: Sequence[str],
    *,
    seating: Seating | None = None,
    on_paper: bool = False,
) -> dict[str, str]:
    """A result's cells `contract`, `trump`, `result` and `remark` in the reader's language.

    With the deal's `seating` the remark says who took a hand over in pairs. Estuches, which nearly every deal of
    renegado has, are a letter and a number on paper.
    """
    if result.get("all_passed"):
        return {"contract": _("all passed"), "trump": "", "result": "", "remark": ""}
    if is_totals_only(result):
        return {"contract": _("totals only"), "trump": "", "result": "", "remark": _("without deals")}
    if "ruled" in result:
        return {"contract": _("ruling"), "trump": "", "result": "", "remark": _("by the organiser")}
    around = seating.around if seating else tuple(range(len(names)))
    said = outcome_name(rulebook, outcome)
    return {
        "contract": contract_name(result["contract"]),
        "trump": SUIT_SIGNS.get(result.get("trump", ""), ""),
        "result": said,
        "remark": ", ".join(
            [
                *_taken_over(seating, names),
                *_remarks(result, said, names, around, on_paper=on_paper),
            ]
        ),
    }


def _taken_over(seating: Seating | None, names: Sequence[str]) -> list[str]:
    """Who plays whose hand, where pairs meet."""
    if seating is None or seating.taken_over is None or seating.sits_out is None:
        return []
    player = names[seating.position_of(seating.taken_over)]
    return [_("%(player)s for %(partner)s") % {"player": player, "partner": names[seating.sits_out]}]


def _remarks(
    result: Mapping[str, Any], said: str, names: Sequence[str], around: Sequence[int], *, on_paper: bool
) -> list[str]:
    """What a captain would write in the last column beside the outcome as it is `said`.

    Tricks where they are known, tout, giving up, fouls, joining.
    """
    remarks = []
    tricks = result.get("tricks") or {}
    tout = _("vole"), _("vole failed")
    if "pool" not in result:
        tout = _("tout"), _("tout failed")
    if tricks:
        remarks.append(_tricks(tricks, result["declarer"], around))
    for field, value, text in (
        ("tout", "won", tout[0]),
        ("tout", "failed", tout[1]),
        ("five_first", "won", _("first five")),
        ("five_first", "failed", _("first five failed")),
        ("abandoned", True, _("gave up")),
    ):
        if result.get(field) == value and text != said:
            remarks.append(text)
    if "foul" in result:
        remarks.append(_("foul by %(name)s") % {"name": names[result["foul"]]})
    if "nine_matadors" in result:
        remarks.append(_("nine matadors: %(name)s") % {"name": names[result["nine_matadors"]]})
    remarks += [_("%(name)s joined") % {"name": names[seat]} for seat in result.get("joined", [])]
    return remarks + list(_older_remarks(result, names, on_paper=on_paper))


def _older_remarks(result: Mapping[str, Any], names: Sequence[str], *, on_paper: bool) -> Iterator[str]:
    """What only crocodile and the older games know: bonus bids, first five tricks, turned cards, others' shares."""
    bids = result.get("bonus_bid", [])
    for bonus in [bids] if isinstance(bids, str) else bids:
        yield _("%(bonus)s bid") % {"bonus": _(BONUS_NAMES[bonus])}
    if "first_five_by" in result:
        taker = result["first_five_by"]
        name = _("the opponents") if taker == OPPONENTS else names[taker]
        yield _("first five: %(name)s") % {"name": name}
    if "estuches" in result:
        count = result["estuches"]
        text = ngettext("%(count)d estuche", "%(count)d estuches", count)
        yield (_("e%(count)d") if on_paper else text) % {"count": count}
    if "turned" in result:
        yield _("turned %(card)s") % {"card": card_words(result["turned"])}
    if "takeover" in result:
        yield _("taken over from %(name)s") % {"name": names[result["declarer"]]}
    if "partner" in result:
        yield _("with %(name)s") % {"name": names[result["partner"]]}
    for seat in result.get("won_by", []):
        yield _("to %(name)s") % {"name": names[seat]}


def _tricks(tricks: Mapping[str, int], declarer: int, around: Sequence[int]) -> str:
    """Tricks with the declarer's first, then on `around` in order of play: 5-3-1."""
    if len(tricks) == 1:
        (count,) = tricks.values()
        return ngettext("%(count)d trick", "%(count)d tricks", count) % {"count": count}
    start = around.index(declarer)
    order = [str(seat) for seat in (*around[start:], *around[:start])]
    return "-".join(str(tricks[seat]) for seat in order if seat in tricks)


def result_sentence(
    rulebook: Rulebook, report: Report, names: Sequence[str], seating: Seating | None = None
) -> str:
    """A report read aloud: “Carl: solo in hearts, won. Carl +6, Anna -2 …”."""
    if report.result is None:
        return _("taken back")
    names = names_then(names, report.deal_number)
    texts = result_texts(rulebook, report.result, report.outcome, names, seating=seating)
    trump = report.result.get("trump")
    played = (
        _("%(contract)s in %(suit)s") % {"contract": texts["contract"], "suit": suit_name(trump)}
        if trump
        else texts["contract"]
    )
    words = [played, texts["result"], texts["remark"]]
    who = f"{names[report.declarer]}: " if report.declarer is not None else ""
    return who + ", ".join(word for word in words if word)


def flag_words(rulebook: Rulebook, flag: Flag, names: Sequence[str]) -> str:
    """What a call, a mark or a doubt at a table says, besides its kind."""
    match flag.about:
        case {"warnings": doubts}:
            return " ".join(doubt_words(rulebook, doubt, names) for doubt in doubts)
        case {"result": result, "outcome": outcome}:
            return result_sentence(
                rulebook, Report(result=result, outcome=outcome, declarer=declarer_of(result)), names
            )
    return reason_words(flag.words)
