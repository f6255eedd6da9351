"""All that is kept of results (`models.kept`) at once: what is lacking counted, everything counted anew."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from django.db import transaction

from tournaments.ledger.sums import forget_sums, lacking, sum_what_is_lacking
from tournaments.models import EveningResult, RatedEvening, Rating, RatingState, Round, Tournament
from tournaments.seasons.rated import bring_up_to_date, to_bring_up_to_date
from tournaments.seasons.results import keep, not_kept

if TYPE_CHECKING:
    from collections.abc import Callable


def count_what_is_lacking(tell: Callable[[int, int | None], object] = lambda _done, _total: None) -> None:
    """Count what pages would count when they are asked next: after an upgrade that is everything.

    `tell` is told now and then how many unions and evenings are done, first of how many.
    """
    playing = Round.objects.filter(state=Round.State.RUNNING)
    evenings = not_kept().exclude(pk__in=playing.values("tournament")).order_by("pk")
    steps = [partial(bring_up_to_date, whole) for whole in to_bring_up_to_date()]
    steps += [partial(keep, evening) for evening in evenings]
    done, not_summed = 0, lacking().count()
    tell(0, len(steps) + not_summed)
    for done, step in enumerate(steps, start=1):
        step()
        tell(done, None)
    sum_what_is_lacking(lambda summed: tell(done + summed, None))


@transaction.atomic
def forget_everything() -> None:
    """Keep nothing: who asks next counts from the results alone."""
    for model in (EveningResult, Rating, RatedEvening, RatingState):
        model.objects.all()._raw_delete("default")  # nothing hangs on them
    forget_sums()
    Tournament.objects.update(results_kept=False, is_rated=False)
