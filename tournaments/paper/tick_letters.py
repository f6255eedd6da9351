"""The letters on a sheet to be ticked: heads of the columns, what stands beside the rows, short heads in the bands."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from django.utils.html import escape

from tournaments.paper.names import POINT, size_for
from tournaments.reporting.reader.layout import BAND, GAP, PITCH, RIGHT, score_columns

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tournaments.reporting.reader.layout import Layout

# Heads: where their letters begin, how long they may be, their sizes in points, and the most that stands level.
HEAD, HEAD_ROOM, HEAD_SIZES, LEVEL = 49.6, 15.4, (8.0, 6.0), 2
# Beside the boxes: where a deal's number and its folder end, and the middle of the dealer's disc.
NUMBER, FOLDER, DEALER, DISC = 21.2, 23.4, 25.4, 3.6
# Of a sheet with folders all of these are smaller.
NUMBER_WITH, DISC_WITH = 19.6, 3.0


@dataclass(frozen=True)
class Words:
    """What stands on the sheet: a head and its short form for every column, and the titles of columns at the sides.

    `folders` are by row, empty where cards are dealt by hand; `letters` the seats'.
    """

    heads: Sequence[tuple[str, str]]
    titles: Mapping[str, str]
    deal: str
    dealer: str
    folder: str
    score: str
    letters: Sequence[str]
    folders: Sequence[str] = field(default=())
    # Whose place in the columns of totals is shaded, by row.
    idle: Sequence[int | None] = field(default=())


def letters(layout: Layout, words: Words) -> str:
    """All of them, as SVG."""
    return "".join((*_heads(layout, words), *_bands(layout, words), *_beside(layout, words)))


def text(  # noqa: PLR0913 - where, what, how large, and how it stands
    x: float,
    y: float,
    said: str,
    points: float,
    *,
    anchor: str = "start",
    bold: bool = False,
    colour: str = "#000",
    upright: bool = False,
) -> str:
    """Letters that stand on `y`; `upright` ones are read from below."""
    turned = f' transform="rotate(-90 {x:.2f} {y:.2f})"' if upright else ""
    return (
        f'<text x="{x:.2f}" y="{y:.2f}" font-size="{points * POINT:.3f}" text-anchor="{anchor}" fill="{colour}"'
        f' font-weight="{700 if bold else 400}"{turned}>{escape(said)}</text>'
    )


def _heads(layout: Layout, words: Words) -> Iterator[str]:
    """The names of the columns; those of letters and signs stand level and bold."""
    for (_group, _index, x), (head, _short) in zip(layout.columns, words.heads, strict=True):
        if len(head) < LEVEL:
            yield text(x, HEAD, head, 11, anchor="middle", bold=True)
        else:
            yield text(x + 1.0, HEAD, head, size_for(head, HEAD_ROOM, *HEAD_SIZES), upright=True)
    for place, group in enumerate(layout.groups):
        title = words.titles.get(group.key, "")
        room = len(group.values) * PITCH + GAP
        # Above long names there is no room for a title, and no need of one.
        if title and all(len(head) < LEVEL for head, _short in _of_group(layout, words, place)):
            middle = layout.left(place) + len(group.values) * PITCH / 2
            yield text(middle, HEAD - 5.2, title, size_for(title, room, 8, 6), anchor="middle")
    number, dealer = (NUMBER_WITH, DEALER) if words.folders else (NUMBER - 0.8, DEALER)
    yield text(number, HEAD, words.deal, 7, upright=True)
    if words.folders:
        yield text(FOLDER, HEAD, words.folder, 7, upright=True)
    yield text(dealer + 1.0, HEAD, words.dealer, 7, upright=True)
    yield from _score_heads(layout, words)


def _of_group(layout: Layout, words: Words, number: int) -> list[tuple[str, str]]:
    return [
        head for (group, _index, _x), head in zip(layout.columns, words.heads, strict=True) if group == number
    ]


def _score_heads(layout: Layout, words: Words) -> Iterator[str]:
    columns = score_columns(layout)
    begins = columns[0][0]
    yield text(
        (begins + RIGHT) / 2,
        HEAD - 5.2,
        words.score,
        size_for(words.score, RIGHT - begins, 8, 5.5),
        anchor="middle",
    )
    if len(columns) == layout.players:
        for letter, (left, right) in zip(words.letters, columns, strict=True):
            yield text((left + right) / 2, HEAD, letter, 11, anchor="middle", bold=True)


def _bands(layout: Layout, words: Words) -> Iterator[str]:
    for top in layout.bands:
        y = top + BAND - 0.75
        for (_group, _index, x), (_head, short) in zip(layout.columns, words.heads, strict=True):
            yield text(x, y, short, size_for(short, PITCH - 0.5, 7, 5), anchor="middle", bold=True)
        columns = score_columns(layout)
        if len(columns) == layout.players:
            for letter, (left, right) in zip(words.letters, columns, strict=True):
                yield text((left + right) / 2, y, letter, 7, anchor="middle", bold=True)


def _beside(layout: Layout, words: Words) -> Iterator[str]:
    """Each deal's number and dealer, whose letter stands on a disc, and its folder."""
    for row, line in enumerate(layout.rows):
        y = layout.middle(row)
        number = NUMBER_WITH if words.folders else NUMBER
        yield text(number, y + 1.1, str(line.deal), 9 if not words.folders else 8, anchor="end", bold=True)
        if words.folders:
            yield text(FOLDER, y + 1.0, words.folders[row], 7, anchor="end")
        letter = words.letters[line.dealer]
        yield text(
            DEALER,
            y + 0.95,
            letter,
            7.5 if not words.folders else 6.5,
            anchor="middle",
            bold=True,
            colour="#fff",
        )


def short_forms(names: Sequence[str]) -> list[str]:
    """Two letters for each name: its first two, or two words' initials; its first and last where two are alike."""
    found = [_initials(name) for name in names]
    again = Counter(found)
    return [
        (name[0] + name[-1]).capitalize() if again[one] > 1 else one
        for name, one in zip(names, found, strict=True)
    ]


def _initials(name: str) -> str:
    first, *more = name.replace("-", " ").replace(".", " ").split()
    return (first[0] + more[0][0]).upper() if more else first[:2].capitalize()
