"""`manage.py demo`: a union to look at."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.urls import reverse
from django.utils import timezone

from clubs.models import Club
from core.serving.addresses import desk_address, hall_address, qr_code, refuse_taken_port
from core.serving.server import serve
from tournaments.demo import Demo, demo_now, make_demo


class Command(BaseCommand):
    help = "Creates the demo union in an empty data folder and prints its addresses and passwords."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--serve", action="store_true", help="then serve it until Ctrl-C")
        parser.add_argument(
            "--host",
            default="0.0.0.0",  # noqa: S104
            help="address to listen on (default: all interfaces)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["serve"]:
            refuse_taken_port(options["host"])
        call_command("prepare", verbosity=0)
        if not Club.objects.exists():
            self.stdout.write("Creating the demo: 3 clubs, 48 players, 13 tournaments …")
            demo: Demo | None = make_demo(timezone.now())
        else:
            demo = demo_now()
        if demo is None:
            raise CommandError("This data folder has data of its own, and no demo is running in it.")
        if options["serve"]:
            serve(options["host"], ways_in(demo))
        else:
            for line in ways_in(demo).splitlines():
                self.stdout.write(line)


def ways_in(demo: Demo) -> str:
    captain = hall_address() + reverse("captain", args=[demo.table.secret])
    code = qr_code(f"{hall_address()}/")
    scan = f"\nScan this with a phone on this network to open the hall:\n{code}" if code else ""
    return f"""
The desk           {desk_address()}
  user name        {demo.username}
  password         {demo.password}
A captain's phone  {captain}
  or type          {demo.table.code} at {hall_address()}/c/
The hall           {hall_address()}/
{scan}"""
