"""The kinds of sheets, and the job that prints the sheets of a round."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop, ngettext, override

from clubs.models import Account
from core.errors import JobError, NotPossible
from core.jobs import queue
from core.jobs.kinds import WithdrawReason, subjects_by_name
from core.pdf.files import PAGES_AT_ONCE, OfPages, look, made_of_pages, ready_of
from core.pdf.page import Page
from tournaments.boards.folders import is_sealed
from tournaments.changes.permissions import hall_to_help_in, may_help_at
from tournaments.domain.formats import Ranked
from tournaments.models import Round
from tournaments.paper import boards, evening, notices, ranking, score, seat_plans, teams, ticked
from tournaments.paper.notices import rules_page
from tournaments.paper.page import Occasion
from tournaments.paper.printing import SHEETS, of_round, seat_marks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from datetime import datetime

    from django.contrib.auth.models import AbstractUser
    from django.utils.functional import _StrPromise as StrPromise

    from core.jobs.kinds import About, JobResult, JobRun
    from core.jobs.models import Job
    from tournaments.models import Table, Tournament


# What can be printed of a round.


@dataclass(frozen=True)
class Order:
    """A print request: a round's sheets, or one table's; `base_url` begins the URLs in QR codes.

    `only` are the tables whose sheets are printed, `hall` the hall that is printed, `parts` the kinds of which
    everything for the round consists.
    """

    round: Round
    base_url: str
    printed_at: datetime
    table_number: int | None = None
    only: tuple[int, ...] = ()
    parts: tuple[str, ...] = ()
    # The number of the hall whose tables are printed; None for all.
    hall: int | None = None

    @property
    def occasion(self) -> Occasion:
        return Occasion(self.round, self.printed_at)

    def tables(self) -> list[Table]:
        tables = self.round.tables.select_related("round__tournament__host", "match__home", "match__away")
        only = self.only if self.table_number is None else (self.table_number,)
        found = tables.filter(number__in=only) if only else tables
        return [table for table in found if self.is_in_hall(table.number)]

    def is_in_hall(self, table: int) -> bool:
        return self.hall is None or self.round.tournament.hall_list[self.hall - 1].has(table)


def one_page(_table: Table) -> int:
    return 1


@dataclass(frozen=True)
class Kind:
    """A kind of sheet. `of_tables`: one or more pages for each table, so that one's can be had alone."""

    code: str
    title: StrPromise
    explanation: StrPromise
    pages: Callable[[Order], list[Page]]
    of_tables: bool = False
    # How many pages a table's are, but for notes that overflow.
    pages_of_table: Callable[[Table], int] = one_page
    needs_start: bool = False
    # Of the final standings: there are none before they are final.
    needs_end: bool = False
    # Of folders: there is nothing of it where cards are dealt by hand. What shows cards waits until the round is over.
    of_boards: bool = False
    of_cards: bool = False
    # Cards that a club may not want to print.
    is_gift: bool = False
    # Covers all drawn rounds, whichever it is requested from.
    of_event: bool = False
    # Whether that of one hall shows nothing of the others.
    by_hall: bool = False
    # Whether the pages are laid two on a side, to be folded to a booklet.
    folded: bool = False
    # The name of the address where the same can be had as plain text.
    text_url: str = ""
    # What it looks like in small: a symbol of `templates/paper/print.html`.
    drawing: str = "lines"

    @property
    def is_of_halls(self) -> bool:
        """Whether who helps in one hall alone may print it."""
        return self.of_tables or self.by_hall

    def suits(self, tournament: Tournament) -> bool:
        """Whether it is a kind of sheet for this tournament."""
        if self.is_gift and tournament.host_id and not tournament.host.gives_cards:
            return False
        return self.code in tournament.format_row.sheets and (tournament.boards or not self.of_boards)

    def missing(self, round_: Round) -> str:
        """Why there is nothing to print yet; empty if there is."""
        if self.of_cards and is_sealed(round_):
            return _("The cards are sealed until the round is over.")
        if self.needs_start and round_.is_drawn and not self._has_begun(round_):
            return _("The round has not been started.")
        if self.needs_end and (not round_.tournament.is_finished or round_.tournament.is_posted):
            return _("The standings are not final yet.")
        return ""

    def _has_begun(self, round_: Round) -> bool:
        """Whether it is of all rounds, and one has been started."""
        return self.of_event and round_.tournament.rounds.exclude(state=Round.State.DRAWN).exists()


def _blank(order: Order) -> list[Page]:
    return [
        page for table in order.tables() for page in score.blank_pages(table, order.occasion, order.base_url)
    ]


def _ticked(order: Order) -> list[Page]:
    return [
        page
        for table in order.tables()
        for page in ticked.ticked_pages(table, order.occasion, order.base_url)
    ]


def _filled(order: Order) -> list[Page]:
    return [page for table in order.tables() for page in score.filled_pages(table, order.occasion)]


EVERYTHING = "everything"
# What a round is played with, in the order in which it is used; the last two hang and stand there from the first on.
PARTS = ("blank", "movement", "names", "tables", "place-cards", "rules")
OF_FIRST_ROUND = frozenset(("place-cards", "rules"))


def parts_of(round_: Round) -> list[Kind]:
    """The kinds that everything for the round can consist of."""
    return [KINDS[code] for code in PARTS if KINDS[code].suits(round_.tournament)]


def usual_parts(round_: Round) -> tuple[str, ...]:
    """The default parts of everything for a round."""
    codes = (kind.code for kind in parts_of(round_))
    return tuple(code for code in codes if round_.number == 1 or code not in OF_FIRST_ROUND)


def _everything(order: Order) -> list[Page]:
    return [page for code in order.parts or usual_parts(order.round) for page in KINDS[code].pages(order)]


# The sheet of whose places decide.
STANDINGS = {Ranked.PLAYERS: ranking.standings_pages, Ranked.TEAMS: teams.standings_pages}


def _standings(order: Order) -> list[Page]:
    pages = STANDINGS[order.round.tournament.format_row.ranked]
    return pages(order.round, order.occasion)


KINDS = {
    kind.code: kind
    for kind in (
        Kind(
            EVERYTHING,
            gettext_lazy("Everything for the round"),
            gettext_lazy("Everything needed for the round, in one document and in the order of use."),
            _everything,
            by_hall=True,
        ),
        Kind(
            "blank",
            gettext_lazy("Blank score sheets"),
            gettext_lazy("With the captain’s code: only for the table."),
            _blank,
            of_tables=True,
            pages_of_table=score.page_count,
            drawing="sheet",
        ),
        Kind(
            "ticked",
            gettext_lazy("Score sheets to tick"),
            gettext_lazy("Read from a photo. Captain’s code: only for the table."),
            _ticked,
            of_tables=True,
            pages_of_table=score.page_count,
            drawing="boxes",
        ),
        Kind(
            "names",
            gettext_lazy("Seats by name"),
            gettext_lazy("Everyone’s table and seat, in large type for the wall."),
            lambda order: seat_plans.name_pages(order.round, order.occasion, order.is_in_hall),
            by_hall=True,
            drawing="names",
        ),
        Kind(
            "tables",
            gettext_lazy("Seats by table"),
            gettext_lazy("Who sits at each table, in large type for the wall."),
            lambda order: seat_plans.table_pages(order.round, order.occasion, order.is_in_hall),
            by_hall=True,
            drawing="tables",
        ),
        Kind(
            "all-rounds",
            gettext_lazy("All rounds by name"),
            gettext_lazy("Everyone’s table and seat in every drawn round, for the wall."),
            lambda order: seat_plans.list_pages(order.round.tournament, order.occasion),
            of_event=True,
            drawing="names",
        ),
        Kind(
            "cards",
            gettext_lazy("A card for each player"),
            gettext_lazy("To cut apart: seats of every round and a link to one’s page."),
            lambda order: seat_plans.card_pages(order.round.tournament, order.occasion, order.base_url),
            of_event=True,
            drawing="cards",
        ),
        Kind(
            "place-cards",
            gettext_lazy("Place cards"),
            gettext_lazy("For each seat, to cut and fold: name, table and seat."),
            lambda order: seat_plans.place_card_pages(order.round, order.occasion, order.is_in_hall),
            by_hall=True,
            drawing="places",
        ),
        Kind(
            "rules",
            gettext_lazy("Rules"),
            gettext_lazy("The rules in force, for the wall."),
            lambda order: [rules_page(order.round.tournament, order.printed_at)],
            by_hall=True,
            of_event=True,
        ),
        Kind(
            "movement",
            gettext_lazy("Movement cards"),
            gettext_lazy("For each table: its folders, their order and where they go."),
            lambda order: boards.movement_pages(order.round, order.occasion, order.is_in_hall),
            by_hall=True,
            of_boards=True,
        ),
        Kind(
            "filled",
            gettext_lazy("Filled score sheets"),
            gettext_lazy("Deals so far, running totals and room to sign."),
            _filled,
            of_tables=True,
            pages_of_table=score.page_count,
            needs_start=True,
            drawing="sheet",
        ),
        Kind(
            "standings",
            gettext_lazy("Standings"),
            gettext_lazy("After this round, or during play."),
            _standings,
            needs_start=True,
        ),
        Kind(
            "press",
            gettext_lazy("List for the press"),
            gettext_lazy("The winner, and all places with clubs."),
            lambda order: ranking.press_pages(order.round.tournament, order.occasion),
            needs_start=True,
            of_event=True,
            text_url="desk_press",
        ),
        Kind(
            "diploma",
            gettext_lazy("Diplomas"),
            gettext_lazy("A page for each of the top three, to sign and frame."),
            lambda order: notices.diploma_pages(order.round.tournament, order.occasion),
            needs_end=True,
            of_event=True,
        ),
        Kind(
            "evening-cards",
            gettext_lazy("Cards of the evening"),
            gettext_lazy("Playing cards to take home, 63 × 88 mm, nine on a sheet."),
            lambda order: evening.card_pages(order.round.tournament, order.occasion),
            needs_end=True,
            is_gift=True,
            of_event=True,
            drawing="cards",
        ),
        Kind(
            "players",
            gettext_lazy("Each player’s tokens"),
            gettext_lazy("Each player’s own result."),
            lambda order: ranking.standings_pages(order.round, order.occasion),
            needs_start=True,
        ),
        Kind(
            "cross",
            gettext_lazy("Cross table"),
            gettext_lazy("What each has won against each of the others so far."),
            lambda order: teams.cross_pages(order.round, order.occasion),
            needs_start=True,
        ),
        Kind(
            "schedule",
            gettext_lazy("Schedule"),
            gettext_lazy("Every round with its date, its matches and results, and who has a bye."),
            lambda order: teams.schedule_pages(order.round, order.occasion),
        ),
        Kind(
            "hands",
            gettext_lazy("Hand records"),
            gettext_lazy("The cards of every folder, with the seed they were dealt from."),
            lambda order: boards.record_pages(order.round, order.occasion),
            of_boards=True,
            of_cards=True,
        ),
        Kind(
            "comparison",
            gettext_lazy("Comparison on the same cards"),
            gettext_lazy("The ranking, then each folder with every table’s result."),
            lambda order: boards.comparison_pages(order.round, order.occasion),
            of_boards=True,
            of_cards=True,
        ),
        Kind(
            "booklet",
            gettext_lazy("Booklet of the folders"),
            gettext_lazy("Every folder played: cards, what they could win, results. A5."),
            lambda order: boards.booklet_pages(order.round.tournament, order.occasion, order.base_url),
            of_boards=True,
            of_cards=True,
            of_event=True,
        ),
        Kind(
            "booklet-folded",
            gettext_lazy("Booklet of the folders, for folding"),
            gettext_lazy("A4: on both sides, turned at the short edge; fold together."),
            lambda order: boards.booklet_pages(order.round.tournament, order.occasion, order.base_url),
            of_boards=True,
            of_cards=True,
            of_event=True,
            folded=True,
        ),
    )
}


# Making a file of sheets: as a job, or at once where it is short.

# Of more players the pages are not counted beforehand, which takes as long as making some of them.
COUNTED_PLAYERS = 60

HALL_GONE = gettext_noop("The halls have changed in the meantime. Request the sheets again.")
DRAWN_ANEW = gettext_noop("The round has been drawn again in the meantime. Request its sheets again.")


def ask(
    order: Order, kind: str, *, language: str, account: Account, at_once: bool = False, anew: bool = False
) -> Job:
    """The job that makes the file for the current state, or an existing one that is up to date.

    A short file is made before this returns, and any file with `at_once`. With `anew` an existing file is made
    again: names may have been corrected, which does not change the tournament's version. Raises NotPossible if the
    round is no longer drawn.
    """
    about: About = {"sheet": kind, "table": order.table_number, "base_url": order.base_url}
    if order.only:
        about["only"] = [*order.only]
    if order.hall is not None:
        about["hall"] = order.hall
        about["hall_name"] = order.round.tournament.hall_list[order.hall - 1].name
    if kind == EVERYTHING:
        about["parts"] = [*(order.parts or usual_parts(order.round))]
    with transaction.atomic():
        if not Round.objects.select_for_update().filter(pk=order.round.pk):
            raise NotPossible(_("The draw has changed in the meantime; check it again."))
        total = _expected_pages(order, KINDS[kind])
        wish = queue.JobRequest(SHEETS, of_round(order.round), language, about, total)
        job = queue.enqueue(wish, account=account, now=timezone.now(), anew=anew)
    return queue.run_now(job) if at_once or 0 < total <= PAGES_AT_ONCE else job


def made_of(round_: Round) -> list[Job]:
    """Files of a round that can still be opened, the newest first."""
    return ready_of(SHEETS, of_round(round_))


def _expected_pages(order: Order, kind: Kind) -> int:
    """The expected number of pages of a file, without overflowing notes; 0 if unknown."""
    if kind.code == EVERYTHING:
        return 0
    if kind.of_tables:
        return sum(kind.pages_of_table(table) for table in order.tables())
    if order.round.tournament.entries.count() > COUNTED_PLAYERS:
        return 0
    return len(kind.pages(order))


class Sheets(OfPages):
    """Sheets of a round; they have the captains' secrets on them."""

    code = SHEETS
    waits_for_long_ones = False
    withdrawn = frozenset({WithdrawReason.ERASED})

    def subjects(self, names: Iterable[str]) -> dict[str, Any]:
        """Rounds as drawn now; a round that was drawn again no longer exists."""
        return subjects_by_name(
            "round", Round.objects.select_related("tournament__host", "tournament__held_by"), names
        )

    def may_see(self, account: AbstractUser, job: Job) -> bool:
        round_ = self.thing(job)
        if round_ is None or not isinstance(account, Account):
            return False
        tournament = round_.tournament
        if may_help_at(account, tournament):
            return True
        hall = hall_to_help_in(account, tournament)
        return hall is not None and job.about.get("hall_name") == hall.name

    def title(self, job: Job) -> str:
        round_, kind = self.thing(job), KINDS[job.about["sheet"]]
        if round_ is None:
            return str(kind.title)
        if kind.code == EVERYTHING:
            return _("Everything for round %(number)d") % {"number": round_.number}
        return " · ".join([str(kind.title), *_which(job, kind, round_)])

    def page(self, job: Job) -> str:
        round_ = self.thing(job)
        if round_ is None:
            return reverse("desk")
        return f"{reverse('desk_print', args=[round_.tournament.code])}?round={round_.number}"

    def context(self, job: Job) -> dict[str, Any]:
        round_ = self.thing(job)
        return {"tournament": round_.tournament} if round_ is not None else {}

    def version(self, job: Job) -> str:
        round_ = self.thing(job)
        return f"{round_.tournament.version} {look()}" if round_ is not None else ""

    def make(self, work: JobRun) -> JobResult:
        job, round_ = work.job, self.thing(work.job)
        if round_ is None:
            raise JobError(DRAWN_ANEW)
        kind = KINDS[job.about["sheet"]]
        with override("en"):
            missing = kind.missing(round_)
        if missing:
            raise JobError(missing)
        seats = seat_marks(round_)  # read first: a later change of seats causes a notice to print again
        pages = kind.pages(_order(job, round_))
        title, named = f"{kind.title}, {round_.tournament.name}", round_.tournament.name
        made = made_of_pages(
            work, pages, title, named, *_which(job, kind, round_), kind.title, folded=kind.folded
        )
        return replace(made, said={"seats": seats})


def _order(job: Job, round_: Round) -> Order:
    """The order with its current content."""
    only, parts = tuple(job.about.get("only", ())), tuple(job.about.get("parts", ()))
    hall = job.about.get("hall")
    if hall is not None and _hall_name(round_, hall) != job.about.get("hall_name"):
        raise JobError(HALL_GONE)
    return Order(round_, job.about["base_url"], timezone.now(), job.about["table"], only, parts, hall)


def _hall_name(round_: Round, number: int) -> str | None:
    return next((hall.name for hall in round_.tournament.hall_list if hall.number == number), None)


def _which(job: Job, kind: Kind, round_: Round) -> Iterator[str]:
    """The part of the tournament that the sheets are of, as text."""
    if not kind.of_event:
        yield _("round %(number)d") % {"number": round_.number}
    if hall := job.about.get("hall_name"):
        yield hall
    tables = job.about.get("only") or [job.about["table"]]
    if tables != [None]:
        numbers = ", ".join(map(str, tables))
        text = ngettext("table %(numbers)s", "tables %(numbers)s", len(tables))
        yield text % {"numbers": numbers}
