"""`manage.py verify`: is everything as it was reported and decided?"""

from __future__ import annotations

from argparse import ArgumentParser
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from core.database import refuse_empty_folder
from tournaments.changes.chain import find_head
from tournaments.exports.verify.jobs import MANY, check_register, recount_all
from tournaments.models import Report, Tournament
from tournaments.models.append_only import unprotected

if TYPE_CHECKING:
    from collections.abc import Generator

    from django.db.models import QuerySet

    from tournaments.exports.verify.recount import Recounted


STOPPED = 130  # the exit status of what Ctrl-C ended


# Of places that have the same notice so many are named.
NAMED = 3


def grouped(notices: list[str]) -> list[str]:
    """One line for each text of notices (“place: text”), with the first of its places and how many more there are.

    Restored on another machine, every tournament has the same one.
    """
    places: dict[str, list[str]] = {}
    for notice in notices:
        place, _colon, text = notice.partition(": ")
        places.setdefault(text, []).append(place)
    lines = []
    for text, found in places.items():
        more = f" and {len(found) - NAMED} more" if len(found) > NAMED else ""
        lines.append(f"{', '.join(found[:NAMED])}{more}: {text}")
    return lines


class Command(BaseCommand):
    help = (
        "Recounts every tournament from the ledger and checks its hash chains and database triggers. Can "
        "also look up a check code printed on paper. Exits with 1 at the first difference."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("code", nargs="*", help="tournaments to recount (default: all)")
        parser.add_argument(
            "--head",
            action="append",
            default=[],
            help="a check code from a printed sheet or final standings: XXXX-XXXX-XXXX-XXXX",
        )
        parser.add_argument("--all", action="store_true", help="report every difference, not just the first")

    def handle(self, *args: Any, **options: Any) -> None:
        refuse_empty_folder()
        self.go_on = options["all"]
        tournaments = self._asked_for(options["code"])
        found = [
            f"The database does not protect reports: {problem}. Run `migrate`."
            for problem in unprotected(connection)
        ]
        self._tell(found)
        if not options["code"]:
            register = check_register()
            self._tell(register.differences)
            for notice in register.notices:
                self.stdout.write(f"Notice: {notice}")
        reports = Report.objects.filter(table__round__tournament__in=tournaments).count()
        keys = list(tournaments.values_list("pk", flat=True))
        most, kept = None if self.go_on else 1, not options["code"]
        self._recount(recount_all(keys, reports=reports, most=most, kept=kept), len(keys), reports)
        for head in options["head"]:
            self._find(tournaments, head)
        if self.wrong:
            raise CommandError(f"{self.wrong} difference(s).", returncode=1)
        self.stdout.write(f"{tournaments.count()} tournament(s), {reports} report(s): every total agrees.")

    go_on, wrong = False, 0

    def _asked_for(self, codes: list[str]) -> QuerySet[Tournament]:
        tournaments = Tournament.objects.order_by("code")
        if codes:
            tournaments = tournaments.filter(code__in=codes)
            unknown = set(codes) - set(tournaments.values_list("code", flat=True))
            if unknown:
                raise CommandError(f"There is no tournament {', '.join(sorted(unknown))}.")
        return tournaments

    def _recount(self, recounted: Generator[Recounted, None, None], tournaments: int, reports: int) -> None:
        """Print the differences of these tournaments, then of the materialized results.

        With progress if it takes long.
        """
        step = max(tournaments // 10, 1)
        notices: list[str] = []
        try:
            with closing(recounted):
                for number, found in enumerate(recounted, start=1):
                    self._tell(found.differences)
                    notices += found.notices
                    if reports >= MANY and number <= tournaments and number % step == 0:
                        self.stderr.write(f"{number:,} of {tournaments:,} tournaments recounted", str)
        except KeyboardInterrupt:
            raise CommandError(
                "Stopped before the end: the remaining tournaments have not been checked.", returncode=STOPPED
            ) from None
        except BrokenProcessPool:
            raise CommandError("A worker process was killed. Is there enough memory?") from None
        finally:
            for notice in grouped(notices):
                self.stdout.write(f"Notice: {notice}")

    def _tell(self, found: list[str]) -> None:
        for text in found:
            if not self.go_on:
                raise CommandError(text, returncode=1)
            self.stderr.write(text)
            self.wrong += 1

    def _find(self, tournaments: QuerySet[Tournament], head: str) -> None:
        for tournament in tournaments:
            if found := find_head(tournament, head):
                self.stdout.write(f"{head}: {found}. Everything up to that point is unchanged.")
                return
        raise CommandError(
            f"{head}: no tournament here has ever had this check code. If it is typed as on the paper, the "
            f"data it was printed from have since been changed or cut short.",
            returncode=1,
        )
