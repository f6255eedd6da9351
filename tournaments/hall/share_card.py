"""A playing card, and the card that is shown where a page's URL is shared, as pictures."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING
from unicodedata import normalize

from django.conf import settings
from PIL import Image, ImageDraw, ImageFont, ImageOps

from tournaments.domain.card_drawing import ACE, COURT, INDEX, MATADORS, MIDDLE, PIP, PIPS, PLACES
from tournaments.domain.terms import rank_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from PIL import ImageFont

    Font = Callable[[str, int, int], ImageFont.FreeTypeFont]

# The colours of static/css/cards.css and base.css, in the light room.
FACE, BLACK, RED, OUTLINE, GOLD, FRAME = (
    "#fffdf7",
    "#1c241f",
    "#9c1420",
    "#81775f",
    "#e6c263",
    "#8d7a3f",
)
ACROSS, DOWN, ROUND = 100, 140, 7.5
# Drawn so many times as large, and made smaller.
FINE = 4
STEPS = 12  # of a curve
PATH = re.compile(r"[MCHchz]|-?\d+(?:\.\d+)?")
Point = tuple[float, float]


def playing_card_image(card: str, width: int, font: Font) -> Image.Image:
    """The card with clear corners, so many pixels wide; `font` gives a face by name, size and weight."""
    scale = width * FINE / ACROSS
    size = round(ACROSS * scale), round(DOWN * scale)
    image = Image.new("RGBA", size)
    draw = ImageDraw.Draw(image)
    draw.rounded_rectangle(
        (0, 0, size[0] - 1, size[1] - 1),
        ROUND * scale,
        fill=FACE,
        outline=OUTLINE,
        width=round(1.5 * scale),
    )
    if card in MATADORS:
        box = (3 * scale, 3 * scale, 97 * scale, 137 * scale)
        draw.rounded_rectangle(box, 5.5 * scale, outline=GOLD, width=round(3 * scale))
    letter = rank_words(card[1])
    half = Image.new("RGBA", size)
    _draw_half(half, card, letter, scale, font)
    if card[1] in COURT:
        frame = (27 * scale, 26 * scale, 73 * scale, 114 * scale)
        draw.rectangle(frame, outline=FRAME, width=round(1.2 * scale))
        draw.line([(27 * scale, 80 * scale), (73 * scale, 60 * scale)], fill=FRAME, width=round(1.2 * scale))
    elif card[1] == "A":
        _draw_pip(draw, card[0], (MIDDLE, DOWN / 2), ACE, scale)
    else:
        for place in PLACES[card[1]]:
            _draw_pip(draw, card[0], place, PIP, scale, turned=place[1] > DOWN / 2)
    for side in (half, half.rotate(180)):
        image.alpha_composite(side)
    return image.resize((width, round(width * DOWN / ACROSS)), Image.Resampling.LANCZOS)


def _draw_half(image: Image.Image, card: str, letter: str, scale: float, font: Font) -> None:
    """The drawing at both ends of the card: its index, and half of a court card."""
    draw, suit, colour = ImageDraw.Draw(image), card[0], _colour(card[0])
    is_wide = len(letter) > 1
    index = font("display", round((19 if is_wide else 27) * scale), 600)
    draw.text((14 * scale, 28 * scale), letter, fill=colour, font=index, anchor="ms")
    _draw_pip(draw, suit, (14, 42), INDEX, scale)
    if card[1] in COURT:
        large = font("display", round((27 if is_wide else 37) * scale), 600)
        draw.text((54 * scale, 62 * scale), letter, fill=colour, font=large, anchor="ms")
        _draw_pip(draw, suit, (36, 36), 13, scale)


def _draw_pip(
    draw: ImageDraw.ImageDraw, suit: str, at: Point, size: float, scale: float, *, turned: bool = False
) -> None:
    """A pip with its centre at this place."""
    (left, top, width, height), path = PIPS[suit]
    by = size / max(width, height) * (-1 if turned else 1)
    points = [
        ((at[0] + (x - left - width / 2) * by) * scale, (at[1] + (y - top - height / 2) * by) * scale)
        for x, y in _outline(path)
    ]
    draw.polygon(points, fill=_colour(suit))


def _colour(suit: str) -> str:
    return RED if suit in "HD" else BLACK


@lru_cache
def _outline(path: str) -> list[Point]:
    """The corners of a path of M, C, H, c, h and z, with curves as short lines."""
    return list(_corners(PATH.findall(path)))


def _corners(parts: list[str]) -> Iterator[Point]:
    numbers = iter(parts)
    command, here = "", (0.0, 0.0)
    for read in numbers:
        part = read
        if read.isalpha():
            command = read
            if command == "z":
                return
            part = next(numbers)  # the command's first number
        if command in "Hh":
            here = (float(part) + (here[0] if command == "h" else 0), here[1])
            yield here
            continue
        count = 1 if command == "M" else 5
        values = [float(part), *(float(next(numbers)) for _nth in range(count))]
        base = here if command == "c" else (0.0, 0.0)
        points = [(base[0] + x, base[1] + y) for x, y in zip(values[::2], values[1::2], strict=True)]
        if command == "M":
            here = points[0]
            yield here
            continue
        for step in range(1, STEPS + 1):
            yield _on_curve((here, *points), step / STEPS)
        here = points[-1]


def _on_curve(points: tuple[Point, ...], t: float) -> Point:
    """The point of a cubic curve with this start, these handles and this end."""
    weights = (1 - t) ** 3, 3 * (1 - t) ** 2 * t, 3 * (1 - t) * t**2, t**3
    x, y = (sum(w * point[axis] for w, point in zip(weights, points, strict=True)) for axis in (0, 1))
    return x, y


# A picture of 1200 by 630 for who shares a page: felt, a brass edge, the spade as a shadow, and what it is about.
#
# Letters are those of the pages; a name with others than these have (Polish, Greek…) is written in the system's own
# face, or, where there is none, in the letters that are nearest.

SIZE = WIDTH, HEIGHT = 1200, 630
EDGE, MARGIN = 17, 72
# The tokens of static/css/base.css and look.css, in the light room: a picture has no other.
FELT, SHADOW, BRASS, INK, SOFT = "#14432f", "#1a4f39", "#8d7a3f", "#fdf8ea", "#d3e0d3"
DISCS = {1: ("#e6c263", "#8a670f"), 2: ("#cfd2d0", "#6d7371"), 3: ("#dcaa7e", "#8d5527")}
ON_DISC, RULE = "#1c241f", "#356a52"
LINES = ("#f0d58c", "#fdf8ea", "#e6b48c", "#b4dcbd")  # those that stand out, over the thin ones
MOST_ROWS = 3
CREST = 56, 61
SHIELD = (
    *(
        (0.04, 0.04),
        (0.96, 0.04),
        (0.96, 0.52),
        (0.93, 0.64),
        (0.86, 0.75),
        (0.75, 0.85),
        (0.62, 0.92),
        (0.5, 0.97),
    ),
    *((0.38, 0.92), (0.25, 0.85), (0.14, 0.75), (0.07, 0.64), (0.04, 0.52)),
)
PLAYING_AT, PLAYING_WIDE = (806, 66), 322
UNKNOWN = "\N{REPLACEMENT CHARACTER}"
Box = tuple[int, int, int, int]

# The spade of static/icon.svg: a start, and curves of two handles and an end, in a box of 64.
SPADE_FROM, SPADE = (
    (32, 8),
    (
        ((24, 20), (12, 26), (12, 38)),
        ((12, 46), (22, 50), (29, 43)),
        ((28, 49), (26, 52), (22, 55)),
        ((22, 55), (42, 55), (42, 55)),
        ((38, 52), (36, 49), (35, 43)),
        ((42, 50), (52, 46), (52, 38)),
        ((52, 26), (40, 20), (32, 8)),
    ),
)


@dataclass(frozen=True, slots=True)
class Place:
    """A row: the place, whose, and how much."""

    rank: int
    name: str
    amount: str


@dataclass(frozen=True, slots=True)
class Crest:
    """A club's own picture as a file, or a shield in its colour with its letter."""

    letter: str
    colour: str = ""
    picture: bytes = b""


@dataclass(frozen=True, slots=True)
class Card:
    """Content of the picture.

    `lines` are sums over the deals, scaled to 0…1, downwards; the first `bold` stand out. `playing` is a playing card,
    as `SA`, next to the words.
    """

    label: str
    title: str
    foot: str = ""
    places: Sequence[Place] = ()
    lines: Sequence[Sequence[tuple[float, float]]] = field(default=())
    bold: int = 0
    zero: float | None = None
    crest: Crest | None = None
    playing: str = ""


def png(card: Card) -> bytes:
    """The picture as a file."""
    file = BytesIO()
    _draw(card).quantize(128, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(
        file,
        "PNG",
        compress_level=7,  # 9 takes six times as long for a tenth less
    )
    return file.getvalue()


def webp(card: Card) -> bytes:
    """The picture as WebP in half the width, in a quarter of the bytes: for the page that it is shared from."""
    file = BytesIO()
    half = _draw(card).resize((WIDTH // 2, HEIGHT // 2), Image.Resampling.LANCZOS)
    half.save(file, "WEBP", quality=20, method=6)
    return file.getvalue()


def _draw(card: Card) -> Image.Image:
    image = _felt().copy()
    draw = ImageDraw.Draw(image)
    plot = (640, 200, WIDTH - MARGIN - 10, 520) if card.places else (MARGIN, 290, WIDTH - MARGIN - 10, 520)
    if card.lines:
        _draw_lines(image, card, plot)
    left = MARGIN
    if card.crest:
        _draw_crest(image, card.crest, (MARGIN, 58))
        left += CREST[0] + 12
    until = PLAYING_AT[0] - 30 if card.playing else WIDTH - MARGIN
    _write(draw, (left, 88), card.label, "text", 28, SOFT, until - left)
    if card.playing:
        drawn = playing_card_image(card.playing, PLAYING_WIDE, _font)
        image.paste(drawn, PLAYING_AT, drawn)
    _title(draw, card)
    across = 500 if card.lines else 600
    for index, place in enumerate(card.places[:MOST_ROWS]):
        _row(image, draw, 356 + 72 * index, place, across)
    _write(draw, (MARGIN, 577), card.foot, "text", 26, SOFT, 850)
    return image


@lru_cache(maxsize=1)
def _felt() -> Image.Image:
    """The common background of the pictures: the cloth, its edge, the shadow of a spade, and the name."""
    image = Image.new("RGB", SIZE, FELT)
    image.paste(SHADOW, (640, 18, 1200, 578), spade(560))
    draw = ImageDraw.Draw(image)
    draw.rectangle((EDGE, EDGE, WIDTH - EDGE, HEIGHT - EDGE), outline=BRASS, width=2)
    right = WIDTH - MARGIN
    draw.text((right, 577), "Spadille", fill=INK, font=_font("display", 30), anchor="rm")
    left = right - round(_font("display", 30).getlength("Spadille")) - 40
    image.paste(INK, (left, 562, left + 28, 590), spade(28))
    return image


def spade(size: int) -> Image.Image:
    """A spade as a mask."""
    mask = Image.new("L", (size * FINE, size * FINE))
    scale = size * FINE / 64
    points: list[tuple[float, ...]] = [SPADE_FROM]
    last = SPADE_FROM
    for one, other, end in SPADE:
        for step in range(1, 17):
            t = step / 16
            points.append(
                tuple(
                    (1 - t) ** 3 * a + 3 * (1 - t) ** 2 * t * b + 3 * (1 - t) * t**2 * c + t**3 * d
                    for a, b, c, d in zip(last, one, other, end, strict=True)
                )
            )
        last = end
    ImageDraw.Draw(mask).polygon([(x * scale, y * scale) for x, y in points], fill=255)
    return mask.resize((size, size), Image.Resampling.LANCZOS)


def _draw_crest(image: Image.Image, crest: Crest, at: tuple[int, int]) -> None:
    if crest.picture:
        with Image.open(BytesIO(crest.picture)) as own:
            small = ImageOps.contain(own.convert("RGBA"), CREST)
        image.paste(
            INK, (*at, at[0] + small.width, at[1] + small.height)
        )  # an older picture may be drawn on nothing
        image.paste(small, at, small)
        return
    width, height = (side * FINE for side in CREST)
    fine = Image.new("RGBA", (width, height))
    points = [(x * width, y * height) for x, y in SHIELD]
    shape = ImageDraw.Draw(fine)
    shape.polygon(points, fill=crest.colour or FELT)
    shape.line([*points, points[0], points[1]], fill="#f2d68e", width=2 * FINE, joint="curve")
    small = fine.resize(CREST, Image.Resampling.LANCZOS)
    image.paste(small, at, small)
    middle = at[0] + CREST[0] // 2, at[1] + CREST[1] // 2 - 3
    draw = ImageDraw.Draw(image)
    draw.text(
        middle,
        _writable(crest.letter, "display"),
        fill=INK,
        font=_face(crest.letter, "display", 27),
        anchor="mm",
    )


def _title(draw: ImageDraw.ImageDraw, card: Card) -> None:
    """Draw the title in two lines at most, next to a playing card four, in the largest size that fits."""
    room = (PLAYING_AT[0] - 30 if card.playing else WIDTH - MARGIN) - MARGIN
    most_lines = 4 if card.playing else 2
    most = 76 if card.places or card.lines else 88
    for size in range(most, 39, -4):
        lines = _wrapped(card.title, size, room)
        if len(lines) <= most_lines and all(_length(line, "display", size) <= room for line in lines):
            break
    lines = lines[:most_lines]
    middle = 205 if card.places or card.lines else 300
    for index, line in enumerate(lines):
        at = middle + round(1.06 * size * (index - (len(lines) - 1) / 2))
        _write(draw, (MARGIN - 3, at), line, "display", size, INK, room)


def _wrapped(text: str, size: int, room: int) -> list[str]:
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and _length(longer, "display", size) > room:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def _row(image: Image.Image, draw: ImageDraw.ImageDraw, at: int, place: Place, across: int) -> None:
    left = MARGIN
    if place.rank in DISCS:
        _disc(image, (left, at - 28), 57, *DISCS[place.rank])
    draw.text(
        (left + 28, at),
        str(place.rank),
        fill=ON_DISC if place.rank in DISCS else INK,
        font=_font("text", 34, 700),
        anchor="mm",
    )
    amount = _length(place.amount, "text", 34, 700)
    _write(draw, (left + 70, at), place.name, "text", 34, INK, across - 90 - amount)
    draw.text(
        (left + across - amount, at),
        place.amount,
        fill=INK,
        font=_face(place.amount, "text", 34, 700),
        anchor="lm",
    )


def _disc(image: Image.Image, at: tuple[int, int], size: int, fill: str, edge: str) -> None:
    fine = Image.new("RGBA", (size * FINE, size * FINE))
    ImageDraw.Draw(fine).ellipse(
        (0, 0, size * FINE - 1, size * FINE - 1), fill=fill, outline=edge, width=2 * FINE
    )
    small = fine.resize((size, size), Image.Resampling.LANCZOS)
    image.paste(small, at, small)


def _draw_lines(image: Image.Image, card: Card, box: Box) -> None:
    left, top, right, bottom = box
    width, height = (right - left) * 2, (bottom - top) * 2
    fine = Image.new("RGBA", (width + 40, height + 40))
    draw = ImageDraw.Draw(fine)

    def in_pixels(point: tuple[float, float]) -> tuple[float, float]:
        return 20 + point[0] * width, 20 + point[1] * height

    if card.zero is not None:
        draw.line([in_pixels((0, card.zero)), in_pixels((1, card.zero))], fill=BRASS, width=3)
    for line in card.lines[card.bold :]:
        draw.line([in_pixels(point) for point in line], fill="#5f8f77", width=2)
    for line, colour in reversed(list(zip(card.lines[: card.bold], LINES, strict=False))):
        draw.line([in_pixels(point) for point in line], fill=colour, width=8, joint="curve")
        x, y = in_pixels(line[-1])
        draw.ellipse((x - 12, y - 12, x + 12, y + 12), fill=colour)
    small = fine.resize((width // 2 + 20, height // 2 + 20), Image.Resampling.LANCZOS)
    image.paste(small, (left - 10, top - 10), small)


def _write(
    draw: ImageDraw.ImageDraw, at: tuple[int, int], text: str, face: str, size: int, colour: str, room: float
) -> None:
    """A line from its left, at the height of its middle; cut off with dots where there is no room."""
    shown = text
    while len(shown) > 1 and _length(shown, face, size) > room:
        shown = shown[:-2].rstrip() + "…"
    font = _face(shown, face, size)
    draw.text(at, _writable(shown, face), fill=colour, font=font, anchor="lm")


def _length(text: str, face: str, size: int, weight: int = 400) -> float:
    return _face(text, face, size, weight).getlength(_writable(text, face))


def _face(text: str, face: str, size: int, weight: int = 400) -> ImageFont.FreeTypeFont:
    known = all(_has(face, letter) for letter in text)
    return _font(face, size, weight) if known else _fallback(size) or _font(face, size, weight)


def _writable(text: str, face: str) -> str:
    """The text in letters that can be written: all of them where the system has a face of its own.

    What is no letter, such as the end of a line or what turns the direction of writing, is a blank.
    """
    text = "".join(letter if letter.isprintable() else " " for letter in text)
    if _fallback(20):
        return text
    plain = (letter if _has(face, letter) else normalize("NFKD", letter)[:1] for letter in text)
    return "".join(letter if _has(face, letter) else "?" for letter in plain)


@lru_cache(maxsize=64)
def _font(face: str, size: int, weight: int = 400) -> ImageFont.FreeTypeFont:
    font = ImageFont.truetype(_file(face), size)
    if face == "text":
        font.set_variation_by_axes([weight])
    return font


@lru_cache(maxsize=16)
def _fallback(size: int) -> ImageFont.FreeTypeFont | None:
    try:
        return ImageFont.truetype("DejaVuSans.ttf", size)
    except OSError:
        return None


@lru_cache(maxsize=2048)
def _has(face: str, letter: str) -> bool:
    """Whether the font has the letter, and would not render its replacement glyph."""
    font = _font(face, 20)
    return letter.isspace() or bytes(font.getmask(letter)) != bytes(font.getmask(UNKNOWN))


def _file(face: str) -> Path:
    return Path(settings.STATICFILES_DIRS[0], "fonts", f"{face}.woff2")
