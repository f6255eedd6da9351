"""What is asked by the clock beside the pages, and how many rows each may go through in a world of some size.

It is taken from where the program has it done: what is new there fails until it stands here.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial

from django.db.models import CharField, F, Value
from django.db.models.functions import Cast, Concat
from django.utils import timezone

from clubs.models import Agreement, Club, Message, Player, Topic, Webhook
from core.backup import schedule
from core.journal import status
from tests.growth.world import Size, World
from tournaments.ledger.status import program_status
from tournaments.management.commands import jobs
from tournaments.models import Application, PushMessage, PushSubscription, SheetPicture, Tournament
from tournaments.running.worker import Worker

Asked = Callable[[datetime], object]


def asked_by_the_clock() -> dict[str, Asked]:
    """By its name, all that the process for jobs asks again and again, and what who watches and the timer ask."""
    worker = Worker()
    return {
        "look": lambda _now: worker.look(),
        **{done.__name__: done for again in jobs.DUE for done in again.does},
        **{errand.name: errand.is_due for errand in worker.errands},
        "condition": program_status,
        "safety": status.storage_status,
        "backup": lambda _now: (schedule.mark_of_now(), schedule.size_now()),
    }


def at_both_moments(now: datetime) -> dict[str, Callable[[], object]]:
    """The same while evenings are on, and days later, when nothing is to be told of them any more."""
    asked, later = asked_by_the_clock(), now + timedelta(days=4)
    on = {name: partial(one, now) for name, one in asked.items()}
    return on | {f"{name} {LATER}": partial(one, later) for name, one in asked.items()}


LATER = "days later"
Rows = Callable[[Size], int]


def _nothing(_size: Size) -> int:
    return 0


# While evenings are on, and days later.
BY_THE_CLOCK: dict[str, tuple[Rows, Rows]] = {
    # Jobs of the last day; older ones are removed.
    "look": (lambda size: size.things // 3,) * 2,
    "finish_what_is_due": (_nothing, _nothing),
    # Coming evenings at which somebody waits, who are counted.
    "post_asking": (lambda size: size.players // 4, _nothing),
    # Who plays today or tomorrow, and whose results have just become final: each is written to.
    "post_seats": (lambda size: 2 * size.players, _nothing),
    "post_results": (lambda size: 2 * size.players, _nothing),
    # Rounds of leagues that were completed in the last days.
    "post_rounds": (_nothing, _nothing),
    # Each evening that is over, once an hour: whether it has something that is to be forgotten.
    "forget_who_had_no_place": (lambda size: size.clubs * size.evenings // 32,) * 2,
    # All deals of evenings with folders, where one of these has changed.
    "refresh_fit": (lambda size: size.players + size.dealt,) * 2,
    "clear_old": (_nothing, _nothing),
    "forget_old_uploads": (_nothing, _nothing),
    "answer_by_silence": (_nothing, _nothing),
    "forget_merges": (_nothing, _nothing),
    "propose_erasures": (_nothing, _nothing),
    "letters": (_nothing, _nothing),
    "messages": (_nothing, _nothing),
    # Phones of evenings that are on.
    "pushes": (lambda size: size.players // 4,) * 2,
    # Letters of half a year are counted by an index in some nine steps each; and phones of evenings that are on.
    "condition": (lambda size: size.lines // 45 + size.players // 16,) * 2,
    "safety": (_nothing, _nothing),
    "backup": (_nothing, _nothing),
}
ROWS = {name: on for name, (on, _later) in BY_THE_CLOCK.items()} | {
    f"{name} {LATER}": later for name, (_on, later) in BY_THE_CLOCK.items()
}


def fill(world: World) -> None:
    """All agree to letters and have an address; the past has letters, messages and guests that nothing is left of."""
    now, size = timezone.now(), world.size
    Player.objects.filter(email="").update(
        email=Concat(Value("p"), Cast(F("pk"), CharField()), Value("@example.dk"))
    )
    Agreement.objects.bulk_create(
        (
            Agreement(player_id=pk, topic=topic, agreed_at=now)
            for pk in Player.objects.values_list("pk", flat=True)
            for topic in (Topic.EVENING, Topic.RESULTS)
        ),
        batch_size=5000,
    )
    asked_for = {kind: event.tournament.pk for kind, event in world.tournaments.items()}
    final = Tournament.objects.filter(pk__in=(asked_for["over"], asked_for["boards"]))
    final.update(finished_at=now - timedelta(hours=1))
    Tournament.objects.filter(pk=asked_for["teams"]).update(date=now - timedelta(days=30))
    Tournament.objects.filter(pk=asked_for["evening"]).update(begins_at=None)
    Application.objects.filter(tournament=asked_for["coming"]).update(asked_at=now - timedelta(hours=1))
    SheetPicture.objects.update(sent_at=now + timedelta(days=4))  # none is old at either moment
    _told_to_others(world.club, size, now)
    long_over = Tournament.objects.filter(host=world.club, date__lt=now - timedelta(days=14))
    Application.objects.bulk_create(
        Application(
            tournament_id=pk,
            number=1,
            typed=str(pk),
            player=world.regulars[0],
            state=Application.State.DECLINED,
            key_hash=f"over {pk}",
            asked_at=now - timedelta(days=30),
        )
        for pk in long_over.values_list("pk", flat=True)
    )
    phones = PushSubscription.objects.bulk_create(
        PushSubscription(
            tournament_id=asked_for["evening"],
            endpoint=f"https://push.example.org/{n}",
            endpoint_print=f"{n}",
            p256dh="x",
            used_at=now,
        )
        for n in range(size.players)
    )
    PushMessage.objects.bulk_create(
        PushMessage(
            subscription=phone,
            topic=PushMessage.Topic.SEAT,
            state=PushMessage.State.SENT,
            next_try=now,
            until=now,
        )
        for phone in phones
    )


def _told_to_others(club: Club, size: Size, now: datetime) -> None:
    told = Webhook.objects.create(club=club, url="https://example.org/told", made_at=now)
    Message.objects.bulk_create(
        Message(webhook=told, state=Message.State.SENT, made_at=now, next_try=now) for _ in range(size.lines)
    )
