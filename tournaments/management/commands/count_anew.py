"""`manage.py count_anew`: recompute all materialized results."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from core.database import refuse_empty_folder
from tournaments.models import DealSum, EveningResult, Rating
from tournaments.people.club_years import keep_what_is_lacking
from tournaments.seasons.results import count_what_is_lacking, forget_everything


class Command(BaseCommand):
    help = (
        "Recomputes ratings, season results and deal totals from the reported results. Normally pages do "
        "this by themselves."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        refuse_empty_folder()
        forget_everything()
        count_what_is_lacking()
        keep_what_is_lacking()
        self.stdout.write(
            f"{Rating.objects.count()} rating(s), {EveningResult.objects.count()} evening result(s) and "
            f"{DealSum.objects.count()} deal total(s) recomputed."
        )
