"""A club's web site as a job: every page that the hall has of it, packed into one file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from zipfile import ZIP_DEFLATED, ZipFile

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from clubs.clubs import log_change
from clubs.models import Account, Club, News
from clubs.roles import may_organise
from core.errors import JobError
from core.jobs import queue
from core.jobs.kinds import JobKind, JobResult, WithdrawReason, subject_name, subjects_by_name
from tournaments.changes.versions import print_of_versions
from tournaments.exports.site.fingerprints import print_of
from tournaments.exports.site.publishing import Wanted, publish
from tournaments.models import Award, OldEvent, OldPlace, Season, SeasonDeal, Tournament

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator
    from pathlib import Path

    from django.contrib.auth.models import AbstractUser

    from core.jobs.kinds import JobRun
    from core.jobs.models import Job


SITE = "site"
GONE = gettext_noop("This club no longer exists.")


def _told_besides(hosts: Collection[int]) -> Iterator[list[tuple[Any, ...]]]:
    """Fingerprint of data outside evenings' versions: seasons, their deals, titles, public news, old results."""
    yield list(Season.objects.filter(host__in=hosts).order_by("pk").values_list("pk", "version", "name"))
    yield list(Award.objects.filter(season__host__in=hosts).order_by("pk").values_list())
    yield list(SeasonDeal.objects.filter(season__host__in=hosts).order_by("pk").values_list())
    yield list(News.objects.filter(club__in=hosts, is_public=True).order_by("pk").values_list("pk"))
    old = OldEvent.objects.filter(host__in=hosts).order_by("pk")
    yield list(old.values_list())
    yield list(OldPlace.objects.filter(event__in=old.values("pk")).order_by("pk").values_list())


def ask(club: Club, wanted: Wanted, *, language: str, account: Account) -> Job:
    """The job that builds the site, or an existing one that is up to date."""
    about = {"languages": list(wanted.languages), "depth": wanted.depth, "address": wanted.address}
    wish = queue.JobRequest(SITE, subject_name("club", club.pk), language, about)
    return queue.enqueue(wish, account=account, now=timezone.now())


class WebSite(JobKind):
    """A web site of a club's hall, or of a union's with its clubs.

    Only the file is stored, for a day: erased persons do not remain on forgotten copies.
    """

    code = SITE
    withdrawn = frozenset(WithdrawReason)
    content_type = "application/zip"

    def subjects(self, names: Iterable[str]) -> dict[str, Any]:
        return subjects_by_name("club", Club.objects.all(), names)

    def may_see(self, account: AbstractUser, job: Job) -> bool:
        club = self.thing(job)
        return club is not None and isinstance(account, Account) and may_organise(account, club)

    def title(self, job: Job) -> str:
        return _("Web site · %(club)s") % {"club": self.thing(job) or "–"}

    def page(self, job: Job) -> str:
        club = self.thing(job)
        return reverse("clubs") if club is None else reverse("club_site", args=[club.slug])

    def version(self, job: Job) -> str:
        """Fingerprint of day, evenings, seasons and old results: the input of the site."""
        club = self.thing(job)
        if club is None:
            return ""
        hosts = [club.pk, *club.clubs.values_list("pk", flat=True)]
        versions = Tournament.objects.filter(host__in=hosts).order_by().aggregate(all=print_of_versions())
        return print_of(
            timezone.localdate(), versions["all"], *_told_besides({*hosts, *club.itself_and_unions()})
        )

    def make(self, work: JobRun) -> JobResult:
        club, about = self.thing(work.job), work.job.about
        if club is None:
            raise JobError(GONE)

        def tell(done: int, total: int) -> None:
            work.tell(min(done, total), None if work.job.total == total else total)

        folder = work.folder / "site"
        wanted = Wanted(tuple(about["languages"]), club, about["depth"], about["address"])
        publish(folder, wanted, tell=tell)
        packed = work.folder / "site.zip"
        pack(folder, club.slug, packed)
        name = work.keep(packed, "zip")
        text = gettext_noop("Created a website of the hall as a file")
        log_change(club, work.job.asked_by, text, now=timezone.now())
        return JobResult(name, f"{club.slug}.zip", {"files": sum(1 for _ in pages_of(folder))})

    def result_messages(self, job: Job) -> list[str]:
        files = job.said.get("files", 0)
        return [
            ngettext("%(files)d file.", "%(files)d files.", files) % {"files": files},
            _("Unpack it and open index.html, or put the folder on any web server."),
        ]


def pages_of(folder: Path) -> Iterable[Path]:
    """The published files, without the manifest."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.relative_to(folder).parts[0].startswith("."):
            yield path


def pack(folder: Path, name: str, target: Path) -> None:
    with ZipFile(target, "w", ZIP_DEFLATED, compresslevel=6) as packed:
        for path in pages_of(folder):
            packed.write(path, f"{name}/{path.relative_to(folder).as_posix()}")
