"""What an import of members does, or why it is not done, in words."""

from collections.abc import Mapping

from django.utils.translation import gettext_noop, ngettext

from clubs.import_plan import Kind
from clubs.imports import DryRun

# The kinds of rows that need no answer, in the order of the page.
TOLD = (Kind.REFUSED, Kind.NEW, Kind.JOINS, Kind.CHANGED, Kind.LEFT_OUT, Kind.UNCHANGED)


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
            "The members have changed since you saw this. Look once more; nothing is imported yet."
        )
    if run.plan.counts[Kind.DOUBTFUL]:
        return gettext_noop("Nothing is imported yet: choose who the doubtful rows are.")
    return gettext_noop("With what you chose, other rows are refused than before. Nothing is imported yet.")
