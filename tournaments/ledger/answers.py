"""What a report is answered with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from tournaments.domain.terms import ProblemSaid
from tournaments.models import KeptReport, Report

Status = Literal["accepted", "duplicate", "conflict", "refused", "kept"]


@dataclass(frozen=True, slots=True)
class Answer:
    key: UUID
    status: Status
    revision: int
    problems: tuple[ProblemSaid, ...] = ()
    warnings: tuple[ProblemSaid, ...] = ()
    # The report that counts for the deal now; None if there is none.
    current: Report | None = None
    # The report as it was set aside; None where it was not.
    kept: KeptReport | None = None
