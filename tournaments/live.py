"""How waiting pages learn that something changed: a tournament's version number goes up, and they ask for it."""

from django.db.models import F

from tournaments.models import Tournament


def announce(tournament_id: int) -> None:
    """Tell every waiting page. Called inside the transaction that changes something, so both are seen together."""
    Tournament.objects.filter(pk=tournament_id).update(version=F("version") + 1)
