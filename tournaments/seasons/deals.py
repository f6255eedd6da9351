"""A season's booklet: its most instructive deals, chosen from the folders of its evenings by a job, and their texts."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from clubs.models import Account
from core.jobs import queue
from core.jobs.kinds import JobKind, JobResult, subject_name, subjects_by_name
from scoring.outcomes import Outcome
from scoring.rulebook import Trumps
from scoring.seats import Role
from scoring.settlement import IllegalResult
from scoring.solver import CannotSolveError, best_line
from tournaments.boards.analysis import analyses_of, deal_of
from tournaments.boards.folders import cards_of, is_sealed, opened_rounds
from tournaments.boards.results import lines_of
from tournaments.changes.permissions import may_organise_season
from tournaments.domain.outcomes import WON
from tournaments.domain.terms import SUIT_SIGNS, card_words, contract_name, outcome_name, seat_name
from tournaments.ledger.queries import rulebook_of
from tournaments.models import Round, Season, SeasonDeal
from tournaments.seasons.instructive import Candidate, Chance, Contract, Played, Reason, candidate, choose

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from django.contrib.auth.models import AbstractUser

    from core.jobs.kinds import About, JobRun
    from core.jobs.models import Job
    from scoring.rulebook import Rulebook
    from tournaments.boards.analysis import Makes
    from tournaments.boards.dealing import Folder
    from tournaments.boards.results import Line
    from tournaments.models import Tournament


MADE = frozenset((Outcome.WON, Outcome.VOLE))


@dataclass(frozen=True, slots=True)
class ShownDeal:
    """A chosen deal with its cards and what the tables made of them."""

    row: SeasonDeal
    round: Round
    folder: Folder
    lines: list[Line]
    makes: list[Makes] | None


def evenings_of(season: Season) -> list[Tournament]:
    """The season's evenings with folders."""
    return list(season.evenings.not_called_off().filter(boards=True).order_by("date", "pk"))


def choose_deals(season: Season) -> int:
    """Choose the season's most instructive deals again; returns how many there are.

    Deals dropped by the editor stay out, and those with a comment stay in.
    """
    dropped = {_key(row) for row in season.deals.filter(is_dropped=True)}
    found = [one for one in _candidates(season) if one.key not in dropped]
    chosen = choose(found)
    made = [(one, reason, _about(one, reason), _line(one, reason)) for one, reason in chosen]
    with transaction.atomic():
        keys = {one.key for one, _reason in chosen}
        for row in season.deals.select_for_update().filter(is_dropped=False, comment=""):
            if _key(row) not in keys:
                row.delete()
        for place, (one, reason, about, line) in enumerate(made, start=1):
            tournament, number, folder = one.key
            SeasonDeal.objects.update_or_create(
                season=season,
                tournament_id=tournament,
                round_number=number,
                folder=folder,
                defaults={"place": place, "reason": reason.value, "about": about, "line": line},
            )
    return len(chosen)


def shown_deals(season: Season) -> list[ShownDeal]:
    """The deals of the booklet, in their order; none of a round that is sealed again."""
    return [found for row in _rows(season).filter(is_dropped=False) if (found := _visible_deal(row))]


def has_deals(season: Season) -> bool:
    """Whether deals were chosen for the season's booklet, of rounds that are not sealed again."""
    return season.deals.filter(is_dropped=False).exclude(about={}).exists()


def editable_deals(season: Season) -> list[SeasonDeal]:
    """All deals that were chosen, dropped ones last; none of a round that is sealed again."""
    return [row for row in _rows(season).order_by("is_dropped", "place", "pk") if _open_round(row)]


def _rows(season: Season) -> Any:
    return season.deals.select_related("tournament__host")


def _key(row: SeasonDeal) -> tuple[int, int, int]:
    return row.tournament_id, row.round_number, row.folder


def _open_round(row: SeasonDeal) -> Round | None:
    """The deal's round, if its cards may be seen and the deal was chosen since."""
    round_ = row.tournament.rounds.select_related("tournament").filter(number=row.round_number).first()
    return round_ if round_ is not None and row.about and not is_sealed(round_) else None


def _visible_deal(row: SeasonDeal) -> ShownDeal | None:
    round_ = _open_round(row)
    dealt = row.tournament.board_sets_dealt.filter(round_number=row.round_number).first()
    if round_ is None or dealt is None:
        return None
    folder = cards_of(dealt)[row.folder - 1]
    lines = lines_of([round_], folder=row.folder)
    return ShownDeal(row, round_, folder, lines, analyses_of(round_).get(row.folder))


# Choosing


def _candidates(season: Season) -> Iterator[Candidate]:
    for evening in evenings_of(season):
        rulebook = rulebook_of(evening)
        for round_ in opened_rounds(evening):
            analyses = analyses_of(round_)
            by_folder: dict[int, list[Line]] = {}
            for line in lines_of([round_]):
                by_folder.setdefault(line.folder, []).append(line)
            for folder, lines in by_folder.items():
                played = [_parse_line(rulebook, line) for line in lines]
                chances = _chances(rulebook, analyses.get(folder) or ())
                yield candidate((evening.pk, round_.number, folder), played, chances)


def _parse_line(rulebook: Rulebook, line: Line) -> Played:
    result = line.report.result or {}
    row = rulebook.by_id.get(str(result.get("contract", "")).partition("+")[0])
    place = next((place for place in line.places if place.position == line.report.declarer), None)
    contract = None
    if row is not None and place is not None:
        trump = result.get("trump") or "" if row.trumps is Trumps.CHOSEN else ""
        contract = Contract(place.role.value, row.id, trump, row.rank)
    tokens = {place.role.value: place.tokens for place in line.places}
    return Played(contract, line.report.outcome in WON, tokens)


def _chances(rulebook: Rulebook, makes: Iterable[Makes]) -> list[Chance]:
    return [
        Chance(
            Contract(one.role, one.contract, one.trump, rulebook.by_id[one.contract].rank),
            one.made,
            one.solved,
        )
        for one in makes
    ]


def _about(one: Candidate, reason: Reason) -> dict[str, Any]:
    """Figures for the reason's text."""
    contract = one.contract_for(reason)
    about: dict[str, Any] = {"spread": one.spread}
    if contract is not None:
        about |= {"role": contract.role, "contract": contract.contract, "trump": contract.trump}
    if reason is Reason.UNFOUND and one.chance is not None:
        about |= {"made": one.chance.made, "solved": one.chance.solved}
    if reason is Reason.DEFENCE:
        about |= {"made": one.made, "beaten": one.beaten}
    return about


def _line(one: Candidate, reason: Reason) -> dict[str, Any]:
    """A line of best play of the contract that is looked at, with the hands after an exchange; {} for none."""
    contract = one.contract_for(reason)
    tournament, number, folder_number = one.key
    round_ = Round.objects.select_related("tournament").get(tournament=tournament, number=number)
    dealt = round_.tournament.board_sets_dealt.filter(round_number=number).first()
    if contract is None or dealt is None:
        return {}
    rulebook = rulebook_of(round_.tournament)
    deal = deal_of(rulebook, cards_of(dealt)[folder_number - 1])
    wanted = MADE if reason is Reason.UNFOUND else None
    try:
        best = best_line(
            deal,
            Role(contract.role),
            rulebook.by_id[contract.contract],
            contract.trump or None,
            random=Random(folder_number),
            wanted=wanted,
        )
    except (CannotSolveError, IllegalResult):
        return {}
    if best is None:
        return {}
    position, solution = best
    return {
        "hands": {role.value: list(cards) for role, cards in position.hands.items()},
        "cards": [[role.value, card] for role, card in solution.line],
        "outcome": solution.outcome.value,
        "tricks": solution.tricks,
    }


@dataclass(frozen=True, slots=True)
class TrickText:
    """A trick of the line: its number, and who played which card, the leader first."""

    number: int
    cards: list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class LineText:
    """A line of best play: the contract, what it comes to, the tricks."""

    contract: str
    result: str
    tricks: list[TrickText]


def reason_text(rulebook: Rulebook, row: SeasonDeal, signs: Mapping[str, str] | None = None) -> str:
    """Why the deal was chosen, in a sentence."""
    about = row.about
    if row.reason == SeasonDeal.Reason.SPREAD:
        text = ngettext(
            "In one seat the tables are %(spread)d token apart.",
            "In one seat the tables are %(spread)d tokens apart.",
            about["spread"],
        )
        return text % {"spread": about["spread"]}
    named = {"contract": _contract(row, signs), "seat": seat_name(rulebook, Role(about["role"]))}
    if row.reason == SeasonDeal.Reason.UNFOUND:
        odds = {"made": about["made"], "solved": about["solved"]}
        text = _(
            "No table played %(contract)s by %(seat)s, which is made in %(made)d of %(solved)d exchanges."
        )
        return text % (named | odds)
    tables = {"made": about["made"], "beaten": about["beaten"]}
    text = _("%(contract)s by %(seat)s: tables that made it %(made)d, tables that beat it %(beaten)d.")
    return text % (named | tables)


def line_text(rulebook: Rulebook, row: SeasonDeal, signs: Mapping[str, str] | None = None) -> LineText | None:
    """The line of best play; None where there is none."""
    cards = row.line.get("cards")
    if not cards:
        return None
    size = len(row.line["hands"])
    tricks = [
        TrickText(
            number // size + 1,
            [
                (seat_name(rulebook, Role(role)), _card(card, signs))
                for role, card in cards[number : number + size]
            ],
        )
        for number in range(0, len(cards), size)
    ]
    won = ngettext("%(count)d trick", "%(count)d tricks", row.line["tricks"]) % {"count": row.line["tricks"]}
    named = {"contract": _contract(row, signs), "seat": seat_name(rulebook, Role(row.about["role"]))}
    return LineText(
        _("%(contract)s by %(seat)s") % named,
        f"{outcome_name(rulebook, row.line['outcome'])}, {won}",
        tricks,
    )


def _contract(row: SeasonDeal, signs: Mapping[str, str] | None) -> str:
    sign = SUIT_SIGNS.get(row.about["trump"], "")
    return f"{contract_name(row.about['contract'])} {(signs or {}).get(sign, sign)}".strip()


def _card(card: str, signs: Mapping[str, str] | None) -> str:
    words = card_words(card)
    for sign, other in (signs or {}).items():
        words = words.replace(sign, other)
    return words


DEALS = "deals"


def ask(season: Season, *, account: Account) -> Job:
    """The job that chooses the season's deals."""
    wish = queue.JobRequest(DEALS, subject_name("season", season.pk), get_language() or "en", total=1)
    return queue.enqueue(wish, account=account, now=timezone.now())


class OfSeason(JobKind):
    """A job about a season, whose result its organisers may see."""

    def subjects(self, names: Iterable[str]) -> dict[str, Any]:
        return subjects_by_name("season", Season.objects.select_related("host"), names)

    def may_see(self, account: AbstractUser, job: Job) -> bool:
        season = self.thing(job)
        if season is None or not isinstance(account, Account):
            return False
        return may_organise_season(account, season)


class ChosenDeals(OfSeason):
    """The most instructive deals of a season."""

    code = DEALS

    def key(self, thing: str, about: About, language: str) -> str:
        del about, language
        return f"{self.code} {thing}"

    def title(self, job: Job) -> str:
        return _("Deals of the season · %(season)s") % {"season": self.thing(job) or "–"}

    def page(self, job: Job) -> str:
        season = self.thing(job)
        if season is None:
            return reverse("desk")
        return reverse("club_season_deals", args=[season.host.slug, season.pk])

    def make(self, work: JobRun) -> JobResult:
        season = self.thing(work.job)
        work.tell(0, 1)
        count = choose_deals(season) if season is not None else 0
        work.tell(1)
        return JobResult(said={"deals": count})

    def progress_text(self, job: Job) -> str:
        del job
        return _("The deals of the season are being compared.")

    def result_messages(self, job: Job) -> list[str]:
        count = job.said["deals"]
        said = ngettext("%(count)d deal is chosen.", "%(count)d deals are chosen.", count)
        return [said % {"count": count}]
