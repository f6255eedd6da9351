"""Warnings before a step of the evening; none of them forbids the step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from core.jobs.models import Job
from tournaments.boards.folders import folders_are_printed
from tournaments.lifecycle.ending import still_to_play, why_not_final
from tournaments.lifecycle.playing import missing_at
from tournaments.lifecycle.seat_plan import moved_since_drawn, not_seated, sitting_out
from tournaments.models import Entry, Flag, KeptReport, Round, Tournament
from tournaments.paper.printing import SHEETS, of_round

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from django.db.models import QuerySet

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
