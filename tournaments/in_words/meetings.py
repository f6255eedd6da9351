"""How good a draw of pairs or teams is, in words: who meets whom how often, byes, and who is dealt with first."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.in_words.draw import Said
from tournaments.models import Match

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.models import Tournament


def meetings_in_words(tournament: Tournament) -> list[Said]:
    """The figures of all rounds drawn or played; nothing before the first draw."""
    matches = Match.objects.filter(round__tournament=tournament)
    ends = list(matches.values_list("home_id", "away_id"))
    if not ends:
        return []
    divisions: dict[int, list[int]] = {}
    for team, division in tournament.teams.filter(withdrawn=False).values_list("pk", "division"):
        divisions.setdefault(division, []).append(team)
    meet = [frozenset(pair) for teams in divisions.values() for pair in combinations(teams, 2)]
    met = Counter(frozenset(pair) for pair in ends if pair[1] is not None)
    teams = [team for group in divisions.values() for team in group]
    said = [_meetings([met[pair] for pair in meet])]
    byes = Counter(home for home, away in ends if away is None)
    if byes:
        said.append(_spread(_("Byes"), [byes[team] for team in teams]))
    homes = Counter(home for home, away in ends if away is not None)
    title = _("At A and C") if tournament.in_pairs else _("At home")
    return [*said, _spread(title, [homes[team] for team in teams])]


def _meetings(times: Sequence[int]) -> Said:
    fewest, most = min(times, default=0), max(times, default=0)
    if fewest == most:
        value = ngettext("all meet all %(n)d time", "all meet all %(n)d times", most) % {"n": most}
        return Said(_("Meetings"), value, good=True)
    missing = sum(count < most for count in times)
    value = ngettext(
        "%(count)d meeting is missing until all have met all", "%(count)d meetings are missing until all have met all",
        missing,
    ) % {"count": missing}  # fmt: skip
    return Said(_("Meetings"), value, good=most - fewest <= 1)


def _spread(title: str, counts: Sequence[int]) -> Said:
    fewest, most = min(counts, default=0), max(counts, default=0)
    if fewest == most:
        value = ngettext("%(count)d time each", "%(count)d times each", most) % {"count": most}
    else:
        value = _("%(fewest)d to %(most)d times each") % {"fewest": fewest, "most": most}
    return Said(title, value, good=most - fewest <= 1)
