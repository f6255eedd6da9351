"""The page that chooses sheets and columns of an uploaded list, for every kind of list.

It stores the choice only. Each kind defines how its rows are rendered and what happens next.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from django.contrib import messages
from django.shortcuts import redirect, render
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from clubs.lists.cells import is_ambiguous_day, is_month_first, read_day
from clubs.lists.choice import Choice, ListTable, guess, problems_of, unread
from clubs.lists.models import UploadedList, remember, remembered
from core.tables.file_formats import UnreadableFileError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date

    from django.http import HttpResponse, QueryDict
    from django.utils.functional import _StrPromise as StrPromise

    from clubs.lists.cells import RowDoubt
    from clubs.lists.choice import Column, ListFields
    from clubs.models import Club
    from clubs.views.guards import MemberRequest

# So many doubts of one kind are answered one by one; more of them together.
ONE_BY_ONE = 5


@dataclass(frozen=True)
class Preview:
    """A preview of the parsed rows: some of them as (number, name, more), and as text; doubts, and hints by column."""

    rows: list[tuple[str, str, str]] = field(default_factory=list)
    summary: str = ""
    title: str = ""
    doubts: list[RowDoubt] = field(default_factory=list)
    hints: dict[str, str] = field(default_factory=dict)
    asks: frozenset[str] = frozenset()
    """What is asked of the file as a whole, since no column says it."""


class KindOfList(Protocol):
    """The interface that the columns page needs from a kind of list."""

    fields: ListFields
    # What the list is called, the name of the page where it is uploaded, and the style sheets of the page.
    title: StrPromise
    page: str
    styles: tuple[str, ...]

    def hear(self, upload: UploadedList, posted: QueryDict) -> None:
        """Store the page's answers about the file in `upload.about`."""
        ...

    @property
    def steps(self) -> Sequence[StrPromise]:
        """The steps that follow the columns, in words."""
        ...

    def preview(
        self, upload: UploadedList, table: ListTable, choice: Choice, answers: dict[str, str]
    ) -> Preview:
        """The preview of the rows, with the answers for doubtful ones by their keys."""
        ...

    def problems(
        self, upload: UploadedList, table: ListTable, choice: Choice
    ) -> list[tuple[str, set[str]]]: ...

    def go_on(
        self,
        request: MemberRequest,
        upload: UploadedList,
        table: ListTable,
        choice: Choice,
        answers: dict[str, str],
    ) -> HttpResponse:
        """Do what follows, and keep the upload: one may come back. Raises UnreadableFileError."""
        ...

    def other_file(self, club: Club) -> str:
        """The address at which another file is uploaded."""
        ...


@dataclass(frozen=True)
class Question:
    """Doubtful rows that get one answer: the name of its field, the rows, the choices, and what is chosen."""

    name: str
    rows: list[RowDoubt]
    choices: list[tuple[str, str]]
    chosen: str


def columns_page(request: MemberRequest, club: Club, pk: int, kind: KindOfList) -> HttpResponse:
    """Show the file's rows and how they would be parsed; a POST stores the choice and continues."""
    uploads = UploadedList.objects.filter(pk=pk, club=club, account=request.user, kind=kind.fields.code)
    upload = uploads.first()
    if upload is None:
        messages.info(request, _("This list has already been imported or discarded."))
        return redirect(kind.other_file(club))
    if "drop" in request.POST:
        upload.delete()
        return redirect(kind.other_file(club))
    posted = request.POST if request.method == "POST" else None
    has_headings = {"yes": True, "no": False}.get(posted.get("headings", "") if posted else "")
    table = upload.table(kind.fields, has_headings=has_headings)
    known = remembered(club, kind.fields.code)
    choice, is_settled = guess(table, known), False
    if posted is not None and posted.get("headings", "") == posted.get("headings_shown", ""):
        choice = _chosen(posted, table, choice)
        shown = {int(place) for place in posted.getlist("shown") if place.isdecimal()}
        is_settled = "look" not in posted and shown == choice.parts
    if posted is not None:
        kind.hear(upload, posted)
    answers = dict(_answers(posted)) if posted is not None else {}
    preview = kind.preview(upload, table, choice, {})
    questions = _questions(preview.doubts, answers)
    answered = {row.key: one.chosen for one in questions for row in one.rows}
    if any(one.chosen != one.rows[0].default for one in questions):
        preview = kind.preview(upload, table, choice, answered)
    problems = [*problems_of(table, choice), *kind.problems(upload, table, choice)]
    if is_settled and not problems:
        try:
            answer = kind.go_on(request, upload, table, choice, answered)
        except UnreadableFileError as problem:
            problems = [(problem.message, set())]
        else:
            remember(club, kind.fields.code, table, choice)
            return answer
    context = {
        "club": club,
        "upload": upload,
        "kind": kind,
        "other_file": kind.other_file(club),
        "parts": [(part, part.place in choice.parts) for part in table.parts],
        "columns": _shown_columns(table, choice, preview.hints, problems),
        "read": sum(bool(choice.fields.get(column.key)) for column in choice.columns(table)),
        "shown": sorted(choice.parts),
        "labels": kind.fields.labels,
        "unread": [*table.notes, *unread(table, choice)],
        "preview": preview,
        "questions": questions,
        "doubts": sum(len(one.rows) for one in questions),
        "problems": [text for text, _keys in problems],
        "posted": posted is not None,
        "asks_headings": not table.knows_headings,
        "has_headings": bool(table.parts) and table.parts[0].has_headings,
    }
    return render(request, "clubs/columns.html", context)


def _chosen(posted: QueryDict, table: ListTable, before: Choice) -> Choice:
    """The choice submitted with the form; a column that the page did not show keeps its default."""
    places = {part.place for part in table.parts}
    parts = frozenset(int(place) for place in posted.getlist("part") if place.isdecimal()) & places
    fields = dict(before.fields)
    for number, column in enumerate(table.columns):
        wanted = posted.get(f"column-{number}")
        if wanted is not None and (not wanted or wanted in table.fields.labels):
            fields[column.key] = wanted
    return Choice(parts if "part" in posted or len(places) > 1 else before.parts, fields)


def _answers(posted: QueryDict) -> Mapping[str, str]:
    return {
        name.removeprefix("answer-"): str(value)
        for name, value in posted.items()
        if name.startswith("answer-")
    }


def _questions(doubts: list[RowDoubt], answers: Mapping[str, str]) -> list[Question]:
    """A question for each doubtful row; one for all of a kind where there are many."""
    times = Counter(doubt.kind for doubt in doubts)
    questions = []
    for kind, rows in times.items():
        of_kind = [doubt for doubt in doubts if doubt.kind == kind]
        groups = [of_kind] if rows > ONE_BY_ONE else [[doubt] for doubt in of_kind]
        for group in groups:
            first = group[0]
            name = f"all-{kind}" if len(group) > 1 else first.key
            choices = first.choices_for_all if len(group) > 1 else first.choices
            chosen = answers.get(name, "")
            questions.append(
                Question(
                    f"answer-{name}", group, choices, chosen if chosen in dict(choices) else first.default
                )
            )
    return questions


def _shown_columns(
    table: ListTable, choice: Choice, hints: Mapping[str, str], problems: list[tuple[str, set[str]]]
) -> list[dict[str, object]]:
    numbers = {column.key: number for number, column in enumerate(table.columns)}
    wrong = set[str]().union(*(keys for _text, keys in problems))
    return [
        {
            "name": f"column-{numbers[column.key]}",
            "column": column,
            "field": choice.fields.get(column.key, ""),
            "hint": hints.get(column.key, ""),
            "is_wrong": column.key in wrong,
        }
        for column in choice.columns(table)
    ]


def day_hint(column: Column, today: date) -> str:
    """The interpretation of a column's dates where the order of day and month is ambiguous."""
    month_first = is_month_first(column.cells)
    doubtful = [cell for cell in column.cells if is_ambiguous_day(cell)]
    if not doubtful or (not month_first and _has_certain_day(column, today)):
        return ""
    try:
        day = read_day(doubtful[0], today, month_first=month_first).day
    except ValueError:
        return ""
    text = _("Month first: read as %(day)s") if month_first else _("Day first? Read as %(day)s")
    return text % {"day": date_format(day, "DATE_FORMAT")}


def _has_certain_day(column: Column, today: date) -> bool:
    """Whether a cell can be parsed only with the day first."""
    for cell in column.cells:
        try:
            day = read_day(cell, today)
        except ValueError:
            continue
        if day.is_exact and day.day.day > 12 and not cell.startswith(str(day.day.year)):
            return True
    return False
