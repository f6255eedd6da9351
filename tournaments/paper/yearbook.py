"""A club's yearbook, with its bars, and its job."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from clubs.crests import crest_for_paper
from clubs.models import Account
from core.errors import JobError
from core.jobs import queue
from core.jobs.kinds import WithdrawReason, subject_name
from core.pdf.files import OfPages, made_of_pages, ready_of
from core.pdf.fonts import SPACE, cut_to, ems, in_columns, plain, titles_of, wrap
from core.pdf.page import Page, chunks, rows_below
from tournaments.changes.versions import print_of_versions
from tournaments.domain.terms import contract_names, signed
from tournaments.models import Season
from tournaments.paper.page import packed
from tournaments.paper.yearbook_data import yearbook_contents
from tournaments.people.history import NAMES, record_value_text
from tournaments.seasons.deals import OfSeason
from tournaments.seasons.season import season_in_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime

    from core.jobs.kinds import JobResult, JobRun
    from core.jobs.models import Job
    from tournaments.paper.yearbook_data import Portrayed, Result, YearbookContents, YearbookEvening
    from tournaments.standings.statistics import Declared


# A season's yearbook as pages: champions, the ladder, records, games, attendance, people, every evening's results.

# Lines of print in a column, two columns on a page; how wide one is, in em of its type.
LINES, COLUMNS, WIDTH = 62, 2, 31.4
# How wide the ladder's columns are, in em; the name has the rest.
RANK, TOTAL, EVENINGS, DEALS = 3.6, 5.0, 2.6, 3.2
PEOPLE_A_PAGE = 4
# Maximum of a person's best contracts. Millimetres: sizes of the drawings.
MOST_CONTRACTS = 4
CURVE, ATTENDED, BAR = (187.0, 18.0), (187.0, 42.0), (70.0, 3.0)
WIDEST_COLUMN, LEAST_WIDTH = 9.0, 50.0
FIRST, MOST_FIRST = 3, 8
# Millimetres: what the cover has for honours, and a page; one of one line, and each line more. How wide the columns of
# their table are, in em: a little less than they are.
COVERED, ROOM, HONOUR, HONOUR_LINE = 60.0, 230.0, 6.2, 4.6
TITLED, NAMED = 14.0, 32.0

Line = tuple[str, bool]


def yearbook_pages(told: YearbookContents, printed_at: datetime) -> list[Page]:
    """All pages of the yearbook without empty parts. The table of contents is on the first page."""
    occasion = {
        "tournament": plain(told.season.name),
        "host": plain(told.season.host.name),
        "starts": told.season.starts,
        "ends": told.season.ends,
        "printed_at": printed_at,
    }
    parts = [
        *_honours_alone(told, occasion),
        *_in_columns(_("Ladder"), _ladder(told), _ladder_titles(told), occasion),
        *_records(told, occasion),
        *_attendance(told, occasion),
        *_people(told, occasion),
        *_in_columns(_("All evenings"), list(_results(told.evenings)), None, occasion),
    ]
    begins: dict[str, int] = {}
    for number, page in enumerate(parts, start=2):
        begins.setdefault(page.name, number)
    return [_cover(told, begins, occasion), *parts]


def _cover(told: YearbookContents, begins: Mapping[str, int], occasion: Mapping[str, Any]) -> Page:
    first = [_placed(row, told.season) for row in told.table.placed if row.line.rank <= FIRST]
    context = {
        "occasion": occasion,
        "crest": crest_for_paper(told.season.host),
        "figures": _figures(told),
        "first": first[:MOST_FIRST],
        "honours": _honours(told) if _fit_on_the_cover(told) else [],
        "provisional": told.table.provisional or told.left_out,
        "said": [*season_in_words(told.season), *_left_out(told)],
        "contents": begins.items(),
    }
    return Page("paper/yearbook.html#cover", name=_("Yearbook"), css="ranking yearbook", context=context)


def _left_out(told: YearbookContents) -> list[str]:
    """The evenings left out because they were running."""
    names = ", ".join(plain(name) for name in told.left_out)
    said = _(
        "Not in this yearbook, because one of their rounds was in progress when it was made: %(evenings)s."
    )
    return [said % {"evenings": names}] if names else []


def _honours(told: YearbookContents) -> list[Honour]:
    """Titles with who has them, and why."""
    champions = [Honour(plain(title), plain(names)) for title, names in told.champions]
    awards = [Honour(plain(award.title), plain(name), plain(award.words)) for award, name in told.awards]
    return champions + awards


class Honour(NamedTuple):
    title: str
    name: str
    words: str = ""

    @property
    def height(self) -> float:
        """The height in millimetres."""
        lines = max(len(wrap(self.title, TITLED)), len(wrap(f"{self.name}, {self.words}", NAMED)))
        return HONOUR + HONOUR_LINE * (lines - 1)


def _fit_on_the_cover(told: YearbookContents) -> bool:
    return sum(one.height for one in _honours(told)) <= COVERED


def _honours_alone(told: YearbookContents, occasion: Mapping[str, Any]) -> list[Page]:
    """Pages of champions and awards, where they are more than the cover has room for."""
    if _fit_on_the_cover(told):
        return []
    honours = _honours(told)
    return [
        Page(
            "paper/yearbook.html#honours",
            name=_("Champions and awards"),
            css="ranking yearbook",
            context={"occasion": occasion, "honours": part},
        )
        for part in packed(honours, [one.height for one in honours], ROOM)
    ]


def _figures(told: YearbookContents) -> list[str]:
    declared = sum(games.deals for games in told.contracts.values())
    evenings, people = len(told.evenings), told.people
    said = [
        ngettext("%(count)d evening", "%(count)d evenings", evenings) % {"count": evenings},
        ngettext("%(count)d player", "%(count)d players", people) % {"count": people},
    ]
    if told.deals:
        said.append(ngettext("%(count)d deal", "%(count)d deals", told.deals) % {"count": told.deals})
    if declared:
        won = sum(games.won for games in told.contracts.values())
        share = {"won": round(100 * won / declared), "count": declared}
        said.append(_("%(count)d games declared, %(won)d %% of them won") % share)
    return said


def _placed(row: Any, season: Season) -> tuple[str, str, str]:
    rank = f"{row.line.rank}=" if row.line.shared else str(row.line.rank)
    return rank, cut_to(row.name, 40), _amount(row.line.total, season)


def _amount(total: Any, season: Season) -> str:
    """Tokens with their sign; points for places, which are never less than 0, without."""
    return str(total) if season.rule == Season.Rule.PLACES else signed(total)


def _ladder(told: YearbookContents) -> list[Line]:
    clubs = told.table.clubs

    def format_row(row: Any) -> str:
        rank = f"{row.line.rank}=" if row.line.shared else str(row.line.rank or "–")
        club = plain(row.club) if clubs else ""
        name = f"{plain(row.name)}, {club}" if club else plain(row.name)
        total = _amount(row.line.total, told.season)
        return in_columns(_cells(rank, name, total, str(row.line.played), str(row.line.deals)))

    return [(format_row(row), False) for row in told.table.rows]


def _ladder_titles(told: YearbookContents) -> list[tuple[str, float, str]]:
    total = _("Points") if told.season.rule == Season.Rule.PLACES else _("Total")
    return titles_of(_cells("#", _("Player"), total, _("Ev."), _("Deals")))


def _cells(rank: str, name: str, total: str, evenings: str, deals: str) -> list[tuple[str, float, str]]:
    named = WIDTH - RANK - TOTAL - EVENINGS - DEALS
    return [
        (rank, RANK, ">"), (name, named, "<"), (total, TOTAL, ">"), (evenings, EVENINGS, ">"), (deals, DEALS, ">"),
    ]  # fmt: skip


def _results(evenings: Sequence[YearbookEvening]) -> Iterator[Line]:
    """The evenings one after the other, each with everybody who played, in lines of print; heads are bold."""
    for evening in evenings:
        count = ngettext("%(count)d player", "%(count)d players", len(evening.results))
        head = [date_format(evening.day, "SHORT_DATE_FORMAT"), plain(evening.name)]
        yield cut_to(" ".join(head), WIDTH * BOLD), True
        state = "" if evening.is_finished else ", " + _("provisional")
        yield from _flowing(count % {"count": len(evening.results)} + state, evening.results)
        yield "", False


def _flowing(people: str, results: Sequence[Result]) -> Iterator[Line]:
    """The number of players, then all of them in running text; tokens stay on the line of the name's end."""
    words = [*people.split(), *(word for one in results for word in _words(one))]
    text, width = "", 0.0
    for word in words:
        more = ems(word)
        if text and width + SPACE + more > WIDTH:
            yield text, False
            text, width = "", 0.0
        text, width = (f"{text} {word}", width + SPACE + more) if text else (word, more)
    yield text, False


def _words(one: Result) -> list[str]:
    """A player's result in unbreakable pieces: “· 3. Anna”, “von”, “Lund +12”."""
    first, *names = plain(one.name).split() or ["–"]
    words = [f"· {one.place}. {first}" if one.place else f"· – {first}", *names]
    tokens = f" {signed(one.tokens)}"
    *before, last = [cut_to(word, WIDTH - ems(tokens)) for word in words]
    return [*before, last + tokens]


# Factor for bold type, which is wider than `ems` assumes.
BOLD = 0.9


def _in_columns(
    name: str, lines: Sequence[Line], titles: list[tuple[str, float, str]] | None, occasion: Mapping[str, Any]
) -> list[Page]:
    """Lines of print over pages; no column begins with an empty line, or ends with a head."""
    return [
        Page(
            "paper/yearbook.html#columns",
            name=name,
            css="ranking yearbook",
            context={"occasion": occasion, "heading": name, "titles": titles, "columns": part},
            tables=[rows_below(len(titles), [said for said, _head in lines], named_by=1) for lines in part]
            if titles
            else [],
        )
        for part in _balanced(chunks(list(_columns(lines, LINES)), COLUMNS))
    ]


def _balanced(pages: Sequence[Sequence[list[Line]]]) -> list[Sequence[list[Line]]]:
    """The pages, with the columns of the last one as long as each other."""
    *before, last = pages or [[]]
    lines = [line for column in last for line in column]
    most = max(2, -(-len(lines) // COLUMNS))
    while len(columns := list(_columns(lines, most))) > COLUMNS:
        most += 1
    return [*before, columns] if columns else before


def _columns(lines: Sequence[Line], most: int) -> Iterator[list[Line]]:
    column: list[Line] = []
    for said, is_head in lines:
        if len(column) == most or (is_head and len(column) >= most - 1):
            yield column
            column = []
        if said or column:
            column.append((said, is_head))
    if column:
        yield column


def _records(told: YearbookContents, occasion: Mapping[str, Any]) -> list[Page]:
    """Records, and results by contract; on one page."""
    if not told.records and not told.contracts:
        return []
    names = contract_names(told.contracts)
    longest = max((games.deals for games in told.contracts.values()), default=1)
    context = {
        "occasion": occasion,
        "records": [
            (
                _(NAMES[one.record.kind]),
                record_value_text(one.record.kind, one.record.value),
                cut_to(one.name, 16),
                one.day,
                one.record.shared_by - 1,
            )
            for one in told.records
        ],
        "contracts": [
            (names[name], games, shares(games.won, games.deals, longest, *BAR))
            for name, games in told.contracts.items()
        ],
    }
    return [
        Page(
            "paper/yearbook.html#records",
            name=_("Records and games"),
            css="ranking yearbook",
            context=context,
        )
    ]


def _attendance(told: YearbookContents, occasion: Mapping[str, Any]) -> list[Page]:
    counts = [len(evening.results) for evening in told.evenings]
    if not counts:
        return []
    width = max(min(ATTENDED[0], WIDEST_COLUMN * len(counts)), LEAST_WIDTH)
    context = {
        "occasion": occasion,
        "picture": columns(counts, width, ATTENDED[1]),
        "width": width,
        "first": told.evenings[0].day,
        "last": told.evenings[-1].day,
        "average": sum(counts) / len(counts),
        "faithful": [(cut_to(name, 20), times) for name, times in told.faithful],
        "evenings": len(counts),
    }
    return [
        Page("paper/yearbook.html#attendance", name=_("Attendance"), css="ranking yearbook", context=context)
    ]


def _people(told: YearbookContents, occasion: Mapping[str, Any]) -> list[Page]:
    return [
        Page(
            "paper/yearbook.html#people",
            name=_("Most frequent players"),
            css="ranking yearbook",
            context={"occasion": occasion, "people": [_portrayed(one) for one in part]},
        )
        for part in chunks(told.portraits, PEOPLE_A_PAGE)
    ]


def _portrayed(one: Portrayed) -> dict[str, Any]:
    names = contract_names(one.portrait.contracts)
    contracts = list(one.portrait.contracts.items())[:MOST_CONTRACTS]
    return {
        "name": cut_to(one.name, 40),
        "one": one,
        "tokens": one.sums[-1],
        "declared": one.portrait.declared,
        "contracts": [_won_of(names[name], contract.own) for name, contract in contracts],
        "picture": line(one.sums, *CURVE),
    }


def _won_of(name: str, games: Declared) -> str:
    said = {"contract": name, "won": games.won, "games": games.deals}
    return _("%(contract)s %(won)d of %(games)d") % said


# Small drawings for paper, in one ink: bars side by side, and a line over the evenings. Numbers in, SVG out.

INK, PALE = "#000", "#bbb"
# Millimetres left of a drawing for the numbers of its levels; the most levels, and the size of their letters.
MARGIN, MOST_LEVELS, LETTERS = 9.0, 5, 2.5
# Above the highest and below the lowest there is room for half a letter.
EDGE = 1.3
# Of its share of the width a bar takes so much.
FILLED = 0.8


def columns(values: Sequence[int], width: float, height: float) -> SafeString:
    """A column for each value, from 0 up; so many millimetres wide and high."""
    step = _step(max(values, default=0))
    top = step * max(1, -(-max(values, default=0) // step))
    each = (width - MARGIN) / max(len(values), 1)

    def y(value: float) -> float:
        return EDGE + (height - 2 * EDGE) * (1 - value / top)

    drawn = "".join(
        f"M{MARGIN + each * (index + (1 - FILLED) / 2):.2f} {y(0):.2f}h{each * FILLED:.2f}V{y(value):.2f}"
        f"h-{each * FILLED:.2f}z"
        for index, value in enumerate(values)
        if value
    )
    levels = [(y(level), str(level)) for level in range(0, top + 1, step)]
    return _picture(width, height, f'{_levels(levels, width)}<path d="{drawn}" fill="{INK}"/>', values)


def line(sums: Sequence[int], width: float, height: float) -> SafeString:
    """A line through sums, with nought as a line of its own."""
    low, high = min(0, *sums), max(0, *sums)
    high = max(high, low + 1)

    def y(value: float) -> float:
        return EDGE + (height - 2 * EDGE) * (high - value) / (high - low)

    each = width / max(len(sums) - 1, 1)
    points = " ".join(f"{index * each:.2f},{y(value):.2f}" for index, value in enumerate(sums))
    nought = f'<path d="M0 {y(0):.2f}H{width}" stroke="{PALE}" stroke-width=".4"/>'
    way = (
        f'<polyline points="{points}" fill="none" stroke="{INK}" stroke-width=".5" stroke-linejoin="round"/>'
    )
    return _picture(width, height, nought + way, sums)


def shares(part: int, whole: int, longest: int, width: float, height: float) -> SafeString:
    """A bar of so many, of which a part is filled; the longest takes all the width."""
    full = width * whole / max(longest, 1)
    filled = width * part / max(longest, 1)
    rest = f'<rect x=".1" y=".1" width="{max(full - 0.2, 0):.2f}" height="{height - 0.2}" fill="none"'
    return _picture(
        width,
        height,
        f'{rest} stroke="{INK}" stroke-width=".2"/><rect width="{filled:.2f}" height="{height}" fill="{INK}"/>',
        [],  # the table has its numbers
    )


def _levels(levels: Sequence[tuple[float, str]], width: float) -> str:
    return "".join(
        f'<path d="M{MARGIN} {at:.2f}H{width}" stroke="{PALE}" stroke-width=".15"/>'
        f'<text x="{MARGIN - 1.5}" y="{at + LETTERS / 3:.2f}" font-size="{LETTERS}" text-anchor="end">{said}</text>'
        for at, said in levels
    )


def _step(most: int) -> int:
    """The step between two levels: 1, 2 or 5, or so many tens, or hundreds…"""
    steps = (int(digit * 10**power) for power in count() for digit in (1, 2, 5))
    return next(step for step in steps if most <= step * MOST_LEVELS)


def _picture(width: float, height: float, drawn: str, values: Sequence[int]) -> SafeString:
    """A drawing, with its values as the text that is read aloud; one without values is decoration."""
    told = ", ".join(map(str, values))
    title = f"<title>{told}</title>" if told else ""
    # Numbers alone are drawn.
    return mark_safe(  # noqa: S308
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm"'
        f' viewBox="0 0 {width} {height}" font-family="Spadille Text">{title}{drawn}</svg>'
    )


# Making a season's yearbook: a job, since a long season takes some seconds.

YEARBOOK = "yearbook"
GONE = gettext_noop("This season no longer exists.")


def ask(season: Season, *, language: str, account: Account) -> Job:
    """The job that makes the yearbook, or an existing one that is up to date."""
    wish = queue.JobRequest(YEARBOOK, of_season(season), language)
    return queue.enqueue(wish, account=account, now=timezone.now())


def of_season(season: Season) -> str:
    """The subject of a yearbook's job."""
    return subject_name("season", season.pk)


def made_of(season: Season) -> list[Job]:
    """Yearbooks of a season that can still be opened, the newest first."""
    return ready_of(YEARBOOK, of_season(season))


class Yearbook(OfSeason, OfPages):
    """A season's yearbook as one PDF."""

    code = YEARBOOK
    withdrawn = frozenset(WithdrawReason)

    def title(self, job: Job) -> str:
        return _("Yearbook · %(season)s") % {"season": self.thing(job) or "–"}

    def page(self, job: Job) -> str:
        season = self.thing(job)
        return (
            reverse("desk") if season is None else reverse("club_season", args=[season.host.slug, season.pk])
        )

    def version(self, job: Job) -> str:
        """Changes with the season's rule and evenings, and with names, privacy settings and objections."""
        season = self.thing(job)
        if season is None:
            return ""
        evenings = season.evenings.order_by().aggregate(all=print_of_versions())["all"]
        return f"{season.version} {evenings}"

    def make(self, work: JobRun) -> JobResult:
        season = self.thing(work.job)
        if season is None:
            raise JobError(GONE)
        pages = yearbook_pages(yearbook_contents(season), timezone.localtime())
        title = _("Yearbook · %(season)s") % {"season": season}
        return made_of_pages(work, pages, title, season.host, season.name, _("Yearbook"))

    def progress_text(self, job: Job) -> str:
        return super().progress_text(job) if job.total else _("The season is being calculated.")
