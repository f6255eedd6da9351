"""Makes the icons for a phone's first screen anew, from the spade of the pictures: `python -m tests.look.icons`."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings
from PIL import Image

SIZES = 180, 192, 512
# Phones cut corners off: what is shown stays within the middle.
SHARE = 0.66


def draw(size: int) -> Image.Image:
    from tournaments.hall.share_card import FELT, INK, spade

    image = Image.new("RGB", (size, size), FELT)
    within = round(size * SHARE)
    at = (size - within) // 2
    image.paste(INK, (at, at, at + within, at + within), spade(within))
    return image.quantize(32, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)


if __name__ == "__main__":
    import os

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    for size in SIZES:
        draw(size).save(Path(settings.STATICFILES_DIRS[0], f"icon-{size}.png"), optimize=True)
