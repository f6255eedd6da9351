"""The first groups of a championship, seeded or by lot."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from clubs.clubs import log_change as write_down_in_club
from core.errors import NotPossible
from tournaments.changes.chain import append
from tournaments.changes.locks import locked
from tournaments.changes.log import write_down
from tournaments.changes.permissions import refuse_to_take_in
from tournaments.domain.formats import Ranked
from tournaments.entries import entering
from tournaments.ledger.queries import regulars, sizes_of_tables, teams_of
from tournaments.lifecycle.ending import call_off_as_drawn
from tournaments.models import Championship, Entry, PublishedList, Season, Stage, Team, Tournament
from tournaments.models.points import places_in
from tournaments.seasons.championships import Qualified, Way, copied_team, groups_for, make_group, snake
from tournaments.seasons.ladder_table import season_table
from tournaments.seasons.ratings import ratings
from tournaments.seasons.results import places_of_teams
from tournaments.seasons.season import seasons_for
from tournaments.standings.players import standings

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from clubs.models import Account
    from tournaments.seasons.championships import Party, StageTable


# First groups of a championship, drawn from one tournament's entries: seeded by rating, by place or at random.
#
# The groups take over that tournament's rules, players (with check-ins and payments), pairs or teams. They are
# sorted, best first, and dealt into the groups in a snake (`qualifying`), as in every later stage. Equal ratings or
# places are ordered by a random number from a published seed; a random draw uses that alone. A pair or team counts
# with the mean of its regular players. Players without a rating, or a place, come after all others. Afterwards the
# source tournament is cancelled: nothing was played in it.

# What may have the places that are seeded by.
PlaceIn = Season | PublishedList | Tournament
LATELY = timedelta(days=2 * 366)  # of a tournament, so that the places in it say who is good
LEAST_TEAMS = 2  # a pair or team needs an opponent


class By(StrEnum):
    """Criterion of the seeding."""

    RATING = "rating"
    PLACE = "place"
    LOT = "lot"


# Log messages of a group.
SAID = {
    By.RATING: gettext_noop("Drawn into its group by rating; seed of the draw: {seed}"),
    By.PLACE: gettext_noop("Drawn into its group by place in “{place_in}”; seed of the draw: {seed}"),
    By.LOT: gettext_noop("Drawn into its group by lot, seed {seed}"),
}


@dataclass(frozen=True, slots=True)
class Seeding:
    """Criterion of the seeding, the season, points list or tournament of the places, and the random seed."""

    by: By
    seed: int
    place_in: PlaceIn | None = None


@dataclass(frozen=True, slots=True)
class Seeded:
    """A player, pair or team in the seeding; `worth` is its value, None if unknown."""

    seed: int
    who: Entry | Team
    worth: Fraction | None

    @property
    def name(self) -> str:
        return str(self.who)

    @property
    def worth_text(self) -> str:
        """The text of its rating or place; for a pair or team the mean."""
        if self.worth is None:
            return ""
        return number_format(abs(float(self.worth)), decimal_pos=0 if self.worth.denominator == 1 else 1)


def sources_for(championship: Championship) -> list[Tournament]:
    """The tournaments whose players could be drawn into groups: being set up, nothing of them drawn."""
    free = [tournament for tournament in groups_for(championship) if tournament.stage_id is None]
    untouched = [one for one in free if one.state == Tournament.State.SETUP and not one.rounds.exists()]
    return [one for one in untouched if one.entries.exclude(status=Entry.Status.WITHDRAWN).exists()]


def places_for(championship: Championship) -> tuple[list[Season], list[PublishedList], list[Tournament]]:
    """The seasons and published lists by whose places can be seeded, and finished tournaments of the last years.

    The newest come first.
    """
    host = championship.host
    hosts = type(host).objects.filter(pk=host.pk) | host.clubs
    seasons = Season.objects.filter(seasons_for(hosts)).order_by("-ends", "-pk")
    played = Tournament.objects.not_called_off().filter(host__in=hosts, state=Tournament.State.FINISHED)
    lately = played.filter(date__gte=championship.date - LATELY)
    lists = PublishedList.objects.filter(union__in=host.itself_and_unions()).select_related("union")
    return list(seasons), list(lists), list(lately.order_by("-date", "-pk"))


def ranks_in(place_in: PlaceIn) -> dict[int, int]:
    """Player -> place; where pairs or teams met, that of theirs."""
    if isinstance(place_in, Season):
        return {row.line.player: row.line.rank for row in season_table(place_in).placed}
    if isinstance(place_in, PublishedList):
        return places_in(place_in)
    players = dict(place_in.entries.values_list("number", "player"))
    if place_in.in_teams:
        return {players[number]: place.rank for number, place in places_of_teams(place_in).items()}
    return {players[row.number]: row.rank for row in standings(place_in).rows}


def seeded(source: Tournament, seeding: Seeding, *, championship: Championship) -> list[Seeded]:
    """The seeding, best first; reproducible from players, results and seed."""
    parties = _parties(source)
    lot = Random(seeding.seed).sample(parties, len(parties))
    if seeding.by is By.LOT:
        return [Seeded(place, who, None) for place, (who, _players) in enumerate(lot, start=1)]
    if seeding.by is By.RATING:
        known = {player: rated.points for player, rated in ratings(championship.host).items()}
    else:
        ranks = ranks_in(seeding.place_in) if seeding.place_in else {}
        known = {player: -rank for player, rank in ranks.items()}
    unknown = min(known.values(), default=0) - 1
    worths = [(who, _worth(players, known, unknown)) for who, players in lot]
    worths.sort(key=lambda found: unknown if found[1] is None else found[1], reverse=True)
    return [Seeded(place, who, worth) for place, (who, worth) in enumerate(worths, start=1)]


def _players(source: Tournament) -> list[tuple[Entry | Team, list[int]]]:
    playing = source.entries.exclude(status=Entry.Status.WITHDRAWN).select_related("player", "club")
    return [(entry, [entry.player_id]) for entry in playing.order_by("number")]


def _teams(source: Tournament) -> list[tuple[Entry | Team, list[int]]]:
    teams = [team for team in teams_of(source) if not team.withdrawn]
    return [(team, [entry.player_id for entry in regulars(team)]) for team in teams]


WHO_TAKES_PART = {Ranked.PLAYERS: _players, Ranked.TEAMS: _teams}


def _parties(source: Tournament) -> list[tuple[Entry | Team, list[int]]]:
    """The participants by number, each with the keys of their players."""
    return WHO_TAKES_PART[source.format_row.ranked](source)


def _worth(players: Sequence[int], known: Mapping[int, int], unknown: int) -> Fraction | None:
    """The mean of the players' worths; None where nothing is known of any of them."""
    if not any(player in known for player in players):
        return None
    return Fraction(sum(known.get(player, unknown) for player in players), len(players))


def groups_of(line: Sequence[Seeded], stage: Stage) -> list[list[Seeded]]:
    return snake(line, stage.groups)


def mark(groups: Sequence[Sequence[Seeded]]) -> str:
    """A short mark of who is in which group: another one means that the page showed other groups."""
    shown = ";".join(",".join(str(one.who.number) for one in group) for group in groups)
    return hashlib.sha256(shown.encode()).hexdigest()[:16]


def why_not_draw(source: Tournament, stage: Stage) -> str:
    """The reason why these players cannot be drawn into the stage's groups; "" if they can."""
    if stage.tournaments.not_called_off().exists():
        return _("The first groups already exist.")
    least = stage.groups * (LEAST_TEAMS if source.in_teams else min(sizes_of_tables(source)))
    parties = len(_parties(source))
    if parties >= least:
        return ""
    text = ngettext(
        "%(groups)d group needs at least %(least)d; %(there)d are entered.",
        "%(groups)d groups need at least %(least)d; %(there)d are entered.",
        stage.groups,
    )
    return text % {"groups": stage.groups, "least": least, "there": parties}


@transaction.atomic
def draw_groups(
    championship: Championship,
    source: Tournament,
    seeding: Seeding,
    *,
    seen: str,
    account: Account,
    now: datetime,
) -> list[Tournament]:
    """Make the first stage's tournaments of who is entered in `source`, as the page of the mark `seen` showed them.

    Raises NotPossible where they would be other groups now.
    """
    Championship.objects.select_for_update().get(pk=championship.pk)
    source = locked(source)
    stage = championship.stages.get(number=1)
    refuse_to_take_in(account, championship.host, [source])
    if source not in sources_for(championship):
        raise NotPossible(_("One of these tournaments can no longer be a group. Check the list again."))
    if problem := why_not_draw(source, stage):
        raise NotPossible(problem)
    groups = groups_of(seeded(source, seeding, championship=championship), stage)
    if mark(groups) != seen:
        raise NotPossible(
            _("Something has changed in the meantime: these are the groups now. Check them again.")
        )
    made = []
    for number, group in enumerate(groups):
        tournament = make_group(stage, source, number, source.date)
        for field in ("entry_fee", "begins_at", "bye_teams"):
            setattr(tournament, field, getattr(source, field))
        tournament.save(update_fields=["entry_fee", "begins_at", "bye_teams"])
        _say_how(tournament, seeding, account=account, now=now)
        for one in group:
            _enter(one.who, tournament, account=account, now=now)
        made.append(tournament)
    call_off_as_drawn(source, championship, account=account, now=now)
    text = gettext_noop("Drew the groups of “{championship}”, seed {seed}")
    write_down_in_club(
        championship.host, account, text, now=now, championship=championship, seed=seeding.seed
    )
    return made


def _say_how(tournament: Tournament, seeding: Seeding, *, account: Account, now: datetime) -> None:
    place_in = seeding.place_in.name if seeding.place_in else ""
    said = {"seed": seeding.seed, "place_in": place_in}
    write_down(tournament, account, SAID[seeding.by], now=now, about=[tournament], **said)


def _enter(who: Entry | Team, tournament: Tournament, *, account: Account, now: datetime) -> None:
    """Enter a player, or a pair or team with its players; who is here and who has paid stays so."""
    if isinstance(who, Team):
        made = copied_team(who, tournament, account=account, now=now)
        players = {entry.player_id: entry for entry in made.members.all()}
        olds = list(who.members.all())
    else:
        entry = entering.enter(tournament, who.player, club=who.club, account=account, now=now)
        players, olds = {entry.player_id: entry}, [who]
    for old in olds:
        if new := players.get(old.player_id):
            new.status, new.fee_paid = old.status, old.fee_paid
            new.save(update_fields=["status", "fee_paid"])
            append(tournament.pk, [new], now=now)


# Players who miss qualification by the random tie-break alone, to be shown to the organiser.


def left_out_by_lot(table: StageTable, line: Sequence[Qualified]) -> dict[int, list[Party]]:
    """Qualified by random tie-break only: key -> those with equal results who did not qualify."""
    going = {one.contender.key for one in line}
    found = {}
    for one in line:
        party = table.parties[one.contender.key]
        found[party.key] = [
            other
            for number, group in enumerate(table.groups)
            for other in group.parties
            if not (other.key in going or other.withdrawn)
            and _are_level(party, other, next_best=one.way is Way.NEXT, same_group=number == one.group)
        ]
    return {key: others for key, others in found.items() if others}


def _are_level(party: Party, other: Party, *, next_best: bool, same_group: bool) -> bool:
    """Whether only the random number decides between two; teams that share a place are listed one below the other."""
    if party.score != other.score:
        return False
    if same_group:
        is_team = len(party.score) > 1
        return party.shared and other.shared and (is_team or party.rank == other.rank)
    return next_best and party.rank == other.rank
