"""Photographs of the door list or of seat cards.

Who is checked in and who has paid, with the place on the picture.
"""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass, field
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from PIL import Image

from core.errors import NotPossible
from core.files import exclusive_lock
from tournaments.ledger.photographs import MOST_BYTES, PATIENCE, reencode_photograph
from tournaments.reporting.printed_sheets import printed_list
from tournaments.reporting.reader.layout import BESIDE, EDGE, RIGHT
from tournaments.reporting.reader.reader import read, read_cards
from tournaments.reporting.reader.results import NOWHERE, Reading, is_list, people_ticked
from tournaments.reporting.reader.results import PIECE as CARDS_PIECE
from tournaments.reporting.reader.text import why_unreadable
from tournaments.reporting.scans.fitting import own_weights

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from django.core.files.uploadedfile import UploadedFile

    from tournaments.models import Entry, Tournament
    from tournaments.reporting.reader.cards import Cards
    from tournaments.reporting.reader.layout import Layout, SheetName
    from tournaments.reporting.reader.results import Person, Point, Quad


# Photographs at a time. Of a line is shown so much of its width, boxes and name, at so many pixels a millimetre.
MOST_PICTURES, SHARE, SCALE = 5, 0.55, 4


@dataclass
class Ticked:
    """A person on a list that was read. `here` and `paid` are None if an organiser must look."""

    entry: Entry
    here: bool | None
    paid: bool | None
    piece: str

    @property
    def is_asked(self) -> bool:
        return self.here is None or self.paid is None

    @property
    def is_marked(self) -> bool:
        return bool(self.here or self.paid)


@dataclass
class ListsRead:
    """Results of all photographs together, and advice for each that could not be read."""

    people: dict[int, Ticked] = field(default_factory=dict)
    unread: list[tuple[str, str]] = field(default_factory=list)
    # Pages where the intended boxes seem to be filled rather than crossed.
    fills: bool = False
    # Ticks for a fee that there is no more.
    no_fee: bool = False

    @property
    def doubtful_people(self) -> list[Ticked]:
        return [person for person in self.people.values() if person.is_asked]

    @property
    def marked(self) -> list[Ticked]:
        return [person for person in self.people.values() if person.is_marked and not person.is_asked]

    @property
    def unmarked(self) -> int:
        return sum(not person.is_marked and not person.is_asked for person in self.people.values())


@dataclass(frozen=True)
class _Evening:
    """Reference data for reading lists and cards of a tournament: entries and printed layouts, loaded once."""

    tournament: Tournament
    entries: dict[int, Entry]
    printed: Callable[[SheetName], Layout | None]

    def layout_of(self, sheet: SheetName) -> Layout | None:
        """The common layout of cards, or that of the page of the list: at most one page is in each picture."""
        if sheet.tournament != self.tournament.code:
            return None
        return self.printed(sheet._replace(table=NOWHERE, page=NOWHERE))

    def whose(self, names: Iterable[SheetName]) -> str:
        return ", ".join(
            str(self.entries.get(number, number)) for number in dict.fromkeys(name.table for name in names)
        )


def read_lists(
    tournament: Tournament, pictures: Iterable[UploadedFile[bytes]], *, fills: bool = False
) -> ListsRead:
    """Read photographs of this tournament's lists, one at a time on this machine; nothing is stored."""
    entries = {entry.number: entry for entry in tournament.entries.select_related("player", "club")}
    evening = _Evening(tournament, entries, cache(printed_list))
    found = ListsRead()
    for number, picture in enumerate(pictures):
        name = picture.name or ""
        if number >= MOST_PICTURES or (picture.size or 0) > MOST_BYTES:
            found.unread.append(
                (name, _("At most %(most)d photographs, of 10 MB each.") % {"most": MOST_PICTURES})
            )
            continue
        try:
            data = reencode_photograph(picture)
            with exclusive_lock("picture", Path(settings.MEDIA_ROOT), PATIENCE):
                _take(found, evening, name, data, fills=fills)
        except NotPossible as refusal:
            found.unread.append((name, refusal.message))
        except TimeoutError:
            text = _("Many photographs are being processed right now. Try again in a minute.")
            found.unread.append((name, text))
    # Cards are in no order; lists are sorted by name.
    by_name = sorted(found.people.values(), key=lambda one: (one.entry.player.sorted_as, one.entry.number))
    found.people = {person.entry.number: person for person in by_name}
    return found


def _take(found: ListsRead, evening: _Evening, name: str, data: bytes, *, fills: bool) -> None:
    named: list[SheetName] = []

    def layout_of(sheet: SheetName) -> Layout | None:
        named.append(sheet)
        return evening.layout_of(sheet)

    if cards := read_cards(data, layout_of, fills=fills, weights=own_weights()):
        found.unread += [(name, why) for why in _against_cards(cards, evening)]
        found.fills |= cards.fills
        left, top, right, bottom = CARDS_PIECE
        size = (right - left, bottom - top)
        _add(found, evening, data, cards.people, size)
        return
    told = read(data, layout_of, fills=fills, weights=own_weights())
    if not isinstance(told, Reading):
        unread = why_unreadable(told)
        found.unread.append((name, _why(evening.tournament, named) or _(unread)))
        return
    found.fills |= told.fills
    people = [person._replace(quad=_shortened(person.quad)) for person in people_ticked(told)]
    size = (SHARE * (RIGHT - EDGE), told.layout.row + 2 * BESIDE)
    _add(found, evening, data, people, size)


def _add(
    found: ListsRead,
    evening: _Evening,
    data: bytes,
    people: Iterable[Person],
    size: tuple[float, float],
) -> None:
    """Add the people on a photograph; the image piece of each has this size in millimetres."""
    with Image.open(BytesIO(data)) as opened:
        upright = opened.convert("L")
    for person in people:
        if entry := evening.entries.get(person.number):
            # Printed while there was a fee: a tick has no meaning now.
            paid = person.paid if evening.tournament.entry_fee else False
            found.no_fee |= paid != person.paid
            here = Ticked(entry, person.here, paid, _piece(upright, person.quad, size))
            there = found.people.get(person.number)
            found.people[person.number] = _both(there, here) if there else here


def _against_cards(cards: Cards, evening: _Evening) -> Iterator[str]:
    """Messages about cards, and other sheets, that could not be read, grouped by kind."""
    own, whose = evening.tournament.code, evening.whose
    if any(is_list(name) for name in cards.others):
        yield _("There is also a list in the picture: photograph it separately.")
    if not all(is_list(name) for name in cards.others):
        yield _("There is also a table’s score sheet in the picture: it is read on the tables page.")
    if any(name.tournament != own for name in cards.unknown):
        yield _("There are cards from another evening in the picture: remove them.")
    if ours := [name for name in cards.unknown if name.tournament == own]:
        yield _("These cards were not printed here: %(names)s.") % {"names": whose(ours)}
    if cards.covered:
        names = {"names": whose(cards.covered)}
        yield _("These cards are covered, bent or cut off: %(names)s.") % names
    if cards.small:
        yield _("Go closer: the boxes of these cards are too small: %(names)s.") % {
            "names": whose(cards.small)
        }
    if cards.unnamed:
        yield ngettext(
            "The QR code of %(count)d card cannot be read: go closer, or photograph fewer cards at a time.",
            "The QR codes of %(count)d cards cannot be read: go closer, or photograph fewer cards at a time.",
            cards.unnamed,
        ) % {"count": cards.unnamed}


def _why(tournament: Tournament, named: list[SheetName]) -> str:
    """The reason why a readable sheet is no list of this evening."""
    if named and not is_list(named[0]):
        return _("This is a table’s score sheet: it is read on the tables page.")
    if named and named[0].tournament != tournament.code:
        return _("This list is for another evening.")
    return ""


def _both(one: Ticked, other: Ticked) -> Ticked:
    """Merge one person's results from two photographs: a tick on either counts, else a doubt on either remains."""

    def either(first: bool | None, second: bool | None) -> bool | None:
        return True if first or second else None if first is None or second is None else False

    return Ticked(one.entry, either(one.here, other.here), either(one.paid, other.paid), other.piece)


def _shortened(quad: Quad) -> Quad:
    """The boxes and the name of a list's line, without the rest."""
    upper_left, upper_right, lower_right, lower_left = quad

    def towards(left: Point, right: Point) -> Point:
        return (left[0] + SHARE * (right[0] - left[0]), left[1] + SHARE * (right[1] - left[1]))

    return (upper_left, towards(upper_left, upper_right), towards(lower_left, lower_right), lower_left)


def _piece(upright: Image.Image, quad: Quad, size: tuple[float, float]) -> str:
    """A piece of the photograph, straightened, as an address that carries it; of this `size` in millimetres."""
    upper_left, upper_right, lower_right, lower_left = quad
    corners = (*upper_left, *lower_left, *lower_right, *upper_right)
    pixels = (round(size[0] * SCALE), round(size[1] * SCALE))
    piece = upright.transform(pixels, Image.Transform.QUAD, corners, Image.Resampling.BILINEAR)
    written = BytesIO()
    piece.save(written, "JPEG", quality=70)
    return f"data:image/jpeg;base64,{b64encode(written.getvalue()).decode()}"
