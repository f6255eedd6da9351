"""What all answers are made of: their schema is what is written here and beside each operation, and nothing else."""

from __future__ import annotations

from datetime import date
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
Number = Annotated[
    int, Path(ge=0, le=LARGEST, description="The number of the player, round, table or folder.")
]
RoundNumber = Annotated[int, Path(ge=0, le=LARGEST, description="The round’s number.")]
Limit = Annotated[int, Query(ge=1, le=MOST_ON_A_PAGE, description="How many at most on this page.")]
Source = Literal["captain", "desk", "program"]
Cursor = Annotated[
    str, Query(max_length=200, description="Where the page begins: as `next` of the page before has it.")
]


# A field may be called `date`, and then its type may not.
Day = date


class Shape(BaseModel):
    """A part of an answer. Fields may be added in v1; none is taken away or changes what it means."""

    model_config = ConfigDict(frozen=True)


class Asked(BaseModel):
    """A part of what is sent. What is not known is refused, so that a slip of the pen is told and not overlooked."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class FieldProblem(Shape):
    """What is wrong with one field."""

    field: str = Field(
        description="The field as it was sent, such as `entries.0.guest`; empty for the request as a whole."
    )
    message: str = Field(description="What is wrong with it, in the language asked for.")


class Problem(Shape):
    """What went wrong (RFC 9457). `detail` is a sentence in the language asked for; `code` is for programs."""

    type: str = Field(description="Always `about:blank`: `code` says what went wrong.")
    title: str = Field(description="The HTTP status in words, in English.")
    status: int = Field(description="The HTTP status.")
    code: str = Field(description="What went wrong, for programs: the same in every language and version.")
    detail: str = Field(description="What went wrong, in the language asked for.")
    errors: list[FieldProblem] = Field(
        default_factory=list, description="The fields that are wrong, where there are any."
    )


class ClubRef(Shape):
    """A club, or a union, where something is of one."""

    id: int = Field(description="The club's number, the same for good.")
    slug: str = Field(description="The club's short name in addresses.")
    name: str = Field(description="The club's name.")


def replies(shape: Any, *more: int, etag: bool = True) -> dict[int, Any]:
    """What an operation may answer: its shape, and problems of these statuses."""
    usual: tuple[int, ...] = (400, 404, 422, 429, 503)
    statuses = sorted({*usual, *more})
    return {200: shape} | ({304: None} if etag else {}) | dict.fromkeys(statuses, Problem)
