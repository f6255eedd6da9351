"""What all answers are made of: their schema is what is written here and beside each operation, and nothing else."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from ninja import Path, Query
from pydantic import BaseModel, ConfigDict, Field

# Larger numbers than these have no rows; a database would not even compare them.
LARGEST = 2_147_483_647
MOST_ON_A_PAGE, USUAL_ON_A_PAGE = 1000, 100

Code = Annotated[
    str, Path(pattern=r"^[A-Za-z0-9]{1,8}$", description="The tournament’s code, as on its sheets.")
]
Slug = Annotated[
    str, Path(pattern=r"^[-A-Za-z0-9_]{1,40}$", description="The club’s short name in addresses.")
]
OptionalSlug = Annotated[str, Query(pattern=r"^[-A-Za-z0-9_]{0,40}$", description="A club’s short name.")]
Number = Annotated[int, Path(ge=0, le=LARGEST)]
Limit = Annotated[int, Query(ge=1, le=MOST_ON_A_PAGE, description="How many at most on this page.")]
Source = Literal["captain", "desk", "program"]
Cursor = Annotated[
    str, Query(max_length=200, description="Where the page begins: as `next` of the page before has it.")
]


class Shape(BaseModel):
    """A part of an answer. Fields may be added in v1; none is taken away or changes what it means."""

    model_config = ConfigDict(frozen=True)


class Asked(BaseModel):
    """A part of what is sent. What is not known is refused, so that a slip of the pen is told and not overlooked."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class FieldProblem(Shape):
    """What is wrong with one field."""

    field: str
    message: str


class Problem(Shape):
    """What went wrong (RFC 9457). `detail` is a sentence in the language asked for; `code` is for programs."""

    type: str
    title: str
    status: int
    code: str
    detail: str
    errors: list[FieldProblem] = Field(default_factory=list)


class ClubRef(Shape):
    """A club, or a union, where something is of one."""

    id: int
    slug: str
    name: str


def replies(shape: Any, *more: int, etag: bool = True) -> dict[int, Any]:
    """What an operation may answer: its shape, and problems of these statuses."""
    usual: tuple[int, ...] = (400, 404, 422, 429, 503)
    statuses = sorted({*usual, *more})
    return {200: shape} | ({304: None} if etag else {}) | dict.fromkeys(statuses, Problem)
