"""Who does not want to share a table: families, couples, and those who have asked for it."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from clubs.models import Account
from core.errors import NotPossible
from tournaments.changes.locks import locked
from tournaments.changes.log import write_down
from tournaments.models import Entry, Tournament


@transaction.atomic
def keep_apart(
    tournament: Tournament, entries: Sequence[Entry], *, strict: bool, account: Account, now: datetime
) -> None:
    """Keep these players from sharing a table in rounds drawn from now on; strictly, or if it costs no repeat."""
    tournament = locked(tournament)
    numbers = sorted({entry.number for entry in entries})
    if len(numbers) < 2:  # noqa: PLR2004 - it takes two
        raise NotPossible(_("Choose two different players."), "second")
    wishes = [wish for wish in tournament.not_together if wish["entries"] != numbers]
    _store(tournament, [*wishes, {"entries": numbers, "strict": strict}])
    text = (
        gettext_noop("Not at one table, strictly: {players}")
        if strict
        else gettext_noop("Not at one table: {players}")
    )
    write_down(tournament, account, text, now=now, about=[tournament], players=_names(tournament, numbers))


@transaction.atomic
def let_meet(tournament: Tournament, numbers: Sequence[int], *, account: Account, now: datetime) -> None:
    """Forget a wish, named by its players' numbers; forgetting twice is forgetting once."""
    tournament = locked(tournament)
    left = [wish for wish in tournament.not_together if wish["entries"] != list(numbers)]
    if len(left) < len(tournament.not_together):
        _store(tournament, left)
        text = gettext_noop("May share a table again: {players}")
        write_down(
            tournament, account, text, now=now, about=[tournament], players=_names(tournament, numbers)
        )


def _store(tournament: Tournament, wishes: list[dict[str, object]]) -> None:
    tournament.not_together = wishes
    tournament.save(update_fields=["not_together"])


def _names(tournament: Tournament, numbers: Sequence[int]) -> str:
    found = tournament.entries.filter(number__in=numbers).select_related("player")
    return ", ".join(entry.player.name for entry in found)
