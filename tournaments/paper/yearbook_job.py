"""Making a season's yearbook: a job, since a long season takes some seconds."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from clubs.jobs import asking
from clubs.jobs.kinds import Because, CannotDo, Kind, Made, find_things, numbered, thing_named
from clubs.jobs.models import Job
from clubs.models import Account
from clubs.roles import may_organise
from tournaments.models import Season
from tournaments.paper.making import CannotMake, ending, load, write_pdf
from tournaments.paper.yearbook import yearbook_pages
from tournaments.paper.yearbook_told import yearbook_told
from tournaments.steps.live import print_of_versions
from tournaments.web.files import HTML, PDF, file_name

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.contrib.auth.models import AbstractUser

    from clubs.jobs.working import Work

YEARBOOK = "yearbook"
GONE = gettext_noop("There is no such season any more.")


def ask(season: Season, *, language: str, account: Account) -> Job:
    """The job that makes the yearbook, or has made it of the season as it stands."""
    wish = asking.Wish(YEARBOOK, of_season(season), language)
    return asking.ask(wish, account=account, now=timezone.now())


def of_season(season: Season) -> str:
    """What the job is of."""
    return thing_named("season", season.pk)


def made_of(season: Season) -> list[Job]:
    """Yearbooks of a season that can still be opened, the newest first."""
    made = Job.objects.filter(kind=YEARBOOK, thing=of_season(season), state=Job.State.DONE)
    ready = [job for job in made if job.is_ready]
    find_things(ready)
    return ready


class Yearbook(Kind):
    """A season's yearbook as one PDF."""

    code = YEARBOOK
    withdrawn = frozenset(Because)
    is_shown = True

    def things(self, names: Iterable[str]) -> dict[str, Any]:
        return numbered("season", Season.objects.select_related("host__union"), names)

    def prepare(self) -> None:
        with suppress(CannotMake):
            load()

    def may_see(self, account: AbstractUser, job: Job) -> bool:
        season = self.thing(job)
        return season is not None and isinstance(account, Account) and may_organise(account, season.host)

    def title(self, job: Job) -> str:
        return _("Yearbook · %(season)s") % {"season": self.thing(job) or "–"}

    def page(self, job: Job) -> str:
        season = self.thing(job)
        return (
            reverse("desk") if season is None else reverse("club_season", args=[season.host.slug, season.pk])
        )

    def version(self, job: Job) -> str:
        """What changes with its rule and evenings, and with what these say of anybody: names, settings, objections."""
        season = self.thing(job)
        if season is None:
            return ""
        evenings = season.evenings.order_by().aggregate(all=print_of_versions())["all"]
        return f"{season.version} {evenings}"

    def make(self, work: Work) -> Made:
        season = self.thing(work.job)
        if season is None:
            raise CannotDo(GONE)
        pages = yearbook_pages(yearbook_told(season), timezone.localtime())
        work.tell(0, len(pages))
        title = _("Yearbook · %(season)s") % {"season": season}
        target = work.folder / "yearbook"
        write_pdf(pages, title, target, tell=work.tell)
        named = file_name(season.host, season.name, _("Yearbook"), kind=ending())
        return Made(work.keep(target, ending()), named)

    def file_type(self, job: Job) -> str:
        return HTML if job.file.endswith(".html") else PDF

    def far(self, job: Job) -> str:
        said = _("%(done)d of %(total)d pages are made.")
        return (
            said % {"done": job.done, "total": job.total} if job.total else _("The season is being counted.")
        )

    def came_to(self, job: Job) -> list[str]:
        said = ngettext("Ready: %(pages)d page.", "Ready: %(pages)d pages.", job.total)
        return [said % {"pages": job.total}]
