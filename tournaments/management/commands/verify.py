"""`manage.py verify`: is every total what the reports say?"""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from tournaments.append_only import reports_are_protected
from tournaments.models import Report, Tournament
from tournaments.recount import differences, notices
from tournaments.serving import refuse_empty_folder


class Command(BaseCommand):
    help = "Recounts every tournament from the ledger and checks its hash chains; exit 1 at the first difference."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("code", nargs="*", help="tournaments to recount (all, unless named)")

    def handle(self, *args: Any, **options: Any) -> None:
        refuse_empty_folder()
        if not reports_are_protected(connection):
            raise CommandError(
                "The database lacks the triggers that keep reports from being changed: run `migrate`."
            )
        tournaments = Tournament.objects.order_by("code")
        if options["code"]:
            tournaments = tournaments.filter(code__in=options["code"])
            unknown = set(options["code"]) - set(tournaments.values_list("code", flat=True))
            if unknown:
                raise CommandError(f"There is no tournament {', '.join(sorted(unknown))}.")
        for tournament in tournaments:
            for difference in differences(tournament):
                raise CommandError(str(difference), returncode=1)
            for notice in notices(tournament):
                self.stdout.write(f"Notice: {notice}")
        reports = Report.objects.filter(table__round__tournament__in=tournaments).count()
        self.stdout.write(f"{tournaments.count()} tournament(s), {reports} report(s): every total agrees.")
