"""Tomorrow's seat: told from nine in the morning of the day before, once the first round of the day is drawn.

Where the draw is made anew after that, or players are swapped, whoever sits elsewhere gets another letter.
"""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from itertools import groupby
from typing import TYPE_CHECKING, Any

from django.utils import timezone
from django.utils.formats import date_format, time_format
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from clubs.letter_models import Topic
from clubs.mail.kinds import Kind, TooLate
from clubs.mail.outbox import Addressed, post_to_all
from tournaments.domain.formats import SEAT_LETTERS
from tournaments.models import Entry, Round, Seat, Tournament

if TYPE_CHECKING:
    from clubs.models import Letter

FROM = time(9)
# A draw that is made anew at once is told once.
SETTLED = timedelta(minutes=10)

OTHERWISE = gettext_noop("The draw was changed or the evening called off before it was sent.")


class SeatTomorrow(Kind):
    """Read from the draw as it stands when the letter is sent."""

    code = "seat"
    name = _("draw and seat")
    topic = Topic.EVENING.value

    def said(self, letter: Letter) -> dict[str, Any]:
        seat = _drawn().filter(pk=letter.facts.get("seat")).first()
        if seat is None or _place(seat) != letter.facts.get("place"):
            raise TooLate(OTHERWISE)
        tournament = seat.entry.tournament
        day = seat.round.date or tournament.date
        return {
            "tournament": tournament,
            "day": date_format(day, "DATE_FORMAT"),
            "begins": time_format(tournament.begins_at, "TIME_FORMAT") if tournament.begins_at else "",
            "table": seat.table.number,
            "seat": SEAT_LETTERS[seat.position],
            "name": letter.player.name if letter.player else "",
        }


def _drawn() -> Any:
    """Seats of rounds that are drawn and not begun, at evenings that are held."""
    return Seat.objects.filter(
        round__state=Round.State.DRAWN, round__tournament__called_off_at=None
    ).select_related("round", "table", "entry__player", "entry__tournament__host")


def _place(seat: Seat) -> list[int]:
    return [seat.table.number, seat.position]


def post_seats(now: datetime) -> int:
    """Tell who plays tomorrow, or later today, where they sit; how many letters are new."""
    local = timezone.localtime(now)
    days = [local.date()] + ([local.date() + timedelta(days=1)] if local.time() >= FROM else [])
    seats = (
        _drawn()
        .filter(round__in=_rounds_of(days), entry__player__agreements__topic=Topic.EVENING)
        .exclude(entry__status=Entry.Status.WITHDRAWN)
        .exclude(entry__player__email="")
        .order_by("entry__tournament", "round__number", "pk")
    )
    posted = 0
    for tournament, its in groupby(seats, lambda seat: seat.entry.tournament):
        first: dict[int, Seat] = {}
        for seat in its:
            first.setdefault(seat.entry_id, seat)
        if (until := _begins(next(iter(first.values())))) > now:
            letters = (_letter(seat) for seat in first.values())
            posted += post_to_all("seat", letters, club=tournament.host, after=now + SETTLED, until=until)
    return posted


def _rounds_of(days: list[date]) -> list[int]:
    """Which rounds are drawn and to be played on these days: found by their day, however many others there are.

    A round has a day of its own, or that of its tournament: asked together, all seats there are would be gone through.
    """
    drawn = Round.objects.filter(state=Round.State.DRAWN, tournament__called_off_at=None).order_by()
    with_a_day = drawn.filter(date__in=days).exclude(tournament__state=Tournament.State.FINISHED)
    of_evenings = drawn.filter(
        date=None,
        tournament__date__in=days,
        tournament__state__in=(Tournament.State.SETUP, Tournament.State.RUNNING),
    )
    return [*with_a_day.values_list("pk", flat=True), *of_evenings.values_list("pk", flat=True)]


def _begins(seat: Seat) -> datetime:
    """When the day's play begins: a letter after that tells nobody anything."""
    tournament = seat.entry.tournament
    day = seat.round.date or tournament.date
    return timezone.make_aware(datetime.combine(day, tournament.begins_at or time(23, 59)))


def _letter(seat: Seat) -> Addressed:
    table, position = _place(seat)
    key = f"seat {seat.round_id} {table} {position} {seat.entry_id}"
    return Addressed(seat.entry.player, key, {"seat": seat.pk, "place": [table, position]})
