"""The first three of evenings that are over, beside their names in lists: a result without its winner is none."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from clubs.models import named
from tournaments.models import EveningResult
from tournaments.models.play import told_apart

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.models import Tournament

FIRSTS = 3
# Of a place that more share, nobody is named.
MOST_AT_A_PLACE = 2
TOLD = (
    "tournament", "place", "entry__number", "entry__player__name", "entry__club__name_style", "entry__has_namesake",
)  # fmt: skip


def tell_firsts(evenings: Sequence[Tournament]) -> None:
    """Give each evening its `firsts`: (place, names), as far as its results are kept as they are now.

    A pair is both its players; teams have too many names.
    """
    kept = {one.pk: one for one in evenings if one.results_kept and one.is_finished}
    rows = EveningResult.objects.filter(tournament__in=kept, place__range=(1, FIRSTS), division=1)
    names: dict[int, dict[int, list[str]]] = defaultdict(lambda: defaultdict(list))
    # Values, not models: the name alone is told.
    for pk, place, number, name, style, has_namesake in rows.order_by("place", "entry__number").values_list(
        *TOLD
    ):
        shown = named(name, style or kept[pk].host.name_style, number)
        names[pk][place].append(told_apart(shown, number, has_namesake=has_namesake))
    for one in evenings:
        places = names[one.pk].items()
        one.firsts = [(place, names) for place, names in places if len(names) <= MOST_AT_A_PLACE]
