"""The first three of evenings that are over, beside their names in lists: a result without its winner is none."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from tournaments.models import EveningResult

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.models import Tournament

FIRSTS = 3
# Of a place that more share, nobody is named.
MOST_AT_A_PLACE = 2


def tell_firsts(evenings: Sequence[Tournament]) -> None:
    """Give each evening its `firsts`: (place, names), as far as its results are kept as they are now.

    A pair is both its players; teams have too many names.
    """
    kept = [one.pk for one in evenings if one.results_kept and one.is_finished]
    rows = EveningResult.objects.filter(tournament__in=kept, place__range=(1, FIRSTS)).select_related(
        "entry__player", "entry__club", "entry__tournament__host"
    )
    named: dict[int, dict[int, list[str]]] = defaultdict(lambda: defaultdict(list))
    for row in rows.order_by("place", "entry__number"):
        named[row.tournament_id][row.place].append(row.entry.shown_name)
    for one in evenings:
        places = named[one.pk].items()
        one.firsts = [(place, names) for place, names in places if len(names) <= MOST_AT_A_PLACE]
