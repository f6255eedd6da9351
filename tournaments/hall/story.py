"""The evening's story: the race for the lead, what was declared, what people talk about; and its sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext
from django.views.decorators.http import require_safe

from tournaments.boards.folders import sealed_rounds
from tournaments.changes.versions import RECENT
from tournaments.domain.comparison import Amount
from tournaments.domain.terms import join_words, people, signed
from tournaments.hall.charts import Chart, Line, bars, chart
from tournaments.hall.folder_play_text import find_play_addresses
from tournaments.hall.live import HallRequest, find_tournament, live_page, player_pages
from tournaments.ledger.queries import rulebook_of
from tournaments.ledger.scoresheet import result_sentence
from tournaments.ledger.seating import seating_at
from tournaments.ledger.submissions import adds_up_to_zero
from tournaments.lifecycle.money import Podium, podiums
from tournaments.models import Deal
from tournaments.people.club_years import COMEBACK, DEAL, EVENING, ROUND, SOLOS, TOUT
from tournaments.people.history import fallen, others_of, record_value_text
from tournaments.standings.players import standings, won_in_words
from tournaments.standings.story import Race
from tournaments.standings.story_data import Story, story_of
from tournaments.standings.team_text import rankings
from tournaments.standings.teams import team_standings
from tournaments.web.guards import find_entry

if TYPE_CHECKING:
    from django.http.response import HttpResponseBase

    from tournaments.models import Tournament
    from tournaments.people.history import Fallen
    from tournaments.standings.players import Standings
    from tournaments.standings.story import Pace, StoryDeal
    from tournaments.standings.tie_breaks import Row


# Whose lines stand out: the first three, and one more.
FIRST = 3
# Maximum number of lines: of the first in the standings, and of those that stand out.
MOST_LINES = 200
# Maximum number of rounds with a column in the table.
MOST_COLUMNS = 8


@require_safe
def hall_story(request: HallRequest, code: str, number: int | None = None) -> HttpResponseBase:
    """The story; with a `number` the race includes this player and the first three."""
    tournament = find_tournament(code)
    followed = None if number is None else find_entry(tournament, number).pk
    return live_page(
        request,
        tournament,
        "story",
        lambda: _story(tournament, followed),
        part="" if number is None else str(number),
        **hangs_on(tournament),
    )


def _story(tournament: Tournament, followed: int | None) -> dict[str, Any]:
    teller = Teller(tournament)
    story = teller.story
    rulebook = rulebook_of(tournament)
    return {
        "story": story,
        "standings": teller.table,
        "headline": teller.headline(),
        "lead": teller.lead(),
        "fallen": fallen_records_text(tournament),
        "by_tokens": teller.by_tokens,
        "zero_sum": adds_up_to_zero(rulebook),
        "race": _race(tournament, story, teller.rows, followed),
        "records": teller.records(),
        "best": _best_deal(tournament, story, teller),
        "contracts": bars(story.counted.contracts),
        "tempo": _tempo(story),
        "podium": _podium(tournament),
    }


@dataclass(frozen=True, slots=True)
class Runner:
    """A player's line in the race: its style (1 to 4, thin: 0), and its result."""

    row: Row
    line: Line
    style: int
    # After those of the rounds over that have a column; None before they were there.
    after: list[Amount]
    follow: str


@dataclass(frozen=True, slots=True)
class ShownRace:
    chart: Chart
    runners: list[Runner]
    thin: list[Runner]
    # The numbers of the rounds with a column.
    rounds: list[int]
    # How many players have no line.
    left_out: int = 0

    @property
    def named_runners(self) -> list[Runner]:
        return [runner for runner in self.runners if runner.style]


def _race(
    tournament: Tournament, story: Story, rows: dict[int, Row], followed: int | None
) -> ShownRace | None:
    race = story.race
    first = list(race.lines)[:FIRST]
    climb = next((one for one in race.climbs() if one.before - one.after >= LEAST_CLIMB), None)
    fourth = followed or (climb.player if climb else None)
    styled = [*first, fourth] if fourth in race.lines and fourth not in first else first
    # Among thousands of lines no single one can be recognised, and each takes a quarter of a kilobyte.
    shown = [*list(race.lines)[:MOST_LINES], *styled]
    lines = {player: race.lines[player] for player in dict.fromkeys(shown)}
    drawn = chart(lines, race.ends, styled)
    if drawn is None:
        return None
    columns = _columns(race)
    page_of = player_pages("hall_story_of")
    runners = [
        Runner(
            rows[player],
            drawn.lines[player],
            styled.index(player) + 1 if player in styled else 0,
            [sums[race.ends[number]] for number in columns],
            page_of(tournament.code, rows[player].number),
        )
        for player, sums in lines.items()
    ]
    thin = [runner for runner in runners if not runner.style]
    return ShownRace(drawn, runners, thin, columns, len(race.lines) - len(lines))


def _columns(race: Race) -> list[int]:
    """The rounds that have a column: not the last, where the sum after it is the last column anyway, nor too many."""
    before_last = [number for number in race.over if race.ends[number] < race.steps]
    every = -(-len(before_last) // MOST_COLUMNS) or 1
    return before_last[::-every][::-1]


def _best_deal(tournament: Tournament, story: Story, teller: Teller) -> dict[str, Any] | None:
    """The best game that was won, as on its sheet, with all tokens."""
    if (told := story.best) is None:
        return None
    at = Deal.objects.filter(table__round__tournament=tournament, table__round__number=told.round)
    deal = at.select_related("current", "table__round__tournament").get(
        table__number=told.table, number=told.number
    )
    names = [teller.name(player) for player in told.tokens]
    seating = seating_at(deal.table, len(names), told.number, (deal.current.result or {}).get("declarer"))
    return {
        "said": result_sentence(rulebook_of(tournament), deal.current, names, seating),
        "tokens": sorted(zip(names, told.tokens.values(), strict=True), key=lambda one: -one[1]),
        "at": told,
        "sheet": teller.sheet(told),
        "play": find_play_addresses(tournament)(told.round, told.table, told.number, None),
    }


def _podium(tournament: Tournament) -> Podium | None:
    """The podium, once play is over; of several divisions each has its own in the standings."""
    found = podiums(tournament) if tournament.is_played else []
    return found[0] if len(found) == 1 else None


def _tempo(story: Story) -> list[tuple[str, str, str]]:
    """(what, how long, where) of the pace; nothing where no table's time is known."""
    tempo = story.tempo
    if tempo is None:
        return []
    told = [(_("One deal took"), minutes(tempo.average), _("minutes on average"))]
    if tempo.quickest and tempo.slowest:
        told.append((_("Quickest"), minutes(tempo.quickest.each), pace_in_words(tempo.quickest)))
        told.append((_("Most thorough"), minutes(tempo.slowest.each), pace_in_words(tempo.slowest)))
    return told


# An evening, and the records that fall in it, in sentences.

# An evening's story in sentences, each of them from what `standings.story` has counted.

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
