"""Analysis of folders: what each seat could have made, by the solver in a job; stored and in words.

It gives the result of best play with all cards known: exact for contracts without exchange. Otherwise discards are
sampled, since they are not recorded, and the result is a proportion with its interval.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from clubs.models import Account
from core.jobs import queue
from core.jobs.kinds import JobKind, JobResult, subject_name, subjects_by_name
from scoring.game import Deal
from scoring.rulebook import Trumps
from scoring.seats import ACTIVE, ROLES, Role
from scoring.settlement import IllegalResult
from scoring.solver import CannotSolveError, Makeable, makeable, range_of_tricks
from tournaments.boards.dealing import dealer_seat, fingerprint
from tournaments.boards.folders import cards_of, is_sealed
from tournaments.boards.results import SEATS, lines_of
from tournaments.changes.permissions import may_help_at
from tournaments.changes.versions import announce
from tournaments.domain.formats import SEAT_LETTERS
from tournaments.domain.terms import SUIT_SIGNS, contract_name, seat_name
from tournaments.ledger.queries import rulebook_of, rules_of
from tournaments.models import BoardSet, Flag, FolderAnalysis, Round, SeasonDeal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import datetime

    from django.contrib.auth.models import AbstractUser
    from django.db.models import QuerySet

    from core.jobs.kinds import About, JobRun
    from core.jobs.models import Job
    from scoring.rulebook import Contract, Rulebook
    from scoring.solver import TrickRange
    from tournaments.boards.dealing import Folder
    from tournaments.boards.results import Line


SAMPLES = 30
# Version: changes when the solver, or the number of samples, changes an analysis.
METHOD = "2"


@dataclass(frozen=True, slots=True)
class Makes:
    """The share with which a contract can be made from a seat; `exact`: without exchange, so `made` is 0 or 1 of 1.

    `trump` is "" if the contract implies it, or if the talon decides.
    """

    role: str
    contract: str
    trump: str
    made: int
    solved: int
    exact: bool

    @property
    def odds(self) -> Makeable:
        return Makeable(self.made, self.solved)


def analyse(rulebook: Rulebook, folder: Folder) -> list[Makes]:
    """Every contract that each seat may play with these cards, in some ten seconds of one core.

    A contract that the solver cannot play from a seat (it needs other cards, or another seat may not pass) is left out.
    """
    deal = deal_of(rulebook, folder)
    found = []
    for role, contract, trump in _choices(rulebook, max(rulebook.players)):
        try:
            odds = makeable(deal, role, contract, trump or None, samples=SAMPLES, seed=folder.number)
        except (CannotSolveError, IllegalResult):
            continue
        exact = not contract.exchange.most and not contract.exchange.defenders
        found.append(Makes(role.value, contract.id, trump, odds.made, odds.solved, exact))
    return found


def _choices(rulebook: Rulebook, size: int) -> Iterator[tuple[Role, Contract, str]]:
    for role in ROLES[size]:
        for contract in rulebook.contracts:
            if role in contract.declarers_at(size):
                suits = contract.suits if contract.trumps is Trumps.CHOSEN else ()
                for trump in (*suits, "") if contract.or_sans or not suits else suits:
                    yield role, contract, trump


def rules_print(round_: Round) -> str:
    """Fingerprint of the rules and of the method of an analysis."""
    told = json.dumps([METHOD, SAMPLES, *rules_of(round_.tournament)])
    return sha256(told.encode()).hexdigest()


def await_analysis(round_: Round) -> int:
    """Note that the folders that were played in a round that is over are to be analysed; how many wait now.

    What is analysed already with these cards and rules stays.
    """
    board_set = _opened_set(round_)
    if board_set is None:
        return 0
    is_for = {"cards": fingerprint(board_set.seed), "rules": rules_print(round_)}
    kept = _of_round(round_)
    kept.exclude(**is_for).delete()
    there = set(kept.values_list("folder", flat=True))
    FolderAnalysis.objects.bulk_create(
        (
            FolderAnalysis(tournament=round_.tournament, round_number=round_.number, folder=folder, **is_for)
            for folder in sorted(_folders_played(round_) - there)
        ),
        ignore_conflicts=True,
    )
    return kept.filter(found__isnull=True).count()


def count_lacking(round_: Round) -> int:
    """The number of played folders without an analysis; 0 while the round is sealed."""
    if _opened_set(round_) is None:
        return 0
    analyses = analyses_of(round_)
    return sum(analyses.get(folder) is None for folder in _folders_played(round_))


def _folders_played(round_: Round) -> set[int]:
    """The folders that the tables of a round had."""
    return {folder for folders in round_.tables.values_list("folders", flat=True) for folder in folders}


def forget_analysis(round_: Round) -> None:
    """Delete the analysis of a round that is sealed again, with the questions about its results."""
    _of_round(round_).delete()
    doubts_at(round_).delete()
    of_booklets = SeasonDeal.objects.filter(tournament=round_.tournament_id, round_number=round_.number)
    of_booklets.update(about={}, line={})


def analyse_next(round_: Round, *, now: datetime) -> bool:
    """Analyse a folder of the round that waits for it, and ask about its doubtful results; whether there was one."""
    waiting = _of_round(round_).filter(found__isnull=True).first()
    board_set = _opened_set(round_)
    if waiting is None or board_set is None:
        return False
    folder = cards_of(board_set)[waiting.folder - 1]
    rulebook = rulebook_of(round_.tournament)
    found = [asdict(makes) for makes in analyse(rulebook, folder)]
    doubts = find_doubts_in(round_, rulebook, folder)
    # Where the round was sealed meanwhile the row is gone, and what was found is dropped.
    with transaction.atomic():
        if FolderAnalysis.objects.filter(pk=waiting.pk).update(found=found):
            raise_doubts(round_, doubts, now=now)
    return True


def analyses_of(round_: Round) -> dict[int, list[Makes] | None]:
    """Analysis by folder, None while it is running; folders that are not analysed are missing.

    Empty while the round is sealed.
    """
    board_set = _opened_set(round_)
    if board_set is None:
        return {}
    rows = _of_round(round_).filter(cards=fingerprint(board_set.seed), rules=rules_print(round_))
    return {
        row.folder: None if row.found is None else [Makes(**makes) for makes in row.found] for row in rows
    }


def _of_round(round_: Round) -> QuerySet[FolderAnalysis]:
    return FolderAnalysis.objects.filter(tournament=round_.tournament_id, round_number=round_.number)


def _opened_set(round_: Round) -> BoardSet | None:
    """The round's cards; None where there are none, or they are sealed."""
    if not round_.tournament.boards or is_sealed(round_):
        return None
    return BoardSet.objects.filter(tournament=round_.tournament_id, round_number=round_.number).first()


ANALYSIS = "folders"


def update_analysis(round_: Round, *, account: AbstractUser | None, now: datetime) -> Job | None:
    """Have a round's folders analysed if it is over, or forget their analysis if it is sealed; the job, if any.

    Called within whatever may open or seal a round.
    """
    if not round_.tournament.boards:
        return None
    if is_sealed(round_):
        forget_analysis(round_)
        return None
    waiting = await_analysis(round_)
    if not waiting:
        return None
    wish = queue.JobRequest(ANALYSIS, subject_name("round", round_.pk), get_language() or "en", total=waiting)
    return queue.enqueue(wish, account=account, now=now)


class AnalysedFolders(JobKind):
    """Analyse each seat of a round's folders. After a stop the rest can be queued at the desk."""

    code = ANALYSIS

    def subjects(self, names: Iterable[str]) -> dict[str, Any]:
        return subjects_by_name(
            "round", Round.objects.select_related("tournament__host", "tournament__held_by"), names
        )

    def key(self, thing: str, about: About, language: str) -> str:
        del about, language
        return f"{self.code} {thing}"

    def may_see(self, account: AbstractUser, job: Job) -> bool:
        round_ = self.thing(job)
        if round_ is None or not isinstance(account, Account):
            return False
        return may_help_at(account, round_.tournament)

    def title(self, job: Job) -> str:
        round_ = self.thing(job)
        return _("Analysis of the folders of round %(number)s") % {"number": getattr(round_, "number", "–")}

    def page(self, job: Job) -> str:
        round_ = self.thing(job)
        return (
            reverse("desk_boards", args=[round_.tournament.code]) if round_ is not None else reverse("desk")
        )

    def context(self, job: Job) -> dict[str, Any]:
        round_ = self.thing(job)
        return {"tournament": round_.tournament} if round_ is not None else {}

    def make(self, work: JobRun) -> JobResult:
        round_ = self.thing(work.job)
        if round_ is None:
            return JobResult(said={"folders": 0})
        rows = FolderAnalysis.objects.filter(tournament=round_.tournament, round_number=round_.number)
        work.tell(0, rows.filter(found__isnull=True).count())
        done = 0
        try:
            while analyse_next(
                Round.objects.select_related("tournament").get(pk=round_.pk), now=timezone.now()
            ):
                done += 1
                work.tell(done)
        finally:
            if done:
                with transaction.atomic():
                    announce(round_.tournament_id)
        return JobResult(said={"folders": done})

    def progress_text(self, job: Job) -> str:
        return _("%(done)d of %(total)d folders analysed.") % {"done": job.done, "total": job.total}

    def result_messages(self, job: Job) -> list[str]:
        folders = job.said["folders"]
        said = ngettext("%(count)d folder analysed.", "%(count)d folders analysed.", folders)
        return [said % {"count": folders}]


# What is made in fewer exchanges than one in so many is not shown; what is named as the best is made in half of them.
SHOWN_FROM, LIKELY = 5, 2


@dataclass(frozen=True, slots=True)
class ContractText:
    """A contract that can be made: in how many exchanges, within which interval, and at how many tables it was played.

    `interval` is "" where the answer is exact.
    """

    contract: str
    made: str
    interval: str
    tables: int


@dataclass(frozen=True, slots=True)
class SeatText:
    """The contracts that a seat could have made, the surest first."""

    title: str
    letter: str
    contracts: list[ContractText]


@dataclass(frozen=True, slots=True)
class AnalysisText:
    """A folder's analysis: the best contract of all in a sentence, then every seat's."""

    best: str
    seats: list[SeatText]


def analysis_text(
    rulebook: Rulebook,
    number: int,
    found: Sequence[Makes],
    lines: Sequence[Line],
    *,
    signs: Mapping[str, str] | None = None,
    most: int | None = None,
) -> AnalysisText:
    """The text of a folder's analysis, with the number of tables that played each contract; at most `most` per seat.

    `signs` are those that suits have on paper, by the usual ones.
    """
    signs = signs or {}
    size = max(rulebook.players)
    seating = rulebook.seating(size, dealer_seat(number, size))
    seats = []
    for role in sorted(seating.positions, key=SEATS.index):
        shown = [
            makes
            for makes in found
            if makes.role == role.value and makes.made * SHOWN_FROM >= makes.solved > 0
        ]
        shown.sort(key=lambda makes: (-makes.odds.share, -rulebook.by_id[makes.contract].rank))
        if shown or role is not Role.IDLE:
            contracts = [
                ContractText(
                    _contract(makes, signs),
                    _made_text(makes),
                    _interval(makes),
                    _times_declared(makes, lines),
                )
                for makes in shown[:most]
            ]
            seats.append(
                SeatText(
                    seat_name(rulebook, role).capitalize(), SEAT_LETTERS[seating.positions[role]], contracts
                )
            )
    return AnalysisText(_best(rulebook, found, lines, signs), seats)


def _best(rulebook: Rulebook, found: Sequence[Makes], lines: Sequence[Line], signs: Mapping[str, str]) -> str:
    likely = [makes for makes in found if makes.made * LIKELY >= makes.solved > 0]
    if not likely:
        return _("No seat makes any contract in as many as half of the exchanges.")
    best = max(likely, key=lambda makes: (rulebook.by_id[makes.contract].rank, makes.odds.share))
    named = {"contract": _contract(best, signs), "seat": seat_name(rulebook, Role(best.role))}
    if best.exact:
        said = _("%(contract)s by %(seat)s is made against any defence.") % named
    else:
        odds = {"made": best.made, "solved": best.solved}
        said = _("%(contract)s by %(seat)s is made in %(made)d of %(solved)d exchanges.") % (named | odds)
    if not lines:
        return said
    played = _times_declared(best, lines)
    other, times = _usual_contract(rulebook, best, lines)
    text = _("Tables that played it: %(played)d of %(tables)d.")
    if times > played:
        text = _("Tables that played it: %(played)d of %(tables)d; %(other)s: %(times)d.")
    tables = {"played": played, "tables": len(lines), "times": times, "other": contract_name(other)}
    return f"{said} {text % tables}"


def _usual_contract(rulebook: Rulebook, best: Makes, lines: Sequence[Line]) -> tuple[str, int]:
    """The contract other than the best one that most tables played, of these the lowest; at how many."""
    played = Counter(contract for line in lines if (contract := _contract_of(line)) in rulebook.by_id)
    del played[best.contract]
    ordered = sorted(played.items(), key=lambda one: (-one[1], rulebook.by_id[one[0]].rank))
    return ordered[0] if ordered else ("", 0)


def _contract_of(line: Line) -> str:
    contract: str = (line.report.result or {}).get("contract", "")
    return contract.partition("+")[0]


def _contract(makes: Makes, signs: Mapping[str, str]) -> str:
    sign = SUIT_SIGNS.get(makes.trump, "")
    return f"{contract_name(makes.contract)} {signs.get(sign, sign)}".strip()


def _made_text(makes: Makes) -> str:
    if makes.exact:
        return _("for certain")
    return _("%(made)d of %(solved)d") % {"made": makes.made, "solved": makes.solved}


def _interval(makes: Makes) -> str:
    if makes.exact:
        return ""
    least, most = makes.odds.interval
    return _("%(least)d–%(most)d %%") % {"least": round(100 * least), "most": round(100 * most)}


def _times_declared(makes: Makes, lines: Sequence[Line]) -> int:
    """The number of tables at which this seat declared this contract, with these trumps where they are chosen."""
    return sum(
        any(
            place.role.value == makes.role and place.position == line.report.declarer for place in line.places
        )
        and _contract_of(line) == makes.contract
        and (not makes.trump or (line.report.result or {}).get("trump") == makes.trump)
        for line in lines
    )


# Reported results that the cards make impossible or nearly so: a question at the desk only, as for rare deals.

# Tricks beyond best play that raise a question. Of 93 results played by bots, two were 2 tricks beyond, none 3.
BEYOND = 3


@dataclass(frozen=True, slots=True)
class Doubt:
    """A result that its cards make doubtful; `least` and `most` are the tricks of best play in `solved` exchanges."""

    line: Line
    least: int
    most: int
    solved: int

    def flag(self, now: datetime) -> Flag:
        """The question as a flag for the desk."""
        cards = {"least": self.least, "most": self.most, "exchanges": self.solved}
        deal = self.line.report.deal_number
        return Flag(
            table_id=self.line.report.table_id,
            kind=Flag.Kind.RARE,
            deal=deal,
            about={"cards": cards},
            raised_at=now,
        )


def deal_of(rulebook: Rulebook, folder: Folder) -> Deal:
    """A folder as a deal of the rules engine."""
    size = max(rulebook.players)
    return Deal(
        rulebook,
        rulebook.seating(size, dealer_seat(folder.number, size)),
        {role: folder.hand(role) for role in ACTIVE},
        folder.talon,
    )


def find_doubts(rulebook: Rulebook, folder: Folder, lines: Sequence[Line]) -> list[Doubt]:
    """The lines whose tricks are far from what best play makes of this folder.

    Results without a declarer, given up, or without the trump that the contract needs cannot be compared.
    """
    deal = deal_of(rulebook, folder)
    ranges: dict[tuple[Role, str, str | None], TrickRange | None] = {}
    found = []
    for line in lines:
        result = line.report.result or {}
        declarer = next((place.role for place in line.places if place.position == line.report.declarer), None)
        contract = rulebook.by_id.get(str(result.get("contract", "")).partition("+")[0])
        if declarer is None or contract is None or result.get("abandoned") or result.get("joined"):
            continue
        trump = result.get("trump")
        key = declarer, contract.id, trump
        if key not in ranges:
            try:
                ranges[key] = range_of_tricks(deal, declarer, contract, trump, seed=folder.number)
            except (CannotSolveError, IllegalResult):
                ranges[key] = None
        best = ranges[key]
        if best is not None and _is_far(line, best):
            found.append(Doubt(line, best.least, best.most, best.solved))
    return found


def _is_far(line: Line, best: TrickRange) -> bool:
    """Whether the tricks reported, or all that the outcome allows, are BEYOND best play or more."""
    report = line.report
    tricks = (report.result or {}).get("tricks", {}).get(str(report.declarer))
    least, most = (tricks, tricks) if tricks is not None else best.by_outcome.get(report.outcome, (0, 99))
    return least - best.most >= BEYOND or best.least - most >= BEYOND


def raise_doubts(round_: Round, doubts: Sequence[Doubt], *, now: datetime) -> None:
    """Ask the desk about these results, about each once."""
    asked = set(doubts_at(round_).values_list("table", "deal"))
    Flag.objects.bulk_create(
        flag for flag in (doubt.flag(now) for doubt in doubts) if (flag.table_id, flag.deal) not in asked
    )


def doubts_at(round_: Round) -> QuerySet[Flag]:
    """All questions about the cards of a round."""
    return Flag.objects.filter(table__round=round_, kind=Flag.Kind.RARE, about__has_key="cards")


def find_doubts_in(round_: Round, rulebook: Rulebook, folder: Folder) -> list[Doubt]:
    """The doubtful results of a round with this folder."""
    return find_doubts(rulebook, folder, lines_of([round_], folder=folder.number))
