"""E-mails about a tournament: seats the day before, final results, requests that wait for the organiser."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from itertools import groupby
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db.models import Count, Exists, F, Max, OuterRef, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format, time_format
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from clubs.letter_models import OF_ORGANISERS, Topic
from clubs.mail.kinds import LetterKind, LetterObsolete
from clubs.mail.outbox import Addressed, enqueue_letter, enqueue_letters, language_for
from clubs.models import Account, Letter, Role
from tournaments.domain.formats import SEAT_LETTERS, Ranked
from tournaments.domain.terms import signed
from tournaments.models import Application, Entry, Round, Seat, Tournament
from tournaments.standings.players import standings
from tournaments.standings.teams import team_standings

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.db.models import QuerySet


# Mail about tomorrow's seat: sent from nine in the morning of the day before, once the day's first round is drawn.
#
# After another draw or a swap, players with a different seat get another letter.

FROM = time(9)
# Delay that lets a draw repeated at once send one letter only.
SEATS_SETTLED = timedelta(minutes=10)

OTHERWISE = gettext_noop("The draw was changed or the evening called off before it was sent.")


class SeatTomorrow(LetterKind):
    """The letter with a player's first seat, rendered from the current draw when it is sent."""

    code = "seat"
    name = _("draw and seat")
    topic = Topic.EVENING.value

    def template_context(self, letter: Letter) -> dict[str, Any]:
        seat = _coming_seats().filter(pk=letter.facts.get("seat")).first()
        if seat is None or _place(seat) != letter.facts.get("place"):
            raise LetterObsolete(OTHERWISE)
        tournament = seat.entry.tournament
        day = seat.round.date or tournament.date
        return {
            "tournament": tournament,
            "day": date_format(day, "DATE_FORMAT"),
            "begins": time_format(tournament.begins_at, "TIME_FORMAT") if tournament.begins_at else "",
            "place": tournament.place_at(seat.table.number),
            "hall": tournament.hall_at(seat.table.number),
            "table": seat.table.number,
            "seat": SEAT_LETTERS[seat.position],
            "name": letter.player.name if letter.player else "",
        }


def _coming_seats() -> Any:
    """Seats of rounds that are drawn and not begun, at evenings that are held."""
    return Seat.objects.filter(
        round__state=Round.State.DRAWN, round__tournament__called_off_at=None
    ).select_related("round", "table", "entry__player", "entry__tournament__host")


def _place(seat: Seat) -> list[int]:
    return [seat.table.number, seat.position]


def post_seats(now: datetime) -> int:
    """Queue letters to players of tomorrow, or of later today, with their seats; returns how many are new."""
    local = timezone.localtime(now)
    days = [local.date()] + ([local.date() + timedelta(days=1)] if local.time() >= FROM else [])
    seats = (
        _coming_seats()
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
            letters = (_seat_letter(seat) for seat in first.values())
            posted += enqueue_letters(
                "seat", letters, club=tournament.host, after=now + SEATS_SETTLED, until=until
            )
    return posted


def _rounds_of(days: list[date]) -> list[int]:
    """Primary keys of drawn rounds to be played on these days, by indexes on the days.

    A round has its own day or its tournament's: two queries, since one with OR would scan all seats.
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
    """The start of the day's play, after which the letter would be useless."""
    tournament = seat.entry.tournament
    day = seat.round.date or tournament.date
    return timezone.make_aware(datetime.combine(day, tournament.begins_at or time(23, 59)))


def _seat_letter(seat: Seat) -> Addressed:
    table, position = _place(seat)
    key = f"seat {seat.round_id} {table} {position} {seat.entry_id}"
    return Addressed(seat.entry.player, key, {"seat": seat.pk, "place": [table, position]})


# Mail to organisers about applications that wait for approval, several in one letter.

# Applications within this delay share a letter; the next letter follows not before the pause is over.
REQUEST_SETTLED, PAUSE = timedelta(minutes=10), timedelta(hours=6)
NOBODY_WAITS = gettext_noop("No one is still waiting for approval.")


class SomebodyAsks(LetterKind):
    """The letter to the organiser about waiting applications, counted when it is sent; without names."""

    code = "entry_asks"
    name = _("someone is waiting for approval")
    topic = OF_ORGANISERS
    tried_for = timedelta(days=1)

    def template_context(self, letter: Letter) -> dict[str, Any]:
        tournament = Tournament.objects.select_related("host").filter(pk=letter.facts["tournament"]).first()
        count = _waiting(tournament).count() if tournament and tournament.from_home.is_on else 0
        if tournament is None or not count or tournament.is_called_off:
            raise LetterObsolete(NOBODY_WAITS)
        at = reverse("desk_from_home", args=[tournament.code])
        return {"tournament": tournament, "count": count, "link": f"{settings.PUBLIC_URL}{at}"}


def _waiting(tournament: Tournament) -> QuerySet[Application]:
    """Applications that wait for the organiser; those with partners wait for these first.

    Without those that came with an imported tournament: its organisers were notified where it comes from.
    """
    here = Q(tournament__imported_at=None) | Q(asked_at__gt=F("tournament__imported_at"))
    of_them = Application.objects.filter(
        here, tournament=tournament, lead=None, state=Application.State.PENDING
    )
    silent = Application.objects.filter(lead=OuterRef("pk"), yes_at=None, state=Application.State.PENDING)
    return of_them.filter(~Exists(silent))


def post_asking(now: datetime) -> None:
    """Queue letters for each coming evening with waiting applications about which no organiser was notified."""
    asked = Q(
        applications__state=Application.State.PENDING, applications__asked_at__lte=now - REQUEST_SETTLED
    )
    coming = Tournament.objects.not_called_off().filter(
        asked, state=Tournament.State.SETUP, date__gte=now.date()
    )
    for tournament in coming.select_related("host").distinct():
        if tournament.from_home.is_on:
            _tell(tournament, now)


def _tell(tournament: Tournament, now: datetime) -> None:
    found = _waiting(tournament).aggregate(count=Count("pk"), last=Max("number"))
    if not found["count"]:
        return
    roles = Role.objects.filter(club=tournament.host, kind=Role.Kind.ORGANISER)
    told = Letter.objects.filter(
        kind=SomebodyAsks.code, facts__tournament=tournament.pk, posted_at__gt=now - PAUSE
    )
    for account in Account.objects.filter(roles__in=roles, is_active=True).exclude(email="").distinct():
        if not told.filter(account=account).exists():
            enqueue_letter(
                SomebodyAsks.code,
                account.email,
                language=language_for(None, tournament.host),
                facts={"tournament": tournament.pk},
                club=tournament.host,
                member=account,
                # An organiser is notified of an application once, however long it waits.
                key=f"asks {tournament.pk} {account.pk} {found['last']}",
            )


# Results, when they are final: one's own place, who won, and the way to one's own page.

# Standings that are made final by mistake are reopened at once.
RESULTS_SETTLED = timedelta(minutes=10)
# Final standings older than this are not mailed: mail was not set up then, or the player had not agreed.
TOLD_FOR = timedelta(days=3)
FIRST = 3

REOPENED = gettext_noop("The standings were no longer final when it was due to be sent.")


class Results(LetterKind):
    """The letter with final results, rendered from the current standings when it is sent."""

    code = "results"
    name = _("results")
    topic = Topic.RESULTS.value

    def template_context(self, letter: Letter) -> dict[str, Any]:
        entries = Entry.objects.select_related("tournament__host", "team", "player")
        entry = entries.filter(pk=letter.facts.get("entry")).first()
        if entry is None or _final_at(entry.tournament) != letter.facts.get("final"):
            raise LetterObsolete(REOPENED)
        tournament = entry.tournament
        return {
            "tournament": tournament,
            "day": date_format(tournament.date, "DATE_FORMAT"),
            "number": entry.number,
            "name": entry.player.name,
            **_own(entry),
            **TOLD[tournament.format_row.ranked](entry),
        }


def _own(entry: Entry) -> dict[str, Any]:
    rows = standings(entry.tournament).rows
    own = next((row for row in rows if row.entry_id == entry.pk), None)
    return {
        "own": own,
        "total": signed(own.total) if own else "",
        "of": len(rows),
        "first": [(row.rank, row.name, signed(row.total)) for row in rows[:FIRST]],
    }


def _teams(entry: Entry) -> dict[str, Any]:
    """Rows of the pairs or teams, if these are ranked; the player's own tokens are on their own page."""
    rows = team_standings(entry.tournament).rows
    own = next((row for row in rows if entry.team and row.number == entry.team.number), None)
    return {
        "own": own,
        "total": "",
        "team": own.name if own else "",
        "of": len(rows),
        "first": [(row.rank, row.name, "") for row in rows[:FIRST]],
    }


TOLD: dict[Ranked, Callable[[Entry], dict[str, Any]]] = {
    Ranked.PLAYERS: lambda _entry: {},
    Ranked.TEAMS: _teams,
}


def _final_at(tournament: Tournament) -> str:
    """Identifies the final standings meant: they may be reopened, and made final again."""
    if not tournament.is_finished or tournament.called_off_at or tournament.finished_at is None:
        return ""
    return tournament.finished_at.isoformat()


def post_results(now: datetime) -> int:
    """Queue letters with results of final evenings to players who have agreed to it; returns how many are new."""
    newly_final = Tournament.objects.not_called_off().filter(
        Q(imported_at=None) | Q(imported_at__lt=F("finished_at")),
        state=Tournament.State.FINISHED,
        finished_at__range=(now - TOLD_FOR, now - RESULTS_SETTLED),
    )
    entries = (
        Entry.objects.filter(
            tournament__in=list(newly_final.order_by().values_list("pk", flat=True)),
            player__agreements__topic=Topic.RESULTS,
        )
        .exclude(status=Entry.Status.WITHDRAWN)
        .exclude(player__email="")
        .select_related("player", "tournament__host")
        .order_by("tournament", "pk")
    )
    return sum(
        enqueue_letters("results", [_results_letter(entry) for entry in its], club=tournament.host)
        for tournament, its in groupby(entries, lambda entry: entry.tournament)
    )


def _results_letter(entry: Entry) -> Addressed:
    final = _final_at(entry.tournament)
    return Addressed(entry.player, f"results {entry.pk} {final}", {"entry": entry.pk, "final": final})
