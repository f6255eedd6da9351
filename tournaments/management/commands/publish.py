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
        "Publishes the public pages as a web site in a folder. The pages need no server: open the folder, "
        "copy it, or put it on any web server. Only pages that have changed are written again."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--to",
            required=True,
            help="a folder, or a place to copy it to: sftp://user@host/folder, or host:folder for rsync",
        )
        parser.add_argument(
            "--club", default="", help="publish only this club, by its short name; a union includes its clubs"
        )
        parser.add_argument(
            "--language",
            default=settings.FIRST_LANGUAGE,
            help="one language, or several separated by commas: da,en (each gets its own folder; the first "
            "is the default)",
        )
        parser.add_argument(
            "--address",
            default="",
            help="the site's public address, such as https://club.example/results; adds calendars, "
            "pictures and a sitemap",
        )
        parser.add_argument(
            "--depth",
            choices=DEPTHS,
            default=USUAL,
            help="brief: the front page, standings, story and rules of each evening; usual: also all "
            "tables and players; whole: also a PDF of each player's evening, and who has met whom",
        )
        parser.add_argument(
            "--processes", type=int, default=cores(), help="number of processes (default: one per core)"
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
                "A worker process was killed. Is there enough memory? The published site is unchanged."
            ) from None
        except OSError as problem:
            said = problem.strerror or problem
            raise CommandError(f"{options['to']}: {said}. The published site is unchanged.") from None
        except KeyboardInterrupt:
            raise CommandError("Stopped. The published site is unchanged.", returncode=STOPPED) from None
        self.stdout.write(
            f"{published.files:,} files, {published.written:,} of them written, {published.removed:,} "
            f"removed." + (f" {copied}" if copied else "")
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
            self.stderr.write(f"{done:,} of at most {total:,} tournaments, people and lists done", str)
            sys.stderr.flush()
