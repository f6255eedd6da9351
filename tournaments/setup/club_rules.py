"""A club's own rules: which may be chosen for a tournament, and whether it still plays by those it names."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from clubs.models import Club
from tournaments.models import ClubRules, Tournament


def rules_offered(hosts: QuerySet[Club]) -> list[ClubRules]:
    """The own rules of the clubs that somebody may set tournaments up for, and of their unions."""
    found = ClubRules.objects.filter(Q(club__in=hosts) | Q(club__clubs__in=hosts))
    return list(found.select_related("club").distinct().order_by("club__name", "name"))


def chosen_as(tournament: Tournament, offered: Iterable[ClubRules]) -> str:
    """What stands for a tournament's rules in a choice of rulebooks and own rules."""
    own = next((rules for rules in offered if _are_its(rules, tournament)), None)
    return own.choice if own else tournament.rulebook


def _are_its(rules: ClubRules, tournament: Tournament) -> bool:
    clubs = (tournament.host_id, tournament.host.union_id)
    return (rules.name, rules.rulebook) == (
        tournament.rules_name,
        tournament.rulebook,
    ) and rules.club_id in clubs


def unlike_their_name(tournament: Tournament) -> list[str]:
    """What an organiser may want to know: the club means something else by the name of these rules."""
    clubs = Q(club=tournament.host_id) | Q(club=tournament.host.union_id)
    meant = list(ClubRules.objects.filter(clubs, name=tournament.rules_name))
    if not meant or any(_is_played(rules, tournament) for rules in meant):
        return []
    said = _("This tournament’s rules differ from what the club has saved as “%(name)s”.")
    return [said % {"name": tournament.rules_name}]


def _is_played(rules: ClubRules, tournament: Tournament) -> bool:
    """Whether the tournament has what is stored; options that the rulebook has got since do not count."""
    return rules.rulebook == tournament.rulebook and rules.options.items() <= tournament.options.items()
