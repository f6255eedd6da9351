"""Uploading pictures, and the job that reads all of a tournament that wait, two at a time where there are two cores.

A process that reads gets nothing but the picture and the layouts; only the job's own process writes. Pictures that
arrive meanwhile are left to the next job, so that other tournaments come in between.
"""

from __future__ import annotations

import logging
from collections import deque
from contextlib import contextmanager, suppress
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from django.db import transaction
from django.db.models import F
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from clubs.models import Account
from core import platform
from core.errors import JobError, NotPossible
from core.jobs import queue
from core.jobs.kinds import JobKind, JobResult, subject_name, subjects_by_name
from core.jobs.models import Job
from core.processes import Call, Workers
from tournaments.changes.locks import hold
from tournaments.changes.permissions import may_help_at
from tournaments.changes.versions import announce
from tournaments.ledger.photographs import laid_down, put_to_table
from tournaments.models import PrintedSheet, Round, SheetPicture, Table, Tournament
from tournaments.models.ledger import photographs_folder, pieces_of
from tournaments.reporting.reader.layout import UnknownLayout, read_layout
from tournaments.reporting.reader.reader import is_available, read
from tournaments.reporting.reader.results import Reason, Unreadable, is_list
from tournaments.reporting.reader.text import REASONS
from tournaments.reporting.scans import merging, stored
from tournaments.reporting.scans.fitting import own_weights
from tournaments.reporting.scans.merging import Pictures
from tournaments.reporting.scans.page import pieces

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from datetime import datetime

    from django.contrib.auth.models import AbstractUser
    from django.core.files.uploadedfile import UploadedFile
    from django.db.models import QuerySet

    from core.jobs.kinds import About, JobRun
    from tournaments.reporting.reader.layout import Layout, SheetName
    from tournaments.reporting.reader.results import Reading

    Found = Reading | Unreadable

logger = logging.getLogger(__name__)

KIND = "paper"
# Limits of pictures that wait or were useless: of a tournament, of one captain. Read pictures belong to their tables.
MOST_LYING, MOST_OF_A_CAPTAIN = 300, 20
# What can be put away; a picture that waits, for it may have been sent to be read once more meanwhile, cannot.
OF_NO_USE = (SheetPicture.State.UNREADABLE, SheetPicture.State.ASIDE)
# What was of no use is put away by itself after so long.
KEPT = timedelta(days=2)


def send(
    tournament: Tournament,
    upload: UploadedFile[bytes],
    *,
    account: Account | None,
    now: datetime,
    captains: Table | None = None,
) -> SheetPicture:
    """Keep a picture, and ask for it to be read. Raises `NotPossible` for what is no picture, or too large."""
    if not is_available():
        raise NotPossible(_(REASONS[Reason.UNAVAILABLE]), "photograph")
    if not tournament.rounds.exclude(state=Round.State.DRAWN).exists():
        raise NotPossible(_("No round has been started: there is nothing to save."), "photograph")
    lying = _of_no_use(tournament, captains)
    if lying.count() >= (MOST_OF_A_CAPTAIN if captains else MOST_LYING):
        raise NotPossible(_("There are too many photographs here already: delete some first."), "photograph")
    name = laid_down(upload)
    try:
        picture = SheetPicture.objects.create(
            tournament=tournament,
            captains=captains,
            file=name,
            name=(upload.name or "")[:100],
            account=account,
            sent_at=now,
        )
    except BaseException:
        (photographs_folder() / name).unlink(missing_ok=True)
        raise
    ask_for_reading(tournament, account=account, now=now)
    return picture


def _of_no_use(tournament: Tournament, captains: Table | None = None) -> QuerySet[SheetPicture]:
    lying = SheetPicture.objects.filter(tournament=tournament).exclude(state=SheetPicture.State.READ)
    return lying if captains is None else lying.filter(captains=captains)


def waiting(tournament: Tournament) -> QuerySet[SheetPicture]:
    return SheetPicture.objects.filter(tournament=tournament, state=SheetPicture.State.WAITING)


def of_tournament(tournament: Tournament) -> str:
    """The subject of a tournament's reading jobs."""
    return subject_name("tournament", tournament.pk)


def ask_for_reading(tournament: Tournament, *, account: Account | None, now: datetime) -> Job | None:
    """The job that will read what waits now; None where nothing does.

    One that is at work already may have looked for the last time: then another comes after it.
    """
    if not waiting(tournament).exists():
        return None
    running = Job.objects.filter(kind=KIND, thing=of_tournament(tournament), state=Job.State.RUNNING).first()
    about = {"after": running.pk} if running else {}
    # Rendered when shown: the language is that of the reader.
    return queue.enqueue(
        queue.JobRequest(KIND, of_tournament(tournament), "en", about), account=account, now=now
    )


def see_to_reading(tournament: Tournament, *, now: datetime) -> Job | None:
    """The job for waiting pictures, queued again if the last one was stopped or failed."""
    jobs = Job.objects.filter(kind=KIND, thing=of_tournament(tournament))
    under_way = jobs.filter(state__in=Job.UNDER_WAY).order_by("pk").first()
    if under_way or not waiting(tournament).exists():
        return under_way
    last = jobs.first()
    if last is not None and last.state in (Job.State.STOPPED, Job.State.FAILED):
        return last
    return ask_for_reading(tournament, account=None, now=now)


@transaction.atomic
def read_again(
    picture: SheetPicture, *, account: Account | None, now: datetime, fills: bool | None = None
) -> None:
    """Read a picture again: its round has started meanwhile, or the kind of its ticks was answered."""
    hold(picture.tournament_id)
    fresh = SheetPicture.objects.filter(pk=picture.pk, taken_at=None)
    values = {} if fills is None else {"fills": fills}
    if fills is False:  # it was read so
        fresh.update(**values)
        return
    fresh.update(state=SheetPicture.State.WAITING, why="", tries=0, **values)
    ask_for_reading(picture.tournament, account=account, now=now)


def put_away(picture: SheetPicture) -> bool:
    """Discard a useless picture. False if it was read meanwhile, or is to be read again."""
    of_no_use = SheetPicture.objects.filter(pk=picture.pk, photograph=None, state__in=OF_NO_USE)
    deleted, _rows = of_no_use.delete()
    if deleted:
        picture.path.unlink(missing_ok=True)
        pieces_of(picture.path).unlink(missing_ok=True)
    return bool(deleted)


def clear_old(now: datetime) -> None:
    """Delete old useless pictures."""
    for picture in SheetPicture.objects.filter(state__in=OF_NO_USE, photograph=None, sent_at__lt=now - KEPT):
        put_away(picture)


def begin(picture: SheetPicture) -> None:
    """Write down that it is being read: what makes the program fall is not tried for ever."""
    SheetPicture.objects.filter(pk=picture.pk).update(tries=F("tries") + 1)


MOST_TRIES = 3
PROCESSES = 2
# Fewer are read before another process has begun.
WORTH_ANOTHER = 3

NO_TOURNAMENT = gettext_noop("The tournament no longer exists.")


class Kept(NamedTuple):
    """A tournament's code, and its stored layouts by round, table and code."""

    tournament: str
    layouts: dict[tuple[int, int, str], Any]


class ReadSheets(JobKind):
    """The job that reads waiting pictures; after an interruption it continues with those left."""

    code = KIND
    waits_for_long_ones = False

    def subjects(self, names: Iterable[str]) -> dict[str, Any]:
        return subjects_by_name("tournament", Tournament.objects.select_related("host", "held_by"), names)

    def may_see(self, account: AbstractUser, job: Job) -> bool:
        tournament = self.thing(job)
        if tournament is None or not isinstance(account, Account):
            return False
        return may_help_at(account, tournament)

    def title(self, job: Job) -> str:
        del job
        return _("Reading photographed sheets")

    def page(self, job: Job) -> str:
        tournament = self.thing(job)
        return reverse("desk_paper", args=[tournament.code]) if tournament is not None else reverse("desk")

    def leads_to(self, job: Job) -> str:
        return self.page(job)

    def context(self, job: Job) -> About:
        tournament = self.thing(job)
        return {"tournament": tournament} if tournament is not None else {}

    def progress_text(self, job: Job) -> str:
        return _("%(done)d of %(total)d photographs read.") % {"done": job.done, "total": job.total}

    def result_messages(self, job: Job) -> list[str]:
        said = ngettext(
            "%(count)d photograph has been read.", "%(count)d photographs have been read.", job.total
        )
        return [said % {"count": job.total}]

    def make(self, work: JobRun) -> JobResult:
        tournament = self.thing(work.job)
        if tournament is None:
            raise JobError(NO_TOURNAMENT)
        found = list(waiting(tournament))
        work.tell(0, len(found))
        with _readers(len(found), _layouts(tournament)) as read_all:
            for done, (picture, read_so) in enumerate(zip(found, read_all(found), strict=True), start=1):
                settle(picture, read_so)
                _cut(picture.pk)
                work.tell(done)
        return JobResult()


def _layouts(tournament: Tournament) -> Kept:
    printed = PrintedSheet.objects.filter(table__round__tournament=tournament).order_by("pk")
    told = printed.values_list("table__round__number", "table__number", "code", "layout")
    return Kept(tournament.code, {(round_, table, code): layout for round_, table, code, layout in told})


def _layout(kept: Kept, name: SheetName) -> Layout | None:
    """None for a sheet of another tournament, or of another draw. Raises UnknownLayout."""
    layout = kept.layouts.get((name.round, name.table, name.layout))
    if name.tournament.upper() != kept.tournament.upper() or layout is None:
        return None
    return read_layout(layout)


def read_one(kept: Kept, file: str, fills: bool, tries: int) -> Found | None:
    """A picture of the folder; None where it is not there. One that the reader falls over is of no use to it."""
    if tries >= MOST_TRIES:
        return Unreadable(Reason.NO_PICTURE)
    try:
        picture = (photographs_folder() / file).read_bytes()
    except FileNotFoundError:
        return None
    except OSError:
        logger.exception("%s cannot be opened", file)
        return Unreadable(Reason.NO_PICTURE)
    try:
        return read(picture, partial(_layout, kept), fills=fills, weights=own_weights())
    except Exception:  # whatever it is: the others are read
        logger.exception("%s cannot be read", file)
        return Unreadable(Reason.NO_PICTURE)


@contextmanager
def _readers(count: int, kept: Kept) -> Iterator[Callable[[list[SheetPicture]], Iterator[Found | None]]]:
    """Worker functions: this process, or several child processes if there is much to read and several cores."""

    def here(found: list[SheetPicture]) -> Iterator[Found | None]:
        for one in found:
            begin(one)
            yield read_one(kept, one.file, bool(one.fills), one.tries)

    processes = min(PROCESSES, platform.cores())
    if not platform.COPIES or processes < PROCESSES or count < WORTH_ANOTHER:
        yield here
        return
    with Workers(processes, "fork", platform.end_with_parent) as workers:

        def read_in_parallel(found: list[SheetPicture]) -> Iterator[Found | None]:
            asked: deque[Call[Found | None]] = deque()
            for one in found:
                # No more are begun than are read at once: only those are to blame for a fall.
                if len(asked) == processes:
                    yield asked.popleft().result()
                begin(one)
                asked.append(workers.submit(read_one, kept, one.file, bool(one.fills), one.tries))
            while asked:
                yield asked.popleft().result()

        yield read_in_parallel


def _cut(picture: int) -> None:
    """Cut the line images of a picture in advance, outside any transaction."""
    for cut in SheetPicture.objects.filter(pk=picture, state=SheetPicture.State.READ):
        # They are cut on first view otherwise, where errors are reported.
        with suppress(OSError, UnknownLayout):
            pieces(cut)


@transaction.atomic
def settle(picture: SheetPicture, found: Found | None) -> None:
    """Store a reading and attach the picture to its table; skips one that was discarded meanwhile.

    A picture whose kind of ticks was answered meanwhile is read again.
    """
    hold(picture.tournament_id)
    still = SheetPicture.objects.select_for_update(of=("self",)).select_related("tournament")
    waits = still.filter(pk=picture.pk, state=SheetPicture.State.WAITING).first()
    if waits is None or bool(waits.fills) != bool(picture.fills):
        return
    if found is None:
        waits.state, waits.why = SheetPicture.State.UNREADABLE, merging.GONE
    elif isinstance(found, Unreadable):
        waits.state, waits.why = _against_unread(found, waits.tournament)
        waits.missing, waits.sheet = list(found.marks_missing), list(found.sheet or ())
    else:
        waits.sheet, waits.reading = list(found.sheet), stored.to_json(found)
        _put_to_its_table(waits, found)
    if waits.pk is not None:
        waits.save()
    # The board shows that a sheet waits.
    announce(waits.tournament_id)


def _against_unread(found: Unreadable, tournament: Tournament) -> tuple[SheetPicture.State, str]:
    if found.sheet is not None and found.sheet.tournament.upper() != tournament.code.upper():
        return SheetPicture.State.ASIDE, merging.OTHER_TOURNAMENT
    if found.sheet is not None and is_list(found.sheet):
        return SheetPicture.State.ASIDE, merging.LIST
    return SheetPicture.State.UNREADABLE, found.reason.value


def _put_to_its_table(picture: SheetPicture, found: Reading) -> None:
    """Let it be read, or say what is against it."""
    picture.state, picture.why = SheetPicture.State.ASIDE, ""
    tables = Table.objects.select_related("round__tournament", "match")
    of_sheet = {"round__number": found.sheet.round, "number": found.sheet.table}
    picture.table = tables.filter(round__tournament=picture.tournament_id, **of_sheet).first()
    if picture.table is None:
        picture.why = Reason.UNKNOWN_LAYOUT.value
    elif picture.captains_id not in (None, picture.table.pk):
        picture.table, picture.why = None, merging.OTHER_TABLE
    elif not picture.table.is_open:
        picture.why = merging.ROUND_OVER if picture.table.has_begun else merging.NOT_STARTED
    elif picture.photograph is None and not _attached(picture, picture.table):
        return
    else:
        picture.state = SheetPicture.State.READ
        told = Pictures(picture.table, [picture]).read[0].lines
        picture.reading = (picture.reading or {}) | {
            "asked": sum(not line.certain for line in told),
            "played": sum(not line.is_empty for line in told),
        }


def _attached(picture: SheetPicture, table: Table) -> bool:
    """Whether it was attached to its table as a photograph; an identical picture is stored once."""
    account = Account.objects.filter(pk=picture.account_id).first() if picture.account_id else None
    try:
        kept = put_to_table(table, picture.file, account, now=picture.sent_at)
    except NotPossible:
        picture.why = merging.MANY
        return False
    if kept.file != picture.file:
        picture.path.unlink(missing_ok=True)
        if SheetPicture.objects.filter(photograph=kept).exists():
            picture.delete()
            return False
    picture.file, picture.photograph = kept.file, kept
    return True
