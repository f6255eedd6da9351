"""How many sheets of a club were read without a wrong line; until these are enough, every line is looked through."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tournaments.models import Report, SheetPicture

if TYPE_CHECKING:
    from datetime import datetime

    from clubs.models import Club

# Sheets taken in one after the other whose certain lines nobody had to correct, then or later.
ENOUGH = 50


def sheets_right(club: Club) -> int:
    """How many sheets there are since the last one with a wrong line, at most `ENOUGH`; each page counts once."""
    told = SheetPicture.objects.filter(tournament__host=club, taken_at__isnull=False, wrong__isnull=False)
    newest = list(told.order_by("-taken_at", "-pk")[: 2 * ENOUGH])
    corrected = _corrected_since(newest)
    right: set[tuple[str, ...]] = set()
    for picture in newest:
        if picture.wrong or picture.pk in corrected or len(right) == ENOUGH:
            break
        right.add(tuple(map(str, picture.sheet)))
    return len(right)


def _corrected_since(pictures: list[SheetPicture]) -> set[int]:
    """Pictures of whose certain lines one was corrected after it was taken in; a ruling corrects no reading."""
    if not pictures:
        return set()
    oldest = min(picture.taken_at for picture in pictures if picture.taken_at)
    of_tables = Report.objects.filter(
        table__in={picture.table_id for picture in pictures}, revision__gt=1, recorded_at__gt=oldest
    ).exclude(result=None)
    later = list(of_tables.values_list("table", "deal_number", "recorded_at", "result"))
    return {picture.pk for picture in pictures if any(_corrects(picture, *report) for report in later)}


def _corrects(
    picture: SheetPicture, table: int, deal: int, at: datetime, result: dict[str, Any] | None
) -> bool:
    taken = picture.answers.get("results", {})
    certain = {line["deal"] for line in (picture.reading or {}).get("lines", ()) if line["certain"]}
    return (
        table == picture.table_id
        and picture.taken_at is not None
        and at > picture.taken_at
        and deal in certain
        and "ruled" not in (result or {})
        and taken.get(str(deal)) not in (None, result)
    )
