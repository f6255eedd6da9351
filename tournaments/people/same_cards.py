"""A person's play on the same cards over the years, by least squares over all evenings with folders."""

from __future__ import annotations

from contextlib import suppress
from hashlib import sha256
from typing import TYPE_CHECKING

from django.core.cache import caches
from django.db.models import Q, TextField
from django.db.models.functions import Cast

from core.serving.addresses import SHARED
from core.sql import key_set
from tournaments.boards.luck import Estimate, Fit, Observation
from tournaments.ledger.deal_sums import parse_tokens
from tournaments.ledger.queries import rulebook_of
from tournaments.ledger.seating import Sittings, seating_at
from tournaments.models import Deal, Entry, Match, Round, Table
from tournaments.models.play import on_own_day
from tournaments.people import visibility

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from datetime import datetime

    from clubs.models import Player
    from tournaments.models import Tournament

# So many evenings are fitted in the request that needs them, in some 50 ms; more by the process for jobs.
AT_ONCE = 10
# Cache key and lifetime of the last fit.
FIT, FIT_LIFETIME = "same-cards-fit", 30 * 24 * 3600


def play_over_the_years(player: Player) -> Estimate | None:
    """A person's tokens a deal above the others with the same cards; None where too few deals can be compared.

    Where many evenings are to be fitted, of the fit before until the process for jobs has made another.
    """
    if not visibility.own_entries(player).filter(tournament__boards=True).exists():
        return None
    fit = _fit(at_most=AT_ONCE)
    return fit.estimate(player.pk) if fit else None


def refresh_fit(_now: datetime) -> None:
    """Fit the evenings with folders again where one of them has changed."""
    _fit()


def _fit(at_most: int | None = None) -> Fit | None:
    """The fit over all evenings with folders that count for people's pages; the last one if there are too many."""
    evenings = visibility.evenings().filter(boards=True).order_by("pk")
    versions = dict(evenings.values_list("pk", "version"))
    key = sha256(repr(versions).encode()).hexdigest()
    are_too_many = at_most is not None and len(versions) > at_most
    cached: tuple[str, Fit] | None = caches[SHARED].get(FIT)
    if cached and (cached[0] == key or are_too_many):
        return cached[1]
    if are_too_many:
        return None
    fit = Fit(_observations(evenings))
    with suppress(OSError):  # the cache is full
        caches[SHARED].set(FIT, (key, fit), FIT_LIFETIME)
    return fit


def _observations(evenings: Collection[Tournament]) -> Iterator[Observation]:
    """The results of these evenings that can be compared, by person, in a fixed number of queries.

    A cell is a seat of a folder of a round; `boards.results.lines_of` has the same results with all that a page shows.
    """
    by_key = {evening.pk: evening for evening in evenings}
    settles = {pk: rulebook_of(evening).house.idle_settles for pk, evening in by_key.items()}
    waiting = Match.objects.filter(on_own_day(), ended_at=None, awarded_home=None).values("round")
    rounds = Round.objects.filter(tournament__in=key_set(by_key), state=Round.State.CLOSED)
    opened = rounds.exclude(pk__in=waiting).order_by().in_bulk()
    for round_ in opened.values():
        round_.tournament = by_key[round_.tournament_id]
    tables = Table.objects.filter(round__in=key_set(opened)).order_by().in_bulk()
    for table in tables.values():
        table.round = opened[table.round_id]
    whose = dict(Entry.objects.filter(tournament__in=key_set(by_key)).order_by().values_list("pk", "player"))
    deals = Deal.objects.filter(table__in=key_set(tables), current__result__isnull=False)
    played = deals.exclude(current__result__has_key="ruled").order_by("table", "number")
    sittings = Sittings(Q(round__in=key_set(opened)))
    for pk, number, tokens, declarer in played.values_list(
        "table", "number", Cast("current__tokens", TextField()), "current__result__declarer"
    ):
        table = tables[pk]
        if not (folder := table.folder_of(number)):
            continue
        entries = sittings.entries_in_deal(pk, number)
        seating = seating_at(table, len(entries), number, declarer)
        cards = table.round_id, folder, len(entries) if settles[table.round.tournament_id] else 0
        for role, entry, won in zip(seating.roles, entries, parse_tokens(tokens), strict=True):
            yield Observation((cards, role.value), whose[entry], float(won))
