"""What an import of members does, or why it is not done, in words."""

from collections.abc import Mapping

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from clubs.import_plan import NEW, SKIP, Change, Kind, Line, about
from clubs.imports import DryRun
from clubs.members import describe
from clubs.models import MemberImport

# The kinds of rows that need no answer, in the order of the page.
TOLD = (Kind.REFUSED, Kind.NEW, Kind.JOINS, Kind.CHANGED, Kind.LEFT_OUT, Kind.UNCHANGED)
WRITES = {Kind.NEW, Kind.JOINS, Kind.CHANGED}


def in_words(counts: Mapping[Kind, int]) -> str:
    """As “30 new members, 1 row refused”."""
    words = {
        Kind.REFUSED: ngettext("%(rows)d row refused", "%(rows)d rows refused", counts[Kind.REFUSED]),
        Kind.NEW: ngettext("%(rows)d new member", "%(rows)d new members", counts[Kind.NEW]),
        Kind.JOINS: ngettext(
            "%(rows)d known player joins", "%(rows)d known players join", counts[Kind.JOINS]
        ),
        Kind.CHANGED: ngettext("%(rows)d member changed", "%(rows)d members changed", counts[Kind.CHANGED]),
        Kind.LEFT_OUT: ngettext("%(rows)d row left out", "%(rows)d rows left out", counts[Kind.LEFT_OUT]),
        Kind.UNCHANGED: ngettext(
            "%(rows)d member unchanged", "%(rows)d members unchanged", counts[Kind.UNCHANGED]
        ),
    }
    return ", ".join(words[kind] % {"rows": counts[kind]} for kind in TOLD if counts[kind])


def why_not(run: DryRun, seen: str) -> str:
    """Why a list was not imported by somebody who had `seen` what it would do: an English sentence."""
    if not seen.startswith(run.people_mark):
        return gettext_noop(
            "The members have changed since you saw this. Check it again; nothing has been imported yet."
        )
    if run.plan.counts[Kind.DOUBTFUL]:
        return gettext_noop("Nothing has been imported yet: choose who each doubtful row is.")
    return gettext_noop("With your choices, different rows are now rejected. Nothing has been imported yet.")


def about_run(upload: MemberImport, run: DryRun, *, asked: bool = False) -> dict[str, object]:
    """All that the page of a dry run says; `asked`, whether it says of what is not chosen that it must be."""
    plan = run.plan
    return {
        "upload": upload,
        "run": run,
        "asked": asked,
        "questions": [(line, _answers(line)) for line in plan.questions],
        "sections": [
            (kind, lines)
            for kind in TOLD
            if (lines := [line for line in plan.of(kind) if not line.is_question])
        ],
        "summary": in_words(plan.counts),
        "does_something": any(line.is_question or line.kind in WRITES for line in plan.lines),
        "same_names": len(plan.same_names()),
    }


def _answers(line: Line) -> list[tuple[str, str, tuple[Change, ...]]]:
    """What may be chosen for a doubtful row: the choice, its words, and what it changes."""
    words = {NEW: _("a new person"), SKIP: _("leave this row out")}
    people = {known.choice: known for known in line.doubt.people}
    return [
        (choice, words[choice], ())
        if choice in words
        else (
            choice,
            _("the same person as %(person)s") % {"person": describe(people[choice])},
            about(line, people[choice]).changes,
        )
        for choice in line.choices
    ]
