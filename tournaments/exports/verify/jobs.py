"""Recounts as background jobs, and as a command over all tournaments."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from django.db import connection, connections
from django.db.models import Sum
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from clubs.models import Account
from core.errors import JobError
from core.jobs.kinds import JobKind, JobResult, subjects_by_name
from core.platform import cores, may_copy
from core.processes import Workers, begin, begin_copied, begin_parts, settle_garbage
from core.sql import key_set, snapshot
from tournaments.changes.permissions import may_organise_tournament
from tournaments.changes.register import orphans, register_differences, register_notices
from tournaments.exports.verify.derived import Part, kept_differences, parts_of_ratings, parts_of_years
from tournaments.exports.verify.recount import Recount, Recounted
from tournaments.models import DealSum, EveningResult, Rating, Report, Tournament
from tournaments.models.append_only import unprotected
from tournaments.people.club_years import keep_what_is_lacking
from tournaments.people.points_lists import list_differences
from tournaments.seasons.results import count_what_is_lacking, forget_everything

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.contrib.auth.models import AbstractUser

    from core.jobs.kinds import About, JobRun
    from core.jobs.models import Job


# Recounting many tournaments: on every core of the machine, where there is much to count.

# Reports; fewer are counted sooner than a process has begun.
MANY = 20_000
# The batch size in tournaments, or in their reports.
AT_ONCE, REPORTS_AT_ONCE = 320, 40_000


def recount_all(
    keys: Sequence[int], *, reports: int, most: int | None = None, kept: bool = False
) -> Generator[Recounted, None, None]:
    """Recount each tournament in the order of these primary keys; `reports` is their total number of reports.

    Then, with `kept`, the parts of results of many evenings. Child processes query the database on their own
    connections, so they do not see uncommitted changes of the caller. They end with this process, or when the
    consumer stops. Raises `BrokenProcessPool` if one was killed.
    """
    ratings, years = (parts_of_ratings(), parts_of_years()) if kept else ([], [])
    if reports < MANY:
        yield from one_after_the_other(keys, most)
        yield from (_checked(part, most) for part in (*ratings, *years))
        return
    # Also where there is less: some for each process.
    parts = list(_parts(keys, min(REPORTS_AT_ONCE, reports // (2 * cores()))))
    with _processes() as workers:
        # What takes longest first, what is done soonest last: so all processes end together.
        rated = [workers.submit(_checked_here, part, most) for part in ratings]
        found = [workers.submit(_recount_here, part, most) for part in parts]
        counted = [workers.submit(_checked_here, part, most) for part in years]
        for waiting in found:
            yield from waiting.result()
        for checked in (*rated, *counted):
            yield checked.result()


def _checked(part: Part, most: int | None) -> Recounted:
    return Recounted(part()[:most], [])


def _checked_here(part: Part, most: int | None) -> Recounted:
    """`_checked` in a child process."""
    try:
        return _checked(part, most)
    finally:
        settle_garbage()


def _recount_here(keys: Sequence[int], most: int | None) -> list[Recounted]:
    """`recount` in a child process."""
    try:
        return recount(keys, most)
    finally:
        settle_garbage()


def _processes() -> Workers:
    """A pool with one process per core, forked where possible, since importing the program takes nearly a second.

    A database that is open cannot be copied: two would write to one file's locks, or to one server.
    """
    if may_copy() and not connection.in_atomic_block:
        connections.close_all()
        settle_garbage()
        return Workers(cores(), "fork", begin_parts, begin_copied)
    return Workers(cores(), "spawn", begin_parts, begin, str(connection.settings_dict["NAME"]))


def one_after_the_other(keys: Sequence[int], most: int | None = None) -> Iterator[Recounted]:
    """Run the tasks one after the other in this process."""
    for some in _parts(keys):
        yield from recount(some, most)


def recount(keys: Sequence[int], most: int | None = None) -> list[Recounted]:
    """Recount some tournaments in one snapshot."""
    with snapshot():
        return list(Recount(keys).recounted(most))


def check_register() -> Recounted:
    """Check register and foreign keys in one snapshot: other processes may be writing."""
    with snapshot():
        return Recounted([*orphans(), *register_differences(), *list_differences()], list(register_notices()))


def _parts(keys: Sequence[int], most: int = REPORTS_AT_ONCE) -> Iterator[list[int]]:
    """Batches of tournaments with at most `most` reports; a larger tournament is a batch by itself."""
    counted = Tournament.objects.filter(pk__in=key_set(keys)).order_by()
    reports = dict(counted.values_list("pk").annotate(Sum("rounds__tables__reports_count")))
    part: list[int] = []
    there = 0
    for key in keys:
        more = reports.get(key) or 0
        if part and (len(part) == AT_ONCE or there + more > most):
            yield part
            part, there = [], 0
        part.append(key)
        there += more
    if part:
        yield part


# The recount as a job: of a tournament for its organisers, of everything for the program's owner.

VERIFY, EVERYTHING = "verify", "everything"
MOST_TOLD = 200
LONGEST = 300

GONE = gettext_noop("This tournament no longer exists.")


def of_tournament(tournament: Tournament) -> str:
    return f"tournament {tournament.pk}"


class RecountJob(JobKind):
    """The job of `manage.py verify --all`: figures and differences, in English."""

    code = VERIFY

    def subjects(self, names: Iterable[str]) -> dict[str, Any]:
        return subjects_by_name("tournament", Tournament.objects.select_related("host", "held_by"), names)

    def key(self, thing: str, about: About, language: str) -> str:
        del about, language
        return f"{self.code} {thing}"

    def may_see(self, account: AbstractUser, job: Job) -> bool:
        if account.is_superuser:
            return job.thing == EVERYTHING or self.thing(job) is not None
        tournament = self.thing(job)
        if tournament is None or not isinstance(account, Account):
            return False
        return may_organise_tournament(account, tournament)

    def title(self, job: Job) -> str:
        if job.thing == EVERYTHING:
            return _("Recount of everything")
        return _("Recount of %(tournament)s") % {"tournament": getattr(self.thing(job), "name", "–")}

    def page(self, job: Job) -> str:
        tournament = self.thing(job)
        return reverse("desk_backup") if tournament is None else reverse("desk_log", args=[tournament.code])

    def context(self, job: Job) -> dict[str, Any]:
        tournament = self.thing(job)
        return {} if tournament is None else {"tournament": tournament}

    def version(self, job: Job) -> str:
        tournament = self.thing(job)
        return "" if tournament is None else str(tournament.version)

    def make(self, work: JobRun) -> JobResult:
        job = work.job
        tournaments = Tournament.objects.order_by("pk")
        if job.thing != EVERYTHING:
            tournaments = tournaments.filter(pk=int(job.thing.removeprefix("tournament ")))
        keys = list(tournaments.values_list("pk", flat=True))
        if job.thing != EVERYTHING and not keys:
            raise JobError(GONE)
        work.tell(0, len(keys))
        wrong = [f"The database does not protect reports: {problem}." for problem in unprotected(connection)]
        told: list[str] = []
        for count, recounted in enumerate(one_after_the_other(keys), start=1):
            wrong += recounted.differences
            told += recounted.notices
            work.tell(count)
        if job.thing == EVERYTHING:
            register = check_register()
            wrong += [*kept_differences(), *register.differences]
            told += register.notices
        reports = Report.objects.filter(table__round__tournament__in=tournaments)
        return JobResult(
            said={
                "reports": reports.count(),
                "differences": len(wrong),
                "wrong": [text[:LONGEST] for text in wrong[:MOST_TOLD]],
                "notices": [text[:LONGEST] for text in told[:MOST_TOLD]],
            }
        )

    def progress_text(self, job: Job) -> str:
        return _("%(done)d of %(total)d tournaments checked.") % {"done": job.done, "total": job.total}

    def result_messages(self, job: Job) -> list[str]:
        said, wrong = job.said, job.said["differences"]
        text = ngettext("%(number)d report was counted.", "%(number)d reports were counted.", said["reports"])
        counted = text % {"number": said["reports"]}
        if not wrong:
            return [counted, _("Every total agrees, and nothing has been changed outside Spadille.")]
        text = ngettext("%(number)d difference was found:", "%(number)d differences were found:", wrong)
        return [counted, text % {"number": wrong}]

    def warnings(self, job: Job) -> list[str]:
        return [*job.said["wrong"], *job.said["notices"]]


# Recompute all materialized results in a job, as `manage.py count_anew` does.

COUNT_ANEW = "anew"


class CountedAnew(RecountJob):
    """Ratings, what each evening is to its season, sums of deals. Stopped early it leaves the rest to the pages."""

    code = COUNT_ANEW

    def title(self, job: Job) -> str:
        del job
        return _("Ratings, ladders and statistics recalculated")

    def make(self, work: JobRun) -> JobResult:
        forget_everything()
        count_what_is_lacking(work.tell)
        keep_what_is_lacking()
        kept = {
            "ratings": Rating.objects.count(),
            "results": EveningResult.objects.count(),
            "sums": DealSum.objects.count(),
        }
        return JobResult(said=kept)

    def progress_text(self, job: Job) -> str:
        return _("%(done)d of %(total)d evenings and clubs recalculated.") % {
            "done": job.done,
            "total": job.total,
        }

    def result_messages(self, job: Job) -> list[str]:
        # A job of an earlier Spadille has counted no sums.
        return [
            _("%(ratings)d ratings, %(results)d season results and %(sums)d deal totals recalculated.")
            % ({"sums": 0} | job.said)
        ]

    def warnings(self, job: Job) -> list[str]:
        del job
        return []
