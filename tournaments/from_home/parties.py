"""Those who would play together: who asked, and the partners they named. Who asks alone is a party of one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Max, Q

from tournaments.models import Application, Entry

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.models import Tournament

State = Application.State
GONE = (State.WITHDRAWN, State.DECLINED)


def again(application: Application) -> Application:
    """As it stands now; its tournament is held by the caller."""
    found = Application.objects.select_related("player", "club", "lead", "entry__player", "entry__club")
    stands = found.get(pk=application.pk)
    stands.tournament = application.tournament
    return stands


def head_of(application: Application) -> Application:
    """Who asked for all of them."""
    if application.lead is None:
        return application
    application.lead.tournament = application.tournament
    return application.lead


def party_of(head: Application) -> list[Application]:
    """All who are still of it, who asked first."""
    together = Application.objects.filter(Q(pk=head.pk) | Q(lead=head)).exclude(state__in=GONE)
    found = list(together.select_related("player", "club", "entry__player", "entry__club").order_by("number"))
    for one in found:
        one.tournament = head.tournament
    return sorted(found, key=lambda one: one.pk != head.pk)


def next_number(tournament: Tournament) -> int:
    """The caller holds the tournament."""
    return (tournament.applications.aggregate(last=Max("number"))["last"] or 0) + 1


def next_turn(tournament: Tournament) -> int:
    return (tournament.applications.aggregate(last=Max("turn"))["last"] or 0) + 1


def set_state(party: Sequence[Application], state: str) -> None:
    for one in party:
        one.state = state
    Application.objects.filter(pk__in=[one.pk for one in party]).update(state=state)


def without_place(party: Sequence[Application]) -> int:
    """How many of them a place has to be found for: who is entered has one."""
    return len(party) - sum(entry_of(one) is not None for one in party)


def entry_of(application: Application) -> Entry | None:
    """The entry by which they have a place; None also where they have withdrawn from it.

    None, too, for who has not said yes: whoever typed somebody's number holds a link, and nobody's entry.
    """
    return entry_of_player(application) if application.yes_at else None


def entry_of_player(application: Application) -> Entry | None:
    """The same of whoever is meant, whether they have said yes or not."""
    if application.player_id is None:
        return None
    there = Entry.objects.filter(tournament=application.tournament_id, player=application.player_id)
    return there.exclude(status=Entry.Status.WITHDRAWN).select_related("player", "club", "team").first()


def leave_party(application: Application) -> Application | None:
    """Let somebody stand alone; who is left of their party, by its head, where anybody is."""
    head = head_of(application)
    rest = [one for one in party_of(head) if one.pk != application.pk]
    if application.lead_id is not None:
        application.lead = None
        application.save(update_fields=["lead"])
        return head
    if not rest:
        return None
    first, others = rest[0], rest[1:]
    first.lead, first.turn, first.let_in_at = None, application.turn, application.let_in_at
    first.team_name = application.team_name
    first.save(update_fields=["lead", "turn", "let_in_at", "team_name"])
    Application.objects.filter(pk__in=[one.pk for one in others]).update(lead=first)
    application.partners.exclude(pk__in=[one.pk for one in others]).update(lead=None)
    return first
