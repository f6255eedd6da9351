"""What a club does with a season: makes it, changes it, chooses its evenings, gives awards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import F, Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from clubs.clubs import write_down
from clubs.models import Club
from core.errors import NotPossible
from tournaments.changes.locks import hold_each
from tournaments.models import Award, Entry, Season, Tournament

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping
    from datetime import datetime

    from clubs.models import Account


def seasons_for(hosts: Iterable[Club]) -> Q:
    """Seasons that a tournament of one of these hosts may belong to: the host's own, and its union's."""
    ids = {club.pk for club in hosts} | {club.union_id for club in hosts if club.union_id}
    return Q(host__in=ids)


def evenings_for(season: Season) -> list[Tournament]:
    """The tournaments that could be evenings of the season, and those that are; by date."""
    hosts = Club.objects.filter(Q(pk=season.host_id) | Q(union=season.host_id))
    in_none = Q(season=None) | Q(season__removed_at__isnull=False)
    within = in_none & Q(host__in=hosts, date__range=(season.starts, season.ends))
    found = Tournament.objects.not_called_off().filter(within | Q(season=season))
    return list(found.select_related("host").order_by("date", "pk"))


@transaction.atomic
def store(season: Season, values: Mapping[str, object], *, account: Account, now: datetime) -> Season:
    """Make a season, or change it."""
    for name, value in values.items():
        setattr(season, name, value)
    text = (
        gettext_noop("Changed the season “{season}”")
        if season.pk
        else gettext_noop("Made the season “{season}”")
    )
    season.version += 1
    season.save()
    write_down(season.host, account, text, now=now, season=season)
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
    """Let exactly these tournaments, by their codes, be the evenings of the season. Raises NotPossible.

    `seen` are those that the page showed as its evenings: what somebody else has chosen or left out since stays.
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
    hold_each(one.pk for one in changed)
    for tournament in changed:
        wanted = None if tournament.season_id == season.pk else season
        Tournament.objects.filter(pk=tournament.pk).update(season=wanted, version=F("version") + 1)
    text = gettext_noop("Chose the evenings of “{season}”")
    write_down(season.host, account, text, now=now, season=season)
    announce(season)


@transaction.atomic
def give_award(
    season: Season, *, title: str, player: int, words: str, account: Account, now: datetime
) -> Award:
    """Give a title to a player of the season, by the primary key. Raises NotPossible for anybody else."""
    played = Entry.objects.filter(tournament__season=season, player=player)
    entry = played.select_related("player").first()
    if entry is None:
        raise NotPossible(_("Awards go to people who have played in the season."), "player")
    last = season.awards.count()
    award = Award.objects.create(
        season=season, title=title, player=entry.player, words=words, number=last + 1
    )
    text = gettext_noop("“{season}”: the award “{title}” goes to {player}")
    write_down(season.host, account, text, now=now, season=season, title=title, player=entry.player)
    announce(season)
    return award


@transaction.atomic
def take_award_back(award: Award, *, account: Account, now: datetime) -> None:
    text = gettext_noop("“{season}”: withdrew the award “{title}”")
    write_down(award.season.host, account, text, now=now, season=award.season, title=award.title)
    award.delete()
    announce(award.season)


def announce(season: Season) -> None:
    Season.objects.filter(pk=season.pk).update(version=F("version") + 1)
