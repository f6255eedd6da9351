"""Making a file of sheets: as a job, or at once where it is short."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, override

from clubs.models import Account
from clubs.roles import may_help
from core.errors import CannotDo, NotPossible
from core.jobs import queue
from core.jobs.kinds import Because, numbered, thing_named
from tournaments.models import Round
from tournaments.paper.kinds import KINDS, Kind, Order
from tournaments.paper.pages_job import PAGES_AT_ONCE, OfPages, look, made_of_pages, ready_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from django.contrib.auth.models import AbstractUser

    from core.jobs.kinds import Made, Work
    from core.jobs.models import Job

SHEETS = "sheets"
# Of more players the pages are not counted beforehand, which takes as long as making some of them.
COUNTED_PLAYERS = 60

DRAWN_ANEW = gettext_noop("The round has been drawn anew meanwhile. Ask for its sheets again.")


def ask(
    order: Order, kind: str, *, language: str, account: Account, at_once: bool = False, anew: bool = False
) -> Job:
    """The job that makes, or has made, the file for the tournament as it stands.

    A short file is made before this returns, and any file with `at_once`. With `anew` a file that is ready is made
    again: names may have been corrected, which changes no tournament. Raises NotPossible if the round is no longer
    drawn.
    """
    about = {"sheet": kind, "table": order.table_number, "base_url": order.base_url}
    with transaction.atomic():
        if not Round.objects.select_for_update().filter(pk=order.round.pk):
            raise NotPossible(_("The draw has changed meanwhile; look at it again."))
        total = _expected_pages(order, KINDS[kind])
        wish = queue.Wish(SHEETS, of_round(order.round), language, about, total)
        job = queue.ask(wish, account=account, now=timezone.now(), anew=anew)
    return queue.at_once(job) if at_once or 0 < total <= PAGES_AT_ONCE else job


def of_round(round_: Round) -> str:
    """What a job of sheets is of."""
    return thing_named("round", round_.pk)


def made_of(round_: Round) -> list[Job]:
    """Files of a round that can still be opened, the newest first."""
    return ready_of(SHEETS, of_round(round_))


def _expected_pages(order: Order, kind: Kind) -> int:
    """How many pages a file will have, but for notes that overflow; 0 where that is not known so soon."""
    if kind.of_tables:
        return sum(kind.pages_of_table(table) for table in order.tables())
    if order.round.tournament.entries.count() > COUNTED_PLAYERS:
        return 0
    return len(kind.pages(order))


class Sheets(OfPages):
    """Sheets of a round; they have the captains' secrets on them."""

    code = SHEETS
    waits_for_long_ones = False
    withdrawn = frozenset({Because.ERASED})

    def things(self, names: Iterable[str]) -> dict[str, Any]:
        """Rounds, as they are drawn now: one that was drawn anew is no more."""
        return numbered(
            "round", Round.objects.select_related("tournament__host__union", "tournament__held_by"), names
        )

    def may_see(self, account: AbstractUser, job: Job) -> bool:
        round_ = self.thing(job)
        if round_ is None or not isinstance(account, Account):
            return False
        return may_help(account, round_.tournament.host, round_.tournament.held_by)

    def title(self, job: Job) -> str:
        round_, table = self.thing(job), job.about["table"]
        said = [str(KINDS[job.about["sheet"]].title)]
        if round_ is not None and not KINDS[job.about["sheet"]].of_event:
            said.append(_("round %(number)d") % {"number": round_.number})
        if table is not None:
            said.append(_("table %(number)d") % {"number": table})
        return " · ".join(said)

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

    def make(self, work: Work) -> Made:
        job, round_ = work.job, self.thing(work.job)
        if round_ is None:
            raise CannotDo(DRAWN_ANEW)
        kind = KINDS[job.about["sheet"]]
        with override("en"):
            missing = kind.missing(round_)
        if missing:
            raise CannotDo(missing)
        pages = kind.pages(Order(round_, job.about["base_url"], timezone.now(), job.about["table"]))
        title = f"{kind.title}, {round_.tournament.name}"
        return made_of_pages(work, pages, title, *_which(job, kind, round_), kind.title)


def _which(job: Job, kind: Kind, round_: Round) -> Iterator[str]:
    """What the sheets are of, in their own language."""
    yield round_.tournament.name
    if not kind.of_event:
        yield _("round %(number)d") % {"number": round_.number}
    if job.about["table"] is not None:
        yield _("table %(number)d") % {"number": job.about["table"]}
