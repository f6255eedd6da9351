"""Uploading pictures and queueing their reading; reading again, discarding."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _

from core.errors import NotPossible
from core.jobs import queue
from core.jobs.kinds import subject_name
from core.jobs.models import Job
from tournaments.changes.locks import hold
from tournaments.ledger.photographs import laid_down
from tournaments.models import Round, SheetPicture
from tournaments.models.ledger import photographs_folder, pieces_of
from tournaments.reporting.reader.reader import is_available
from tournaments.reporting.reader.results import Reason
from tournaments.reporting.reader.text import REASONS

if TYPE_CHECKING:
    from datetime import datetime

    from django.core.files.uploadedfile import UploadedFile
    from django.db.models import QuerySet

    from clubs.models import Account
    from tournaments.models import Table, Tournament


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
