"""How long letters are kept, what is said of them to whom they went, and forgetting that they did."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.db.models import Q

from clubs.mail.agreeing import topics_stopped
from clubs.models import Letter, News

if TYPE_CHECKING:
    from datetime import datetime

    from clubs.models import Player

# Whoever asks why nothing came asks within weeks.
KEPT = timedelta(days=180)


def clear_old(now: datetime) -> None:
    """Remove letters, and news, that nobody will ask for any more."""
    oldest = now - KEPT
    Letter.objects.exclude(state__in=Letter.UNDER_WAY).filter(posted_at__lt=oldest).delete()
    News.objects.filter(written_at__lt=oldest).delete()


def letters_to(player: Player) -> dict[str, Any]:
    """All that is stored of letters to a player, in codes as they are stored."""
    return {
        "language": player.language,
        "agreed_to": list(player.agreements.order_by("topic").values("topic", "agreed_at")),
        "stopped": topics_stopped(player.email) if player.email else {},
        "posted": list(
            _of(player)
            .order_by("pk")
            .values("kind", "to", "facts", "state", "posted_at", "sent_at", "answer")
        ),
    }


def forget_letters(player: Player) -> None:
    """Nothing is sent any more; of what was sent only stays that something was. A stop of theirs stays: see `Stop`."""
    theirs = _of(player)
    theirs.filter(state__in=Letter.UNDER_WAY).delete()
    theirs.update(to="", facts={}, answer="", player=None)
    player.agreements.all().delete()


def _of(player: Player) -> Any:
    """Letters posted to them, by whatever door; letters to an address that others share are others' too."""
    shared = type(player).objects.filter(email__iexact=player.email).exclude(pk=player.pk).exists()
    to_address = Q(to__iexact=player.email, player=None) if player.email and not shared else Q()
    return Letter.objects.filter(Q(player=player) | to_address) if to_address else player.posted.all()
