"""Quality of a draw of pairs or teams in words: repeats, byes, first dealers.

"Cannot be better" is stated only with a proof by counting (`draw.meetings`): for the rounds still to be drawn, if
any, else for all rounds.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.domain.draw_text import Said
from tournaments.draw.meetings import Matchday, missing_at_least, missing_from_the_start
from tournaments.models import Match, Round

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.models import Tournament


@dataclass(frozen=True)
class _Group:
    """A group of teams that meet each other, and its rounds: those that have started, and those that are drawn."""

    teams: Sequence[int]
    started: Sequence[Matchday]
    drawn: Sequence[Matchday]
    byes: int  # of them free each round on purpose

    def met(self) -> list[int]:
        """The number of meetings of each two, played or to come."""
        days = [*self.started, *self.drawn]
        times = Counter(frozenset(pair) for day in days for pair in day.matches)
        return [times[frozenset(pair)] for pair in combinations(self.teams, 2)]

    def missing(self, meetings: int) -> int:
        return sum(max(meetings - times, 0) for times in self.met())

    def missing_at_least(self, meetings: int) -> int:
        if self.drawn:
            left = len(self.drawn)
            return missing_at_least(self.started, left, self.teams, meetings=meetings, byes=self.byes)
        return missing_from_the_start(self.started, self.teams, meetings=meetings, byes=self.byes)


def meetings_in_words(tournament: Tournament) -> list[Said]:
    """The figures of all rounds drawn or played; nothing before the first draw."""
    groups = _groups(tournament)
    days = [day for group in groups for day in (*group.started, *group.drawn)]
    if not days:
        return []
    meetings = _meetings(groups)
    said = [meetings]
    byes = Counter(team for day in days for team in day.byes)
    if byes:
        # Fewer matches than could be had are more byes than need be.
        even = all(_is_even([byes[team] for team in group.teams]) for group in groups)
        said.append(_spread(_("Byes"), groups, byes, good=even and meetings.good))
    homes = Counter(home for day in days for home, _away in day.matches)
    title = str(tournament.format_row.words.at_home)
    even = all(_is_even([homes[team] for team in group.teams]) for group in groups)
    return [*said, _spread(title, groups, homes, good=even)]


def _groups(tournament: Tournament) -> list[_Group]:
    rows = Match.objects.filter(round__tournament=tournament).order_by("round__number")
    rounds: dict[int, tuple[bool, list[tuple[int, int | None]]]] = {}
    for number, state, home, away in rows.values_list("round__number", "round__state", "home_id", "away_id"):
        rounds.setdefault(number, (state == Round.State.DRAWN, []))[1].append((home, away))
    teams: dict[int, list[int]] = {}
    for team, division in tournament.teams.filter(withdrawn=False).values_list("pk", "division"):
        teams.setdefault(division, []).append(team)
    return [
        _Group(
            members,
            [_day(matches, members) for is_drawn, matches in rounds.values() if not is_drawn],
            [_day(matches, members) for is_drawn, matches in rounds.values() if is_drawn],
            tournament.bye_teams,
        )
        for members in teams.values()
        if rounds
    ]


def _day(matches: Sequence[tuple[int, int | None]], members: Sequence[int]) -> Matchday:
    """A round restricted to these members; those who left still count as opponents met."""
    mine = [(home, away) for home, away in matches if home in members or away in members]
    return Matchday(
        tuple((home, away) for home, away in mine if away is not None),
        tuple(home for home, away in mine if away is None),
    )


def _meetings(groups: Sequence[_Group]) -> Said:
    title = _("Meetings")
    times = [count for group in groups for count in group.met()]
    fewest, most = min(times, default=0), max(times, default=0)
    if fewest == most:
        value = ngettext(
            "everyone meets everyone %(n)d time", "everyone meets everyone %(n)d times", most
        ) % {"n": most}
        return Said(title, value, good=most > 0)
    missing = sum(group.missing(fewest + 1) for group in groups)
    value = _missing(missing, fewest + 1)
    good = all(
        sum(group.missing(level) for group in groups)
        <= sum(group.missing_at_least(level) for group in groups)
        for level in range(fewest + 1, most + 1)
    )
    if not good and (least := sum(group.missing_at_least(fewest + 1) for group in groups)):
        value += "; " + ngettext(
            "at least %(count)d cannot be avoided", "at least %(count)d cannot be avoided", least
        ) % {"count": least}  # fmt: skip
    return Said(title, value, good)


def _missing(count: int, times: int) -> str:
    if times == 1:
        text = ngettext(
            "%(count)d meeting is missing for a full round robin",
            "%(count)d meetings are missing for a full round robin",
            count,
        )
    else:
        text = ngettext(
            "%(count)d meeting is missing for everyone to meet %(times)d times",
            "%(count)d meetings are missing for everyone to meet %(times)d times",
            count,
        )
    return text % {"count": count, "times": times}


def _spread(title: str, groups: Sequence[_Group], counts: Counter[int], *, good: bool) -> Said:
    of_each = [counts[team] for group in groups for team in group.teams]
    fewest, most = min(of_each, default=0), max(of_each, default=0)
    if fewest == most:
        value = ngettext("%(count)d time each", "%(count)d times each", most) % {"count": most}
    else:
        value = _("%(fewest)d to %(most)d times each") % {"fewest": fewest, "most": most}
    return Said(title, value, good)


def _is_even(counts: Sequence[int]) -> bool:
    return max(counts, default=0) - min(counts, default=0) <= 1
