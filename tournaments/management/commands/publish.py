"""`manage.py publish`: the hall as a folder of pages that need no server."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from clubs.models import Club
from core.database import refuse_empty_folder
from core.platform import cores
from tournaments.exports.site.addresses import DEPTHS, USUAL, NotOurs
from tournaments.exports.site.pages import NotShown
from tournaments.exports.site.publishing import Busy, Wanted, publish
from tournaments.exports.site.remote_copy import CannotCopy, copied_to, place_named

STOPPED = 130  # the exit status of what Ctrl-C ended


class Command(BaseCommand):
    help = (
        "Publishes the hall as a web site in a folder: pages that need no server, made anew where something has "
        "changed since the last time. The folder can be opened as it is, copied, or put on any web server."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--to",
            required=True,
            help="a folder; or where it is copied to: sftp://user@host/folder, or what rsync takes, as host:folder",
        )
        parser.add_argument(
            "--club", default="", help="of this club alone, by its short name; a union's with its clubs"
        )
        parser.add_argument(
            "--language",
            default=settings.FIRST_LANGUAGE,
            help="one, or several with commas between: da,en (each has a folder then; the first is led to)",
        )
        parser.add_argument(
            "--address",
            default="",
            help="where others read it, as https://club.example/results: adds calendars, pictures and a sitemap",
        )
        parser.add_argument(
            "--depth",
            choices=DEPTHS,
            default=USUAL,
            help="brief: of an evening its front page, standings, story and rules; usual: all tables and players too; "
            "whole: each player's evening as PDF, and whom people have met",
        )
        parser.add_argument(
            "--processes", type=int, default=cores(), help="at once (as many as there are cores)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        refuse_empty_folder()
        wanted = self._wanted(options)
        try:
            place = place_named(options["to"])
            published = publish(place.folder, wanted, processes=max(options["processes"], 1), tell=self._tell)
            copied = copied_to(place)
        except (NotOurs, Busy, CannotCopy, NotShown) as problem:
            raise CommandError(str(problem)) from problem
        except BrokenProcessPool:
            raise CommandError(
                "A process that makes pages was killed: is there enough memory? What was published is as it was."
            ) from None
        except OSError as problem:
            said = problem.strerror or problem
            raise CommandError(f"{options['to']}: {said}. What was published is as it was.") from None
        except KeyboardInterrupt:
            raise CommandError("Stopped. What was published is as it was.", returncode=STOPPED) from None
        self.stdout.write(
            f"{published.files:,} files, {published.written:,} of them written, {published.removed:,} taken away."
            + (f" {copied}" if copied else "")
        )

    def _wanted(self, options: dict[str, Any]) -> Wanted:
        known = dict(settings.LANGUAGES)
        languages = tuple(dict.fromkeys(one.strip() for one in options["language"].split(",")))
        if unknown := [one for one in languages if one not in known]:
            raise CommandError(f"--language: {', '.join(unknown) or 'none'}? There are {', '.join(known)}.")
        club = Club.objects.filter(slug=options["club"]).first() if options["club"] else None
        if options["club"] and club is None:
            raise CommandError(f"There is no club {options['club']}.")
        address = options["address"]
        if address and not address.startswith(("https://", "http://")):
            raise CommandError("--address: it must begin with https:// or http://")
        return Wanted(languages, club, options["depth"], address)

    told = -1

    def _tell(self, done: int, total: int) -> None:
        """Report every tenth of the progress, on a terminal."""
        tenth = 10 * done // max(total, 1)
        if tenth != self.told and self.stderr.isatty():
            self.told = tenth
            self.stderr.write(f"{done:,} of at most {total:,} tournaments, people and lists are done", str)
            sys.stderr.flush()
