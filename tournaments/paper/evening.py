"""The evening on a sheet: its course, best deals and curve; and its cards, nine on a sheet, to be cut apart."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Any, Protocol

from django.utils.formats import date_format
from django.utils.html import escape
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _

from clubs.crests import crest_for_paper
from core.pdf.fonts import DISPLAY, cut, in_columns, plain, titles_of
from core.pdf.page import Page, chunks, rows_below
from core.pdf.store import kept_file
from tournaments.domain.card_drawing import MATADORS, draw_card
from tournaments.domain.terms import signed
from tournaments.models import Entry
from tournaments.paper.page import POINT, size_for
from tournaments.people.evening_cards import evening_cards

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime

    from tournaments.models import Tournament
    from tournaments.people.evening_cards import EveningCard


# A player's curve on paper: tokens deal by deal in black on white, games declared as dots and rings.
#
# Where its points lie is known in per cent of the plot; here they become millimetres, so that strokes keep their
# width.

# Millimetres: the plot's width, hairlines, zero, the curve; a dot, a ring, and the ring around the best deal.
WIDTH = 162.0
HAIRLINE, ZERO, CURVE, DOT, RING, AROUND = 0.12, 0.35, 0.55, 0.7, 0.95, 2.1
GREY = "#999"


class Mark(Enum):
    """Marks on the curve: radius and fill."""

    WON = (DOT, "#000")
    LOST = (RING, "#fff")
    AROUND = (AROUND, "none")


class Marked(Protocol):
    """A deal on the curve; `position` in per cent, of a game of the player's own whether it was won."""

    @property
    def position(self) -> tuple[float, float]: ...
    @property
    def declared(self) -> bool: ...
    @property
    def won(self) -> bool: ...


class Level(Protocol):
    @property
    def position(self) -> float: ...


class Drawn(Protocol):
    """The plot under the curve, in per cent: its levels, where rounds end, and zero."""

    @property
    def levels(self) -> Sequence[Level]: ...
    @property
    def ends(self) -> Sequence[float]: ...
    @property
    def zero(self) -> float: ...


def picture(
    drawn: Drawn, deals: Sequence[Marked], around: Sequence[Marked], height: float, title: str
) -> str:
    """The curve as SVG, so many millimetres high; those `around` which a ring is drawn stand out."""

    def in_millimetres(point: tuple[float, float]) -> tuple[float, float]:
        return point[0] * WIDTH / 100, point[1] * height / 100

    levels = "".join(f"M0 {level.position * height / 100:.2f}H{WIDTH}" for level in drawn.levels)
    ends = "".join(f"M{end * WIDTH / 100:.2f} 0V{height:.2f}" for end in drawn.ends)
    curve = "M" + "L".join(
        f"{x:.2f} {y:.2f}" for x, y in map(in_millimetres, [(0.0, drawn.zero), *_points(deals)])
    )
    marks = "".join(
        _circle(in_millimetres(deal.position), Mark.WON if deal.won else Mark.LOST)
        for deal in deals
        if deal.declared
    )
    rings = "".join(_circle(in_millimetres(deal.position), Mark.AROUND) for deal in around)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}mm" height="{height:.2f}mm"'
        f' viewBox="0 0 {WIDTH} {height:.2f}" fill="none"><title>{escape(title)}</title>'
        f'<path d="{levels}" stroke="{GREY}" stroke-width="{HAIRLINE}"/>'
        f'<path d="{ends}M0 0" stroke="{GREY}" stroke-width="{HAIRLINE}" stroke-dasharray="1 1"/>'
        f'<path d="M0 {drawn.zero * height / 100:.2f}H{WIDTH}" stroke="#000" stroke-width="{ZERO}"/>'
        f'<path d="{curve}" stroke="#000" stroke-width="{CURVE}" stroke-linejoin="round"/>'
        f"{marks}{rings}</svg>"
    )


def mark(kind: Mark) -> str:
    """A mark by itself, for the legend."""
    side = 2 * AROUND + ZERO
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{side}mm" height="{side}mm" viewBox="0 0 {side} {side}">'
        f"{_circle((side / 2, side / 2), kind)}</svg>"
    )


def _points(deals: Sequence[Marked]) -> list[tuple[float, float]]:
    return [deal.position for deal in deals]


def _circle(at: tuple[float, float], kind: Mark) -> str:
    radius, fill = kind.value
    return f'<circle cx="{at[0]:.2f}" cy="{at[1]:.2f}" r="{radius}" fill="{fill}" stroke="#000" stroke-width="{ZERO}"/>'


# A player's evening on one page: place, curve, best deal, table companions, games declared.
#
# Optionally followed by a list of all deals.

# Millimetres: room below the head; figures, best deal, a heading; a line of games, of penalties.
ROOM, FIGURES, SWINGS, TITLE, GAME, PENALTY = 258.0, 17.0, 21.0, 8.0, 5.4, 4.4
# Room around the curve; its minimum and maximum height; the same of a round's line.
AROUND_CURVE, LOWEST, TALLEST, THIN, THICK = 20.0, 34.0, 88.0, 4.6, 8.0
LONGEST = 60
# Millimetres for the name at the head, and its type in points; for those at a table; for what a deal was.
NAMED, NAME_SIZES = 125.0, (24.0, 13.0)
OTHERS, OTHERS_SIZES = 128.0, (9.5, 6.0)
SWING, SWING_SIZES = 66.0, (10.0, 7.0)


def evening_pdf(
    tournament: Tournament,
    evening: Mapping[str, Any],
    *,
    printed_at: datetime,
    asker: str = "",
    with_deals: bool = False,
) -> bytes:
    """The file, of what the player's page in the hall shows as `evening`. Raises CannotMake."""
    evening = {**evening, **{name: list(evening[name]) for name in ("contracts", "penalties")}}
    name = cut(evening["entry"].shown_name, LONGEST)
    common = _common(tournament, evening, name, printed_at)
    tables = _tables(evening["seats"])
    most = rounds_a_page(evening)
    shown = [_whole_page(evening, tables[:most])]
    shown += [{"tables": some, "line": THICK} for some in chunks(tables[most:], int(ROOM / THICK) - 1)]
    pages = [
        Page("paper/evening.html#evening", name=name, css="ranking evening", context=common | part)
        for part in shown
    ]
    if with_deals:
        pages += deal_pages(evening.get("deals", ()), common)
    return kept_file(pages, f"{name}, {tournament.name}", printed_at=printed_at, asker=asker)


def _common(
    tournament: Tournament, evening: Mapping[str, Any], name: str, printed_at: datetime
) -> dict[str, Any]:
    """Template context of the head of every page."""
    entry, host = evening["entry"], tournament.host
    return {
        "occasion": {
            "tournament": plain(tournament.name),
            "host": plain(host.name),
            "crest": crest_for_paper(host),
            "colour": host.colour,
            "place": cut(tournament.place, LONGEST),
            "date": tournament.date,
            "printed_at": printed_at,
        },
        "name": name,
        "size": size_for(name, NAMED, *NAME_SIZES, DISPLAY),
        "entry_number": entry.number,
        "club": cut(entry.club.name, LONGEST) if entry.club else "",
    }


def _room(evening: Mapping[str, Any]) -> float:
    """Millimetres that the curve and the rounds' lines share: what else there is has its own."""
    games = 0
    if evening.get("curve"):
        games = 1 + max(len(evening["contracts"]), len(list(_kinds(evening["statistics"]))))
    others = FIGURES + SWINGS * bool(evening.get("swings")) + PENALTY * len(evening["penalties"])
    return ROOM - others - 2 * TITLE - GAME * games


def rounds_a_page(evening: Mapping[str, Any]) -> int:
    """Maximum number of rounds on the first page, with the lowest curve."""
    return int((_room(evening) - (AROUND_CURVE + LOWEST) * bool(evening.get("curve"))) / THIN) - 1


def _whole_page(evening: Mapping[str, Any], tables: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The evening: what grows with it shares the page, and the curve has what is left."""
    tournament, swings = evening["entry"].tournament, evening.get("swings", ())
    curve, deals = evening.get("curve"), evening.get("deals", ())
    around = [swing.deal for swing in swings]
    room = _room(evening)
    line = max(THIN, min(THICK, (room - (AROUND_CURVE + TALLEST) * bool(curve)) / (len(tables) + 1)))
    height = max(LOWEST, min(TALLEST, room - AROUND_CURVE - line * (len(tables) + 1)))
    return {
        "figures": list(_figures(evening, tournament)),
        "provisional": _provisional(tournament),
        "curve": curve,
        "height": height,
        "drawn": curve and mark_safe(picture(curve, deals, around, height, _("Tokens deal by deal"))),  # noqa: S308 - numbers alone
        "marks": [(mark_safe(mark(kind)), said) for kind, said in _marks(swings)],  # noqa: S308 - numbers alone
        "swings": [(swing, size_for(swing.said, SWING, *SWING_SIZES)) for swing in swings],
        "tables": tables,
        "line": line,
        "contracts": evening["contracts"],
        "kinds": list(_kinds(evening["statistics"])) if curve else [],
        "penalties": evening["penalties"],
    }


def _marks(swings: Sequence[object]) -> Iterator[tuple[Mark, str]]:
    """Marks on the curve, with their meanings."""
    yield Mark.WON, _("declared and won")
    yield Mark.LOST, _("declared and lost")
    if swings:
        yield Mark.AROUND, _("best deal")


def _provisional(tournament: Tournament) -> str:
    """The note that places may change, and until when; "" where they are final, or nothing has begun."""
    if tournament.is_called_off:
        return _("called off").upper()
    if said := tournament.provisional_until:
        return _("PROVISIONAL until %(time)s") % {"time": said}
    return _("The standings during play") if tournament.is_running else ""


def _figures(evening: Mapping[str, Any], tournament: Tournament) -> Iterator[tuple[str, str, str]]:
    """Main figures with labels and notes; none before the first deal."""
    row, team_row, counted = evening["row"], evening.get("team_row"), evening["statistics"]
    if not row or not row.played:
        return
    place = f"{row.rank}{'=' * row.shared}"
    if team_row and team_row.played:
        yield str(tournament.format_row.words.its_place), f"{team_row.rank}{'=' * team_row.shared}", ""
        yield _("Own tokens"), signed(row.total), _("place %(rank)s") % {"rank": place}
    else:
        yield _("Place"), place, _("of %(all)d") % {"all": evening["of"]}
        yield _("Total"), signed(row.total), ""
    if counted.deals:
        yield _("Deals"), str(counted.deals), ""
    if declared := counted.declared.deals:
        yield _("Games declared"), str(declared), _("%(won)d won") % {"won": counted.declared.won}
    if curve := evening.get("curve"):
        yield _("Highest"), signed(curve.highest), ""
        yield _("Lowest"), signed(curve.lowest), ""


def _kinds(counted: Any) -> Iterator[tuple[str, int, int]]:
    """The kinds of the player's deals, their counts, and their tokens."""
    kinds = (
        (_("Declared"), counted.declared),
        (_("Defended"), counted.defended),
        (_("Joined a nolo"), counted.joined),
        (_("Sat out"), counted.sat_out),
        (_("Decided by a ruling"), counted.ruled),
    )
    for name, tally in kinds:
        if tally.deals:
            yield name, tally.deals, tally.tokens
    if counted.washed_out:
        yield _("Passed by all"), counted.washed_out, counted.antes


def _tables(seats: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The rounds' tables, with who sits there too in words."""
    named = [", ".join(plain(other.shown_name) for other in seat["others"]) for seat in seats]
    return [
        {**seat, "with": text, "size": size_for(text, OTHERS, *OTHERS_SIZES)}
        for seat, text in zip(seats, named, strict=True)
    ]


# Every deal of a player's evening, in columns of lines: round, deal, what it was, tokens, and the sum.

# Millimetres: what a page has below its head and its titles; a deal's line, and the width of a column.
DEALS_ROOM, LINE, COLUMN = 240.0, 3.8, 91.0
COLUMNS, LINES = 2, int(DEALS_ROOM / LINE)
DEAL_SIZE = 8.0  # points
ROUND, DEAL, AMOUNT = 4.2, 3.1, 3.6  # em


class ShownDeal(Protocol):
    """A deal of the player: description, tokens, running total."""

    @property
    def round(self) -> int: ...
    @property
    def number(self) -> int: ...
    @property
    def what(self) -> str: ...
    @property
    def tokens(self) -> int: ...
    @property
    def sum(self) -> int: ...


def deal_pages(deals: Sequence[ShownDeal], common: Mapping[str, Any]) -> list[Page]:
    """`common` is the context of every page's head."""
    heading = titles_of(_cells(_("Round"), _("Deal"), "", "+/−", _("total")))
    return [
        Page(
            "paper/evening.html#deals",
            name=_("Every deal"),
            css="ranking evening",
            context={**common, "heading": heading, "columns": columns},
            tables=[rows_below(len(heading), column, named_by=1) for column in columns],
        )
        for columns in columns_of(deals)
    ]


def columns_of(deals: Sequence[ShownDeal]) -> list[list[Sequence[str]]]:
    """The columns of lines of each page; those of the last are as long as each other."""
    lines = [
        in_columns(
            _cells(str(deal.round), str(deal.number), deal.what, signed(deal.tokens), signed(deal.sum))
        )
        for deal in deals
    ]
    pages = chunks(lines, COLUMNS * LINES)
    return [chunks(page, -(-len(page) // COLUMNS)) for page in pages]


def _cells(round_: str, deal: str, what: str, tokens: str, total: str) -> list[tuple[str, float, str]]:
    words = COLUMN / (DEAL_SIZE * POINT) - ROUND - DEAL - 2 * AMOUNT - 1.0
    return [
        (round_, ROUND, ">"),
        (deal, DEAL, ">"),
        (what, words, "<"),
        (tokens, AMOUNT, ">"),
        (total, AMOUNT, ">"),
    ]


A_PAGE = 9
# Millimetres for a name below the card, and its type in points; letters before it is cut.
NAME_ROOM, SIZES, LONGEST_NAME = 55.0, (11.5, 6.5), 60
LONGEST_EVENT = 44


def card_pages(tournament: Tournament, occasion: Any) -> list[Page]:
    """The pages of all players' cards, by place."""
    by_key = tournament.entries.select_related("player", "club").in_bulk()
    return _pages(tournament, [(card, by_key[card.entry]) for card in evening_cards(tournament)], occasion)


def cards_pdf(
    tournament: Tournament,
    cards: Sequence[tuple[EveningCard, Entry]],
    *,
    printed_at: datetime,
    asker: str = "",
) -> bytes:
    """The file of these cards. Raises CannotMake."""
    pages = _pages(tournament, cards, {"printed_at": printed_at})
    names = ", ".join(plain(entry.shown_name) for _card, entry in cards)
    return kept_file(pages, f"{names}, {tournament.name}", printed_at=printed_at, asker=asker)


def _pages(tournament: Tournament, cards: Sequence[tuple[EveningCard, Entry]], occasion: Any) -> list[Page]:
    event = cut(plain(tournament.name), LONGEST_EVENT)
    told = [_card(card, entry, event, tournament) for card, entry in cards]
    return [
        Page(
            "paper/evening.html#cards",
            name=_("Cards of the evening"),
            css="evening-cards",
            context={"cards": part, "occasion": occasion},
        )
        for part in chunks(told, A_PAGE) or [()]
    ]


def _card(card: EveningCard, entry: Entry, event: str, tournament: Tournament) -> dict[str, Any]:
    name = cut(plain(entry.shown_name), LONGEST_NAME)
    place = _("place %(place)d of %(all)d") % {"place": card.place, "all": card.field}
    return {
        "drawn": draw_card(card.card, gold=card.card in MATADORS, in_place=True),
        "said": card.label,
        "title": card.title,
        "name": name,
        "size": size_for(name, NAME_ROOM, *SIZES, DISPLAY),
        "placed": f"{place} · {signed(card.tokens)}" if card.tokens >= 0 else place,
        "event": event,
        "day": date_format(tournament.date, "DATE_FORMAT"),
    }
