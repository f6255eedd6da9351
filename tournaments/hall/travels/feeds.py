"""A club's or a union's news as an Atom feed (RFC 4287), for whoever follows it with a program of their own."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from hashlib import sha256
from typing import TYPE_CHECKING
from uuid import NAMESPACE_URL, uuid5

from django.core.cache import cache
from django.db.models import Count, Max, Q, Sum
from django.urls import reverse
from django.utils import timezone
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import escape
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs.models import Club, News
from core.serving.addresses import base_url
from tournaments.changes.versions import print_of_versions
from tournaments.hall.club import evenings_of, find_club
from tournaments.hall.travels.answering import in_its_language, unless_known
from tournaments.hall.travels.pieces import pieces_of
from tournaments.hall.travels.throttled import so_many_a_minute
from tournaments.models import Season, Tournament
from tournaments.web.lookup import language_asked

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.db.models import QuerySet
    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

    from tournaments.hall.travels.pieces import Piece

CONTENT_TYPE = Atom1Feed.content_type
KEPT = 3600  # seconds; what is kept says itself for what it holds
# When a feed changed last in which nothing stands yet.
NEVER = datetime(2000, 1, 1, tzinfo=UTC)
# What no XML may have in it, and a file from elsewhere may.
NO_TEXT = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")


class Feed(Atom1Feed):
    def latest_post_date(self) -> datetime:
        """Of an empty feed it is no news that somebody asks for it."""
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
    return unless_known(request, kept[1], CONTENT_TYPE, kept[2])


def _state(club: Club) -> tuple[object, ...]:
    """What the feed hangs on: whenever another would be made, this is another. What is being played is not in it."""
    around = Q(pk=club.pk) | Q(union=club.pk) | Q(pk=club.union_id or 0)
    clubs = Club.objects.filter(around).order_by("pk").values_list("pk", "name", "slug", "name_style")
    still = _still(evenings_of(club))
    seasons = Season.objects.filter(host__in=[club.pk, club.union_id or 0]).order_by()
    # At its union's seasons others play, too.
    beside = _still(Tournament.objects.filter(season__in=seasons.values("pk")))
    news = News.objects.filter(club__in=[club.pk, club.union_id or 0], is_public=True).order_by()
    return (
        timezone.localdate(),
        tuple(clubs),
        tuple(still.aggregate(Count("pk"), told=print_of_versions()).values()),
        tuple(beside.aggregate(Count("pk"), told=print_of_versions()).values()),
        tuple(seasons.aggregate(Count("pk"), Sum("version")).values()),
        tuple(news.aggregate(Count("pk"), Max("pk")).values()),
    )


def _still(evenings: QuerySet[Tournament]) -> QuerySet[Tournament]:
    return evenings.exclude(state=Tournament.State.RUNNING, called_off_at=None).order_by()


def _feed(club: Club, pieces: Sequence[Piece], base: str, language: str) -> Feed:
    asked = f"?l={language}" if language else ""
    feed = Feed(
        title=_plain(club.name),
        link=base + reverse("hall_club", args=[club.slug]),
        description="",
        subtitle=_("Coming evenings, results and news"),
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
    """An identity that no move to another address changes."""
    return uuid5(NAMESPACE_URL, f"spadille {about}").urn


def _plain(text: str) -> str:
    return NO_TEXT.sub("", text)
