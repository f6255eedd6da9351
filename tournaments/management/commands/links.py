"""`manage.py links`: the captains' links of every open table."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.urls import reverse

from core.database import refuse_empty_folder
from core.platform import to_json
from core.serving.addresses import hall_address
from core.serving.data_lock import served_port
from tournaments.ledger.queries import open_tables


class Command(BaseCommand):
    help = "Prints the captain's link for every open table."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="print one JSON list")
        parser.add_argument("--base", default="", help="start of each link, as http://host:port")

    def handle(self, *args: Any, **options: Any) -> None:
        refuse_empty_folder()
        base = (options["base"] or hall_address(served_port())).rstrip("/")
        tables = open_tables().select_related("round__tournament")
        links = [
            {
                "tournament": table.round.tournament.code,
                "name": table.round.tournament.name,
                "round": table.round.number,
                "table": table.number,
                "deals": table.deals,
                "players": [seat.entry.shown_name for seat in table.seats.all()],
                "code": table.code,
                "secret": table.secret,
                "link": base + reverse("captain", args=[table.secret]),
            }
            for table in tables.order_by("round__tournament__code", "number").prefetch_related(
                "seats__entry__player", "seats__entry__club", "seats__entry__tournament__host"
            )
        ]
        if options["json"]:
            self.stdout.write(to_json(links))
            return
        for link in links:
            self.stdout.write(f"{link['name']}, round {link['round']}, table {link['table']}: {link['link']}")
        if not links:
            self.stdout.write("No round is running.")
