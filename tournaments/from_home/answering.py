"""What people do with their own link: say yes, say no, withdraw, enter again. The organiser does the same for them."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from core.errors import NotPossible
from core.text import tidy
from tournaments.changes.locks import locked
from tournaments.changes.log import write_down
from tournaments.entries.entering import leave_from_home
from tournaments.entries.teams import Lineup, change_team, dissolve
from tournaments.from_home import telling
from tournaments.from_home.opening import refuse_when_over, why_closed
from tournaments.from_home.parties import (
    GONE,
    State,
    again,
    entry_of,
    entry_of_player,
    head_of,
    leave_party,
    party_of,
    set_state,
)
from tournaments.from_home.places import move_up, settle
from tournaments.from_home.strangers import LONGEST_GUEST_NAME, has_address
from tournaments.models import Application, Team

if TYPE_CHECKING:
    from datetime import datetime

    from clubs.models import Account

# How long the link in a mail can be said yes by; afterwards one asks for another.
LASTS = timedelta(hours=48)


@transaction.atomic
def say_yes(
    application: Application, *, now: datetime, name: str = "", account: Account | None = None
) -> Application:
    """It is them, and they come. Saying it twice is saying it once.

    Raises NotPossible at `name` for a guest who has not said what they are called, where they play with others already,
    and, but for the organiser (`account`), where entering is closed or the link is too old.
    """
    application.tournament = locked(application.tournament)
    application = again(application)
    if application.yes_at and application.is_live:
        return application
    if application.state in GONE:
        raise NotPossible(_("You have withdrawn. Enter again below."))
    if account is None:
        _refuse_when_closed(application, now)
        if not application.link_proves:
            raise NotPossible(_("The organiser accepts for you, or gives you a code."))
    if not application.is_known:
        application.name = _guests_name(name)
    stand_by_this_alone(application)
    application.yes_at = now
    application.state = State.PENDING
    application.save(update_fields=["yes_at", "state", "name"])
    text, told = gettext_noop("{player} asks for a place"), {"player": application}
    if application.lead:
        text, told = gettext_noop("{player} plays with {other}"), told | {"other": application.lead}
    write_down(application.tournament, account, text, now=now, about=(), **told)
    head = head_of(application)
    if application.lead is None:
        _ask_partners(application, now)
    settle(head, now=now, account=account)
    return again(application)


def _refuse_when_closed(application: Application, now: datetime) -> None:
    if problem := why_closed(application.tournament, now):
        raise NotPossible(problem)
    if application.lead is None and application.sent_at and application.sent_at + LASTS < now:
        raise NotPossible(_("This link was valid for two days. Request another on the page of the evening."))


def _guests_name(typed: str) -> str:
    name = tidy(typed)
    if not name:
        raise NotPossible(_("Type your name."), "name")
    if len(name) > LONGEST_GUEST_NAME:
        raise NotPossible(
            _("The name is longer than %(most)d characters.") % {"most": LONGEST_GUEST_NAME}, "name"
        )
    if has_address(name):
        raise NotPossible(_("A name cannot contain a web or email address."), "name")
    return name


def stand_by_this_alone(application: Application) -> None:
    """What else they have asked for, alone, is this one now. Raises NotPossible where others count on them there."""
    entry = entry_of_player(application)
    if entry and entry.team and len(party_of(head_of(application))) > 1:
        raise NotPossible(_("You already play in %(team)s. Withdraw there first.") % {"team": entry.team})
    if application.player is None:
        return
    others = Application.objects.filter(
        tournament=application.tournament, player=application.player, yes_at__isnull=False
    ).exclude(state__in=GONE)
    for other in others.exclude(pk=application.pk).select_related("lead"):
        other.tournament = application.tournament
        if len(party_of(head_of(other))) > 1:
            raise NotPossible(_("You have already accepted others. Withdraw there first."))
        Application.objects.filter(pk=other.pk).update(state=State.WITHDRAWN, entry=None)
    # Whoever else has typed their number or name has not proved to be them.
    unproved = Application.objects.filter(
        tournament=application.tournament, player=application.player, yes_at=None, lead=None
    )
    unproved.exclude(state__in=GONE).exclude(pk=application.pk).update(state=State.WITHDRAWN)


def _ask_partners(application: Application, now: datetime) -> None:
    for partner in party_of(application)[1:]:
        if not partner.sent_at and telling.send_link(partner, telling.EntryPartner.code):
            partner.sent_at, partner.sent_count = now, partner.sent_count + 1
            partner.save(update_fields=["sent_at", "sent_count"])


@transaction.atomic
def withdraw(
    application: Application,
    *,
    now: datetime,
    all_of_them: bool = False,
    account: Account | None = None,
    state: str = State.WITHDRAWN,
) -> Application:
    """Give up the place, or the wish for one; of a pair or team alone, or `all_of_them`. Who waits longest comes in.

    Raises NotPossible once seats are drawn.
    """
    tournament = application.tournament = locked(application.tournament)
    application = again(application)
    refuse_when_over(tournament)
    if application.state in GONE:
        return application
    all_of_them = all_of_them and (account is not None or application.yes_at is not None)
    party = party_of(head_of(application))
    going = party if all_of_them else [application]
    rest = None if all_of_them else leave_party(application)
    entries = [entry for one in going if (entry := entry_of(one))]
    for team in {entry.team for entry in entries if entry.team}:
        _without(team, {entry.pk for entry in entries}, now=now, account=account)
    for entry in entries:
        leave_from_home(entry, account=account, now=now)
    set_state(going, state)
    for one in going:
        if entry_of(one) is None and one.entry is None:
            _write_down(one, state, now=now, account=account)
    if rest is not None:
        rest.tournament = tournament
        telling.tell(party_of(rest), "partner_gone")
        if rest.state == State.PENDING:
            settle(rest, now=now, account=account)
    move_up(tournament, now=now, account=account)
    return again(application)


def _write_down(application: Application, state: str, *, now: datetime, account: Account | None) -> None:
    text = (
        gettext_noop("{player} is declined")
        if state == State.DECLINED
        else gettext_noop("{player} no longer asks for a place")
    )
    write_down(application.tournament, account, text, now=now, player=application)


def _without(team: Team, gone: set[int], *, now: datetime, account: Account | None) -> None:
    """A pair that has lost one is none; a team goes on with who is left."""
    rest = [entry for entry in team.members.select_related("player", "club") if entry.pk not in gone]
    regular = [entry for entry in rest if not entry.reserve]
    if len(regular) < 2:  # noqa: PLR2004 - nobody to play with
        dissolve(team, account=account, now=now)
        return
    lineup = Lineup(
        name=team.name,
        club=team.club,
        division=team.division,
        members=regular,
        reserves=[entry for entry in rest if entry.reserve],
    )
    change_team(team, lineup, account=account, now=now)


@transaction.atomic
def enter_again(application: Application, *, now: datetime, account: Account | None = None) -> Application:
    """Who has withdrawn asks once more, behind all who wait; the organiser puts them where they were.

    Raises NotPossible where the organiser has declined, and where entering is closed.
    """
    application.tournament = locked(application.tournament)
    application = again(application)
    if application.state not in GONE:
        return application
    if account is None:
        if application.state == State.DECLINED:
            raise NotPossible(_("The organiser has declined. Contact them."))
        if problem := why_closed(application.tournament, now):
            raise NotPossible(problem)
        application.turn = application.let_in_at = None
    else:
        refuse_when_over(application.tournament)
        application.let_in_at = now
    if application.lead is not None and application.lead.state in GONE:
        application.lead = None
    stand_by_this_alone(application)
    if account is not None or application.link_proves:
        application.yes_at = application.yes_at or now
    application.state = State.PENDING
    application.save(update_fields=["turn", "let_in_at", "lead", "yes_at", "state"])
    text = gettext_noop("{player} asks for a place again")
    write_down(application.tournament, account, text, now=now, player=application)
    settle(head_of(application), now=now, account=account)
    return again(application)
