"""Permissions at one tournament, season or championship: roles in its club, the hosting club, and officials.

Roles come first: officials are only queried for an account whose roles are not enough.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.models import Account, Club, Gives, Role
from clubs.register_models import clubs_in, unions_with
from clubs.roles import Visitor, clubs_of, may_help, may_organise
from core.errors import NotPossible
from core.sql import prepared_query
from tournaments.models import Championship, Official, Season, Stage, Tournament
from tournaments.models.officials import in_force

if TYPE_CHECKING:
    from tournaments.domain.halls import Hall

ORGANISER = Role.Kind.ORGANISER


@prepared_query
def _held_by(account: int) -> QuerySet[Official]:
    held = Official.objects.filter(account=account).order_by("pk")
    return held.select_related("tournament__host", "season__host", "championship__host")


def _officials(visitor: Visitor) -> list[Official]:
    """The visitor's official roles that are in force now."""
    now = timezone.now()
    return in_force(_held_by(visitor.pk), now) if visitor.is_authenticated else []


@prepared_query
def _unions_organising(club: int) -> QuerySet[Club, int]:
    """The primary keys of the unions that a club gives everything."""
    unions = unions_with(club, gives=Gives.EVERYTHING)
    return Club.objects.filter(pk__in=unions).order_by().values_list("pk", flat=True)


def _kinds_at(visitor: Visitor, tournament: Tournament) -> set[str]:
    """The roles of an official at a tournament: its own, or those of its season or championship.

    A union's season can have evenings of clubs that do not let the union organise: its officials may not either.
    """
    kinds = set()
    for one in _officials(visitor):
        if one.tournament_id:
            is_of_it = one.tournament_id == tournament.pk and not one.hall
        elif one.season_id:
            is_of_it = one.season_id == tournament.season_id
        else:
            stage = tournament.stage
            is_of_it = stage is not None and stage.championship_id == one.championship_id
        host = one.subject.host_id
        if is_of_it and (host == tournament.host_id or host in _unions_organising(tournament.host_id)):
            kinds.add(one.kind)
    return kinds


def hall_to_help_in(visitor: Visitor, tournament: Tournament) -> Hall | None:
    """The hall whose tables a visitor may see and help at, by the role of an official in that hall alone."""
    names = {one.hall for one in _officials(visitor) if one.hall and one.tournament_id == tournament.pk}
    return next((hall for hall in tournament.hall_list if hall.name in names), None) if names else None


def kinds_of_season(visitor: Visitor, pk: int) -> set[str]:
    """The roles of an official of a season, by its primary key."""
    return {one.kind for one in _officials(visitor) if one.season_id == pk}


def kinds_of_championship(visitor: Visitor, pk: int) -> set[str]:
    """The roles of an official of a championship, by its primary key."""
    return {one.kind for one in _officials(visitor) if one.championship_id == pk}


def may_organise_tournament(visitor: Visitor, tournament: Tournament) -> bool:
    """Whether a visitor may do everything at a tournament's desk."""
    if may_organise(visitor, tournament.host):
        return True
    held_by = tournament.held_by if tournament.held_by_organises else None
    if held_by and may_organise(visitor, held_by):
        return True
    return ORGANISER in _kinds_at(visitor, tournament)


def may_help_at(visitor: Visitor, tournament: Tournament) -> bool:
    """Whether a visitor may open a tournament's desk at all."""
    return may_help(visitor, tournament.host, tournament.held_by) or bool(_kinds_at(visitor, tournament))


def may_organise_season(visitor: Visitor, season: Season) -> bool:
    return may_organise(visitor, season.host) or ORGANISER in kinds_of_season(visitor, season.pk)


def officials_with_rights(account: Account) -> list[Official]:
    """An account's roles as an official that give it rights now, in the order of their subjects' beginning."""
    return sorted(_officials(account), key=lambda one: (one.begins, one.pk))


def tournaments_of(account: Account) -> QuerySet[Tournament]:
    """The tournaments whose desk an account may open."""
    clubs = clubs_of(account).order_by().values("pk")
    mine = Q(host__in=clubs) | Q(held_by__in=clubs)
    for held in _officials(account):
        if held.tournament_id:
            mine |= Q(pk=held.tournament_id)
            continue
        of = held.subject
        hosts = Club.objects.filter(
            Q(pk=of.host_id) | Q(pk__in=clubs_in(of.host_id, gives=Gives.EVERYTHING))
        ).values("pk")
        if isinstance(of, Season):
            mine |= Q(season=of, host__in=hosts)
        elif isinstance(of, Championship):
            stages = Stage.objects.filter(championship=of).order_by().values("pk")
            mine |= Q(stage__in=stages, host__in=hosts)
    return Tournament.objects.filter(mine)


def refuse_to_take_in(account: Account, host: Club, tournaments: Iterable[Tournament]) -> None:
    """Raise NotPossible if an official takes a tournament into a season or championship that is not theirs.

    Else they would become its organiser by that.
    """
    if may_organise(account, host):
        return
    for tournament in tournaments:
        if not may_organise_tournament(account, tournament):
            text = _("Only an organiser of “%(tournament)s” can take it in here.")
            raise NotPossible(text % {"tournament": tournament.name})


def colleagues_for(of: Tournament | Season | Championship, visitor: Account) -> QuerySet[Account]:
    """The accounts to choose an official from: with a role in the host, its unions or clubs, or the hosting club.

    A visitor who does not organise the host by a role is shown those of the host and of their own clubs alone; others
    they invite by user name.
    """
    clubs = Q(pk=of.host_id) | Q(pk__in=unions_with(of.host_id, gives=Gives.EVERYTHING))
    clubs |= Q(pk__in=clubs_in(of.host_id, gives=Gives.EVERYTHING))
    if isinstance(of, Tournament):
        clubs |= Q(pk=of.held_by_id)
    if not may_organise(visitor, of.host):
        clubs &= Q(pk=of.host_id) | Q(pk__in=clubs_of(visitor).order_by().values("pk"))
    known = Role.objects.filter(club__in=Club.objects.filter(clubs).order_by().values("pk"))
    accounts = Account.objects.filter(pk__in=known.order_by().values("account"), is_active=True)
    return accounts.order_by("first_name", "last_name", "username")


def has_by_role(account: Account, of: Tournament | Season | Championship, kind: str) -> bool:
    """Whether an account may do as much as an official of this kind already, by its roles."""
    clubs: Collection[Club | None] = [of.host]
    if isinstance(of, Tournament) and kind == Role.Kind.HELPER:
        clubs = [of.host, of.held_by]
    return may_organise(account, of.host) if kind == ORGANISER else may_help(account, *clubs)
