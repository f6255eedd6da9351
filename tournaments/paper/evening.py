"""A player's own evening on one page, to keep: place, curve, best and worst deal, who sat there too, games declared.

Behind it, where that is asked for, every deal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _

from clubs.crests import crest_for_paper
from core.pdf.fonts import DISPLAY, cut, plain
from core.pdf.page import Page, chunks
from core.pdf.store import kept_file
from tournaments.domain.terms import signed
from tournaments.paper.evening_curve import Mark, mark, picture
from tournaments.paper.evening_deals import deal_pages
from tournaments.paper.names import size_for

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime

    from tournaments.models import Tournament

# Millimetres: what stands below the head; figures, best and worst deal, a heading; a line of games, of penalties.
ROOM, FIGURES, SWINGS, TITLE, GAME, PENALTY = 258.0, 17.0, 21.0, 8.0, 5.4, 4.4
# What stands around the curve; the curve at the least and at the most; a round's line likewise.
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
        Page("paper/_evening.html", name=name, css="ranking evening", context=common | part) for part in shown
    ]
    if with_deals:
        pages += deal_pages(evening.get("deals", ()), common)
    return kept_file(pages, f"{name}, {tournament.name}", printed_at=printed_at, asker=asker)


def _common(
    tournament: Tournament, evening: Mapping[str, Any], name: str, printed_at: datetime
) -> dict[str, Any]:
    """What stands at the head of every page."""
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
    """How many rounds' lines stand on the first page, at the least beside a low curve."""
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
    """What stands on the curve, and what it is."""
    yield Mark.WON, _("declared and won")
    yield Mark.LOST, _("declared and lost")
    if swings:
        yield Mark.AROUND, _("best and worst deal")


def _provisional(tournament: Tournament) -> str:
    """That places may change, and until when; "" where they are final, or nothing has begun."""
    if tournament.is_called_off:
        return _("called off").upper()
    if said := tournament.objections_said:
        return _("PROVISIONAL until %(time)s") % {"time": said}
    return _("The standings during play") if tournament.is_running else ""


def _figures(evening: Mapping[str, Any], tournament: Tournament) -> Iterator[tuple[str, str, str]]:
    """What the evening came to, each with its name and what is said beside it; nothing before the first deal."""
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
    """What the deals were to the player, how many, and what they brought."""
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
