"""Open points for the desk, and warnings before a step of the evening, none of which forbids it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from django.db.models import Case, Count, IntegerField, Max, Min, Q, Value, When, prefetch_related_objects
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from core.jobs.models import Job
from tournaments.boards.folders import folders_are_printed
from tournaments.ledger.queries import NAMED_SEATS
from tournaments.lifecycle.ending import still_to_play, why_not_final
from tournaments.lifecycle.playing import missing_at
from tournaments.lifecycle.seat_plan import moved_since_drawn, not_seated, sitting_out
from tournaments.models import Entry, Flag, KeptReport, Round, SheetPicture, Table, Tournament
from tournaments.paper.printing import SHEETS, of_round

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from django.db.models import QuerySet

    from tournaments.ledger.queries import HowFar


# So many of those whose places have changed are named.
NAMED = 8


def _names(entries: Iterable[Entry]) -> str:
    return ", ".join(entry.player.name for entry in entries)


def moved_in_words(moved: Sequence[Entry]) -> str:
    """Warning that the standings were corrected since the next round was drawn by them, with the players concerned."""
    names = [entry.player.name for entry in moved[:NAMED]]
    more = len(moved) - len(names)
    if more:
        names.append(ngettext("%(count)d more", "%(count)d more", more) % {"count": more})
    text = _(
        "The standings have been corrected since they were used for the draw. Places changed for: %(names)s."
    )
    return text % {"names": ", ".join(names)}


def printed_at(round_: Round) -> datetime | None:
    """The time at which the round's sheets were last printed, as it is drawn now; None for not lately."""
    made = Job.objects.filter(kind=SHEETS, thing=of_round(round_), state=Job.State.DONE)
    return made.order_by("-ended_at").values_list("ended_at", flat=True).first()


def before_start(round_: Round) -> list[str]:
    """Seats of players who left, players without a seat, fees not paid, sheets and folders not printed."""
    tournament = round_.tournament
    seated = round_.seats.values("entry")
    playing = tournament.entries.playing().select_related("player")
    notes = []
    url_of_draw = reverse("desk_draw", args=[tournament.code])
    gone = round_.seats.exclude(entry__status=Entry.Status.PRESENT).select_related("entry__player")
    if gone:
        text = _("Seated but no longer here: %(names)s. The round cannot start like this: draw again.")
        notes.append(text % {"names": _names(seat.entry for seat in gone)})
    if moved := moved_since_drawn(tournament):
        notes.append(
            format_html('{} <a href="{}">{}</a>', moved_in_words(moved), url_of_draw, _("Draw again"))
        )
    if tournament.in_teams:
        # Reserves, and whose pair or team sits over, have no seat and need none.
        free = [str(match.home) for match in round_.matches.filter(away=None).select_related("home")]
        notes += [_("A bye this round: %(names)s.") % {"names": ", ".join(free)}] if free else []
    else:
        late = not_seated(tournament)
        if byes := [entry for entry in sitting_out(round_) if entry not in late]:
            notes.append(_("A bye this round: %(names)s. All tables are full.") % {"names": _names(byes)})
        if late:
            text = _("Checked in but not seated: %(names)s. Draw again to give them a seat.")
            notes.append(text % {"names": _names(late)})
    if tournament.entry_fee and (unpaid := playing.filter(pk__in=seated, fee_paid=False)):
        notes.append(_("Entry fee not paid by: %(names)s.") % {"names": _names(unpaid)})
    if not printed_at(round_):
        notes.append(_("No sheets have been printed for this round; they carry the captains’ codes."))
    if tournament.boards and not folders_are_printed(round_):
        notes.append(_("The folders of this round have not been printed; print them under “Boards”."))
    if not tournament.rules_frozen:
        notes.append(_("Starting the first round fixes the rules and options for the whole tournament."))
    return notes


def still_open(round_: Round) -> list[str]:
    """Each table that is not done, matches on another day, then reports and calls that wait for the organiser."""
    notes = [
        _("Table %(number)d: %(why)s.") % {"number": table.number, "why": why}
        for table, why in missing_at(round_)
    ]
    for match in still_to_play(round_.tournament).filter(round=round_):
        said = {"match": match, "day": date_format(match.own_day or "", "DATE_FORMAT")}
        notes.append(_("%(match)s will be played on %(day)s; the round does not wait for it.") % said)
    return notes + waiting_at(round_)


def waiting_at(round_: Round) -> list[str]:
    """Undecided late reports and open calls, with links to their tables."""
    notes: list[str] = []
    waiting = KeptReport.objects.filter(table__round=round_, state=KeptReport.State.WAITING)
    kept = _tables(waiting)
    if kept:
        text = ngettext("%(count)d late report is waiting.", "%(count)d late reports are waiting.", len(kept))
        notes.append(_with_links(round_, text, kept))
    raised = Flag.objects.filter(table__round=round_, settled_at=None)
    flags = _tables(raised.exclude(kind=Flag.Kind.RARE))
    if flags:
        text = ngettext(
            "%(count)d call or mark from a table has not been settled.",
            "%(count)d calls or marks from tables have not been settled.",
            len(flags),
        )
        notes.append(_with_links(round_, text, flags))
    rare = _tables(raised.filter(kind=Flag.Kind.RARE))
    if rare:
        text = ngettext(
            "%(count)d rare deal has not been checked.",
            "%(count)d rare deals have not been checked.",
            len(rare),
        )
        notes.append(_with_links(round_, text, rare))
    return notes


def _tables(waiting: QuerySet[Any]) -> list[int]:
    """The number of the table of each of these."""
    return list(waiting.order_by("table__number").values_list("table__number", flat=True))


def _with_links(round_: Round, text: str, tables: Sequence[int]) -> SafeString:
    """The number of open points, and a link to each of their tables."""
    code = round_.tournament.code
    links = format_html_join(
        ", ",
        '<a href="{}">{}</a>',
        (
            (
                reverse("desk_table", args=[code, round_.number, number]),
                _("Table %(number)d") % {"number": number},
            )
            for number in dict.fromkeys(tables)
        ),
    )
    return format_html("{} {}", text % {"count": len(tables)}, links)


def before_finish(tournament: Tournament) -> list[str]:
    """Open objections, rounds that were planned and not played, matches still to be played, late reports waiting."""
    notes: list[str] = []
    if why := why_not_final(tournament):
        page = reverse("desk_objections_made", args=[tournament.code])
        notes.append(format_html('{} <a href="{}">{}</a>', why, page, _("Objections")))
    played = tournament.rounds.filter(state=Round.State.CLOSED).count()
    if played < tournament.rounds_planned:
        notes.append(
            _("%(played)d of %(planned)d rounds have been played.")
            % {"played": played, "planned": tournament.rounds_planned}
        )
    for match in still_to_play(tournament):
        text = _("%(match)s is still to be played: end it, or decide it by a ruling.")
        notes.append(text % {"match": match})
    for round_ in tournament.rounds.filter(state=Round.State.CLOSED):
        for note in waiting_at(round_):
            said = _("Round %(number)d: %(note)s") % {"number": round_.number, "note": note}
            notes.append(mark_safe(said))  # noqa: S308 - the note is escaped, the rest is ours
    return notes


# Maximum number listed next to the board; the tables themselves show the rest.
LISTED = 12
# A call cannot wait, a difference hardly, a mark can.
FIRST = Case(
    When(kind=Flag.Kind.CALL, then=Value(0)),
    When(kind=Flag.Kind.CONFLICT, then=Value(1)),
    default=Value(2),
    output_field=IntegerField(),
)


@dataclass(frozen=True, slots=True)
class LateAt:
    """The number of late reports of a table, and the time of the first."""

    round: int
    table: int
    count: int
    since: datetime


@dataclass(frozen=True, slots=True)
class SheetAt:
    """A table's sheet was read from a photograph, the first then, and waits to be looked at and taken in."""

    round: int
    table: int
    since: datetime


class Needs:
    """All open points; `tables` are those of the running round. A table that is only slow is none."""

    def __init__(self, tournament: Tournament, tables: Sequence[HowFar]) -> None:
        self.tournament = tournament
        self.tables = tables

    @cached_property
    def count(self) -> int:
        """The number of open points; the late reports of a table are one."""
        return (
            self._raised["all"]
            + self._tables_late
            + len(self._sheets)
            + len(self.unsigned)
            + len(self.gaps)
            + len(self.short)
        )

    @property
    def newest_call(self) -> int:
        """Primary key of the newest call that is open; 0 for none."""
        return self._raised["call"] or 0

    @cached_property
    def _raised(self) -> dict[str, int]:
        calls = Q(kind=Flag.Kind.CALL)
        return self.flags.order_by().aggregate(all=Count("pk"), call=Max("pk", filter=calls))

    @property
    def _waiting(self) -> QuerySet[KeptReport]:
        waiting = KeptReport.State.WAITING
        return KeptReport.objects.filter(table__round__tournament=self.tournament, state=waiting).order_by()

    @cached_property
    def _tables_late(self) -> int:
        return self._waiting.aggregate(tables=Count("table", distinct=True))["tables"]

    @property
    def flags(self) -> QuerySet[Flag]:
        """Open calls, conflicts and marks, urgent ones first, then the oldest. A rare deal can wait.

        None for a finished tournament: they could not be handled, unless it is reopened.
        """
        if self.tournament.is_finished or self.tournament.is_called_off:
            return Flag.objects.none()
        raised = Flag.objects.filter(table__round__tournament=self.tournament, settled_at=None)
        return raised.exclude(kind=Flag.Kind.RARE).order_by(FIRST, "raised_at", "pk")

    @cached_property
    def flags_with_names(self) -> list[tuple[Flag, list[str]]]:
        """The first of them, each with its table and the names of who sits there."""
        flags = list(self.flags.select_related("table__round")[:LISTED])
        prefetch_related_objects([flag.table for flag in flags], NAMED_SEATS)
        return [(flag, [seat.entry.shown_name for seat in flag.table.seats.all()]) for flag in flags]

    @cached_property
    def late(self) -> list[LateAt]:
        """The tables of which late reports wait, those first that wait longest."""
        if not self._tables_late:
            return []
        named = self._waiting.values_list("table__round__number", "table__number")
        counted = named.annotate(count=Count("pk"), since=Min("received_at")).order_by("since")
        return [LateAt(*row) for row in counted[:LISTED]]

    @cached_property
    def _sheets(self) -> list[SheetAt]:
        if not self.tournament.is_running or self.tournament.is_called_off:
            return []
        not_taken = SheetPicture.objects.filter(
            tournament=self.tournament, state=SheetPicture.State.READ, taken_at=None
        )
        open_ = Table.open_ones().filter(round__tournament=self.tournament)
        named = (
            not_taken.filter(table__in=open_).order_by().values_list("table__round__number", "table__number")
        )
        return [SheetAt(*row) for row in named.annotate(since=Min("sent_at")).order_by("since")]

    @property
    def sheets(self) -> list[SheetAt]:
        """The tables whose sheet was read and is not taken in, those first that wait longest."""
        return self._sheets[:LISTED]

    @property
    def unsigned(self) -> list[HowFar]:
        """Tables with all deals reported and signatures missing."""
        return [table for table in self.tables if table.waits_for_signatures]

    @property
    def short(self) -> list[HowFar]:
        """Tables with deals left to play where a withdrawn player still has a seat."""
        return [table for table in self.tables if table.lacks_player]

    @property
    def gaps(self) -> list[HowFar]:
        """The tables whose pool does not follow from the deal before, by rules that have one."""
        return [table for table in self.tables if table.gaps]

    @property
    def more(self) -> int:
        """The number of open points not listed, and of tables with late reports or a read sheet."""
        of_tables = self._tables_late - len(self.late) + len(self._sheets) - len(self.sheets)
        return self._raised["all"] - len(self.flags_with_names) + of_tables
