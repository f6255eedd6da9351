"""Making a file of sheets: as a job, or at once where it is short."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext, override

from clubs.models import Account
from clubs.roles import may_help
from core.errors import JobError, NotPossible
from core.jobs import queue
from core.jobs.kinds import WithdrawReason, subjects_by_name
from core.pdf.job import PAGES_AT_ONCE, OfPages, look, made_of_pages, ready_of
from tournaments.models import Round
from tournaments.paper.kinds import EVERYTHING, KINDS, Kind, Order, usual_parts
from tournaments.paper.printed import SHEETS, of_round, seat_marks

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from django.contrib.auth.models import AbstractUser

    from core.jobs.kinds import About, JobResult, JobRun
    from core.jobs.models import Job

# Of more players the pages are not counted beforehand, which takes as long as making some of them.
COUNTED_PLAYERS = 60

DRAWN_ANEW = gettext_noop("The round has been drawn again in the meantime. Request its sheets again.")


def ask(
    order: Order, kind: str, *, language: str, account: Account, at_once: bool = False, anew: bool = False
) -> Job:
    """The job that makes, or has made, the file for the tournament as it stands.

    A short file is made before this returns, and any file with `at_once`. With `anew` a file that is ready is made
    again: names may have been corrected, which changes no tournament. Raises NotPossible if the round is no longer
    drawn.
    """
    about: About = {"sheet": kind, "table": order.table_number, "base_url": order.base_url}
    if order.only:
        about["only"] = [*order.only]
    if kind == EVERYTHING:
        about["parts"] = [*(order.parts or usual_parts(order.round))]
    with transaction.atomic():
        if not Round.objects.select_for_update().filter(pk=order.round.pk):
            raise NotPossible(_("The draw has changed in the meantime; check it again."))
        total = _expected_pages(order, KINDS[kind])
        wish = queue.JobRequest(SHEETS, of_round(order.round), language, about, total)
        job = queue.enqueue(wish, account=account, now=timezone.now(), anew=anew)
    return queue.run_now(job) if at_once or 0 < total <= PAGES_AT_ONCE else job


def made_of(round_: Round) -> list[Job]:
    """Files of a round that can still be opened, the newest first."""
    return ready_of(SHEETS, of_round(round_))


def _expected_pages(order: Order, kind: Kind) -> int:
    """How many pages a file will have, but for notes that overflow; 0 where that is not known so soon."""
    if kind.code == EVERYTHING:
        return 0
    if kind.of_tables:
        return sum(kind.pages_of_table(table) for table in order.tables())
    if order.round.tournament.entries.count() > COUNTED_PLAYERS:
        return 0
    return len(kind.pages(order))


class Sheets(OfPages):
    """Sheets of a round; they have the captains' secrets on them."""

    code = SHEETS
    waits_for_long_ones = False
    withdrawn = frozenset({WithdrawReason.ERASED})

    def things(self, names: Iterable[str]) -> dict[str, Any]:
        """Rounds, as they are drawn now: one that was drawn anew is no more."""
        return subjects_by_name(
            "round", Round.objects.select_related("tournament__host__union", "tournament__held_by"), names
        )

    def may_see(self, account: AbstractUser, job: Job) -> bool:
        round_ = self.thing(job)
        if round_ is None or not isinstance(account, Account):
            return False
        return may_help(account, round_.tournament.host, round_.tournament.held_by)

    def title(self, job: Job) -> str:
        round_, kind = self.thing(job), KINDS[job.about["sheet"]]
        if round_ is None:
            return str(kind.title)
        if kind.code == EVERYTHING:
            return _("Everything for round %(number)d") % {"number": round_.number}
        return " · ".join([str(kind.title), *_which(job, kind, round_)])

    def page(self, job: Job) -> str:
        round_ = self.thing(job)
        if round_ is None:
            return reverse("desk")
        return f"{reverse('desk_print', args=[round_.tournament.code])}?round={round_.number}"

    def context(self, job: Job) -> dict[str, Any]:
        round_ = self.thing(job)
        return {"tournament": round_.tournament} if round_ is not None else {}

    def version(self, job: Job) -> str:
        round_ = self.thing(job)
        return f"{round_.tournament.version} {look()}" if round_ is not None else ""

    def make(self, work: JobRun) -> JobResult:
        job, round_ = work.job, self.thing(work.job)
        if round_ is None:
            raise JobError(DRAWN_ANEW)
        kind = KINDS[job.about["sheet"]]
        with override("en"):
            missing = kind.missing(round_)
        if missing:
            raise JobError(missing)
        seats = seat_marks(round_)  # read first: whoever moves meanwhile is told to print again
        pages = kind.pages(_order(job, round_))
        title, named = f"{kind.title}, {round_.tournament.name}", round_.tournament.name
        made = made_of_pages(
            work, pages, title, named, *_which(job, kind, round_), kind.title, folded=kind.folded
        )
        return replace(made, said={"seats": seats})


def _order(job: Job, round_: Round) -> Order:
    """What was asked for, as it is printed now."""
    only, parts = tuple(job.about.get("only", ())), tuple(job.about.get("parts", ()))
    return Order(round_, job.about["base_url"], timezone.now(), job.about["table"], only, parts)


def _which(job: Job, kind: Kind, round_: Round) -> Iterator[str]:
    """What of the tournament the sheets are of."""
    if not kind.of_event:
        yield _("round %(number)d") % {"number": round_.number}
    tables = job.about.get("only") or [job.about["table"]]
    if tables != [None]:
        numbers = ", ".join(map(str, tables))
        text = ngettext("table %(numbers)s", "tables %(numbers)s", len(tables))
        yield text % {"numbers": numbers}
