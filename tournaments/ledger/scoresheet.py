"""The score sheet of a table: its lines, results in words, running sums."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from core.sql import prepared_query
from scoring.results import OPPONENTS
from scoring.seats import WITH_FOURTH, Seating
from scoring.words import BONUS_NAMES
from tournaments.domain.formats import SEAT_LETTERS
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
from tournaments.ledger.queries import TablePool, rulebook_of
from tournaments.ledger.seating import Names, changes_in_force_text, names_then, seating_at
from tournaments.models import Deal, Entry, Flag, Report, Seat, Table

if TYPE_CHECKING:
    from datetime import datetime

    from django.db.models import QuerySet
    from django.utils.functional import _StrPromise as StrPromise

    from scoring.rulebook import Rulebook


# A table's sheet: one definition of its columns for the phone, the hall, the desk and the printed page.
#
# The paper that a captain holds, the screen they type into and the PDF that is signed have the same columns in the
# same order, so that a line can be read across without looking for its place.


@dataclass(frozen=True)
class Column:
    """A column of every sheet; after these comes a pair of columns (tokens, running total) for each player.

    `folder` is there with boards only, `sits_out` at tables of four, `pool` where the rulebook has one.
    """

    key: str
    title: StrPromise


COLUMNS = (
    Column("number", gettext_lazy("Deal")),
    Column("folder", pgettext_lazy("a column", "Folder")),
    Column("dealer", gettext_lazy("Dealer")),
    Column("sits_out", gettext_lazy("Sits out")),
    Column("declarer", gettext_lazy("Declarer")),
    Column("contract", gettext_lazy("Contract")),
    Column("trump", gettext_lazy("Trump")),
    Column("result", gettext_lazy("Result")),
    Column("pool", gettext_lazy("Pool")),
    Column("remark", gettext_lazy("Remark")),
)


def columns_of(rulebook: Rulebook, players: int, *, with_folders: bool = False) -> tuple[Column, ...]:
    """The columns of a sheet at a table of so many by these rules."""
    missing = set() if players in WITH_FOURTH else {"sits_out"}
    if not with_folders:
        missing.add("folder")
    if rulebook.pool is None:
        missing.add("pool")
    return tuple(column for column in COLUMNS if column.key not in missing)


@dataclass(frozen=True)
class SeatLine:
    position: int
    entry: Entry
    name: str
    tokens: int
    agreed_at: datetime | None

    @property
    def letter(self) -> str:
        return SEAT_LETTERS[self.position]

    @property
    def number(self) -> int:
        return self.entry.number


@dataclass(frozen=True)
class SheetLine:
    """A deal's line. Positions are seats; the texts are in the reader's language, empty for a deal not reported."""

    number: int
    dealer: int
    sits_out: int | None
    # The folder that it is played with; None where cards are dealt by hand.
    folder: int | None = None
    declarer: int | None = None
    contract: str = ""
    trump: str = ""
    result: str = ""
    remark: str = ""
    # Tokens in the pool before the deal was settled; None where there is none, or it is not known.
    pool: int | None = None
    tokens: tuple[int, ...] = ()
    running: tuple[int, ...] = ()
    report: Report | None = None

    @property
    def reported(self) -> bool:
        return bool(self.tokens)

    @property
    def revision(self) -> int:
        """The revision that a correction must name; 0 where nothing was ever reported."""
        return self.report.revision if self.report else 0

    @property
    def corrected(self) -> bool:
        return self.revision > 1


@dataclass(frozen=True)
class ScoreSheet:
    table: Table
    seats: tuple[SeatLine, ...]
    lines: tuple[SheetLine, ...]
    rulebook: Rulebook
    # None where the rules know no pool.
    pool: TablePool | None = None

    @property
    def columns(self) -> tuple[Column, ...]:
        return columns_of(self.rulebook, self.players, with_folders=self.with_folders)

    @cached_property
    def changes(self) -> list[str]:
        """The changes in the middle of the round, by deal."""
        return changes_in_force_text(self.table, self.names)

    @property
    def with_folders(self) -> bool:
        """Whether the cards come out of folders."""
        return bool(self.table.folders)

    @property
    def seats_out(self) -> bool:
        """Whether one player sits out in each deal."""
        return self.players in WITH_FOURTH

    @property
    def players(self) -> int:
        return len(self.seats)

    @cached_property
    def names(self) -> Names:
        """The players' shown names by position; `in_deal` gives those at a deal."""
        return Names(self.table, [seat.name for seat in self.seats])

    @property
    def totals(self) -> tuple[int, ...]:
        return (
            tuple(
                sum(amounts)
                for amounts in zip(*(line.tokens for line in self.lines if line.reported), strict=True)
            )
            or (0,) * self.players
        )

    @property
    def side_totals(self) -> tuple[int, ...]:
        """The joint totals of each seat and the one opposite, where pairs or teams meet; else none."""
        if self.table.match_id is None or not self.seats_out:
            return ()
        totals = self.totals
        return tuple(total + totals[(position + 2) % 4] for position, total in enumerate(totals))

    @property
    def reported(self) -> int:
        return sum(line.reported for line in self.lines)

    @property
    def complete(self) -> bool:
        return self.reported == self.table.deals

    @property
    def all_agreed(self) -> bool:
        return all(seat.agreed_at for seat in self.seats)

    @property
    def next_deal(self) -> int | None:
        """The first deal not reported yet."""
        return next((line.number for line in self.lines if not line.reported), None)

    def deals_left(self, position: int) -> int:
        """The number of unreported deals that a seat has to deal."""
        return sum(line.dealer == position and not line.reported for line in self.lines)


def score_sheet(table: Table, *, on_paper: bool = False) -> ScoreSheet:
    """The score sheet of a table, in two queries; `table` comes with its round and tournament.

    `on_paper` texts name seats by letter: short, and safe from whatever a name is made of.
    """
    seats = tuple(
        SeatLine(seat.position, seat.entry, seat.entry.shown_name, seat.tokens, seat.agreed_at)
        for seat in _seats(table.pk)
    )
    reports = {deal.number: deal.current for deal in _deals(table.pk)}
    return _sheet(table, seats, reports, on_paper=on_paper)


@prepared_query
def _seats(table: int) -> QuerySet[Seat]:
    seats = Seat.objects.select_related("entry__player", "entry__club", "entry__tournament__host")
    return seats.filter(table=table)


@prepared_query
def _deals(table: int) -> QuerySet[Deal]:
    return Deal.objects.select_related("current").filter(table=table)


def _sheet(
    table: Table, seats: tuple[SeatLine, ...], reports: Mapping[int, Report], *, on_paper: bool = False
) -> ScoreSheet:
    rulebook = rulebook_of(table.round.tournament)
    pool = TablePool(rulebook, len(seats), reports) if rulebook.pool else None
    names = Names(table, [seat.name for seat in seats])
    lines = _lines(table, rulebook, names, reports, pool, on_paper=on_paper)
    return ScoreSheet(table, seats, tuple(lines), rulebook, pool)


def blank_sheet(table: Table) -> ScoreSheet:
    """The sheet as it is printed before play, whatever has been reported since."""
    sheet = score_sheet(table)
    return _sheet(table, sheet.seats, {})


def _lines(
    table: Table,
    rulebook: Rulebook,
    names: Sequence[str],
    reports: Mapping[int, Report],
    pool: TablePool | None,
    *,
    on_paper: bool,
) -> list[SheetLine]:
    lines = []
    running = [0] * len(names)
    for number in range(1, table.deals + 1):
        report = reports.get(number)
        told = (report.result if report else None) or {}
        seating = seating_at(table, len(names), number, told.get("declarer"))
        dealer, sits_out = seating.dealer, seating.sits_out
        if report is None or report.result is None:
            lines.append(SheetLine(number, dealer, sits_out, table.folder_of(number), report=report))
            continue
        running = [total + tokens for total, tokens in zip(running, report.tokens, strict=True)]
        lines.append(
            SheetLine(
                number,
                dealer,
                sits_out,
                table.folder_of(number),
                declarer=report.declarer,
                **result_texts(
                    rulebook,
                    report.result,
                    report.outcome,
                    SEAT_LETTERS if on_paper else names_then(names, number),
                    seating=seating,
                    on_paper=on_paper,
                ),
                pool=pool.lay(number, report) if pool else None,
                tokens=tuple(report.tokens),
                running=tuple(running),
                report=report,
            )
        )
    return lines


def history(table: Table, deal: int) -> list[Report]:
    """Every version of a deal's result, oldest first."""
    return list(table.reports.filter(deal_number=deal).order_by("revision"))


# A result in the reader's words: as the cells of a sheet's line, read aloud, and what is called or doubted of it.


def result_texts(
    rulebook: Rulebook,
    result: Mapping[str, Any],
    outcome: str,
    names: Sequence[str],
    *,
    seating: Seating | None = None,
    on_paper: bool = False,
) -> dict[str, str]:
    """Texts of the cells `contract`, `trump`, `result` and `remark` of a result, in the reader's language.

    With the deal's `seating` the remark names who took over the hand in pairs. Estuches, which nearly every deal
    of renegado has, are abbreviated to a letter and a number on paper.
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
    """The hands that partners took over, where pairs meet."""
    if seating is None or seating.taken_over is None or seating.sits_out is None:
        return []
    player = names[seating.position_of(seating.taken_over)]
    return [_("%(player)s for %(partner)s") % {"player": player, "partner": names[seating.sits_out]}]


def _remarks(
    result: Mapping[str, Any], said: str, names: Sequence[str], around: Sequence[int], *, on_paper: bool
) -> list[str]:
    """Remarks for the last column, as a captain would write them; `said` is the outcome's text.

    They cover tricks where they are known, tout, giving up, fouls and joiners.
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
    """Remarks of crocodile and the older games: bonus bids, first five tricks, turned cards, others' shares."""
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
        return _("undone")
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
    """Text of a call, a mark or a question from a table, without its kind."""
    match flag.about:
        case {"warnings": doubts}:
            return " ".join(doubt_words(rulebook, doubt, names) for doubt in doubts)
        case {"cards": dict(best)}:
            text = _(
                "With these cards best play makes %(least)d to %(most)d tricks (%(exchanges)d exchanges)."
            )
            return str(text % best)
        case {"result": result, "outcome": outcome}:
            return result_sentence(
                rulebook, Report(result=result, outcome=outcome, declarer=declarer_of(result)), names
            )
    return reason_words(flag.words)
