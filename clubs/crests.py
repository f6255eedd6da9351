"""A club's crest, a small image; and its colour, adjusted for contrast with ivory letters.

The crest is stored in the database: so every backup contains it, and nothing else from the uploaded file reaches a
browser or a sheet. Contrast and luminance are those of WCAG 2.2; a colour is "#rrggbb".
"""

from __future__ import annotations

import base64
import colorsys
import hashlib
import re
from io import BytesIO
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from PIL import Image, ImageOps, ImageStat

from clubs.clubs import log_change
from clubs.models import Account, Club, Crest
from core.errors import UserError
from core.images import BROKEN, TooManyPixels, open_complete, refuse_large

if TYPE_CHECKING:
    from datetime import datetime

    from django.core.files.uploadedfile import UploadedFile


IVORY, FELT = "#fdf8ea", "#14432f"
ENOUGH = 7.0
STEPS = 256
STRAIGHT = 0.04045  # sRGB: up to here a part's light grows as its number does
COLOUR = re.compile(r"#[0-9a-f]{6}")


def safe_colour(chosen: str) -> str:
    """The lightest colour of the same hue on which ivory has a contrast of 7:1; raises ValueError for no colour."""
    wanted = chosen.strip().lower()
    if not COLOUR.fullmatch(wanted):
        raise ValueError(chosen)
    hue, lightness, saturation = colorsys.rgb_to_hls(*_parts(wanted))
    for step in range(STEPS, -1, -1):
        darker = _to_hex(colorsys.hls_to_rgb(hue, lightness * step / STEPS, saturation))
        if contrast(IVORY, darker) >= ENOUGH:
            return darker
    raise AssertionError("black is dark enough")


def contrast(one: str, other: str) -> float:
    brighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (brighter + 0.05) / (darker + 0.05)


def _parts(colour: str) -> tuple[float, float, float]:
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return red, green, blue


def _to_hex(parts: tuple[float, float, float]) -> str:
    return "#" + "".join(f"{round(part * 255):02x}" for part in parts)


def _luminance(colour: str) -> float:
    red, green, blue = (
        part / 12.92 if part <= STRAIGHT else ((part + 0.055) / 1.055) ** 2.4 for part in _parts(colour)
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


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
