"""A season's booklet: its most instructive deals, chosen from the folders of its evenings, dropped and commented."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any

from django.db import transaction

from scoring.outcomes import Outcome
from scoring.rulebook import Trumps
from scoring.seats import Role
from scoring.settlement import IllegalResult
from scoring.solver import CannotSolveError, best_line
from tournaments.boards.analysis import analyses_of
from tournaments.boards.doubts import deal_of
from tournaments.boards.folders import cards_of, is_sealed, opened_rounds
from tournaments.boards.results import lines_of
from tournaments.domain.outcomes import WON
from tournaments.ledger.queries import rulebook_of
from tournaments.models import Round, SeasonDeal
from tournaments.seasons.instructive import Candidate, Chance, Contract, Played, Reason, candidate, choose

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from scoring.rulebook import Rulebook
    from tournaments.boards.analysis import Makes
    from tournaments.boards.dealing import Folder
    from tournaments.boards.results import Line
    from tournaments.models import Season, Tournament

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
