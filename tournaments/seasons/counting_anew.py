"""All that is kept of results (`models.kept`) at once: what is lacking counted, everything counted anew."""

from __future__ import annotations

from django.db import transaction

from tournaments.models import EveningResult, RatedEvening, Rating, RatingState, Round, Tournament
from tournaments.seasons.rated import bring_up_to_date, to_bring_up_to_date
from tournaments.seasons.results import keep, not_kept


def count_what_is_lacking() -> None:
    """Count what pages would count when they are asked next: after an upgrade that is everything."""
    for whole in to_bring_up_to_date():
        bring_up_to_date(whole)
    playing = Round.objects.filter(state=Round.State.RUNNING)
    for evening in (
        not_kept().exclude(season=None).exclude(pk__in=playing.values("tournament")).order_by("pk")
    ):
        keep(evening)


@transaction.atomic
def forget_everything() -> None:
    """Keep nothing: who asks next counts from the results alone."""
    for model in (EveningResult, Rating, RatedEvening, RatingState):
        model.objects.all()._raw_delete("default")  # nothing hangs on them
    Tournament.objects.update(results_kept=False, is_rated=False)
