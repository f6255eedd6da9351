"""Pieces of news of a club or a union, as everybody may read them: what comes, what is final, how a season stands.

Names stand in them as the hall shows them, and as it shows them now.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, time, timedelta
from hashlib import sha256
from typing import TYPE_CHECKING

from django.db.models import Q
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.formats import date_format, time_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.models import News
from tournaments.domain.amounts import in_kroner
from tournaments.exports.calendar import entering_said
from tournaments.hall.club import evenings_of, tournaments_of
from tournaments.hall.season import amount
from tournaments.lifecycle.money import podiums
from tournaments.models import Season, ToldResult, Tournament
from tournaments.models.base import SAMPLE_REMOVED
from tournaments.people.person import bring_up_to_date
from tournaments.seasons.ladder_table import Asked, season_part
from tournaments.seasons.results import FIRSTS, tell_firsts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from clubs.models import Club
    from tournaments.seasons.ladder_table import Placed

# At most so many of each: who asks once a week misses nothing.
MOST_COMING, MOST_OVER, MOST_SEASONS, MOST_NEWS = 40, 20, 6, 20
# So long after its last day a season is still told of.
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
    found = [*_coming(club), *_over(club), *_seasons(club), *_written(club)]
    return sorted(found, key=lambda piece: (piece.changed, piece.about), reverse=True)


def _coming(club: Club) -> Iterator[Piece]:
    """Evenings that are announced, and those of them that are called off."""
    off = Q(called_off_at__isnull=False) & ~Q(called_off_reason=SAMPLE_REMOVED)
    wanted = Q(state=Tournament.State.SETUP, called_off_at=None) | off
    coming = evenings_of(club).filter(wanted, date__gte=timezone.localdate()).order_by("date", "pk")
    for evening in coming[:MOST_COMING]:
        title = _named(evening)
        yield Piece(
            f"coming {evening.code}",
            "coming",
            _("Called off: %(evening)s") % {"evening": title} if evening.is_called_off else title,
            _announced(evening),
            evening.get_absolute_url(),
            evening.created_at,
            evening.told_at or evening.created_at,
        )


def _named(evening: Tournament) -> str:
    return f"{evening.name}, {date_format(evening.date, 'DATE_FORMAT')}"


def _announced(evening: Tournament) -> list[str]:
    """Who holds it, when and where, for what fee, and until when one can enter from home; or why it is called off."""
    if evening.is_called_off:
        return [str(evening.host), evening.called_off_said]
    hour = time_format(evening.begins_at, "TIME_FORMAT") if evening.begins_at else ""
    said = [", ".join(filter(None, [str(evening.host), evening.place, hour]))]
    if evening.entry_fee:
        said.append(_("The entry fee is %(fee)s kroner.") % {"fee": in_kroner(evening.entry_fee)})
    return said + entering_of(evening)


def entering_of(evening: Tournament) -> list[str]:
    """Until when one can enter it from home, and for how many there is room; nothing where one cannot."""
    if not evening.from_home.is_on:
        return []
    closes = date_format(timezone.localtime(evening.entering_closes), "DATETIME_FORMAT")
    return entering_said(closes, evening.from_home.places)


def _over(club: Club) -> Iterator[Piece]:
    """Evenings whose results are final, with the first three."""
    over = tournaments_of(club).filter(state=Tournament.State.FINISHED).order_by("-date", "-pk")[:MOST_OVER]
    bring_up_to_date(Tournament.objects.filter(pk__in=list(over.values_list("pk", flat=True))))
    evenings = list(over)
    tell_firsts(evenings)
    ended = {evening.code: evening.finished_at or evening.created_at for evening in evenings}
    with translation.override(IN_PRINTS):
        printed = {f"result {evening.code}": (_firsts(evening), ended[evening.code]) for evening in evenings}
    changed = _changed(printed)
    for evening in evenings:
        yield Piece(
            about := f"result {evening.code}",
            "result",
            _("Final: %(evening)s") % {"evening": _named(evening)},
            [str(evening.host), *_firsts(evening)],
            reverse("standings", args=[evening.code]),
            ended[evening.code],
            changed[about],
        )


def _firsts(evening: Tournament) -> list[str]:
    if evening.firsts:
        return [f"{place}. {', '.join(names)}" for place, names in evening.firsts]
    if not evening.teams.exists():
        return []
    return [
        (f"{podium.name}: " if podium.name else "")
        + ", ".join(f"{place.said}. {place.name}" for place in podium.places)
        for podium in podiums(evening)
    ]


def _seasons(club: Club) -> Iterator[Piece]:
    """How the club's seasons stand, its union's too, or how they ended; not while an evening of theirs is played."""
    today, around = timezone.localdate(), [club.pk, *([club.union_id] if club.union_id else [])]
    lately = Season.objects.filter(host__in=around, starts__lte=today, ends__gte=today - AFTER_A_SEASON)
    for season in lately.select_related("host")[:MOST_SEASONS]:
        part = season_part(season, Asked())
        first = [row for row in part.rows[: 2 * FIRSTS] if 0 < row.line.rank <= FIRSTS]
        if not first or part.provisional:
            continue
        last = season.evenings.filter(finished_at__isnull=False).order_by("-finished_at").first()
        began = timezone.make_aware(datetime.combine(season.starts, time()))
        ended = (last and last.finished_at) or began
        with translation.override(IN_PRINTS):
            changed = _changed({f"season {season.pk}": (_placed(first, season), ended)})
        count = len(part.days)
        text = ngettext("%(season)s after %(count)d evening", "%(season)s after %(count)d evenings", count)
        yield Piece(
            f"season {season.host.slug} {season.pk}",
            "season",
            text % {"season": season.name, "count": count},
            [str(season.host), *_placed(first, season)],
            season.get_absolute_url(),
            began,
            *changed.values(),
        )


def _placed(rows: Sequence[Placed], season: Season) -> list[str]:
    return [f"{row.line.rank}. {row.name} {amount(row.line.total, season)}" for row in rows]


def _written(club: Club) -> Iterator[Piece]:
    """What organisers have written to everybody."""
    around = [club.pk, *([club.union_id] if club.union_id else [])]
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
    """When each thing was told first as it is told now: what has never been told, when it was settled.

    What is told is in the language of prints, so that it is no news in another.
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
