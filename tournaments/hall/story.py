"""The evening's story: the race for the lead, what was declared, and what people talk about afterwards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournaments.domain.comparison import Amount
from tournaments.hall.charts import Chart, Line, bars, chart
from tournaments.hall.folder_links import find_play_addresses
from tournaments.hall.live import HallRequest, find_tournament, live_page, player_pages
from tournaments.hall.story_text import (
    LEAST_CLIMB,
    Teller,
    fallen_records_text,
    hangs_on,
    minutes,
    pace_in_words,
)
from tournaments.ledger.queries import rulebook_of
from tournaments.ledger.scoresheet import result_sentence
from tournaments.ledger.seating import seating_at
from tournaments.ledger.submissions import adds_up_to_zero
from tournaments.lifecycle.money import Podium, podiums
from tournaments.models import Deal
from tournaments.standings.story import Race
from tournaments.standings.story_data import Story
from tournaments.web.lookup import find_entry

if TYPE_CHECKING:
    from django.http.response import HttpResponseBase

    from tournaments.models import Tournament
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
