"""Clubs enter teams in a union's tournament until a deadline; the union's desk accepts, declines and rules.

Each step locks the tournament, so that two phones take turns, and one place alone decides whether the deadline has
passed: `is_open`, by the clock of the database.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Max, Q
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from clubs.models import Club
from clubs.register_models import clubs_in, unions_with
from core.errors import NotPossible, clean_reason
from core.log_messages import author_name
from core.text import clean_text
from tournaments.changes.locks import locked
from tournaments.changes.log import write_down
from tournaments.entries.bulk import enter_all
from tournaments.entries.teams import (
    Lineup,
    bring_team_back,
    change_team,
    dissolve,
    is_open,
    make_team,
    withdraw_team,
)
from tournaments.lifecycle.league_mail import post_about_entry
from tournaments.models import Entry, TeamEntry, TeamEntryLink, TeamEntryPlayer, TeamEntryRuling, Tournament
from tournaments.models.names import NAME_LENGTH
from tournaments.models.play import make_secret

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from django.db.models import QuerySet

    from clubs.models import Account, Player
    from tournaments.models import Team

# Entries in a tournament, and those of one club: withdrawn and declined ones count, too.
MOST_OF_TOURNAMENT, MOST_OF_CLUB = 300, 30


@dataclass(frozen=True)
class EnteredTeam:
    """Input for a team's entry: who plays, the reserves, and the captain, who is one of them."""

    name: str = ""
    place: str = ""
    captain: Player | None = None
    players: Sequence[Player] = field(default=())
    reserves: Sequence[Player] = field(default=())


# The deadline, and how many of a club there may be.


def why_closed(tournament: Tournament) -> str:
    """Why a club cannot enter or change a team now, in words; "" where it can."""
    if tournament.is_called_off or tournament.is_finished:
        return _("The tournament is over.")
    if tournament.teams_until is None:
        return _("Clubs do not enter their teams themselves here: ask the organiser.")
    if not is_open(tournament):
        text = _("The deadline was %(until)s. Only the union’s organisers can change anything now.")
        until = date_format(timezone.localtime(tournament.teams_until), "DATETIME_FORMAT")
        return text % {"until": until}
    return ""


@transaction.atomic
def set_deadline(
    tournament: Tournament,
    *,
    teams_until: datetime | None,
    most_of_club: int,
    account: Account,
    now: datetime,
) -> None:
    """Let clubs enter teams until a moment, None for never; and say how many of a club may be in a division."""
    tournament = locked(tournament)
    if tournament.is_finished:
        raise NotPossible(_("The tournament is finished."))
    if (tournament.teams_until, tournament.most_of_club) == (teams_until, most_of_club):
        return
    tournament.teams_until, tournament.most_of_club = teams_until, most_of_club
    tournament.save(update_fields=["teams_until", "most_of_club"])
    if teams_until is None:
        text = gettext_noop(
            "Clubs do not enter teams; at most {most} of a club in a division (0: any number)"
        )
        write_down(tournament, account, text, now=now, about=[tournament], most=most_of_club)
    else:
        text = gettext_noop(
            "Clubs enter teams until {until}; at most {most} of a club in a division (0: any number)"
        )
        said = {"until": teams_until, "most": most_of_club}
        write_down(tournament, account, text, now=now, about=[tournament], **said)


def clubs_that_enter(tournament: Tournament) -> QuerySet[Club]:
    """The clubs whose teams can be entered: those of the union, and the host itself."""
    of_union = clubs_in(tournament.host_id)
    return Club.objects.filter(Q(pk__in=of_union) | Q(pk=tournament.host_id)).order_by("name")


def tournaments_open_to(club: Club) -> QuerySet[Tournament]:
    """The tournaments in which a club enters teams, or has entered some, that are not over; the first day first."""
    hosts = Q(host__in=[club.pk, *unions_with(club).values_list("union", flat=True)])
    found = Tournament.objects.not_called_off().exclude(state=Tournament.State.FINISHED)
    found = found.filter(hosts, teams_until__isnull=False)
    return found.select_related("host").order_by("date", "pk")


@transaction.atomic
def link_for(tournament: Tournament, club: Club) -> TeamEntryLink:
    """The link by which a club without an account enters teams, made at first need."""
    return TeamEntryLink.objects.get_or_create(tournament=tournament, club=club)[0]


@transaction.atomic
def replace_link(link: TeamEntryLink, *, account: Account, now: datetime) -> None:
    """Give a club a new link; the one before no longer works."""
    tournament = locked(link.tournament)
    link.secret = make_secret()
    link.save(update_fields=["secret"])
    text = gettext_noop("{club} has a new link for entering teams")
    write_down(tournament, account, text, now=now, club=link.club)


# What a club does until the deadline, from its desk (with an account) or by its link (without).


def _hold_open(tournament: Tournament) -> Tournament:
    tournament = locked(tournament)
    if why := why_closed(tournament):
        raise NotPossible(why)
    return tournament


def _again(entry: TeamEntry) -> TeamEntry:
    return TeamEntry.objects.select_related("tournament__host", "club", "team").get(pk=entry.pk)


@transaction.atomic
def enter_team(
    tournament: Tournament, club: Club, typed: EnteredTeam, *, account: Account | None, now: datetime
) -> TeamEntry:
    """Enter a team of a club; the same team sent twice is entered once.

    Raises NotPossible at `name`, `captain`, `player_<n>` or `reserve_<n>`.
    """
    tournament = _hold_open(tournament)
    if not clubs_that_enter(tournament).filter(pk=club.pk).exists():
        text = _("%(club)s no longer belongs to %(union)s: ask its organisers.")
        raise NotPossible(text % {"club": club, "union": tournament.host})
    for there in tournament.team_entries.filter(club=club, state__in=TeamEntry.WAITING):
        if line_up_of(there) == _cleaned(typed):
            return there
    typed = _checked(tournament, club, typed, None)
    entries = tournament.team_entries
    if entries.filter(club=club).count() >= MOST_OF_CLUB or entries.count() >= MOST_OF_TOURNAMENT:
        raise NotPossible(_("There are too many entries: ask the organiser."))
    last = tournament.team_entries.aggregate(last=Max("number"))["last"] or 0
    entry = TeamEntry.objects.create(
        tournament=tournament,
        number=last + 1,
        club=club,
        name=typed.name,
        place=typed.place,
        entered_at=now,
        changed_at=now,
    )
    _store_players(entry, typed)
    _write(entry, gettext_noop("{club} enters {team}: {players}"), account, now)
    return entry


@transaction.atomic
def change_entry(
    entry: TeamEntry, typed: EnteredTeam, *, account: Account | None, now: datetime
) -> TeamEntry:
    """Change a team that its club has entered. Raises NotPossible as `enter_team`."""
    tournament = _hold_open(entry.tournament)
    entry = _waiting(entry)
    if line_up_of(entry) == _cleaned(typed):
        return entry
    typed = _checked(tournament, entry.club, typed, entry)
    _change(entry, typed, now, state=TeamEntry.State.CHANGED)
    _write(entry, gettext_noop("{club} changes its entry of {team}: {players}"), account, now)
    return entry


@transaction.atomic
def withdraw_entry(entry: TeamEntry, *, account: Account | None, now: datetime) -> TeamEntry:
    """Withdraw a team that its club has entered; twice is once."""
    _hold_open(entry.tournament)
    entry = _again(entry)
    if entry.state != TeamEntry.State.WITHDRAWN:
        entry = _waiting(entry)
        entry.state, entry.changed_at = TeamEntry.State.WITHDRAWN, now
        entry.save(update_fields=["state", "changed_at"])
        _write(entry, gettext_noop("{club} withdraws its entry of {team}"), account, now)
    return entry


def _waiting(entry: TeamEntry) -> TeamEntry:
    """The entry as it is stored; raises NotPossible unless the desk has still to decide on it."""
    entry = _again(entry)
    if entry.state == TeamEntry.State.ACCEPTED:
        raise NotPossible(_("The union has accepted this team. Ask its organisers for a change."))
    if not entry.is_waiting:
        raise NotPossible(_("This entry has been withdrawn or declined in the meantime."))
    return entry


# What the union's desk does.


@transaction.atomic
def accept_entry(entry: TeamEntry, *, division: int, account: Account, now: datetime) -> Team:
    """Make a team of an entry, with its players, captain and link; accepting twice is accepting once.

    Raises NotPossible at `division` where the club has as many teams there as it may.
    """
    tournament = locked(entry.tournament)
    entry = _again(entry)
    if entry.team is not None:
        return entry.team
    entry = _waiting(entry)
    most, there = tournament.most_of_club, tournament.teams.filter(withdrawn=False, club=entry.club)
    if most and there.filter(division=division).count() >= most:
        text = ngettext(
            "%(club)s already has %(count)d team in division %(division)d, which is the limit.",
            "%(club)s already has %(count)d teams in division %(division)d, which is the limit.",
            most,
        )
        raise NotPossible(text % {"club": entry.club, "count": most, "division": division}, "division")
    members, reserves = _entries_of(entry, account=account, now=now)
    lineup = Lineup(entry.name, entry.club, division, entry.place, members, reserves)
    team = make_team(tournament, lineup, account=account, now=now)
    entry.state, entry.team, entry.changed_at = TeamEntry.State.ACCEPTED, team, now
    entry.save(update_fields=["state", "team", "changed_at"])
    _write(entry, gettext_noop("The entry of {team} by {club} is accepted"), account, now)
    post_about_entry("accepted", entry)
    return team


@transaction.atomic
def decline_entry(entry: TeamEntry, *, reason: str, account: Account, now: datetime) -> TeamEntry:
    """Decline a team's entry. Raises NotPossible at `reason` where there is none."""
    locked(entry.tournament)
    entry, reason = _again(entry), clean_reason(reason)
    if entry.state != TeamEntry.State.DECLINED:
        entry = _waiting(entry)
        entry.state, entry.answer, entry.changed_at = TeamEntry.State.DECLINED, reason, now
        entry.save(update_fields=["state", "answer", "changed_at"])
        text = gettext_noop("The entry of {team} by {club} is declined: {reason}")
        _write(entry, text, account, now, reason=reason)
        post_about_entry("declined", entry)
    return entry


@transaction.atomic
def rule_on_entry(
    entry: TeamEntry, typed: EnteredTeam, *, reason: str, account: Account, now: datetime
) -> TeamEntry:
    """Change a team's entry by a ruling, and the team that was made of it. Raises NotPossible as `enter_team`."""
    tournament = locked(entry.tournament)
    entry, reason = _live(entry), clean_reason(reason)
    if line_up_of(entry) == _cleaned(typed):
        raise NotPossible(_("Nothing was changed."))
    typed = _checked(tournament, entry.club, typed, entry)
    _change(entry, typed, now, state=entry.state)
    ruling = _rule(entry, TeamEntryRuling.What.CHANGED, reason, account, now)
    if entry.team is not None:
        members, reserves = _entries_of(entry, account=account, now=now)
        lineup = Lineup(entry.name, entry.club, entry.team.division, entry.place, members, reserves)
        change_team(entry.team, lineup, account=account, now=now, by_ruling=True)
    text = gettext_noop("By a ruling {team} plays with {players}: {reason}")
    _write(entry, text, account, now, reason=reason)
    post_about_entry("ruled", entry, ruling)
    return entry


@transaction.atomic
def withdraw_by_ruling(entry: TeamEntry, *, reason: str, account: Account, now: datetime) -> TeamEntry:
    """Withdraw a team after the deadline, and the team that was made of its entry."""
    locked(entry.tournament)
    entry, reason = _live(entry), clean_reason(reason)
    ruling = _rule(entry, TeamEntryRuling.What.WITHDRAWN, reason, account, now)
    if entry.team is not None:
        withdraw_team(entry.team, reason=reason, account=account, now=now, by_ruling=True)
    else:
        entry.state = TeamEntry.State.WITHDRAWN
    entry.changed_at = now
    entry.save(update_fields=["state", "changed_at"])
    _write(entry, gettext_noop("By a ruling {team} is withdrawn: {reason}"), account, now, reason=reason)
    post_about_entry("ruled", entry, ruling)
    return entry


@transaction.atomic
def bring_back_by_ruling(entry: TeamEntry, *, reason: str, account: Account, now: datetime) -> TeamEntry:
    """Let an accepted team that was withdrawn play on; a second click changes nothing."""
    locked(entry.tournament)
    entry, reason = _again(entry), clean_reason(reason)
    _refuse_finished(entry)
    if entry.team is None:
        raise NotPossible(_("This entry no longer has a team."))
    if entry.team.withdrawn:
        bring_team_back(entry.team, account=account, now=now, by_ruling=True)
        ruling = _rule(entry, TeamEntryRuling.What.BACK, reason, account, now)
        _mark_changed(entry, now)
        _write(entry, gettext_noop("By a ruling {team} is back: {reason}"), account, now, reason=reason)
        post_about_entry("ruled", entry, ruling)
    return entry


@transaction.atomic
def dissolve_by_ruling(entry: TeamEntry, *, reason: str, account: Account, now: datetime) -> TeamEntry:
    """Dissolve an accepted team that has not played; its entry waits for the desk again.

    Raises NotPossible as `entries.teams.dissolve`. A second click changes nothing.
    """
    locked(entry.tournament)
    entry, reason = _again(entry), clean_reason(reason)
    _refuse_finished(entry)
    if entry.team is not None:
        dissolve(entry.team, account=account, now=now, by_ruling=True)
        entry = _again(entry)
        ruling = _rule(entry, TeamEntryRuling.What.DISSOLVED, reason, account, now)
        _mark_changed(entry, now)
        _write(entry, gettext_noop("By a ruling {team} is dissolved: {reason}"), account, now, reason=reason)
        post_about_entry("ruled", entry, ruling)
    return entry


def _mark_changed(entry: TeamEntry, now: datetime) -> None:
    entry.changed_at = now
    entry.save(update_fields=["changed_at"])


def _refuse_finished(entry: TeamEntry) -> None:
    if entry.tournament.is_finished:
        raise NotPossible(_("The tournament is finished."))


def _live(entry: TeamEntry) -> TeamEntry:
    entry = _again(entry)
    _refuse_finished(entry)
    if not entry.is_live or (entry.team is not None and entry.team.withdrawn):
        raise NotPossible(_("This entry has been withdrawn or declined in the meantime."))
    return entry


def _rule(
    entry: TeamEntry, what: TeamEntryRuling.What, reason: str, account: Account, now: datetime
) -> TeamEntryRuling:
    return TeamEntryRuling.objects.create(
        team_entry=entry, what=what, reason=reason, ruled_by=author_name(account), ruled_at=now
    )


def _entries_of(entry: TeamEntry, *, account: Account, now: datetime) -> tuple[list[Entry], list[Entry]]:
    """The players of an entry, entered in the tournament: those who play, and the reserves."""
    line_up = list(entry.players.select_related("player"))
    enter_all(entry.tournament, [(one.player, entry.club) for one in line_up], account=account, now=now)
    found = entry.tournament.entries.select_related("player", "club", "team")
    by_player = {one.player_id: one for one in found.filter(player__in=[one.player for one in line_up])}
    return (
        [by_player[one.player_id] for one in line_up if not one.is_reserve],
        [by_player[one.player_id] for one in line_up if one.is_reserve],
    )


# A line-up: what is typed, checked and stored.


def line_up_of(entry: TeamEntry) -> EnteredTeam:
    """A team's entry as it was typed; of an accepted one, the team as the desk has it since."""
    there = list(entry.players.select_related("player"))
    if entry.team is not None:
        return _line_up_of_team(entry, entry.team, there)
    return EnteredTeam(
        entry.name,
        entry.place,
        next((one.player for one in there if one.is_captain), None),
        [one.player for one in there if not one.is_reserve],
        [one.player for one in there if one.is_reserve],
    )


def _line_up_of_team(entry: TeamEntry, team: Team, typed: Sequence[TeamEntryPlayer]) -> EnteredTeam:
    places = {one.player_id: one.place for one in typed}
    members = sorted(
        team.members.select_related("player"),
        key=lambda one: (places.get(one.player_id, len(places) + 1), one.number),
    )
    captain = next((one.player for one in typed if one.is_captain), None)
    return EnteredTeam(
        team.name if entry.name else "",  # a pair without a name of its own is called by its players'
        team.place,
        captain if captain in [one.player for one in members] else None,
        [one.player for one in members if not one.reserve],
        [one.player for one in members if one.reserve],
    )


def _cleaned(typed: EnteredTeam) -> EnteredTeam:
    return EnteredTeam(
        clean_text(typed.name),
        clean_text(typed.place),
        typed.captain,
        list(typed.players),
        list(typed.reserves),
    )


def _checked(tournament: Tournament, club: Club, typed: EnteredTeam, entry: TeamEntry | None) -> EnteredTeam:
    """Validate and normalise the typed entry. Raises NotPossible at the field that is wrong."""
    typed = _cleaned(typed)
    _refuse_name(tournament, typed.name, entry)
    row = tournament.format_row
    if (chosen := len(typed.players)) != row.team_size:
        missing = ngettext(
            "A team here has %(count)d player: choose exactly that many.",
            "A team here has %(count)d players: choose exactly that many.",
            row.team_size,
        )
        raise NotPossible(missing % {"count": row.team_size}, f"player_{min(chosen + 1, row.team_size)}")
    if len(typed.reserves) > row.reserves:
        raise NotPossible(_("There are more reserves than a team may have."))
    fields = {one.pk: f"player_{place}" for place, one in enumerate(typed.players, 1)}
    for place, one in enumerate(typed.reserves, 1):
        if fields.setdefault(one.pk, f"reserve_{place}") != f"reserve_{place}":
            raise NotPossible(_("%(name)s is chosen twice.") % {"name": one}, f"reserve_{place}")
    if len(fields) < len(typed.players) + len(typed.reserves):
        raise NotPossible(_("The same person is chosen twice."), "player_1")
    if typed.captain is None or typed.captain.pk not in fields:
        raise NotPossible(_("The captain is one of the players or reserves."), "captain")
    there = line_up_of(entry) if entry else EnteredTeam()
    own = {one.pk for one in (*there.players, *there.reserves)}
    members = set(club.memberships.filter(player__in=fields, left=None).values_list("player", flat=True))
    for one in (*typed.players, *typed.reserves):
        if one.pk not in members and one.pk not in own:
            text = _("%(name)s is not a member of %(club)s.")
            raise NotPossible(text % {"name": one, "club": club}, fields[one.pk])
    _refuse_players_of_others(tournament, fields, entry)
    return typed


def _refuse_name(tournament: Tournament, name: str, entry: TeamEntry | None) -> None:
    if not name and not tournament.format_row.named_by_players:
        raise NotPossible(_("Type the name of the team."), "name")
    if len(name) > NAME_LENGTH:
        raise NotPossible(_("The name is longer than %(most)d characters.") % {"most": NAME_LENGTH}, "name")
    others = tournament.team_entries.filter(name=name, state__in=TeamEntry.LIVE)
    teams = tournament.teams.filter(name=name)
    if entry is not None:
        others, teams = others.exclude(pk=entry.pk), teams.exclude(team_entry=entry)
    if name and (others.exists() or teams.exists()):
        raise NotPossible(_("Another one is already called %(name)s.") % {"name": name}, "name")


def _refuse_players_of_others(
    tournament: Tournament, fields: dict[int, str], entry: TeamEntry | None
) -> None:
    """Raise NotPossible at the field of a player who is in another team's line-up."""
    others = TeamEntryPlayer.objects.filter(
        team_entry__tournament=tournament, team_entry__state__in=TeamEntry.WAITING, player__in=fields
    )
    formed = Entry.objects.filter(tournament=tournament, team__withdrawn=False, player__in=fields)
    if entry is not None:
        others, formed = others.exclude(team_entry=entry), formed.exclude(team=entry.team_id)
    text = _("%(name)s is already in the line-up of %(team)s.")
    for one in others.select_related("player", "team_entry"):
        said = text % {"name": one.player, "team": one.team_entry}
        raise NotPossible(said, fields[one.player_id])
    for held in formed.select_related("player", "team"):
        raise NotPossible(text % {"name": held.player, "team": held.team}, fields[held.player_id])


def _store_players(entry: TeamEntry, typed: EnteredTeam) -> None:
    entry.players.all().delete()
    everyone = [*typed.players, *typed.reserves]
    TeamEntryPlayer.objects.bulk_create(
        TeamEntryPlayer(
            team_entry=entry,
            player=player,
            place=place,
            is_reserve=place > len(typed.players),
            is_captain=player == typed.captain,
        )
        for place, player in enumerate(everyone, 1)
    )


def _change(entry: TeamEntry, typed: EnteredTeam, now: datetime, *, state: str) -> None:
    entry.name, entry.place, entry.state, entry.changed_at = typed.name, typed.place, state, now
    entry.save(update_fields=["name", "place", "state", "changed_at"])
    _store_players(entry, typed)


def _write(entry: TeamEntry, text: str, account: Account | None, now: datetime, **params: object) -> None:
    """Log a step about an entry; `text` names its {club}, {team} and {players} as it needs them."""
    names = ", ".join(str(one.player) for one in entry.players.select_related("player"))
    said = {"club": entry.club, "team": entry, "players": names}
    said = {name: value for name, value in said.items() if f"{{{name}}}" in text}
    write_down(entry.tournament, account, text, now=now, about=[entry], **said, **params)
