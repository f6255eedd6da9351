"""An evening, and the records that fall in it, in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from tournaments.boards.folders import sealed_rounds
from tournaments.changes.versions import RECENT
from tournaments.domain.terms import join_words, people, signed
from tournaments.people.club_years import COMEBACK, DEAL, EVENING, ROUND, SOLOS, TOUT
from tournaments.people.history import fallen, others_of, record_value_text
from tournaments.standings.players import standings, won_in_words
from tournaments.standings.story_data import story_of
from tournaments.standings.team_text import rankings
from tournaments.standings.teams import team_standings

if TYPE_CHECKING:
    from tournaments.models import Tournament
    from tournaments.people.history import Fallen
    from tournaments.standings.players import Standings
    from tournaments.standings.story import Pace, StoryDeal
    from tournaments.standings.story_data import Story
    from tournaments.standings.tie_breaks import Row


# An evening's story in sentences, each of them from what `tournaments.story` has counted.

# Minimum for a climb (places) and a run (games) to be mentioned.
LEAST_CLIMB, LEAST_RUN = 3, 3
MOST_CHANGES = 6  # mentioned one by one
MINUTE = 60


@dataclass(frozen=True, slots=True)
class Record:
    """A notable record: its kind, holder, value, and URL."""

    what: str
    text: str
    amount: str
    address: str = ""


class Teller:
    """Texts about one tournament's story, with its players' names."""

    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament

    @cached_property
    def table(self) -> Standings:
        return standings(self.tournament)

    @cached_property
    def rows(self) -> dict[int, Row]:
        return {row.entry_id: row for row in self.table.rows}

    @property
    def by_tokens(self) -> bool:
        """Whether places depend on tokens alone: only then gaps and ties are mentioned."""
        return self.table.comparison.kind == "sum" and not self.tournament.in_teams

    @cached_property
    def story(self) -> Story:
        """The evening's statistics, computed only when a text needs them."""
        return story_of(self.tournament, sealed_rounds(self.tournament))

    def name(self, player: int) -> str:
        return self.rows[player].name

    def names(self, players: Sequence[int]) -> str:
        return people([self.name(player) for player in players])

    def headline(self) -> str:
        """The evening's result, or current state, in one line."""
        if not self.table.rounds or not self.table.rows:
            return _("The story starts with the first deal")
        if self.tournament.in_teams:
            return self._of_teams()
        first = self.table.first
        names = people([row.name for row in first])
        if len(first) > 1:
            if self.tournament.is_played:
                return won_in_words([row.name for row in first])
            return _("%(name)s lead together") % {"name": names}
        return self._of_one(names, self.table.rows[1].gap if len(self.table.rows) > 1 else 0)

    def _of_teams(self) -> str:
        """The leading pair or team; "" with several divisions, which are equal."""
        groups = rankings(self.tournament, team_standings(self.tournament))
        first = [row.name for group in groups for row in group.rows if row.rank == 1]
        if len(groups) > 1 or not first:
            return _("The evening’s story")
        if self.tournament.is_played:
            return won_in_words(first)
        said = _("%(name)s leads") if len(first) == 1 else _("%(name)s lead together")
        return said % {"name": people(first)}

    def _of_one(self, name: str, gap: object) -> str:
        finished = self.tournament.is_played
        if not self.by_tokens or not isinstance(gap, int):
            return (_("%(name)s won") if finished else _("%(name)s leads")) % {"name": name}
        if not gap:
            said = _("%(name)s won on the tie-break") if finished else _("%(name)s leads on the tie-break")
            return said % {"name": name}
        if finished:
            said = ngettext("%(name)s won by %(gap)d token", "%(name)s won by %(gap)d tokens", gap)
        else:
            said = ngettext("%(name)s leads by %(gap)d token", "%(name)s leads by %(gap)d tokens", gap)
        return said % {"name": name, "gap": gap}

    def lead(self) -> list[str]:
        """Sentences about the lead: when it was last shared, how often it changed, and the leader of each round."""
        race = self.story.race
        if not race.spells or len(race.lines) < 2:  # a race is between two
            return []
        return [said for said in (self._last_level(), self._changes(), self._by_rounds()) if said]

    def _last_level(self) -> str:
        race, players = self.story.race, list(self.story.race.lines)
        step = race.last_level(*players[:2]) if self.by_tokens else None
        if step is None:
            return ""
        round_, deal = race.where(step)
        if round_ != race.rounds[-1].number or 2 * step < race.level:
            return ""  # long decided
        said = _(
            "%(one)s and %(other)s were last level after deal %(deal)d of round %(round)d, at %(amount)s."
        )
        words = {
            "one": self.name(players[0]),
            "other": self.name(players[1]),
            "deal": deal,
            "round": round_,
            "amount": signed(race.lines[players[0]][step]),
        }
        return said % words

    def _by_rounds(self) -> str:
        """The leaders after each round, where they changed; of many rounds the last changes."""
        race = self.story.race
        told: list[tuple[int, list[int]]] = []
        for number in race.over:
            ahead = race.ahead(race.ends[number])
            if not told or told[-1][1] != ahead:
                told.append((number, ahead))
        if len(told) < 2:  # nothing has changed
            return ""
        said = _("%(names)s after round %(round)d (%(amount)s)")
        return _("In the lead: %(rounds)s.") % {
            "rounds": join_words(
                [
                    said
                    % {
                        "names": self.names(ahead),
                        "round": number,
                        "amount": signed(race.lines[ahead[0]][race.ends[number]]),
                    }
                    for number, ahead in told[-MOST_CHANGES:]
                ]
            )
        }

    def changes_of_lead(self) -> str:
        """A sentence about the number of changes of the lead; "" if there were none."""
        changes = self.story.race.changes
        said = ngettext("The lead changed hands once.", "The lead changed hands %(count)d times.", changes)
        return said % {"count": changes} if changes else ""

    def _changes(self) -> str:
        race = self.story.race
        longest, steps = race.longest_in_lead
        said = self.changes_of_lead() or _("The lead never changed hands.")
        if len(longest) > 1 or not race.changes:
            return said
        most = ngettext(
            "%(name)s led alone for the longest: %(count)d deal of %(all)d.",
            "%(name)s led alone for the longest: %(count)d deals of %(all)d.",
            steps,
        ) % {"name": self.name(longest[0]), "count": steps, "all": race.level}
        return f"{said} {most}"

    def records(self) -> list[Record]:
        """Best round, longest climb and run, and touts; never losses."""
        return [*self._of_rounds(), *self._of_games()]

    def _of_rounds(self) -> Iterator[Record]:
        race = self.story.race
        won = [
            (tokens, player, number) for number in race.over for player, tokens in race.won_in(number).items()
        ]
        if len(race.over) > 1:  # a single round is covered by the race
            yield self._round(_("Best round"), *max(won, key=lambda one: one[0]))
        climb = next(iter(race.climbs()), None)
        if climb and climb.before - climb.after >= LEAST_CLIMB:
            said = _("%(name)s, from place %(before)d to %(after)d in round %(round)d")
            words = {
                "name": self.name(climb.player),
                "before": climb.before,
                "after": climb.after,
                "round": climb.round,
            }
            yield Record(_("Longest climb"), said % words, signed(climb.tokens), self._page(climb.player))

    def _round(self, what: str, tokens: object, player: int, number: int) -> Record:
        said = _("%(name)s in round %(round)d") % {"name": self.name(player), "round": number}
        return Record(what, said, signed(tokens), self._page(player))  # type: ignore[arg-type]

    def _of_games(self) -> Iterator[Record]:
        players, run = self.story.run
        if run >= LEAST_RUN:
            said = _("%(names)s won one game after another") % {"names": self.names(players)}
            yield Record(
                _("Longest run"), said, str(run), self._page(players[0]) if len(players) == 1 else ""
            )
        if touts := self.story.touts:
            said = people(
                [
                    f"{self.name(player)} {made}" if made > 1 else self.name(player)
                    for player, made in touts.items()
                ]
            )
            yield Record(_("Tout"), said, str(sum(touts.values())))

    def _page(self, player: int) -> str:
        return reverse("hall_player", args=[self.tournament.code, self.rows[player].number])

    def sheet(self, deal: StoryDeal) -> str:
        """URL of the deal on its table's sheet."""
        at = reverse("hall_table", args=[self.tournament.code, deal.round, deal.table])
        return f"{at}#line-{deal.number}"


def pace_in_words(pace: Pace) -> str:
    return _("table %(table)d in round %(round)d") % {"table": pace.table, "round": pace.round}


def minutes(seconds: float) -> str:
    """Minutes and seconds, as on a clock: 2:35."""
    whole = round(seconds)
    return f"{whole // MINUTE}:{whole % MINUTE:02d}"


# That a record falls while an evening is played, in words.

FELL = {
    EVENING: gettext_noop("A club record: {name} won {value} tokens in the evening."),
    ROUND: gettext_noop("A club record: {name} won {value} tokens in a round."),
    DEAL: gettext_noop("A club record: {name} won {value} tokens with one deal."),
    SOLOS: gettext_noop("A club record: {name} won {value} in one evening."),
    TOUT: gettext_noop("A club record: {name} won {value} tokens with a tout."),
    COMEBACK: gettext_noop(
        "A club record: {name} came back by {value} tokens from below zero."
    ),
}  # fmt: skip
# Maximum number of facts of an evening, in the order of FIELDS.
MOST_TOLD = 2


def hangs_on(tournament: Tournament, most: int | None = None) -> dict[str, Any]:
    """Cache dependencies, apart from the version, of a `live_page` with records: for an old evening, all others.

    A recent one's version rises with the others': see `changes.versions.announce_beside`. With more than `most`
    players the page has no records.
    """
    if tournament.date >= timezone.localdate() - RECENT:
        return {}
    if most is not None and tournament.entries.count() > most:
        return {}
    return {"besides": str(others_of(tournament))}


def fallen_records_text(tournament: Tournament) -> list[str]:
    """The host's records that have fallen at this evening, each in a sentence."""
    found = fallen(tournament)[:MOST_TOLD]
    if not found:
        return []
    entries = tournament.entries.select_related("player", "club")
    names = {entry.pk: entry.shown_name for entry in entries.filter(pk__in=[one.entry for one in found])}
    return [" ".join(_record_sentences(one, names[one.entry])) for one in found]


def _record_sentences(one: Fallen, name: str) -> Iterator[str]:
    yield _(FELL[one.kind]).format(name=name, value=record_value_text(one.kind, one.value))
    if one.before:
        yield _("The previous record was {before}.").format(before=record_value_text(one.kind, one.before))
