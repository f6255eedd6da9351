"""Stored ratings of players, updated evening by evening, and the rating list."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from hashlib import sha256
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from django.db import transaction
from django.db.models import Max, Min, Q, Subquery
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.models import Account, Club
from clubs.names import shown_order
from clubs.register_models import first_unions
from clubs.roles import may_organise
from core.jobs.kinds import JobKind, JobResult, subject_name, subjects_by_name
from core.jobs.queue import JobRequest, enqueue
from core.sql import copy_rows, insert_rows, key_set
from tournaments.changes.versions import print_of_versions
from tournaments.models import Entry, RatedEvening, Rating, RatingState, Tournament
from tournaments.models.names import NAMELESS, Of, shown_names
from tournaments.seasons.rating import MODEL, Game, Known, games_of, move_on

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from django.contrib.auth.models import AbstractUser
    from django.db.models import QuerySet

    from core.jobs.kinds import About, JobRun
    from core.jobs.models import Job


# Ratings as they are stored: continued from the last evening, recalculated from the day of an older one that changed.
#
# Every change of a tournament clears its `is_rated` (`changes.versions.announce`). Readers look at such evenings first.
# Where their games are not what was rated (or one is called off, reopened, on another day), or other clubs' evenings
# count, ratings are recalculated from that day on, in short transactions, so that no report waits for long.
#
# A few evenings are recalculated in place, by the next request. More are left to a job, which fills the other one of
# two copies of the rows while pages show the present one, and then switches.

# Evenings rated in one transaction: a tenth of a second or so.
AT_ONCE = 100
# What a reader recalculates: 20 evenings of a club take 40 ms. A tournament may be as large as a hundred of these.
FEW_EVENINGS, FEW_ENTRIES = 20, 1_000
# Changed evenings that are compared with what was rated in one transaction, and by a reader.
COMPARED_AT_ONCE = 100
# Rows of the former copy that are deleted in one transaction.
DELETED_AT_ONCE = 5_000
# The code of the job that recalculates.
RATINGS = "ratings"


def around(club: Club) -> Club:
    """The club whose results are rated together: the union that a club joined first, else the club itself."""
    return club.unions.first() or club


def hosts_of(whole: Club) -> list[int]:
    """The clubs of a union (or the club) that show ratings, by primary key: their evenings count.

    An evening is rated once: a club of several unions counts in that which it joined first.
    """
    first = first_unions().filter(union=whole).values("club")
    hosts = Club.objects.filter(Q(pk=whole.pk) | Q(pk__in=first), shows_rating=True)
    return sorted(hosts.values_list("pk", flat=True))


def counting(hosts: Iterable[int]) -> QuerySet[Tournament]:
    """The evenings of these clubs that are rated."""
    finished = Tournament.objects.not_called_off().filter(state=Tournament.State.FINISHED)
    return finished.filter(host__in=hosts)


def update_ratings(whole: Club, tell: Callable[[date], object] = lambda _day: None) -> None:
    """Rate all evenings that were finished or changed, without a time limit.

    `tell` is called after each transaction with the day up to which ratings are recalculated.
    """
    hosts = hosts_of(whole)
    while not _is_up_to_date(RatingState.objects.filter(club=whole).first(), hosts):
        state = _advance(whole, hosts, waits=True)
        if state.anew_from:
            tell(state.anew_from)
    tell(date.max)


def refresh_ratings(whole: Club) -> datetime | None:
    """Rate what was finished or changed if that is little, else leave it to a job; for pages.

    Returns since when ratings are being recalculated, None where they are up to date. Until that is done, the ratings
    from before it are shown.
    """
    hosts = hosts_of(whole)
    while not _is_up_to_date(state := RatingState.objects.filter(club=whole).first(), hosts):
        if state and (state.recount_since or _has_much_to_compare(state)):
            wish = JobRequest(RATINGS, subject_name("club", whole.pk), "en")
            job = enqueue(wish, account=None, now=timezone.now())
            return state.recount_since or job.asked_at
        _advance(whole, hosts, waits=False)
    return None


def _advance(whole: Club, hosts: list[int], *, waits: bool) -> RatingState:
    """Recalculate some evenings in one transaction.

    Changed evenings are compared first, some in each transaction. Where there are many to recalculate, a recount
    begins, and is continued only for a caller that `waits` for it.
    """
    with transaction.atomic():
        RatingState.objects.get_or_create(club=whole, defaults={"model": MODEL})
        state = RatingState.objects.select_for_update().get(club=whole)
        _take_back_other_model(state)
        _take_back_other_hosts(state, hosts)
        if _compare(state):
            state.save()
            return state
        if state.anew_from and state.recount_since is None and not _is_little(state, state.anew_from):
            state.recount_since, state.valid_until, state.anew_from = (
                timezone.now(),
                state.anew_from,
                date.min,
            )
        former = state.shown_copy
        if state.anew_from and (waits or state.recount_since is None):
            _count_on(state, state.anew_from)
        state.save()
    if state.shown_copy != former:
        _delete_copy(whole, former)
    return state


def _is_little(state: RatingState, start: date) -> bool:
    """Whether few evenings, and no large ones, are to be rated from a day on."""
    evenings = counting(state.hosts).filter(date__gte=start).order_by()
    few = list(evenings.values_list("pk", flat=True)[: FEW_EVENINGS + 1])
    return len(few) <= FEW_EVENINGS and Entry.objects.filter(tournament__in=few).count() <= FEW_ENTRIES


def version_of(whole: Club) -> tuple[int, ...]:
    """Version that changes with any rating or any name in them; ratings must be up to date.

    The versions of the evenings change with every change of a name.
    """
    state = RatingState.objects.get(club=whole)
    # As they were rated they lie side by side: half the work of finding each host's among all tournaments.
    rated = RatedEvening.objects.filter(whole=whole)
    versions = rated.aggregate(all=print_of_versions("tournament__"))["all"]
    return (state.pk, state.version, int(versions))


def to_bring_up_to_date() -> list[Club]:
    """The unions, and clubs without one, of which something is to be rated; clubs that changed their union aside."""
    waiting = _unrated().filter(state=Tournament.State.FINISHED, called_off_at=None).order_by()
    hosts = Club.objects.filter(pk__in=waiting.values("host")).values_list("pk", flat=True)
    union_of = dict(first_unions().values_list("club", "union"))
    wholes = {union_of.get(host, host) for host in hosts}
    to_count = RatingState.objects.exclude(anew_from=None, model=MODEL)
    wholes |= set(to_count.values_list("club", flat=True))
    return list(Club.objects.filter(pk__in=wholes))


def unsettled_from(state: RatingState) -> date | None:
    """The day from which on ratings wait to be counted; None where all are."""
    if state.model != MODEL or state.hosts != hosts_of(state.club):
        return date.min
    waiting = _to_look_at(state).aggregate(now=Min("date"), before=Min("rated__date"))
    # Until a recount is done, the rows before the day it was begun for are shown, and right.
    begun = state.valid_until if state.recount_since else state.anew_from
    return min((day for day in (begun, *waiting.values()) if day), default=None)


def known_in(row: Rating) -> Known:
    return Known(row.mu, row.sigma, row.tables, row.date)


def _is_up_to_date(state: RatingState | None, hosts: Sequence[int]) -> bool:
    if state is None or state.anew_from or state.hosts != hosts or state.model != MODEL:
        return False
    return not _to_look_at(state).exists()


def _unrated() -> QuerySet[Tournament]:
    return Tournament.objects.filter(is_rated=False)


def _to_look_at(state: RatingState) -> QuerySet[Tournament]:
    """Evenings that were finished or changed: those that count, and those that did."""
    counts = Q(host__in=state.hosts, state=Tournament.State.FINISHED, called_off_at=None)
    return _unrated().filter(counts | Q(rated__whole=state.club_id))


def _anew_from(state: RatingState, days: Iterable[date | None]) -> None:
    """Mark ratings as outdated from the earliest of these days."""
    told = [day for day in days if day]
    state.anew_from = min((day for day in (state.anew_from, *told) if day), default=None)
    if state.valid_until:
        state.valid_until = min([state.valid_until, *told])


def _take_back_other_model(state: RatingState) -> None:
    """Mark ratings of another model as outdated from the first evening on."""
    if state.model != MODEL:
        state.model = MODEL
        _anew_from(state, [date.min])


def _take_back_other_hosts(state: RatingState, hosts: list[int]) -> None:
    """Recompute since the first evening of clubs that joined or left the union, or hide or show ratings."""
    gone, came = set(state.hosts) - set(hosts), set(hosts) - set(state.hosts)
    state.hosts = hosts
    if gone:
        theirs = Rating.objects.filter(whole=state.club_id, entry__tournament__host__in=gone)
        _anew_from(state, [theirs.aggregate(first=Min("date"))["first"]])
        RatedEvening.objects.filter(whole=state.club_id, tournament__host__in=gone).delete()
    if came:
        _anew_from(state, [counting(came).aggregate(first=Min("date"))["first"]])


def _has_much_to_compare(state: RatingState) -> bool:
    return _to_look_at(state).order_by()[COMPARED_AT_ONCE:].exists()


def _compare(state: RatingState) -> bool:
    """Find out from which day on some evenings that have changed change a rating; returns whether there are more."""
    waiting = list(_to_look_at(state).order_by("pk").values_list("pk", flat=True)[: COMPARED_AT_ONCE + 1])
    found = waiting[:COMPARED_AT_ONCE]
    # Locked while they are compared, in the common lock order.
    held = list(Tournament.objects.select_for_update().filter(pk__in=found).order_by("pk").only("code"))
    now = dict(counting(state.hosts).filter(pk__in=found).order_by().values_list("pk", "date"))
    rated = RatedEvening.objects.filter(tournament__in=found, whole=state.club_id).in_bulk(
        field_name="tournament_id"
    )
    prints = prints_of([one.code for one in held if one.pk in rated])
    for one in held:
        day, before = now.get(one.pk), rated.get(one.pk)
        if before is None:
            _anew_from(state, [day])
        elif (day, prints.get(one.code, NO_GAMES)) != (before.date, before.games):
            _anew_from(state, [day, before.date])
            before.delete()
    Tournament.objects.filter(pk__in=found).update(is_rated=True)
    return len(waiting) > len(found)


def print_of(games: Iterable[Game]) -> str:
    return sha256(repr([(game.players, game.tokens, game.deals) for game in games]).encode()).hexdigest()


NO_GAMES = print_of([])


def prints_of(codes: Sequence[str]) -> dict[str, str]:
    """Map codes to a fingerprint of each evening's data for ratings; none where nothing was played."""
    return {code: print_of(games) for code, games in groupby(games_of(codes), key=lambda game: game.event)}


def _count_on(state: RatingState, start: date) -> None:
    """Rate the evenings of some days from `start` on; the last of a recount lets the pages show it."""
    _forget_from(state, start)
    if state.valid_until and start < state.valid_until:
        _copy_year(state, start, state.valid_until)
    else:
        evenings = counting(state.hosts).filter(date__gte=start).order_by("date", "code")
        days = list(evenings.values_list("date", flat=True)[:AT_ONCE])
        state.anew_from = days[-1] + timedelta(days=1) if len(days) == AT_ONCE else None
        if days:
            by_code = {one.code: one for one in evenings.filter(date__lte=days[-1]).only("code", "date")}
            _rate(state, by_code)
    if state.anew_from is None:
        state.shown_copy = state.counted_copy
        state.recount_since = state.valid_until = None
    if state.recount_since is None:
        state.version += 1


def _ratings_in_progress(state: RatingState) -> QuerySet[Rating]:
    """The copy of the ratings that is being continued."""
    return Rating.objects.filter(whole=state.club_id, copy=state.counted_copy)


def _copy_year(state: RatingState, start: date, until: date) -> None:
    """Copy what is shown of the next year from `start` on, before the day `until`: it has not changed."""
    shown = Rating.objects.filter(whole=state.club_id, copy=state.shown_copy, date__gte=start, date__lt=until)
    first = shown.aggregate(first=Min("date"))["first"]
    state.anew_from = min(date(first.year + 1, 1, 1), until) if first else until
    copy_rows(shown.filter(date__lt=state.anew_from).order_by("pk"), copy=state.counted_copy, is_newest=False)
    copied = _ratings_in_progress(state).filter(date__gte=start).order_by()
    _ratings_in_progress(state).filter(is_newest=True, player__in=copied.values("player")).update(
        is_newest=False
    )
    last = copied.values("player").annotate(last=Max("pk")).values("last")
    Rating.objects.filter(pk__in=list(last.values_list("last", flat=True))).update(is_newest=True)


def _delete_copy(whole: Club, copy: int) -> None:
    """Delete the copy that is no longer shown, in short transactions; what is left, the next recount deletes."""
    rows = Rating.objects.filter(whole=whole, copy=copy).order_by()
    while keys := list(rows.values_list("pk", flat=True)[:DELETED_AT_ONCE]):
        found = Rating.objects.filter(pk__in=key_set(keys))
        found._raw_delete(found.db)


def _forget_from(state: RatingState, start: date) -> None:
    """Delete ratings from a day on; their players' previous rating becomes the newest again."""
    gone = _ratings_in_progress(state).filter(date__gte=start)
    players = list(gone.filter(is_newest=True).values_list("player", flat=True))
    gone._raw_delete(gone.db)  # nothing hangs on them, and there may be very many
    left = _ratings_in_progress(state).filter(player__in=players)
    last = left.order_by().values("player").annotate(last=Max("pk")).values("last")
    Rating.objects.filter(pk__in=list(last.values_list("last", flat=True))).update(is_newest=True)


# The columns of a rating in the order in which `_rate` gives them.
STORED = ("whole_id", "player_id", "entry_id", "date", "mu", "sigma", "tables", "is_newest", "copy")


def _rate(state: RatingState, evenings: dict[str, Tournament]) -> None:
    """Rate evenings, by their codes in their order, and keep what is known after each."""
    games = list(games_of(list(evenings)))
    before = _ratings_in_progress(state).filter(
        is_newest=True, player__in={player for game in games for player in game.players}
    )
    found = {pk: (player, Known(*now)) for pk, player, *now in before.values_list("pk", "player", *KNOWN)}
    entries = Entry.objects.filter(tournament__code__in=evenings).values_list(
        "tournament__code", "player", "pk"
    )
    entry_of = {(code, player): pk for code, player, pk in entries.order_by()}
    rated = [
        (code, player, now)
        for code, played in move_on(dict(found.values()), games)
        for player, now in played.items()
    ]
    newest = {player: place for place, (_code, player, _now) in enumerate(rated)}
    Rating.objects.filter(pk__in=key_set(found)).update(is_newest=False)
    rows = [
        (
            *(state.club_id, player, entry_of[code, player], evenings[code].date),
            *(now.mu, now.sigma, now.tables),
            *(newest[player] == place, state.counted_copy),
        )
        for place, (code, player, now) in enumerate(rated)
    ]
    insert_rows(Rating, STORED, rows)
    _keep_prints(state, evenings, games)


def _keep_prints(state: RatingState, evenings: dict[str, Tournament], games: Iterable[Game]) -> None:
    prints = {code: print_of(played) for code, played in groupby(games, key=lambda game: game.event)}
    before = RatedEvening.objects.filter(tournament__in=[one.pk for one in evenings.values()])
    before._raw_delete(before.db)
    rows = [(one.pk, state.club_id, one.date, prints.get(code, NO_GAMES)) for code, one in evenings.items()]
    insert_rows(RatedEvening, ("tournament_id", "whole_id", "date", "games"), rows)


# Ratings in the hall: a club's list, and a player's rating with the tournaments behind it.

# Minimum number of tables for a place in the list.
LEAST_TABLES = 5
# Players away for longer are listed below the others, without a place.
AWAY = timedelta(days=365)


@dataclass(frozen=True, slots=True)
class Listed:
    """A player in a club's list; `code` and `number` are of the newest entry, whose page has the curve.

    What is known of them is that of today. Who has been away for long has place 0. `player` and
    `club_id` are primary keys; `by_number` is whether their club shows them so.
    """

    name: str
    club: str
    code: str
    number: int
    rated: Known
    place: int = 0
    player: int = 0
    by_number: bool = False
    club_id: int = 0


class Point(NamedTuple):
    """A player's rating after a tournament, and how sure it was."""

    day: date
    points: int
    give_or_take: int


@dataclass(frozen=True, slots=True)
class Rated:
    """A player's rating as it is known today, and after each tournament.

    `recount_since` is as `refresh_ratings` returns it.
    """

    now: Known
    history: Sequence[Point]
    is_away: bool
    recount_since: datetime | None


class _Newest(NamedTuple):
    """A player's newest evening for a club that shows ratings."""

    player: int
    club: int
    number: int
    code: str


def ratings(club: Club) -> dict[int, Known]:
    """Player -> rating, by all finished tournaments of the union (or the club) whose hosts show ratings."""
    whole = around(club)
    update_ratings(whole)
    return {player: Known(*known) for player, *known in newest_ratings(whole).values_list("player", *KNOWN)}


KNOWN = ("mu", "sigma", "tables", "date")
NEWEST = ("player", "entry__club", "entry__number", "entry__tournament__code")


def is_away(known: Known, today: date) -> bool:
    """Whether a player has been away for too long to have a place."""
    return known.day is not None and today - known.day > AWAY


def rating_list(club: Club, today: date) -> list[Listed]:
    """The club's players (a union's: of all its clubs) with a meaningful rating, the highest first.

    Players who have been away for long come last. Left out are guests, players of clubs that show no ratings, erased
    players and those who want no page over the years: their results count for the others. During a recount it is the
    list from before (`refresh_ratings`).
    """
    whole = around(club)
    refresh_ratings(whole)
    unseen = Q(player__name=NAMELESS) | Q(player__has_objected=True)
    enough = newest_ratings(whole).filter(tables__gte=LEAST_TABLES).exclude(unseen)
    shows = Q(entry__club__shows_rating=True)
    as_guests = enough.filter(Q(entry__club=None) | Q(entry__club__shows_rating=False))
    # Who was a guest lately is listed by the last evening that was none.
    before = _shown_ratings(whole).filter(shows, player__in=as_guests.values("player"))
    last = before.order_by().values("player").annotate(last=Max("pk")).values("last")
    of_club = Q(entry__club=club) if whole != club else Q()
    rows = [
        _Newest(*row)
        for found in (enough.filter(shows), Rating.objects.filter(pk__in=last))
        for row in found.filter(of_club).values_list(*NEWEST)
    ]
    # A union lists nearly all of them: to name each in the question takes longer than to answer it.
    listed = Q(player__in=[row.player for row in rows]) if of_club else Q()
    known = {player: Known(*now) for player, *now in enough.filter(listed).values_list("player", *KNOWN)}
    # A recount that ends between these queries may leave a player out.
    return _placed([row for row in rows if row.player in known], known, today)


def _placed(rows: Sequence[_Newest], known: dict[int, Known], today: date) -> list[Listed]:
    told = Club.objects.filter(pk__in={row.club for row in rows})
    clubs = {pk: (name, style) for pk, name, style in told.values_list("pk", "name", "name_style")}
    names = shown_names(Of(row.player, row.club, row.number) for row in rows)
    points = {player: now.points for player, now in known.items()}
    away = {player: is_away(now, today) for player, now in known.items()}
    ordered = sorted(
        rows, key=lambda row: (away[row.player], -points[row.player], shown_order(names[row.player]))
    )
    listed: list[Listed] = []
    for count, row in enumerate(ordered, start=1):
        equal = count > 1 and points[ordered[count - 2].player] == points[row.player]
        place = 0 if away[row.player] else listed[-1].place if equal else count
        now = known[row.player].on(today)
        club, style = clubs[row.club]
        name, by_number = names[row.player], style == Club.NameStyle.NUMBER
        listed.append(Listed(name, club, row.code, row.number, now, place, row.player, by_number, row.club))
    return listed


def rating_of(entry: Entry, today: date | None = None) -> Rated | None:
    """The rating of who plays under this entry.

    None for guests, for who wants no page over the years, and where the host or the player's club shows none.
    """
    host = entry.tournament.host
    shows = host.shows_rating and entry.club is not None and entry.club.shows_rating
    if not shows or entry.player.name == NAMELESS or entry.player.has_objected:
        return None
    whole = around(host)
    recount_since = refresh_ratings(whole)
    rows = _shown_ratings(whole).filter(player=entry.player_id).order_by("pk")
    kept = [Known(*known) for known in rows.values_list(*KNOWN)]
    if not kept:
        return None
    today = today or timezone.localdate()
    history = [Point(known.day, known.points, known.give_or_take) for known in kept if known.day]
    return Rated(kept[-1].on(today), history, is_away(kept[-1], today), recount_since)


def newest_ratings(whole: Club) -> QuerySet[Rating]:
    """All players' ratings for pages; call `refresh_ratings` or `update_ratings` first."""
    return _shown_ratings(whole).filter(is_newest=True)


def _shown_ratings(whole: Club) -> QuerySet[Rating]:
    """All rows of the copy that pages show."""
    shown = RatingState.objects.filter(club=whole).values("shown_copy")
    return Rating.objects.filter(whole=whole, copy=Subquery(shown))


class RecalculatedRatings(JobKind):
    """Queued by the next request for ratings; a job that was interrupted continues where it stopped."""

    code = RATINGS

    def subjects(self, names: Iterable[str]) -> dict[str, Any]:
        return subjects_by_name("club", Club.objects.all(), names)

    def key(self, thing: str, about: About, language: str) -> str:
        del about, language
        return f"{self.code} {thing}"

    def may_see(self, account: AbstractUser, job: Job) -> bool:
        club = self.thing(job)
        return club is not None and isinstance(account, Account) and may_organise(account, club)

    def title(self, job: Job) -> str:
        return _("Recalculation of the ratings · %(club)s") % {"club": self.thing(job) or "–"}

    def page(self, job: Job) -> str:
        club = self.thing(job)
        return reverse("desk") if club is None else reverse("hall_rating", args=[club.slug])

    def make(self, work: JobRun) -> JobResult:
        club = self.thing(work.job)
        if club is None:
            return JobResult()
        evenings = counting(hosts_of(club)).order_by()
        work.tell(0, evenings.count())

        def tell(until: date) -> None:
            work.tell(evenings.filter(date__lt=until).count())

        update_ratings(club, tell)
        return JobResult()

    def progress_text(self, job: Job) -> str:
        return _("%(done)d of %(total)d evenings recalculated.") % {"done": job.done, "total": job.total}
