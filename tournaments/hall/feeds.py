"""Calendars, feeds and files of results, and the HTML pieces in them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from functools import wraps
from hashlib import sha256
from itertools import islice
from typing import TYPE_CHECKING
from uuid import NAMESPACE_URL, uuid5

from django.conf import settings
from django.core.cache import cache
from django.db.models import Count, Max, Q, Sum
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.cache import get_conditional_response, patch_cache_control
from django.utils.feedgenerator import Atom1Feed
from django.utils.formats import date_format, time_format
from django.utils.html import escape
from django.utils.http import http_date, quote_etag
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs.mail.outbox import language_for
from clubs.models import Club, News
from clubs.register_models import clubs_in
from core.http.responses import begun, streamed_file
from core.serving.addresses import base_url, site_address
from core.tables.files import CONTENT_TYPES, stream_plain_csv
from core.throttle import MINUTE, by_address, count_request, is_over_rate
from tournaments.changes.versions import print_of_versions
from tournaments.domain.amounts import in_kroner
from tournaments.exports.calendar import CONTENT_TYPE, calendar_of, entering_text, last_change
from tournaments.exports.result_tables import of_year, rating_table, results_table
from tournaments.hall.about import unlisted
from tournaments.hall.club import evenings_of, find_club, tournaments_of, visited_by
from tournaments.hall.live import find_tournament
from tournaments.hall.seasons import amount, find_season
from tournaments.lifecycle.fixtures import OF_MATCHES, matches_to_come, of_teams
from tournaments.lifecycle.money import podiums
from tournaments.models import Match, Season, ToldResult, Tournament
from tournaments.models.base import SAMPLE_REMOVED
from tournaments.people import visibility
from tournaments.people.person import bring_up_to_date
from tournaments.seasons.ladder_table import Asked, season_part
from tournaments.seasons.results import FIRSTS, tell_firsts
from tournaments.web.guards import language_asked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager

    from django.db.models import QuerySet
    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

    from tournaments.lifecycle.money import Podium
    from tournaments.seasons.ladder_table import Placed


# Responses to polling clients (feeds, calendars): language, conditional requests.

# Cache-Control max-age for proxies and clients, in seconds.
FRESH = 60


def in_its_language(request: HttpRequest, club: Club) -> AbstractContextManager[object]:
    """Activate the language in the URL, else the club's: feed readers send none of their own."""
    return translation.override(language_asked(request) or language_for(None, club))


def unless_known(
    request: HttpRequest,
    make: Callable[[], HttpResponseBase],
    about: bytes,
    changed: datetime | None,
    name: str = "",
) -> HttpResponseBase:
    """The response that is made, known by what it is `about`; nothing to who has it already.

    `name` is what a file of it is called.
    """
    etag = quote_etag(sha256(about).hexdigest()[:32])
    answer = get_conditional_response(request, etag=etag) or make()
    answer.headers["ETag"] = etag
    if changed:
        answer.headers["Last-Modified"] = http_date(changed.timestamp())
    if name:
        answer.headers["Content-Disposition"] = f'inline; filename="{name}"'
    patch_cache_control(answer, public=True, max_age=FRESH)
    return answer


# How often a minute one address may ask for what other programs ask for: feeds, embedded standings, tables.

if TYPE_CHECKING:
    View = Callable[..., HttpResponseBase]

# More than a school's worth of readers behind one address. A union's year as a table takes half a second of a core.
MOST = {"embed": 600, "feed": 600, "tables": 30}
TOO_MANY = 429


def so_many_a_minute(what: str) -> Callable[[View], View]:
    """Let one address ask this view for `what` (of `MOST`) so often a minute; a site that is published never waits."""

    def limit_rate(view: View) -> View:
        @wraps(view)
        def wrapper(request: HttpRequest, *args: object, **named: object) -> HttpResponseBase:
            if site_address(request):
                return view(request, *args, **named)
            asker = by_address(what, request.META.get("REMOTE_ADDR", ""))
            if is_over_rate(asker, most=MOST[what]):
                return HttpResponse(status=TOO_MANY, headers={"Retry-After": str(MINUTE)})
            count_request(asker)
            return view(request, *args, **named)

        return wrapper

    return limit_rate


# News of a club or union for the public: coming evenings, final results, seasons.
#
# Names follow the current privacy settings.

# Maximum numbers of entries: a client that polls once a week misses nothing.
MOST_COMING, MOST_OVER, MOST_SEASONS, MOST_NEWS = 40, 20, 6, 20
# How long after its last day a season is in the feed.
AFTER_A_SEASON = timedelta(days=120)
IN_PRINTS = "en"


@dataclass(frozen=True, slots=True)
class Piece:
    """`about` names it for ever; `lines` are plain text; `address` is that of its page here."""

    about: str
    kind: str
    title: str
    lines: Sequence[str]
    address: str
    published: datetime
    changed: datetime


def pieces_of(club: Club) -> list[Piece]:
    """The newest first."""
    found = [*_coming(club), *_matches(club), *_over(club), *_seasons(club), *_announcements(club)]
    return sorted(found, key=lambda piece: (piece.changed, piece.about), reverse=True)


def _coming(club: Club) -> Iterator[Piece]:
    """Evenings that are announced, and those of them that are called off."""
    off = Q(called_off_at__isnull=False) & ~Q(called_off_reason=SAMPLE_REMOVED)
    wanted = Q(state=Tournament.State.SETUP, called_off_at=None) | off
    coming = evenings_of(club).filter(wanted, date__gte=timezone.localdate()).order_by("date", "pk")
    for evening in coming[:MOST_COMING]:
        title = _evening_title(evening)
        yield Piece(
            f"coming {evening.code}",
            "coming",
            _("Called off: %(evening)s") % {"evening": title} if evening.is_called_off else title,
            _announced(evening),
            evening.get_absolute_url(),
            evening.created_at,
            evening.told_at or evening.created_at,
        )


def _matches(club: Club) -> Iterator[Piece]:
    """The next matches that are played on a day of their own, by day."""
    hosted = {league.pk: league for league in _leagues(club)}
    visited = {league.pk: league for league in visited_by(club)}
    own = Q(round__tournament__in=hosted) | of_teams(club) & Q(round__tournament__in=visited)
    leagues = hosted | visited
    coming = matches_to_come(Match.objects.filter(own), timezone.localdate())
    for pk, match in islice(coming, MOST_COMING):
        league = leagues[pk]
        yield Piece(
            f"match {league.code} {match.round} {match.number}",
            "coming",
            f"{match.name}, {date_format(match.day, 'DATE_FORMAT')}",
            [_("%(name)s, round %(round)d") % {"name": league.name, "round": match.round}, match.when],
            reverse("hall_matches", args=[league.code]),
            league.created_at,
            league.told_at or league.created_at,
        )


def _leagues(club: Club) -> QuerySet[Tournament]:
    """The club's tournaments of matches that are not over."""
    over = Q(state=Tournament.State.FINISHED) | Q(called_off_at__isnull=False)
    return tournaments_of(club).filter(format__in=OF_MATCHES).exclude(over)


def _evening_title(evening: Tournament) -> str:
    return f"{evening.name}, {date_format(evening.date, 'DATE_FORMAT')}"


def _announced(evening: Tournament) -> list[str]:
    """Host, place, time, fee, and the deadline of online entries; or the reason of a cancellation."""
    if evening.is_called_off:
        return [str(evening.host), evening.called_off_text]
    hour = time_format(evening.begins_at, "TIME_FORMAT") if evening.begins_at else ""
    said = [", ".join(filter(None, [str(evening.host), evening.place, hour]))]
    if evening.entry_fee:
        said.append(_("The entry fee is %(fee)s kroner.") % {"fee": in_kroner(evening.entry_fee)})
    return said + entering_of(evening)


def entering_of(evening: Tournament) -> list[str]:
    """The deadline of online entries, and the number of places, as text; "" where they are closed."""
    if not evening.from_home.is_on:
        return []
    closes = date_format(timezone.localtime(evening.entering_closes), "DATETIME_FORMAT")
    return entering_text(closes, evening.from_home.places)


def _over(club: Club) -> Iterator[Piece]:
    """Evenings whose results are final, with the first three."""
    over = tournaments_of(club).filter(state=Tournament.State.FINISHED).order_by("-date", "-pk")[:MOST_OVER]
    bring_up_to_date(Tournament.objects.filter(pk__in=list(over.values_list("pk", flat=True))))
    evenings = list(over)
    tell_firsts(evenings)
    ended = {evening.code: evening.finished_at or evening.created_at for evening in evenings}
    teams = {
        evening: podiums(evening) for evening in evenings if not evening.firsts and evening.teams.exists()
    }
    with translation.override(IN_PRINTS):
        # Names of divisions depend on the language, so these podiums are computed again in English.
        named = [evening for evening in teams if any(podium.name for podium in teams[evening])]
        in_english = teams | {evening: podiums(evening) for evening in named}
        printed = {
            f"result {evening.code}": (_firsts(evening, in_english), ended[evening.code])
            for evening in evenings
        }
    changed = _changed(printed)
    for evening in evenings:
        yield Piece(
            about := f"result {evening.code}",
            "result",
            _("Final: %(evening)s") % {"evening": _evening_title(evening)},
            [str(evening.host), *_firsts(evening, teams)],
            reverse("standings", args=[evening.code]),
            ended[evening.code],
            changed[about],
        )


def _firsts(evening: Tournament, teams: Mapping[Tournament, Sequence[Podium]]) -> list[str]:
    if evening.firsts:
        return [f"{first.place}. {', '.join(first.names)}" for first in evening.firsts]
    return [
        (f"{podium.name}: " if podium.name else "")
        + ", ".join(f"{place.rank_text}. {place.name}" for place in podium.places)
        for podium in teams.get(evening, ())
    ]


def _seasons(club: Club) -> Iterator[Piece]:
    """The state or result of the seasons of the club and its unions; without those with a running evening."""
    today, around = timezone.localdate(), club.itself_and_unions()
    lately = Season.objects.filter(host__in=around, starts__lte=today, ends__gte=today - AFTER_A_SEASON)
    over = Count("evenings", filter=Q(evenings__state=Tournament.State.FINISHED))
    begun = lately.annotate(finished=Max("evenings__finished_at"), over=over).filter(over__gt=0)
    told = []
    for season in begun.select_related("host")[:MOST_SEASONS]:
        part = season_part(season, Asked())
        first = [row for row in part.rows[: 2 * FIRSTS] if 0 < row.line.rank <= FIRSTS]
        if first and not part.provisional:
            began = timezone.make_aware(datetime.combine(season.starts, time()))
            told.append((season, len(part.days), first, began))
    with translation.override(IN_PRINTS):
        changed = _changed(
            {
                f"season {season.pk}": (_placed(first, season), season.finished or began)
                for season, _count, first, began in told
            }
        )
    for season, count, first, began in told:
        text = ngettext("%(season)s after %(count)d evening", "%(season)s after %(count)d evenings", count)
        yield Piece(
            f"season {season.host.slug} {season.pk}",
            "season",
            text % {"season": season.name, "count": count},
            [str(season.host), *_placed(first, season)],
            season.get_absolute_url(),
            began,
            changed[f"season {season.pk}"],
        )


def _placed(rows: Sequence[Placed], season: Season) -> list[str]:
    return [f"{row.line.rank}. {row.name} {amount(row.line.total, season)}" for row in rows]


def _announcements(club: Club) -> Iterator[Piece]:
    """Organisers' public news."""
    around = club.itself_and_unions()
    for news in News.objects.filter(club__in=around, is_public=True).select_related("club")[:MOST_NEWS]:
        yield Piece(
            f"news {news.club.slug} {news.pk}",
            "news",
            news.subject,
            news.text.splitlines(),
            reverse("hall_club", args=[news.club.slug]),
            news.written_at,
            news.written_at,
        )


def _changed(told: dict[str, tuple[list[str], datetime]]) -> dict[str, datetime]:
    """When each entry first had its current text; for entries never published, when it was settled.

    Fingerprints are computed in one language, so that a translation is no change.
    """
    known = {one.thing: one for one in ToldResult.objects.filter(thing__in=told)}
    new, when = [], {}
    for thing, (lines, settled) in told.items():
        print_now = sha256("\n".join(lines).encode()).hexdigest()
        before = known.get(thing)
        if before and before.print == print_now:
            when[thing] = before.changed_at
            continue
        when[thing] = timezone.now() if before else settled
        new.append(ToldResult(thing=thing, print=print_now, changed_at=when[thing]))
    if new:
        ToldResult.objects.bulk_create(
            new, update_conflicts=True, unique_fields=["thing"], update_fields=["print", "changed_at"]
        )
    return when


# Calendars: a club's, to subscribe to, and one evening's.

# How long after its day a cancelled evening stays in the feed.
REMEMBERED = timedelta(days=60)


@require_safe
def hall_calendar(request: HttpRequest, slug: str) -> HttpResponseBase:
    """The club's evenings, a union's with those of its clubs; lately called off, they say so."""
    club = find_club(slug)
    lately = Q(date__gte=timezone.localdate() - REMEMBERED) & ~Q(called_off_reason=SAMPLE_REMOVED)
    evenings = evenings_of(club).filter(Q(called_off_at=None) | lately).order_by("date", "pk")
    return _calendar(request, club, evenings, club.slug, visited_by(club).order_by("date", "pk"))


@require_safe
def hall_evening_calendar(request: HttpRequest, code: str) -> HttpResponseBase:
    """The iCalendar file of one evening."""
    tournament = find_tournament(code)
    alone = Tournament.objects.filter(pk=tournament.pk)
    return _calendar(request, tournament.host, alone, tournament.code)


def _calendar(
    request: HttpRequest,
    club: Club,
    evenings: QuerySet[Tournament],
    name: str,
    visited: QuerySet[Tournament] | None = None,
) -> HttpResponseBase:
    """The file, of which nothing is made for who polls and has it already."""
    base, (changed, state) = base_url(request), last_change(evenings)
    if visited is not None:
        of_visited, also = last_change(visited)
        changed, state = max(filter(None, (changed, of_visited)), default=None), (state, also)
    with in_its_language(request, club):
        program = settings.PRINT_OF_PROGRAM(), settings.TIME_ZONE
        about = program, get_language(), base, state, club.name, _clubs_around(club)

        def make() -> HttpResponseBase:
            pieces = begun(calendar_of(club, evenings, base, visited=visited))
            return StreamingHttpResponse(pieces, content_type=CONTENT_TYPE)

        return unless_known(request, make, repr(about).encode(), changed, f"{name}.ics")


# A club's or union's news as an Atom feed (RFC 4287).

FEED_CONTENT_TYPE = Atom1Feed.content_type
KEPT = 3600  # seconds; the cached value has its own validity
# Date of a feed without entries.
NEVER = datetime(2000, 1, 1, tzinfo=UTC)
# What no XML may have in it, and a file from elsewhere may.
NO_TEXT = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")


class Feed(Atom1Feed):
    def latest_post_date(self) -> datetime:
        """The newest entry's date; an empty feed has a fixed date, so that requests do not change it."""
        return super().latest_post_date() if self.items else NEVER


@require_safe
@so_many_a_minute("feed")
def hall_feed(request: HttpRequest, slug: str) -> HttpResponseBase:
    club = find_club(slug)
    with in_its_language(request, club):
        base, language = base_url(request), language_asked(request)
        told = sha256(repr((get_language(), base, language)).encode()).hexdigest()[:32]
        key, state = f"feed:{club.pk}:{told}", _state(club)
        kept: tuple[object, bytes, datetime] | None = cache.get(key)
        if kept is None or kept[0] != state:
            feed = _feed(club, pieces_of(club), base, language)
            kept = state, feed.writeString("utf-8").encode(), feed.latest_post_date()
            cache.set(key, kept, KEPT)
        _state_known, data, changed = kept
    return unless_known(request, lambda: HttpResponse(data, content_type=FEED_CONTENT_TYPE), data, changed)


def _state(club: Club) -> tuple[object, ...]:
    """The cache key of a feed: it changes with every change of the feed. Running events are not in it."""
    around = club.itself_and_unions()
    still = _still(evenings_of(club))
    seasons = Season.objects.filter(host__in=around).order_by()
    # At its union's seasons others play, too.
    beside = _still(Tournament.objects.filter(season__in=seasons.values("pk")))
    news = News.objects.filter(club__in=around, is_public=True).order_by()
    return (
        timezone.localdate(),
        _clubs_around(club),
        tuple(still.aggregate(Count("pk"), told=print_of_versions()).values()),
        tuple(beside.aggregate(Count("pk"), told=print_of_versions()).values()),
        tuple(seasons.aggregate(Count("pk"), Sum("version")).values()),
        tuple(news.aggregate(Count("pk"), Max("pk")).values()),
        tuple(_leagues(club).order_by().aggregate(Sum("pk"), Count("pk"), Sum("told_changes")).values()),
        tuple(visited_by(club).order_by().aggregate(Sum("pk"), Count("pk"), Sum("told_changes")).values()),
    )


def _clubs_around(club: Club) -> tuple[tuple[object, ...], ...]:
    """What is shown of the club, its unions and its clubs."""
    around = Q(pk__in=club.itself_and_unions()) | Q(pk__in=clubs_in(club))
    shown = Club.objects.filter(around).order_by("pk").values_list("pk", "name", "slug", "name_style")
    return tuple(shown)


def _still(evenings: QuerySet[Tournament]) -> QuerySet[Tournament]:
    return evenings.exclude(state=Tournament.State.RUNNING, called_off_at=None).order_by()


def _feed(club: Club, pieces: Sequence[Piece], base: str, language: str) -> Feed:
    asked = f"?l={language}" if language else ""
    feed = Feed(
        title=_plain(club.name),
        link=base + reverse("hall_club", args=[club.slug]),
        description="",
        subtitle=_("Upcoming evenings, results and news"),
        language=get_language(),
        author_name=_plain(club.name),
        feed_url=base + reverse("hall_feed", args=[club.slug]) + asked,
        feed_guid=_for_ever(f"club {club.pk} {club.slug}"),
    )
    for piece in pieces:
        feed.add_item(
            title=_plain(piece.title),
            link=base + piece.address,
            description="".join(f"<p>{escape(_plain(line))}</p>" for line in piece.lines if line.strip()),
            unique_id=_for_ever(piece.about),
            pubdate=piece.published,
            updateddate=piece.changed,
            categories=[piece.kind],
        )
    return feed


def _for_ever(about: str) -> str:
    """An identity that no move to another URL changes."""
    return uuid5(NAMESPACE_URL, f"spadille {about}").urn


def _plain(text: str) -> str:
    return NO_TEXT.sub("", text)


# Files for who counts by themselves: a club's rating list, and the results of a year or a season.

CSV = CONTENT_TYPES["csv"]


@require_safe
@so_many_a_minute("tables")
def hall_rating_file(_request: HttpRequest, slug: str) -> HttpResponseBase:
    club = find_club(slug)
    if not club.shows_rating:
        raise Http404
    data = stream_plain_csv(rating_table(club, timezone.localdate(), whole=False))
    return _allow_indexing(streamed_file(data, CSV, club.slug, "rating", kind="csv"), club)


@require_safe
@so_many_a_minute("tables")
def hall_results_file(_request: HttpRequest, slug: str, year: int) -> HttpResponseBase:
    """The evenings of a year that count on the club's pages."""
    club = find_club(slug)
    data = stream_plain_csv(results_table(of_year(visibility.evenings(club), year), whole=False))
    return _allow_indexing(streamed_file(data, CSV, club.slug, "results", year, kind="csv"), club)


@require_safe
@so_many_a_minute("tables")
def hall_season_results(_request: HttpRequest, pk: int) -> HttpResponseBase:
    season = find_season(pk)
    data = stream_plain_csv(results_table(season.evenings.all(), whole=False))
    return _allow_indexing(
        streamed_file(data, CSV, season.host.slug, "results", season.name, kind="csv"), season.host
    )


def _allow_indexing(answer: HttpResponseBase, club: Club) -> HttpResponseBase:
    """Allow indexing of a file if the club's history may be indexed, since it names the same people."""
    return answer if visibility.may_club_be_found(club) else unlisted(answer)
