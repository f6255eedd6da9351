"""What a phone shows: a title, a sentence, and the page that a tap opens. No names: a locked screen shows it."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from tournaments.domain.formats import SEAT_LETTERS
from tournaments.models import PushMessage

if TYPE_CHECKING:
    from collections.abc import Mapping

LONGEST_TITLE = 80


def words(message: PushMessage) -> dict[str, str]:
    """What its phone is told, in its language."""
    subscription = message.subscription
    tournament = subscription.tournament
    facts: dict[str, Any] = message.facts
    with translation.override(subscription.language):
        if message.topic == PushMessage.Topic.SEAT:
            number = subscription.entry.number if subscription.entry else 0
            said = _seat(facts)
            page = f"{reverse('seats', args=[tournament.code])}?name={number}"
        else:
            said = _standings(facts, has_seat=subscription.entry is not None)
            page = reverse("standings", args=[tournament.code])
        return {
            "title": tournament.name[:LONGEST_TITLE],
            "body": said,
            "url": page,
            # What is newer takes the place of what stands on the screen already.
            "tag": f"{tournament.code} {message.topic}",
            "lang": subscription.language,
            "icon": static("icon-192.png"),
        }


def _seat(facts: Mapping[str, Any]) -> str:
    where = {"round": facts["round"]}
    if "position" not in facts:
        said = _("Round %(round)d: you sit out") % where
    else:
        where |= {"table": facts["table"], "letter": SEAT_LETTERS[facts["position"]]}
        said = _("Round %(round)d: table %(table)d, seat %(letter)s") % where
    if facts["day"] != timezone.localdate().isoformat():
        said = f"{date_format(date.fromisoformat(facts['day']), 'DATE_FORMAT')} · {said}"
    if "closed" in facts:
        closed = _("Round %(number)d is closed.") % {"number": facts["closed"]}
        said = f"{closed} {said}"
    return said


def _standings(facts: Mapping[str, Any], *, has_seat: bool) -> str:
    if "hello" in facts and has_seat:
        return _("Here you are told where you sit next, and when a round is closed.")
    if "hello" in facts:
        return _("Here you are told when a round is closed.")
    if "off" in facts:
        return _("The tournament has been called off.")
    if "final" in facts:
        return _("It is over: the final standings are there.")
    return _("Round %(number)d is closed: see the new standings.") % {"number": facts["closed"]}
