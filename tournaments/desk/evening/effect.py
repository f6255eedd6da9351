"""What a new version of a deal would change, said before it is saved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tournaments.domain.outcomes import declarer_of
from tournaments.ledger.scoresheet import ScoreSheet, SheetLine, result_sentence
from tournaments.models import Report

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scoring.rulebook import Rulebook
    from tournaments.ledger import Judged


@dataclass(frozen=True, slots=True)
class SeatEffect:
    """A player's tokens in the deal (None: not reported) and in all, as they stand and as they would be."""

    name: str
    before: int | None
    after: int | None
    total_before: int
    total_after: int

    @property
    def change(self) -> int:
        return self.total_after - self.total_before


@dataclass(frozen=True, slots=True)
class Effect:
    """`said` is the new result read aloud, `was` the one that counts now ("" if none)."""

    said: str
    was: str
    seats: tuple[SeatEffect, ...]
    warnings: tuple[str, ...]
    # Whether players have said yes to the sheet and would have to say it again.
    unconfirms: bool

    @property
    def changes(self) -> bool:
        return self.said != self.was or any(seat.change for seat in self.seats)


def effect_of(sheet: ScoreSheet, line: SheetLine, judged: Judged) -> Effect:
    names = sheet.names
    before: Sequence[int | None] = line.tokens or (None,) * sheet.players
    after: Sequence[int | None] = judged.tokens or (None,) * sheet.players
    return Effect(
        said=_read_aloud(sheet.rulebook, judged, names),
        was=result_sentence(sheet.rulebook, line.report, names) if line.report else "",
        seats=tuple(
            SeatEffect(seat.name, old, new, total, total - (old or 0) + (new or 0))
            for seat, old, new, total in zip(sheet.seats, before, after, sheet.totals, strict=True)
        ),
        warnings=tuple(warning.message for warning in judged.warnings),
        unconfirms=any(seat.agreed_at for seat in sheet.seats),
    )


def _read_aloud(rulebook: Rulebook, judged: Judged, names: Sequence[str]) -> str:
    declarer = declarer_of(judged.result)
    reported = Report(result=judged.result, outcome=judged.outcome, declarer=declarer)
    return result_sentence(rulebook, reported, names)
