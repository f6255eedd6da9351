"""Training of the reader's weights on this installation's own sheets, labelled by the organisers' answers.

Training starts from the program's weights. New weights replace them only if, on a held-out set, they give no more
wrong certain lines and no fewer certain lines.
"""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.conf import settings

from core.files import write_atomically
from scoring.results import UnreadableResult, read_result
from tournaments.ledger.queries import rulebook_of
from tournaments.ledger.seating import seating_at
from tournaments.models import SheetPicture
from tournaments.reporting.reader.boxes import (
    ALONE,
    BID,
    CONTRACT,
    DECLARER,
    ESTUCHES,
    PARTNER,
    PASSED,
    RESULT,
    TRUMP,
    Reporter,
    reported_lines,
)
from tournaments.reporting.reader.reader import look, read
from tournaments.reporting.reader.results import Reading, State
from tournaments.reporting.scans.stored import reading_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from django.db.models import QuerySet

    from scoring.results import DealResult
    from scoring.seats import Seating
    from tournaments.reporting.reader.layout import Layout, SheetName
    from tournaments.reporting.reader.results import Line
    from tournaments.reporting.reader.weights import Weights


logger = logging.getLogger(__name__)

# Minimum number of sheets; one in this many is held out.
FEWEST, KEPT_BACK = 20, 5
# How often all of them are learnt from.
ROUNDS = 10
FILE = "reading-weights.npz"


def weights_file() -> Path:
    return Path(settings.DATA_DIR) / FILE


def own_weights() -> Weights | None:
    """This installation's own numbers; None where it has none, or another version's."""
    file = weights_file()
    return _weights(file, file.stat().st_mtime_ns) if file.is_file() else None


@cache
def _weights(file: Path, _changed: int) -> Weights | None:
    from tournaments.reporting.reader.weights import UnreadableWeights, read_weights  # noqa: PLC0415 - with numpy

    try:
        return read_weights(file.read_bytes())
    except (UnreadableWeights, OSError):
        logger.warning("%s cannot be read or is from another version: run fit_reading again", file)
        return None


def answered() -> QuerySet[SheetPicture]:
    """Pictures that were taken in, whose content is therefore known."""
    taken = SheetPicture.objects.filter(taken_at__isnull=False).order_by("pk")
    return taken.select_related("table__round__tournament")


class Known:
    """A sheet with what people have made of it, line by line."""

    def __init__(self, picture: SheetPicture) -> None:
        self.picture = picture
        self.reading = reading_of(picture)
        table = picture.table
        if table is None:
            raise ValueError(picture)
        self.rulebook = rulebook_of(table.round.tournament)
        players = self.reading.layout.players
        self.seatings = {row.deal: seating_at(table, players, row.deal) for row in self.reading.layout.rows}
        self.reporter = Reporter(self.reading.layout, self.rulebook, self.seatings)

    def meant(self) -> list[Mapping[str, str] | None]:
        """The boxes that were meant in each line, group -> value; None where that does not follow from the answer."""
        return [self._meant(line) for line in self.reading.lines]

    def result(self, deal: int) -> DealResult | None:
        """The report that counts, without the pool; None for none."""
        told = self.picture.answers.get("results", {}).get(str(deal))
        if told is None or deal in self.picture.answers.get("unsure", ()):
            return None
        try:
            return read_result(told, self.seatings[deal])._replace(pool=None)
        except UnreadableResult:  # a ruling
            return None

    def _meant(self, line: Line) -> Mapping[str, str] | None:
        if line.why in ("note", "stray", "several") or any(box.state is State.VOID for box in line.boxes):
            return None
        result, seating = self.result(line.deal), self.seatings[line.deal]
        if result is None:
            return {} if line.is_empty else None
        candidates = (line.chosen, *self._ticks(result, line, seating))
        return next((one for one in candidates if self.reporter.result(one, seating) == result), None)

    def _ticks(self, result: DealResult, line: Line, seating: Seating) -> Iterator[Mapping[str, str]]:
        """The possible ticks for a result: only the names of its boxes are unknown beforehand."""
        told = result.to_json(seating)
        if told.get("all_passed"):
            yield {ALONE: PASSED}
            return
        values = {group.key: group.values for group in self.reading.layout.groups}
        known = {
            key: str(told[name])
            for key, name in ((DECLARER, "declarer"), (CONTRACT, "contract"), (PARTNER, "partner"),
                              (ESTUCHES, "estuches"), (BID, "bonus_bid"))
            if key in values and told.get(name) is not None
        }  # fmt: skip
        trump = told.get("trump") or line.chosen.get(TRUMP)
        for code in values[RESULT]:
            if trump:
                yield known | {RESULT: code, TRUMP: str(trump)}
            yield known | {RESULT: code}


@dataclass(frozen=True)
class Measured:
    """The reader's accuracy on some sheets: lines with known results, lines read with certainty, and wrong ones."""

    lines: int = 0
    certain: int = 0
    wrong: int = 0


@dataclass(frozen=True)
class _Only:
    """Layout lookup that returns one layout for every sheet."""

    layout: Layout

    def __call__(self, _name: SheetName) -> Layout:
        return self.layout


def measured(sheets: Sequence[Known], weights: Weights | None) -> Measured:
    lines = certain = wrong = 0
    for known in sheets:
        layout = known.reading.layout
        fills = bool(known.picture.fills)
        picture = known.picture.path.read_bytes()
        found = read(picture, _Only(layout), fills=fills, weights=weights)
        if not isinstance(found, Reading):
            continue
        told = reported_lines(found, known.rulebook, known.seatings)
        for line, meant in zip(told, known.meant(), strict=True):
            if not meant:
                continue
            lines += 1
            certain += line.certain
            wrong += line.certain and known.reporter.result(
                meant, known.seatings[line.deal]
            ) != known.reporter.result(line.line.chosen, known.seatings[line.deal])
    return Measured(lines, certain, wrong)


@dataclass(frozen=True)
class Fit:
    """Result of a training: figures on the held-out sheets before and after; whether the new weights are used."""

    sheets: int
    before: Measured
    after: Measured
    kept: bool


def fit(sheets: Sequence[Known], *, tell: Callable[[int], None] = lambda _done: None) -> Fit:
    """Fit the numbers on what was answered, and keep them if they are better. The same sheets make the same."""
    back = [known for number, known in enumerate(sheets) if number % KEPT_BACK == 0]
    others = [known for number, known in enumerate(sheets) if number % KEPT_BACK]
    before = measured(back, own_weights())
    after = measured(back, _fitted(others, tell))
    # Where none of them could be read nothing is known.
    kept = after.lines > 0 and after.wrong <= before.wrong and after.certain >= before.certain
    if kept:
        write_atomically(weights_file(), replace(_fitted(sheets, tell), sheets=len(sheets)).to_bytes())
    return Fit(len(sheets), before, after, kept)


def _fitted(sheets: Sequence[Known], tell: Callable[[int], None]) -> Weights:
    import numpy as np  # noqa: PLC0415 - an extra

    from tournaments.reporting.reader import learning, weights  # noqa: PLC0415 - with numpy

    random = np.random.default_rng(1)
    examples = []
    for done, known in enumerate(sheets, start=1):
        seen = look(known.picture.path.read_bytes(), known.reading.layout)
        meant = known.meant()
        rows = {row for row, ticks in enumerate(meant) if ticks is not None}
        if seen is not None and rows:
            what = learning.ticked_boxes(known.reading.layout, meant, fills=bool(known.picture.fills))
            examples.append(learning.examples_of(seen, what, rows, random))
        tell(done)
    return learning.fitted(learning.together(examples), start=weights.shipped(), rounds=ROUNDS)


def export(sheets: Sequence[Known], folder: Path) -> None:
    """Export each picture with its content to a folder, for training the program's own weights."""
    folder.mkdir(parents=True, exist_ok=True)
    for known in sheets:
        picture = known.picture
        told: dict[str, Any] = {
            "layout": known.reading.layout.to_json(),
            "fills": bool(picture.fills),
            "read": (picture.reading or {})["lines"],
            "answers": picture.answers,
            "meant": known.meant(),
        }
        write_atomically(folder / picture.file, picture.path.read_bytes())
        write_atomically((folder / picture.file).with_suffix(".json"), json.dumps(told, indent=1).encode())
