"""The year of a club or union: its dates, and what clashes on one day; handing it over to the next organiser."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import chain, combinations, product
from typing import TYPE_CHECKING, NamedTuple

from django.db.models import Q
from django.utils import timezone
from django.utils.formats import time_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from clubs.clubs import log_change
from clubs.models import Club, Transfer
from clubs.names import folded
from clubs.register import SILENCE
from clubs.register_models import clubs_in
from core.sql import key_set
from tournaments.domain.amounts import in_kroner
from tournaments.entries.erasing import years_before
from tournaments.lifecycle.creating import easter
from tournaments.lifecycle.fixtures import OF_MATCHES, match_days, of_teams, own_days, visited_leagues
from tournaments.models import Championship, Entry, HandOver, Match, Official, Season, Statement, Tournament
from tournaments.models.club import NOTES
from tournaments.models.names import Of, shown_names
from tournaments.models.officials import in_force
from tournaments.seasons.neighbours import Neighbourhood, in_km

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from datetime import datetime, time

    from clubs.models import Account
    from tournaments.lifecycle.fixtures import DayMatch, MatchDay


# Public holidays of Denmark, Sweden and Norway.

ALL = "DK SE NO"


def public_holidays(year: int) -> dict[date, tuple[str, str]]:
    """Day -> name and countries ("DK SE NO") of the public holidays, and of the eves that are kept like them.

    By lov om helligdage (without the General Prayer Day, abolished from 2024), lag 1989:253 and lov om helligdager.
    """
    sunday = easter(year)
    found = {
        date(year, 1, 1): (_("New Year’s Day"), ALL),
        date(year, 1, 6): (_("Epiphany"), "SE"),
        date(year, 5, 1): (_("Labour Day"), "SE NO"),
        date(year, 5, 17): (_("Constitution Day"), "NO"),
        date(year, 6, 6): (_("National Day"), "SE"),
        date(year, 12, 24): (_("Christmas Eve"), ALL),
        date(year, 12, 25): (_("Christmas Day"), ALL),
        date(year, 12, 26): (_("Boxing Day"), ALL),
        date(year, 12, 31): (_("New Year’s Eve"), ALL),
    }
    midsummer = _saturday_from(date(year, 6, 20))
    found[midsummer - timedelta(days=1)] = (_("Midsummer Eve"), "SE")
    found[midsummer] = (_("Midsummer Day"), "SE")
    found[_saturday_from(date(year, 10, 31))] = (_("All Saints’ Day"), "SE")
    # Easter comes last: its days are kept where they fall on one of the others.
    for days, name, countries in (
        (-3, _("Maundy Thursday"), "DK NO"),
        (-2, _("Good Friday"), ALL),
        (0, _("Easter Sunday"), ALL),
        (1, _("Easter Monday"), ALL),
        (39, _("Ascension Day"), ALL),
        (49, _("Whit Sunday"), ALL),
        (50, _("Whit Monday"), "DK NO"),
    ):
        found[sunday + timedelta(days=days)] = (name, countries)
    return found


def _saturday_from(day: date) -> date:
    """The Saturday of the seven days from this one on."""
    return day + timedelta(days=(5 - day.weekday()) % 7)


# Dates.


@dataclass(frozen=True, order=True, slots=True)
class YearDate:
    """Something on a day, in words; `host` is the club's key where something is played, and `place` where."""

    day: date
    text: str
    host: int = 0
    club: str = ""
    place: str = ""
    # Whether it is an evening of one of a union's clubs.
    is_of_club: bool = False
    tournament: int = 0
    # The club, by key, at whose position it is played.
    at: int = 0
    # Matches of one league, and groups of one stage, are played side by side: they are one event.
    event: str = ""

    @property
    def is_played(self) -> bool:
        return bool(self.host)


def dates_of(club: Club, year: int) -> list[YearDate]:
    """Everything of a year, by day: tournaments and match days of the club and its clubs; championships, seasons,
    deadlines, counts and statements of its own.
    """
    first, last = date(year, 1, 1), date(year, 12, 31)
    hosts = Q(host=club) | Q(host__in=clubs_in(club))
    found = [*_tournaments(hosts, year, club), *_of_teams(club, year), *_of_the_desk(club, first, last)]
    return sorted(one for one in found if first <= one.day <= last)


def _tournaments(hosts: Q, year: int, club: Club) -> Iterator[YearDate]:
    """Tournaments, each match day of those that have several, and until when one enters from home."""
    # A league that began in the autumn before is played on. By ranges of days: SQLite has Django's own, slow, function
    # for the year of a day.
    in_year, before = (Q(date__range=(date(each, 1, 1), date(each, 12, 31))) for each in (year, year - 1))
    there = Tournament.objects.not_called_off().filter(hosts, in_year | before & Q(format__in=OF_MATCHES))
    several = match_days(there)
    for one in there.select_related("host", "held_by").order_by("date", "pk"):
        home = one.held_by or one.host
        for day, text, match in _days_of(one, several.get(one.pk)):
            yield YearDate(
                day,
                text,
                host=home.pk,
                club=str(home),
                place=(match.place if match else "") or one.place or home.town,
                is_of_club=one.host_id != club.pk,
                tournament=one.pk,
                at=(match.home_club or 0) if match else home.pk,
                event=f"stage {one.stage_id}" if one.stage_id else one.code,
            )
        if one.from_home.is_on:
            closes = timezone.localdate(one.entering_closes)
            text = _("Entry closes: %(name)s") % {"name": one.name}
            yield YearDate(closes, text, is_of_club=one.host_id != club.pk)


def _of_teams(club: Club, year: int) -> Iterator[YearDate]:
    """The days on which the club's teams play in leagues that others hold."""
    hosts = Club.objects.filter(Q(pk=club.pk) | Q(pk__in=clubs_in(club))).order_by().values("pk")
    years = (date(year - 1, 1, 1), date(year, 12, 31))
    leagues = visited_leagues(club, hosts).filter(called_off_at=None, date__range=years)
    days = match_days(leagues, club=club)
    for league in leagues.order_by("date", "pk"):
        for day, text, match in _days_of(league, days.get(league.pk)):
            yield YearDate(day, text, place=(match.place if match else "") or league.place)


def _days_of(
    tournament: Tournament, days: Sequence[MatchDay] | None
) -> Iterator[tuple[date, str, DayMatch | None]]:
    """A tournament's days with their text, and the match where one is played by itself."""
    if days is None:
        yield tournament.date, tournament.name, None
    for one in days or ():
        if one.rounds:
            said = _rounds_text(len(one.rounds))
            numbers = ", ".join(map(str, one.rounds))
            yield one.day, said % {"name": tournament.name, "numbers": numbers}, None
        for match in one.matches:
            yield match.day, f"{tournament.name}: {match.name}", match


def _rounds_text(count: int) -> str:
    return ngettext("%(name)s, round %(numbers)s", "%(name)s, rounds %(numbers)s", count)


def _of_the_desk(club: Club, first: date, last: date) -> Iterator[YearDate]:
    for championship in Championship.objects.filter(host=club, date__range=(first, last)):
        yield YearDate(championship.date, str(championship))
    for season in Season.objects.filter(host=club, starts__lte=last, ends__gte=first):
        yield YearDate(season.starts, _("“%(season)s” begins") % {"season": season})
        yield YearDate(season.ends, _("“%(season)s” ends") % {"season": season})
    counts = set(club.counts.filter(day__range=(first, last)).values_list("day", flat=True))
    for day in counts:
        yield YearDate(day, _("Count of members"))
    if not counts and (before := club.counts.filter(day__lt=first).order_by("-day").first()):
        again = years_before(before.day, before.day.year - first.year)
        yield YearDate(again, _("Count of members, as last time"))
    for due in (
        club.statements_made.filter(due__range=(first, last))
        .order_by()
        .values_list("due", flat=True)
        .distinct()
    ):
        yield YearDate(due, _("Clubs pay what they owe"))
    for due, union in (
        club.statements.filter(due__range=(first, last)).order_by().values_list("due", "union__name")
    ):
        yield YearDate(due, _("Pay the statement from %(union)s") % {"union": union})


# Clashes.


class Clash(NamedTuple):
    """A problem of a day, as text."""

    day: date
    text: str


def clashes_in(dates: Iterable[YearDate]) -> list[Clash]:
    """Problems of days: two events of one host, or at one place; and public holidays."""
    of: dict[date, list[YearDate]] = defaultdict(list)
    for one in dates:
        if one.is_played:
            of[one.day].append(one)
    found: list[Clash] = []
    for day, there in sorted(of.items()):
        found += [Clash(day, text) for text in _on_one_day(there)]
        if day in (holidays := public_holidays(day.year)):
            name, countries = holidays[day]
            text = _("%(holiday)s (%(countries)s): %(names)s")
            said = {"holiday": name, "countries": countries, "names": _names(there)}
            found.append(Clash(day, text % said))
    return found


def _on_one_day(there: Sequence[YearDate]) -> Iterator[str]:
    by_host: dict[str, list[YearDate]] = defaultdict(list)
    by_place: dict[str, list[YearDate]] = defaultdict(list)
    for one in there:
        by_host[one.club].append(one)
        if one.place:
            by_place[folded(one.place)].append(one)
    for club, some in by_host.items():
        if len({one.event for one in some}) > 1:
            text = _("%(club)s hosts several on the same day: %(names)s")
            yield text % {"club": club, "names": _names(some)}
    for some in by_place.values():
        if len({one.host for one in some}) > 1:
            clubs = ", ".join(sorted({one.club for one in some}))
            text = _("Neighbours play on the same day in %(place)s (%(clubs)s): %(names)s")
            yield text % {"place": some[0].place, "clubs": clubs, "names": _names(some)}


def neighbour_clashes(club: Club, year: int, dates: Sequence[YearDate]) -> list[Clash]:
    """Evenings of two neighbours on one day: of the club and others of its unions, or of a union's clubs.

    What is played at one place is among `clashes_in` where both are in `dates`.
    """
    around = Neighbourhood.of(club)
    others = around.others()
    hosts = Q(host__in=others) | Q(held_by__in=others)
    known = {one.tournament for one in dates}
    outside = (
        [one for one in _tournaments(hosts, year, club) if one.tournament not in known] if others else []
    )
    of: dict[date, dict[int, list[YearDate]]] = defaultdict(lambda: defaultdict(list))
    for one in (*dates, *outside):
        if one.at in around.clubs and one.day.year == year:
            of[one.day][one.at].append(one)
    found = []
    for day, at in sorted(of.items()):
        for here, there in combinations(sorted(at), 2):
            both = [pair for pair in product(at[here], at[there]) if _are_apart(*pair, inside=known)]
            if both and (kilometres := around.kilometres(here, there)) is not None:
                text = _(
                    "%(club)s and %(other)s are neighbours (%(km)s km) and play on the same day: %(names)s"
                )
                said = {
                    "club": around.clubs[here],
                    "other": around.clubs[there],
                    "km": in_km(kilometres),
                    "names": _names(chain.from_iterable(both)),
                }
                found.append(Clash(day, text % said))
    return found


def _are_apart(one: YearDate, other: YearDate, *, inside: Collection[int]) -> bool:
    """Whether two evenings are of different hosts and events, and their place is not named as a clash already."""
    is_named = bool(one.place) and folded(one.place) == folded(other.place)
    is_named = is_named and one.tournament in inside and other.tournament in inside
    return one.host != other.host and one.event != other.event and not is_named


def _names(some: Iterable[YearDate]) -> str:
    return ", ".join(dict.fromkeys(one.text for one in some))


def people_twice(dates: Iterable[YearDate]) -> list[Clash]:
    """Players entered in two tournaments on one day, by their public names."""
    of: dict[date, set[int]] = defaultdict(set)
    for one in dates:
        if one.is_played:
            of[one.day].add(one.tournament)
    asked = {pk for there in of.values() if len(there) > 1 for pk in there}
    entries = Entry.objects.filter(tournament__in=key_set(asked)).exclude(status=Entry.Status.WITHDRAWN)
    entered: dict[int, set[int]] = defaultdict(set)
    held: dict[int, Of] = {}
    fields = "player", "tournament", "club", "tournament__host", "number"
    for player, tournament, of_club, host, number in entries.order_by("pk").values_list(*fields):
        entered[player].add(tournament)
        held[player] = Of(player, of_club or host, number)
    entered = {player: own for player, own in entered.items() if len(own) > 1}
    names = shown_names(held[player] for player in entered)
    titles = dict(Tournament.objects.filter(pk__in=key_set(asked)).values_list("pk", "name"))
    found = []
    for day, there in sorted(of.items()):
        if len(there) > 1:
            for player, own in sorted(entered.items(), key=lambda one: names[one[0]]):
                if len(both := own & there) > 1:
                    text = _("%(name)s is entered in several on the same day: %(names)s")
                    listed = ", ".join(titles[pk] for pk in sorted(both))
                    found.append(Clash(day, text % {"name": names[player], "names": listed}))
    return found


# So many of the clubs that owe something are named.
NAMED = 4


@dataclass(frozen=True, order=True)
class Due:
    """A due date with its text."""

    day: date
    text: str


def due_in(club: Club, now: datetime) -> list[Due]:
    """Due dates of a club from today on, by day: evenings, matches, ends of seasons, statements, transfers.

    A match that is not played, a statement or a transfer stays in the list when its day has passed.
    """
    today = timezone.localdate(now)
    return sorted([*_evenings(club, today), *_seasons(club, today), *_to_settle(club)])


def _evenings(club: Club, today: date) -> Iterator[Due]:
    """Evenings that the club hosts or holds for its union, and the days of leagues between two match days."""
    theirs = Q(host=club) | Q(held_by=club)
    open_ones = Tournament.objects.not_called_off().exclude(state=Tournament.State.FINISHED)
    there = open_ones.filter(theirs)
    days = match_days(there)
    for one in there.order_by("date", "pk"):
        if one.pk not in days and one.state == Tournament.State.SETUP and one.date >= today:
            yield Due(one.date, _when(one.name, one.begins_at, one.place))
        yield from _rounds_to_come(one, days.get(one.pk, ()), today)
    visited = visited_leagues(club, Club.objects.filter(pk=club.pk)).filter(pk__in=open_ones.values("pk"))
    days = match_days(visited, club=club)
    for one in visited.filter(pk__in=days).exclude(theirs):
        yield from _rounds_to_come(one, days[one.pk], today)
    own = Q(round__tournament__in=there.order_by().values("pk")) | of_teams(club)
    matches = Match.objects.filter(own, round__tournament__in=open_ones.order_by().values("pk"))
    to_play = matches.filter(ended_at=None, awarded_home=None, home__withdrawn=False, away__withdrawn=False)
    found = list(own_days(to_play))
    leagues = Tournament.objects.in_bulk({pk for pk, _match in found})
    for pk, match in found:
        yield Due(match.day, _when(f"{leagues[pk].name}: {match.name}", match.begins_at, match.place))


def _rounds_to_come(league: Tournament, days: Sequence[MatchDay], today: date) -> Iterator[Due]:
    for one in days:
        if one.rounds and one.day >= today:
            numbers = ", ".join(map(str, one.rounds))
            said = _rounds_text(len(one.rounds)) % {"name": league.name, "numbers": numbers}
            yield Due(one.day, _when(said, league.begins_at, league.place))


def _when(text: str, begins_at: time | None, place: str) -> str:
    at = time_format(begins_at, "TIME_FORMAT") if begins_at else ""
    return ", ".join(filter(None, (text, at, place)))


def _seasons(club: Club, today: date) -> Iterator[Due]:
    for season in Season.objects.filter(host=club, ends__gte=today):
        yield Due(season.ends, _("“%(season)s” ends") % {"season": season})
    for championship in Championship.objects.filter(host=club, date__gte=today):
        yield Due(championship.date, str(championship))


def _to_settle(club: Club) -> Iterator[Due]:
    for one in club.statements.filter(state=Statement.State.OPEN).select_related("union"):
        text = _("Pay statement %(number)s from %(union)s: %(total)s kr.")
        yield Due(one.due, text % {"number": one.number, "union": one.union, "total": in_kroner(one.total)})
    owed: dict[date, list[Statement]] = defaultdict(list)
    for one in club.statements_made.filter(state=Statement.State.OPEN).select_related("club"):
        owed[one.due].append(one)
    for day, some in owed.items():
        text = ngettext(
            "%(count)d club has not paid its statement: %(total)s kr. (%(clubs)s)",
            "%(count)d clubs have not paid their statements: %(total)s kr. (%(clubs)s)",
            len(some),
        )
        names = sorted(str(one.club) for one in some)
        clubs = ", ".join(names[:NAMED] + ["…"] * (len(names) > NAMED))
        total = in_kroner(sum(one.total for one in some))
        yield Due(day, text % {"count": len(some), "total": total, "clubs": clubs})
    for transfer in Transfer.objects.filter(origin=club, state=Transfer.State.ASKED).select_related("club"):
        until = timezone.localdate(transfer.asked_at + SILENCE)
        yield Due(until, _("Answer %(club)s, which asks for a transfer") % {"club": transfer.club})


def officials_of(club: Club, now: datetime) -> list[str]:
    """The officials of the club's tournaments, seasons and championships who have rights now, by name, with these."""
    hosts = Q(tournament__host=club) | Q(season__host=club) | Q(championship__host=club)
    held = Official.objects.filter(hosts, account__is_active=True)
    found = held.select_related("account", "tournament", "season", "championship")
    some = found.order_by("account__username", "pk")
    return [f"{one.account} ({one.role_text}, {one.subject})" for one in in_force(some, now)]


def notes_of(club: Club) -> dict[str, str]:
    """The club's notes, each empty where nothing was typed."""
    found = HandOver.objects.filter(club=club).first()
    return {name: getattr(found, name) if found else "" for name in NOTES}


def store_notes(club: Club, notes: Mapping[str, str], *, account: Account, now: datetime) -> HandOver:
    """Replace the notes of a club."""
    made, _is_new = HandOver.objects.update_or_create(
        club=club, defaults={**notes, "changed_by": str(account), "changed_at": now}
    )
    log_change(club, account, gettext_noop("Changed the notes for the next organiser"), now=now)
    return made
