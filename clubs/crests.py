"""A club's crest: an uploaded image, validated by its content, re-encoded in a small size, stored in the database.

So every backup contains it, and nothing else from the uploaded file reaches a browser or a sheet.
"""

from __future__ import annotations

import base64
import hashlib
from io import BytesIO
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from PIL import Image, ImageOps, ImageStat

from clubs.clubs import log_change
from clubs.colours import FELT, IVORY, contrast, safe_colour
from clubs.models import Account, Club, Crest
from core.errors import UserError
from core.images import BROKEN, TooManyPixels, open_complete, refuse_large

if TYPE_CHECKING:
    from datetime import datetime

    from django.core.files.uploadedfile import UploadedFile

MOST_BYTES = 2 * 1024 * 1024
MOST_MEGAPIXELS = 8
SIZE = (132, 144)  # three times as large as on a page: sharp on a phone, on the wall and on paper
QUALITY = 82
# What is drawn in the middle is seen on ivory from this contrast on; paler, it is drawn on the club's colour.
SEEN = 3.0


def set_look(
    club: Club, picture: UploadedFile[bytes] | None, colour: str, account: Account, *, now: datetime
) -> None:
    """Set the colour of a club ("" for none) and, if given, its picture. Raises `UserError` if it is invalid.

    Setting the same again changes and logs nothing.
    """
    before = (club.crest, club.colour)
    safe = safe_colour(colour) if colour else ""
    if picture:
        made = _reencoded(picture, safe or FELT)
        Crest.objects.update_or_create(club=club, defaults={"picture": made})
        club.crest = hashlib.sha256(made).hexdigest()[:16]
    club.colour = safe
    if (club.crest, club.colour) == before:
        return
    club.save(update_fields=["crest", "colour"])
    log_change(club, account, gettext_noop("Changed the club’s crest and colour"), now=now)


def clear_look(club: Club, account: Account, *, now: datetime) -> None:
    """Remove picture and colour, and log it once."""
    if not club.has_look:
        return
    Crest.objects.filter(club=club).delete()
    club.crest = club.colour = ""
    club.save(update_fields=["crest", "colour"])
    log_change(club, account, gettext_noop("Removed the club’s crest and colour"), now=now)


def crest_for_paper(club: Club) -> str:
    """The picture as a data URL for sheets; "" if the club has none."""
    if not club.crest:
        return ""
    kept = Crest.objects.filter(club=club).first()
    if kept is None:
        return ""  # removed since the club was read
    return f"data:image/webp;base64,{base64.b64encode(bytes(kept.picture)).decode()}"


def _reencoded(upload: UploadedFile[bytes], colour: str) -> bytes:
    if (upload.size or 0) > MOST_BYTES:
        raise UserError(_("A crest can be at most 2 MB."), "picture")
    try:
        return _small(BytesIO(upload.read()), colour)
    except BROKEN:
        text = _("This picture cannot be read. Choose a PNG, JPEG or WebP file.")
        raise UserError(text, "picture") from None


def _small(file: BytesIO, colour: str) -> bytes:
    with open_complete(file) as sent:
        try:
            refuse_large(sent, MOST_MEGAPIXELS)
        except TooManyPixels:
            text = _("This picture is too large. Choose one of at most 8 megapixels.")
            raise UserError(text, "picture") from None
        picture = ImageOps.exif_transpose(sent.convert("RGBA"))
    picture.thumbnail(SIZE)
    plate = _on_a_plate(picture, colour)
    plate.info.clear()
    written = BytesIO()
    plate.save(written, "WEBP", quality=QUALITY, method=6)
    return written.getvalue()


def _on_a_plate(picture: Image.Image, colour: str) -> Image.Image:
    """The picture on a ground of ivory or the club's colour, visible on every background and on paper."""
    drawn = picture.getchannel("A")
    if drawn.getbbox() is None:
        raise UserError(_("This picture is empty: everything in it is one colour or transparent."), "picture")
    middle = [round(part) for part in ImageStat.Stat(picture.convert("RGB"), drawn).mean]
    dark_enough = contrast(IVORY, "#{:02x}{:02x}{:02x}".format(*middle)) >= SEEN
    plate = Image.new("RGBA", picture.size, IVORY if dark_enough else colour)
    plate.alpha_composite(picture)
    return plate.convert("RGB")
