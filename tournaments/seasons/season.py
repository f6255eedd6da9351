"""Creating, changing, planning and removing seasons; which tournaments belong to one, and who has met at its tables."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import cycle
from typing import TYPE_CHECKING, Any, NamedTuple

from django.db import transaction
from django.db.models import Case, F, Q, When
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from clubs.clubs import lock_club, log_change
from clubs.models import Club
from clubs.register_models import clubs_in, unions_with
from core.errors import NotPossible
from tournaments.changes.locks import hold_each
from tournaments.changes.permissions import refuse_to_take_in
from tournaments.domain.formats import FORMATS
from tournaments.lifecycle import creating
from tournaments.lifecycle.creating import FROZEN_AT_START, holiday, next_name, repeated
from tournaments.lifecycle.fixtures import next_days
from tournaments.models import Award, Entry, Round, Season, Seat, Tournament
from tournaments.models.events import free_codes
from tournaments.seasons.neighbours import in_km

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from datetime import date, datetime

    from django.db.models import QuerySet

    from clubs.models import Account
    from tournaments.models import Championship
    from tournaments.seasons.ladder_table import Placed


# What a club does with a season: makes it, changes it, chooses its evenings, gives awards.


def seasons_for(hosts: Iterable[Club]) -> Q:
    """Seasons that a tournament of one of these hosts may belong to: the host's own, and its unions'."""
    ids = [club.pk for club in hosts]
    return Q(host__in=ids) | Q(host__in=unions_with(ids))


def running_season(club: Club, today: date) -> Season | None:
    """The season of a club on a day, else that of one of its unions; of several the one that began last."""
    running = Season.objects.filter(seasons_for([club]), starts__lte=today, ends__gte=today)
    own_first = Case(When(host=club, then=0), default=1)
    return running.select_related("host").order_by(own_first, "-starts", "-pk").first()


class SeasonProgress(NamedTuple):
    """A season's progress: evenings over, being played and in all, and the next one to be played with its day."""

    over: int
    playing: int
    evenings: int
    next: Tournament | None
    day: date | None


def progress_of(season: Season, today: date) -> SeasonProgress:
    """The progress on a day; what is next is an evening being set up, or a league between two of its match days."""
    evenings = list(season.evenings.not_called_off().order_by("date", "pk"))
    over, playing = (
        sum(one.state == state for one in evenings)
        for state in (Tournament.State.FINISHED, Tournament.State.RUNNING)
    )
    days = next_days(evenings, today)
    for one in evenings:
        if one.state == Tournament.State.SETUP and one.date >= today:
            days[one.pk] = one.date
    coming = min((one for one in evenings if one.pk in days), key=lambda one: days[one.pk], default=None)
    return SeasonProgress(over, playing, len(evenings), coming, days[coming.pk] if coming else None)


def evenings_for(season: Season) -> list[Tournament]:
    """The tournaments that could be evenings of the season, and those that are; by date."""
    hosts = Club.objects.filter(Q(pk=season.host_id) | Q(pk__in=clubs_in(season.host_id)))
    in_none = Q(season=None) | Q(season__removed_at__isnull=False)
    within = in_none & Q(host__in=hosts, date__range=(season.starts, season.ends))
    found = Tournament.objects.not_called_off().filter(within | Q(season=season))
    shown = "code", "name", "date", "state", "format", "season", "host__name"
    return list(found.select_related("host").only(*shown).order_by("date", "pk"))


@transaction.atomic
def store(season: Season, values: Mapping[str, object], *, account: Account, now: datetime) -> Season:
    """Make a season, or change it."""
    for name, value in values.items():
        setattr(season, name, value)
    text = (
        gettext_noop("Changed the season “{season}”")
        if season.pk
        else gettext_noop("Created the season “{season}”")
    )
    season.version += 1
    season.save()
    log_change(season.host, account, text, now=now, season=season)
    return season


@transaction.atomic
def choose_evenings(
    season: Season,
    codes: Collection[str],
    *,
    seen: Collection[str] | None = None,
    account: Account,
    now: datetime,
) -> None:
    """Set the evenings of the season to exactly these tournaments, by code. Raises NotPossible.

    `seen` are those that the page showed as its evenings: changes made since by other users are kept.
    """
    could = {tournament.code: tournament for tournament in evenings_for(season)}
    if seen is not None:
        are = {code for code, tournament in could.items() if tournament.season_id == season.pk}
        codes = (are | (set(codes) - set(seen))) - (set(seen) - set(codes))
    if not set(codes) <= could.keys():
        raise NotPossible(
            _("One of these tournaments can no longer be in this season. Check the list again.")
        )
    changed = [one for code, one in could.items() if (code in codes) != (one.season_id == season.pk)]
    refuse_to_take_in(account, season.host, [one for one in changed if one.season_id != season.pk])
    hold_each(one.pk for one in changed)
    for tournament in changed:
        wanted = None if tournament.season_id == season.pk else season
        Tournament.objects.filter(pk=tournament.pk).update(season=wanted, version=F("version") + 1)
    text = gettext_noop("Chose the evenings of “{season}”")
    log_change(season.host, account, text, now=now, season=season)
    announce(season)


@transaction.atomic
def give_award(
    season: Season, *, title: str, player: int, words: str, account: Account, now: datetime
) -> Award:
    """Award a title to a player of the season, by primary key. Raises NotPossible for anyone else."""
    played = Entry.objects.filter(tournament__season=season, player=player)
    entry = played.select_related("player").first()
    if entry is None:
        raise NotPossible(_("Awards go to people who have played in the season."), "player")
    last = season.awards.count()
    award = Award.objects.create(
        season=season, title=title, player=entry.player, words=words, number=last + 1
    )
    text = gettext_noop("“{season}”: the award “{title}” goes to {player}")
    log_change(season.host, account, text, now=now, season=season, title=title, player=entry.player)
    announce(season)
    return award


@transaction.atomic
def take_award_back(award: Award, *, account: Account, now: datetime) -> None:
    text = gettext_noop("“{season}”: withdrew the award “{title}”")
    log_change(award.season.host, account, text, now=now, season=award.season, title=award.title)
    award.delete()
    announce(award.season)


def announce(season: Season) -> None:
    Season.objects.filter(pk=season.pk).update(version=F("version") + 1)


# A club removes a season or a championship, and puts it back: a state, with a line in the club's log for each.

LINES = {
    (True, True): gettext_noop("Removed the season “{season}”"),
    (True, False): gettext_noop("Restored the season “{season}”"),
    (False, True): gettext_noop("Removed the championship “{championship}”"),
    (False, False): gettext_noop("Restored the championship “{championship}”"),
}


def removed_of(club: Club, model: type[Season | Championship]) -> QuerySet[Season | Championship]:
    """A club's seasons, or championships, that are removed; the last one first."""
    return model.with_removed.filter(host=club, removed_at__isnull=False).order_by("-removed_at")


def remove(thing: Season | Championship, *, account: Account, now: datetime) -> None:
    """Let it be shown and counted nowhere; its tournaments stay what they are, each by itself."""
    _set(thing, now, account=account, now=now)


def put_back(thing: Season | Championship, *, account: Account, now: datetime) -> None:
    """Let it be as it was, with those of its tournaments that are in no other by now.

    Raises NotPossible where another has its name by now.
    """
    if type(thing).objects.filter(host=thing.host_id, name=thing.name).exists():
        raise NotPossible(
            _("Another one is now called “%(name)s”. Change that name, then restore this one.")
            % {"name": thing}
        )
    _set(thing, None, account=account, now=now)


@transaction.atomic
def _set(
    thing: Season | Championship, removed_at: datetime | None, *, account: Account, now: datetime
) -> None:
    thing.removed_at = removed_at
    thing.save(update_fields=["removed_at"])
    is_season = isinstance(thing, Season)
    mine = {"season": thing} if is_season else {"stage__championship": thing}
    # Their pages say what they belong to.
    Tournament.objects.filter(**mine).update(version=F("version") + 1)
    word = "season" if is_season else "championship"
    log_change(thing.host, account, LINES[is_season, removed_at is not None], now=now, **{word: thing})


# A season's rule in sentences.


def season_in_words(season: Season, *, of_teams: bool = False) -> list[str]:
    """The season's rule in words: what counts, what is dropped, who has a place, tie-breaks.

    `of_teams`: of its pairs and teams (`team_ladder`), else of its players.
    """
    if of_teams:
        return list(_team_sentences(season))
    what, *further = _sentences(season)
    formats = season.evenings.order_by().values_list("format", flat=True).distinct()
    if any(FORMATS[code].in_teams for code in formats):
        further.insert(0, in_teams_in_words(season))
    return [what, *further]


def in_teams_in_words(season: Season) -> str:
    """The text of how an evening of pairs or teams counts for each player."""
    if season.rule == Season.Rule.PLACES:
        return _("On an evening of pairs or teams each player gets the place of the pair or team.")
    return _("On an evening of pairs or teams each player’s own tokens count, not those of the pair or team.")


def days_of(days: Sequence[date], columns: Sequence[int] | None = None) -> list[str]:
    """Headings of the evenings' columns: day, with a number if there are several on that day.

    `columns` selects some of the evenings; `days` has all of them.
    """
    columns = range(len(days)) if columns is None else columns
    many = Counter(days)
    heads = []
    for column in columns:
        day = days[column]
        number = f" ({column - days.index(day) + 1})" if many[day] > 1 else ""
        heads.append(date_format(day, "j/n") + number)
    return heads


def _team_sentences(season: Season) -> Iterator[str]:
    match season.rule:
        case Season.Rule.TOKENS:
            yield _("The tokens of a pair or team from the evenings are added up, including rulings.")
        case Season.Rule.AVERAGE:
            yield _(
                "The tokens of a pair or team, including rulings, are divided by the deals of its matches."
            )
        case Season.Rule.PLACES:
            yield _points_in_words(season)
    yield _(
        "A pair stays the same while the same players are in it; a team keeps its line by its club and name."
    )
    if season.best_of:
        yield ngettext(
            "Only the best evening counts.",
            "Only the best %(count)d evenings count.",
            season.best_of,
        ) % {"count": season.best_of}
    yield from _least_and_ties(season, of_teams=True)


def _points_in_words(season: Season) -> str:
    return _("Each evening gives points by place: %(points)s. Lower places get none.") % {
        "points": ", ".join(map(str, season.place_points)) or "0"
    }


def _sentences(season: Season) -> Iterator[str]:
    match season.rule:
        case Season.Rule.TOKENS:
            yield _(
                "A player’s tokens from the evenings are added up, including rulings; if an evening "
                "uses a factor for tables of three, they are weighted by it."
            )
        case Season.Rule.AVERAGE:
            yield _(
                "A player’s tokens, including rulings, are divided by the deals the player was dealt;"
                " deals sat out do not count."
            )
        case Season.Rule.PLACES:
            yield _points_in_words(season)
    if season.best_of:
        yield ngettext(
            "Only a player’s best evening counts.",
            "Only a player’s best %(count)d evenings count.",
            season.best_of,
        ) % {"count": season.best_of}
    yield from _least_and_ties(season, of_teams=False)


def _least_and_ties(season: Season, *, of_teams: bool) -> Iterator[str]:
    if season.least_evenings:
        yield ngettext(
            "At least %(count)d evening is needed for a place.",
            "At least %(count)d evenings are needed for a place.",
            season.least_evenings,
        ) % {"count": season.least_evenings}
    if season.least_deals:
        yield ngettext(
            "At least %(count)d deal is needed for a place.",
            "At least %(count)d deals are needed for a place.",
            season.least_deals,
        ) % {"count": season.least_deals}
    if not season.counts_withdrawn:
        yield (
            _("An evening the pair or team left early does not count.")
            if of_teams
            else _("An evening the player left early does not count.")
        )
    if not season.with_guests and not of_teams:
        yield _("Guests, who play for no club, are not in the ladder.")
    if season.breaks_ties:
        yield _(
            "Ties are broken by the best evening that counts, then the next best and so on; after"
            " that the place is shared."
        )
    elif of_teams:
        yield _("Pairs and teams with equal totals share the place.")
    else:
        yield _("Players with equal totals share the place.")


# What an evening copies from its template evening, besides the season's own values.
FROM_EARLIER = (
    *(name for name in FROZEN_AT_START if name != "host"),
    "rounds_planned",
    "draw_mode",
    *creating.KEPT,
)


@dataclass(frozen=True)
class PlannedEvening:
    """A day of the plan with its host; `holiday` and `clashes` (names of other evenings) speak against it."""

    day: date
    host: Club
    holiday: str
    clashes: tuple[str, ...]

    @property
    def is_free(self) -> bool:
        return not (self.holiday or self.clashes)


def plan_evenings(
    season_host: Club, hosts: Sequence[Club], first: date, weeks: int, until: date
) -> list[PlannedEvening]:
    """The days every so many weeks until a day; `hosts` take turns on those that nothing speaks against."""
    days = repeated(first, weeks, until)
    clashes = _clashes({season_host, *hosts}, days)
    turns, planned = cycle(hosts), []
    host = next(turns)
    for day in days:
        named = tuple(_clash_text(one, host) for one in clashes[day])
        one = PlannedEvening(day, host, holiday(day), named)
        planned.append(one)
        if one.is_free:
            host = next(turns)
    return planned


def _clashes(clubs: Iterable[Club], days: Sequence[date]) -> Mapping[date, list[Tournament]]:
    """The evenings on these days of the clubs, of their unions and of their unions' clubs, by day."""
    keys = {club.pk for club in clubs}
    unions = set(unions_with(keys).values_list("union", flat=True))
    around = keys | unions | set(clubs_in(keys | unions).values_list("club", flat=True))
    found: dict[date, list[Tournament]] = defaultdict(list)
    evenings = Tournament.objects.not_called_off().filter(host__in=around, date__in=days)
    for one in evenings.select_related("host", "held_by").order_by("date", "pk"):
        found[one.date].append(one)
    return found


def _clash_text(evening: Tournament, host: Club) -> str:
    """The name of an evening with its club, and how far from the host it is played, if that is known."""
    home = evening.held_by or evening.host
    kilometres = home.kilometres_to(host) if home != host else None
    where = str(evening.host) if kilometres is None else f"{evening.host}, {in_km(kilometres)} km"
    return f"{evening.name} ({where})"


@transaction.atomic
def make_evenings(
    season: Season,
    evenings: Sequence[PlannedEvening],
    values: Mapping[str, Any],
    like: Tournament | None,
    *,
    account: Account,
    now: datetime,
) -> list[Tournament]:
    """Set up a plan's evenings in a season just stored, with these values and otherwise like an earlier evening."""
    lock_club(season.host)
    earlier = {name: getattr(like, name) for name in FROM_EARLIER} if like else {}
    name, first = str(values["name"]), evenings[0].day
    made = [
        creating.create(
            code,
            {
                **earlier,
                **values,
                "name": next_name(name, first, one.day, steps=step),
                "date": one.day,
                "host": one.host,
                "season": season,
            },
            account=account,
            now=now,
        )
        for step, (code, one) in enumerate(zip(free_codes(Tournament, len(evenings)), evenings, strict=True))
    ]
    text = gettext_noop("Set up {evenings} evenings of “{season}”")
    log_change(season.host, account, text, now=now, evenings=len(made), season=season)
    return made


# So many players of the ladder are compared with each other.
MOST_COMPARED = 60


@dataclass(frozen=True)
class Meetings:
    """A player of the ladder: how many of the others they met, and the names of those whom they have not."""

    name: str
    met: int
    not_met: list[str]


def met_in(season: Season, players: Collection[int]) -> Mapping[int, set[int]]:
    """Player -> the other players (primary keys) of the same tables in closed rounds of the season."""
    seats = Seat.objects.filter(
        entry__player__in=players,
        round__state=Round.State.CLOSED,
        round__tournament__season=season,
        round__tournament__called_off_at=None,
    )
    at_table: dict[int, list[int]] = defaultdict(list)
    for table, player in seats.order_by("table").values_list("table", "entry__player"):
        at_table[table].append(player)
    met: dict[int, set[int]] = defaultdict(set)
    for sat in at_table.values():
        for player in sat:
            met[player].update(sat)
    return met


def meetings_of(season: Season, rows: Sequence[Placed]) -> list[Meetings]:
    """For each of these players of the ladder, the others whom they have met, in the order of the ladder."""
    met = met_in(season, [row.player_id for row in rows])
    return [
        Meetings(
            one.name,
            sum(other.player_id in met[one.player_id] for other in rows if other is not one),
            [other.name for other in rows if other is not one and other.player_id not in met[one.player_id]],
        )
        for one in rows
    ]
