"""All that is kept of results (`models.kept`) at once: what is lacking counted, everything counted anew."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from django.db import transaction

from tournaments.ledger.deal_sums import forget_sums, lacking, sum_what_is_lacking
from tournaments.models import EveningResult, KeptYear, RatedEvening, Rating, RatingState, Round, Tournament
from tournaments.seasons.rated import bring_up_to_date, to_bring_up_to_date
from tournaments.seasons.results import keep, not_kept

if TYPE_CHECKING:
    from collections.abc import Callable


# Evenings that are counted in one transaction: a tenth of a second or two.
AT_ONCE = 20


def count_what_is_lacking(tell: Callable[[int, int | None], object] = lambda _done, _total: None) -> None:
    """Count what pages would count when they are asked next: after an upgrade that is everything.

    `tell` is told now and then how many unions and evenings are done, first of how many.
    """
    playing = Round.objects.filter(state=Round.State.RUNNING)
    evenings = not_kept().exclude(pk__in=playing.values("tournament")).order_by("pk")
    keys = list(evenings.values_list("pk", flat=True))
    steps = [(partial(bring_up_to_date, whole), 1) for whole in to_bring_up_to_date()]
    parts = [keys[first : first + AT_ONCE] for first in range(0, len(keys), AT_ONCE)]
    steps += [(partial(keep, *part), len(part)) for part in parts]
    done, not_summed = 0, lacking().count()
    tell(0, sum(counts for _step, counts in steps) + not_summed)
    for step, counts in steps:
        step()
        done += counts
        tell(done, None)
    sum_what_is_lacking(lambda summed: tell(done + summed, None))


@transaction.atomic
def forget_everything() -> None:
    """Keep nothing: who asks next counts from the results alone."""
    for model in (EveningResult, KeptYear, Rating, RatedEvening, RatingState):
        model.objects.all()._raw_delete("default")  # nothing hangs on them
    forget_sums()
    Tournament.objects.update(results_kept=False, is_rated=False)
