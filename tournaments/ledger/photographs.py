"""Photographs of paper slips: validated by content, re-encoded without metadata, stored."""

from __future__ import annotations

import secrets
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from PIL import Image, ImageOps

from core.errors import NotPossible
from core.files import exclusive_lock, write_atomically
from core.images import BROKEN, TooManyPixels, decode, open_complete
from core.log_messages import author_name
from tournaments.changes.locks import held_tables, hold
from tournaments.changes.log import write_down_at
from tournaments.models import Photograph, Table
from tournaments.models.ledger import photographs_folder, pieces_of

if TYPE_CHECKING:
    from datetime import datetime

    from django.core.files.uploadedfile import UploadedFile

    from clubs.models import Account

MOST_BYTES = 10 * 1024 * 1024
# Seconds to wait for another picture being decoded: decoding takes hundreds of megabytes.
PATIENCE = 30
MOST_AT_A_TABLE = 10
LONGEST_SIDE = 3000  # pixels: enough for the smallest handwriting on a sheet of A4
QUALITY = 85


def attach(
    table: Table, upload: UploadedFile[bytes], account: Account | None, *, now: datetime
) -> Photograph:
    """Keep a photograph of the table's slip, once; without an account it is its captain's.

    Raises `NotPossible` for what is no picture, or too large.
    """
    name = laid_down(upload)
    path = photographs_folder() / name
    try:
        kept = put_to_table(table, name, account, now=now)
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    if kept.file != name:
        path.unlink()
    return kept


def laid_down(upload: UploadedFile[bytes]) -> str:
    """Re-encode an uploaded picture and store it in the folder of photographs; returns its file name.

    Raises `NotPossible`.
    """
    picture = reencode_photograph(upload)
    name = f"{secrets.token_urlsafe(24)}.jpg"
    path = photographs_folder() / name
    try:
        write_atomically(path, picture)
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    return name


@transaction.atomic
def put_to_table(table: Table, name: str, account: Account | None, *, now: datetime) -> Photograph:
    """Attach a stored picture to the table; returns the existing photograph if the table has this picture already."""
    hold(table.round.tournament_id)
    table = held_tables().get(pk=table.pk)
    if not table.has_begun:
        raise NotPossible(_("The round has not been started."), "photograph")
    if there := _the_same(table, name):
        return there
    if table.photographs.count() >= MOST_AT_A_TABLE:
        text = _("A table can have at most %(most)d photographs; remove one first.")
        raise NotPossible(text % {"most": MOST_AT_A_TABLE}, "photograph")
    photograph = Photograph.objects.create(
        table=table, file=name, attached_by=author_name(account), attached_at=now
    )
    text = gettext_noop("Round {round}, table {table}: attached a photograph of the slip")
    write_down_at(table, account, text, now=now)
    return photograph


def _the_same(table: Table, name: str) -> Photograph | None:
    """The table's photograph with this file name, if the same picture was uploaded before."""
    folder = photographs_folder()
    picture = (folder / name).read_bytes()
    there = (one for one in table.photographs.all() if one.path.exists() and one.path.read_bytes() == picture)
    return next(there, None)


def remove(photograph: Photograph, account: Account, *, now: datetime) -> None:
    """Delete a photograph with its picture, with a log line."""
    with transaction.atomic():
        hold(photograph.table.round.tournament_id)
        deleted, _rows = Photograph.objects.filter(pk=photograph.pk).delete()
        if deleted:
            text = gettext_noop("Round {round}, table {table}: removed a photograph of the slip")
            write_down_at(photograph.table, account, text, now=now)
    photograph.path.unlink(missing_ok=True)
    pieces_of(photograph.path).unlink(missing_ok=True)


def open_photograph(upload: UploadedFile[bytes]) -> Image.Image:
    """Open an upload as a picture, upright and no larger than needed. Raises `NotPossible` for anything else."""
    if (upload.size or 0) > MOST_BYTES:
        raise NotPossible(_("A photograph can be at most 10 MB."), "photograph")
    try:
        with exclusive_lock("picture", Path(settings.MEDIA_ROOT), PATIENCE):
            return _open_image(upload)
    except TimeoutError:
        text = _("Many photographs are being processed right now. Try again in a minute.")
        raise NotPossible(text, "photograph") from None


def _open_image(upload: UploadedFile[bytes]) -> Image.Image:
    try:
        return _decoded(BytesIO(upload.read()))
    except BROKEN:
        text = _("This photograph cannot be read: choose a JPEG, PNG or WebP file.")
        raise NotPossible(text, "photograph") from None


def _decoded(file: BytesIO) -> Image.Image:
    with open_complete(file) as sent:
        try:
            picture = decode(sent, LONGEST_SIDE)
        except TooManyPixels as too_many:
            text = _(
                "This photograph has %(pixels)d megapixels, and at most %(most)d are allowed: set the"
                " camera to take smaller ones."
            )
            told = {"pixels": too_many.has, "most": too_many.most}
            raise NotPossible(text % told, "photograph") from None
        return ImageOps.exif_transpose(picture)


def squares_in(upload: UploadedFile[bytes]) -> list[str]:
    """The contents of the QR codes in a picture. Raises `NotPossible` for what is no picture."""
    import zxingcpp  # noqa: PLC0415 - only where pictures are read

    squares = zxingcpp.BarcodeFormats([zxingcpp.QRCode])
    return [square.text for square in zxingcpp.read_barcodes(open_photograph(upload), formats=squares)]


def reencode_photograph(upload: UploadedFile[bytes]) -> bytes:
    """The picture as a JPEG of its own, without the camera's notes of where and when it was taken.

    Raises `NotPossible` for what is no picture, or too large.
    """
    picture = open_photograph(upload)
    picture.info.clear()
    written = BytesIO()
    picture.save(written, "JPEG", quality=QUALITY)
    return written.getvalue()
