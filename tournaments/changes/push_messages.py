"""Push messages: recipients of an event, message texts, and the outbox where they are queued."""

from __future__ import annotations

import logging
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from django.conf import settings
from django.db import DatabaseError, transaction
from django.db.models import F
from django.db.models.functions import Coalesce
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from tournaments.domain.formats import SEAT_LETTERS
from tournaments.domain.halls import with_hall
from tournaments.models import PushMessage, PushTally, Round, Seat

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tournaments.models import PushSubscription, Tournament


# Compares what each phone should know with what it was last sent, in the transaction of the change.
#
# The comparison uses the state of the tournament, not the step taken: a draw, another draw, a swap and the closing of
# a round all end here with their log line, and an unchanged result sends nothing.

logger = logging.getLogger(__name__)

Facts = dict[str, Any]
SEAT, STANDINGS = PushMessage.Topic.SEAT, PushMessage.Topic.STANDINGS
WAITING, SENT = PushMessage.State.WAITING, PushMessage.State.SENT

# Delay before sending, so that a change undone at once, as by another draw, causes one message.
SETTLED = timedelta(seconds=15)
# Time to live: later the message is useless; the push service stores it that long for a phone that is switched off.
HOLDS = timedelta(hours=2)


class Seats(NamedTuple):
    """Facts for each entry's message about a round; `out` for a bye, by entry number."""

    by_entry: dict[int, Facts]
    out: Facts
    byes: frozenset[int]

    def facts_for(self, entry: int | None, number: int | None) -> Facts | None:
        return self.by_entry.get(entry or 0) or (self.out if number in self.byes else None)


def queue_messages(tournament: Tournament, *, now: datetime) -> None:
    """Queue the push messages that a change requires; the caller holds the tournament's lock.

    Any error here is logged: no step fails because of a push message.
    """
    if not settings.PUSH or not tournament.phones.exists():
        return
    try:
        with transaction.atomic():
            # Locked until the step is stored: a request that unsubscribes one of them meanwhile waits.
            held = list(tournament.phones.select_for_update().order_by("pk").values_list("pk", flat=True))
            phones = tournament.phones.filter(pk__in=held).order_by("pk")
            _put_down(tournament, list(phones.values_list("pk", "entry", "entry__number")), now)
    except Exception:
        logger.exception("Push messages of %s could not be prepared", tournament.code)


def queue_first_message(phone: PushSubscription, *, now: datetime) -> None:
    """Queue the first message of a new subscription: its seat in a coming round, or else a confirmation.

    Nothing past.

    It shows that push works, and an address without a phone is removed before it takes up a place.
    """
    phone.messages.filter(topic=SEAT).delete()
    _store([_message(phone.pk, STANDINGS, {"hello": True, "at": now.timestamp()}, now)])
    number = phone.entry.number if phone.entry else None
    _put_down(phone.tournament, [(phone.pk, phone.entry_id, number)], now, after=timedelta())


def _put_down(
    tournament: Tournament,
    phones: Sequence[tuple[int, int | None, int | None]],
    now: datetime,
    after: timedelta = SETTLED,
) -> None:
    seats, news = seats_now(tournament), standings_now(tournament)
    held: dict[int, dict[str, PushMessage]] = {}
    told = PushMessage.objects.filter(subscription__tournament=tournament)
    for message in told.filter(subscription=phones[0][0]) if len(phones) == 1 else told:
        held.setdefault(message.subscription_id, {})[message.topic] = message
    _store(
        [
            message
            for pk, entry, number in phones
            for message in _changes(
                pk, seats.facts_for(entry, number) if seats else None, news, held.get(pk, {}), now + after
            )
        ]
    )


def _changes(
    phone: int, seat: Facts | None, news: Facts | None, held: Mapping[str, PushMessage], at: datetime
) -> Iterator[PushMessage]:
    """Messages that replace those sent or queued for a phone: at most one of each topic."""
    told_seat, told = held.get(SEAT), held.get(STANDINGS)
    new = news if news and (told is None or told.facts["at"] < news["at"]) else None
    is_else = seat is not None and (told_seat is None or _seat_in(told_seat.facts) != seat)
    if seat and is_else:
        closed = {"closed": new["closed"]} if new and "closed" in new else {}
        yield _message(phone, SEAT, seat | closed, at)
    elif seat is None and told_seat and told_seat.state == WAITING:
        yield _message(phone, SEAT, {}, at, state=SENT)  # the draw is discarded
    if new:
        # The message about the seat already contains this.
        yield _message(phone, STANDINGS, new, at, state=SENT if is_else and "closed" in new else WAITING)
    elif told and told.state == WAITING and (is_else if "hello" in told.facts else told.facts != news):
        # A new subscription was confirmed by its seat; what was closed is open again.
        yield _message(phone, STANDINGS, told.facts, at, state=SENT)


def _seat_in(facts: Facts) -> Facts:
    return {name: value for name, value in facts.items() if name != "closed"}


def _message(
    phone: int, topic: str, facts: Facts, at: datetime, state: PushMessage.State = WAITING
) -> PushMessage:
    return PushMessage(
        subscription_id=phone, topic=topic, facts=facts, state=state, next_try=at, until=at + HOLDS
    )


def _store(messages: list[PushMessage]) -> None:
    """Store messages, each replacing the waiting one of its topic; one that is being sent is followed by it."""
    PushMessage.objects.bulk_create(
        messages,
        update_conflicts=True,
        unique_fields=["subscription", "topic"],
        update_fields=["facts", "state", "tries", "next_try", "until", "taken_at"],
        batch_size=500,
    )


def standings_now(tournament: Tournament) -> Facts | None:
    """The newest facts about the standings, and when they became valid."""
    if tournament.called_off_at:
        return {"off": True, "at": tournament.called_off_at.timestamp()}
    if tournament.is_finished and tournament.finished_at:
        return {"final": True, "at": tournament.finished_at.timestamp()}
    over = tournament.rounds.filter(state=Round.State.CLOSED, closed_at__isnull=False)
    closed = over.order_by("-number").first()
    return (
        {"closed": closed.number, "at": closed.closed_at.timestamp()} if closed and closed.closed_at else None
    )


def seats_now(tournament: Tournament) -> Seats | None:
    """The round that is to be played next, once it is drawn and nothing is played before it."""
    if tournament.is_played or tournament.is_called_off:
        return None
    coming = tournament.rounds.exclude(state=Round.State.CLOSED).order_by("number").first()
    if coming is None or not coming.is_drawn:
        return None
    out: Facts = {"round": coming.number, "day": (coming.date or tournament.date).isoformat()}
    own_day = Coalesce("table__match__postponed_to", "table__match__day")
    rows = Seat.objects.filter(round=coming).values_list("entry", "table__number", "position", own_day)
    seats = {
        entry: {**out, "table": table, "position": position} | ({"day": day.isoformat()} if day else {})
        for entry, table, position, day in rows
    }
    return Seats(seats, out, frozenset(coming.byes))


# How messages to phones have ended, counted for who looks after the machine: the messages go with their evening.


def count(outcome: PushTally.Outcome, now: datetime) -> None:
    """Count how a message has ended, in the transaction that stores that: a process that is killed loses both or none.

    That it cannot be counted is logged: it holds up nothing.
    """
    row = PushTally.objects.filter(outcome=outcome)
    try:
        with transaction.atomic():
            if not row.update(number=F("number") + 1, last_at=now):
                PushTally.objects.get_or_create(outcome=outcome, defaults={"last_at": now})
                row.update(number=F("number") + 1, last_at=now)
    except DatabaseError:
        logger.exception("The outcome of a push message could not be stored: %s", outcome)


def tally() -> dict[str, int]:
    """The number of messages ever sent, by outcome."""
    counted = PushTally.objects.order_by().values_list("outcome", "number")
    return dict.fromkeys(PushTally.Outcome.values, 0) | dict(counted)


def have_failed_since(when: datetime) -> bool:
    """Whether any delivery failed since then; subscriptions that are gone do not count."""
    return PushTally.objects.filter(outcome__in=PushTally.IN_VAIN, last_at__gte=when).exists()


# What a phone shows: a title, a sentence, and the page that a tap opens. No names: a locked screen shows it.

LONGEST_TITLE = 80


def words(message: PushMessage) -> dict[str, str]:
    """Title and text of a message, in the language of its phone."""
    subscription = message.subscription
    tournament = subscription.tournament
    facts: dict[str, Any] = message.facts
    with translation.override(subscription.language):
        if message.topic == PushMessage.Topic.SEAT:
            number = subscription.entry.number if subscription.entry else 0
            said = _seat(facts, tournament)
            page = f"{reverse('seats', args=[tournament.code])}?name={number}"
        else:
            said = _standings(facts, has_seat=subscription.entry is not None)
            page = reverse("standings", args=[tournament.code])
        return {
            "title": tournament.name[:LONGEST_TITLE],
            "body": said,
            "url": page,
            # A newer message replaces the one on the screen.
            "tag": f"{tournament.code} {message.topic}",
            "lang": subscription.language,
            "icon": static("icon-192.png"),
        }


def _seat(facts: Mapping[str, Any], tournament: Tournament) -> str:
    where = {"round": facts["round"]}
    if "position" not in facts:
        said = _("Round %(round)d: you sit out") % where
    else:
        where |= {"table": facts["table"], "letter": SEAT_LETTERS[facts["position"]]}
        said = _("Round %(round)d: table %(table)d, seat %(letter)s") % where
        said = with_hall(tournament.hall_at(facts["table"]), said)
    if facts["day"] != timezone.localdate().isoformat():
        said = f"{date_format(date.fromisoformat(facts['day']), 'DATE_FORMAT')} · {said}"
    if "closed" in facts:
        closed = _("Round %(number)d is closed.") % {"number": facts["closed"]}
        said = f"{closed} {said}"
    return said


def _standings(facts: Mapping[str, Any], *, has_seat: bool) -> str:
    if "hello" in facts and has_seat:
        return _("You will be told here where you sit next, and when a round is closed.")
    if "hello" in facts:
        return _("You will be told here when a round is closed.")
    if "off" in facts:
        return _("The tournament has been called off.")
    if "final" in facts:
        return _("Play is over: see the final standings.")
    return _("Round %(number)d is closed: see the new standings.") % {"number": facts["closed"]}
