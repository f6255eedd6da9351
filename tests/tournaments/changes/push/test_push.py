"""Phones are told where their player sits next and when a round is closed: once, sealed, and only those that asked."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils
from django.db import OperationalError, transaction
from django.utils import timezone

from core.delivery import push
from tests.factories import first_round, make_tournament
from tests.push_service import Phone, out_of_base64
from tests.tournaments.changes.push.phones import ask, seat_of, tell
from tournaments.changes import push_subscriptions
from tournaments.changes.push_messages import have_failed_since, tally
from tournaments.ledger.status import program_status
from tournaments.lifecycle.drawing import discard_draw, draw
from tournaments.lifecycle.ending import call_off, finish, take_up_again
from tournaments.lifecycle.playing import close_round, reopen_round, start_round
from tournaments.lifecycle.seat_changes import swap
from tournaments.models import PushMessage, PushSubscription, PushTally


def test_an_evening_as_a_phone_hears_of_it(service, evening, by, client):
    anna, hall = Phone(service.url, "anna"), Phone(service.url, "hall")
    ask(client, evening, anna, 3)
    ask(client, evening, hall)
    draw(evening, seed=1, **by)
    assert not push_subscriptions.is_due(timezone.now())  # a draw that is made anew at once is told once
    assert tell() == 1
    first, second = evening.rounds.all()
    (told,) = service.told(anna)
    assert (told["title"], told["url"]) == (str(evening), f"/t/{evening.code}/seats/?name=3")
    assert told["body"] == f"21 November 2026 · {seat_of(evening, 3)}"  # another day than today
    start_round(first, **by)
    assert tell() == 0
    # With the round is told where to go from it: in one sentence, to whom has a seat.
    close_round(first, force_reason="late", **by)
    assert tell() == 2
    assert service.told(anna)[1]["body"].startswith("Round 1 is closed. ")
    assert service.told(anna)[1]["body"].endswith(seat_of(evening, 3, 2))
    (told,) = service.told(hall)
    assert (told["body"], told["url"]) == (
        "Round 1 is closed: see the new standings.", f"/t/{evening.code}/standings/",
    )  # fmt: skip
    # What was opened again, and closed again, is another standing; the seat is the same.
    reopen_round(first, reason="a slip", **by)
    assert tell() == 0
    close_round(first, force_reason="late", **by)
    assert tell() == 2
    assert service.told(anna)[2]["body"] == service.told(hall)[1]["body"] == told["body"]
    start_round(second, **by)
    close_round(second, force_reason="late", **by)
    evening.refresh_from_db()
    finish(evening, **by)
    assert tell() == 2
    assert {service.told(phone)[-1]["body"] for phone in (anna, hall)} == {
        "Play is over: see the final standings."
    }
    assert not PushSubscription.objects.exists()
    ask(client, evening, anna, 3, status=409)
    assert client.get(f"/t/{evening.code}/phone/").status_code == 404


def test_a_phone_is_told_at_once_that_it_is_told_and_an_address_of_nobody_is_forgotten_at_once(
    service, evening, by, client
):
    anna, hall, nobody, late = (Phone(service.url, name) for name in ("anna", "hall", "nobody", "late"))
    service.answers += [201, 201, 404]
    for phone, number in ((anna, 3), (hall, None), (nobody, 4)):
        ask(client, evening, phone, number, hello=True)
    assert push_subscriptions.tell_due() == 2
    assert [service.told(phone)[0]["body"] for phone in (anna, hall)] == [
        "You will be told here where you sit next, and when a round is closed.",
        "You will be told here when a round is closed.",
    ]
    assert PushSubscription.objects.count() == 2
    draw(evening, seed=1, **by)
    assert tell() == 1
    ask(client, evening, late, 5, hello=True)  # who is told a seat sees by it that they are told
    assert tell() == 1
    assert service.told(late)[0]["body"].endswith(seat_of(evening, 5))


def test_what_goes_over_the_line_tells_the_service_nothing(service, evening, by, client):
    phone = Phone(service.url, "anna")
    ask(client, evening, phone, 3)
    draw(evening, seed=1, **by)
    tell()
    ((_path, headers, body),) = service.came
    assert str(evening).encode() not in body
    assert {name: headers[name] for name in ("Content-Encoding", "Urgency")} == {
        "Content-Encoding": "aes128gcm", "Urgency": "high",
    }  # fmt: skip
    assert 7000 < int(headers["TTL"]) <= 7215
    assert len(headers["Topic"]) == 32
    shown, key = headers["Authorization"].removeprefix("vapid t=").split(",k=")
    assert key == push.public_key(push.own_key())
    claims, _dot, signature = shown.rpartition(".")
    told = json.loads(out_of_base64(claims.partition(".")[2]))
    assert (told["aud"], told["sub"]) == (service.url, "https://lhombre.example.dk")
    signed, half = out_of_base64(signature), 32
    point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), out_of_base64(key))
    numbers = (int.from_bytes(part, "big") for part in (signed[:half], signed[half:]))
    point.verify(utils.encode_dss_signature(*numbers), claims.encode(), ec.ECDSA(hashes.SHA256()))
    assert push.key_file().stat().st_mode & 0o777 == 0o600


def test_another_draw_takes_the_place_of_the_first_and_what_stays_is_told_once(service, evening, by, client):
    phones = {number: Phone(service.url, str(number)) for number in range(1, 9)}
    for number, phone in phones.items():
        ask(client, evening, phone, number)
    draw(evening, seed=1, **by)
    draw(evening, seed=2, **by)
    assert PushMessage.objects.filter(state="waiting").count() == 8
    assert tell() == 8
    assert len(service.lines) == 1  # one line for all
    for number, phone in phones.items():
        assert [told["body"].rpartition("· ")[2] for told in service.told(phone)] == [
            seat_of(evening, number)
        ]
    # Two who swap are told, and nobody else; also where the service hangs up between two messages.
    drawn = first_round(evening)
    one, other = drawn.seats.get(table__number=1, position=0), drawn.seats.get(table__number=2, position=1)
    swap(drawn, one, other, **by)
    service.hangs_up = True
    moved = {one.entry.number, other.entry.number}
    assert tell() == 2
    assert {number for number, phone in phones.items() if len(service.told(phone)) == 2} == moved
    discard_draw(evening, **by)
    draw(evening, seed=3, **by)
    discard_draw(evening, **by)
    assert tell() == 0
    with transaction.atomic():
        draw(evening, seed=4, **by)
        transaction.set_rollback(True)
    assert tell() == 0


def test_what_is_replaced_while_it_is_sent_is_sent_after_it(service, evening, by, client, monkeypatch):
    phone = Phone(service.url, "anna")
    ask(client, evening, phone, 3)
    draw(evening, seed=1, **by)
    send, seeds = push_subscriptions.Services.post, [2]

    def slow(*asked):
        if seeds:
            draw(evening, seed=seeds.pop(), **by)
        return send(*asked)

    monkeypatch.setattr(push_subscriptions.Services, "post", slow)
    assert tell() == 1
    assert tell() == 1
    assert service.told(phone)[1]["body"].endswith(seat_of(evening, 3))
    assert tell() == 0


def test_who_is_gone_is_forgotten_and_who_is_not_well_is_asked_again(service, evening, by, client):
    gone, there = Phone(service.url, "gone"), Phone(service.url, "there")
    for phone in (gone, there):
        ask(client, evening, phone)
    draw(evening, seed=1, **by)
    start_round(first_round(evening), **by)
    close_round(first_round(evening), force_reason="late", **by)
    # One answer for all that waits at a service.
    service.answers += [503]
    assert tell() == 0
    assert len(service.came) == 1
    waits = PushMessage.objects.values_list("state", "tries")
    assert list(waits.all()) == [("waiting", 1)] * 2
    assert not push_subscriptions.is_due(timezone.now() + timedelta(seconds=8))
    service.answers += [410]
    assert tell() == 1
    told = PushSubscription.objects.exclude(p256dh="")
    assert [one.endpoint for one in told] == [there.endpoint]
    assert sum(program_status(timezone.now()).pushes.values()) == told.count()
    PushSubscription.objects.exclude(pk__in=told).delete()
    PushMessage.objects.update(state="waiting", tries=0, next_try=timezone.now())
    service.answers += [400]
    assert tell() == 0
    assert list(waits.all()) == [("given up", 1)]
    # What comes too late is not sent, and who fell while sending is taken up again.
    now = timezone.now()
    PushMessage.objects.update(state="sending", taken_at=now - timedelta(minutes=6), until=now)
    assert push_subscriptions.is_due(timezone.now())
    came = len(service.came)
    assert (tell(), len(service.came)) == (0, came)
    # Who looks after the machine sees what came of all of it, also once the evening has gone.
    assert tally() == {"sent": 1, "refused": 1, "too late": 1, "gone": 1}
    assert have_failed_since(now)
    PushSubscription.objects.update(used_at=now - timedelta(days=61))
    assert push_subscriptions.is_due(now)
    tell()
    assert not PushSubscription.objects.exists()


def test_a_bye_and_calling_off_are_told_and_another_language_is_spoken(service, club, by, client):
    evening = make_tournament(9, 1, club=club, account=by["account"], drawn=False, three_factor="1")
    evening.draw_mode = "by_round"
    evening.save()
    phone = Phone(service.url, "anna")
    client.cookies["django_language"] = "da"
    ask(client, evening, phone, 3)
    assert PushSubscription.objects.get().language == "da"
    PushSubscription.objects.update(language="en")
    draw(evening, seed=1, **by)
    round_ = first_round(evening)
    round_.seats.filter(entry__number=3).delete()
    round_.byes = [3]
    round_.save()
    call_off(evening, reason="snow", **by)
    take_up_again(evening, **by)
    assert tell() == 1
    assert service.told(phone)[0]["body"].endswith("Round 1: you sit out")
    evening.refresh_from_db()
    call_off(evening, reason="snow", **by)
    assert tell() == 1
    assert service.told(phone)[1]["body"] == "The tournament has been called off."
    assert not PushSubscription.objects.exists()


@pytest.mark.django_db
def test_no_step_is_refused_for_what_phones_are_told(service, evening, by, client, monkeypatch, caplog):
    ask(client, evening, Phone(service.url, "anna"), 3)
    monkeypatch.setattr("tournaments.changes.push_messages.seats_now", lambda _tournament: 1 / 0)
    draw(evening, seed=1, **by)
    assert evening.rounds.first().is_drawn
    assert "Push messages of" in caplog.text


@pytest.mark.django_db
def test_what_cannot_be_counted_holds_up_nothing(service, evening, by, client, monkeypatch, caplog):
    anna = Phone(service.url, "anna")
    ask(client, evening, anna, 3)
    draw(evening, seed=1, **by)

    def locked(**_asked):
        raise OperationalError("database is locked")

    monkeypatch.setattr(PushTally.objects, "get_or_create", locked)
    assert (tell(), len(service.told(anna))) == (1, 1)
    assert "The outcome of a push message could not be stored" in caplog.text


@pytest.mark.django_db
@pytest.mark.parametrize(("answer", "ended"), [(201, "sent"), (400, "refused"), (410, "gone")])
def test_what_has_ended_is_counted_before_the_next_is_told_so_that_no_kill_loses_it(
    service, evening, by, client, monkeypatch, answer, ended
):
    for name, number in (("anna", 3), ("bo", 4)):
        ask(client, evening, Phone(service.url, name), number)
    draw(evening, seed=1, **by)
    post, counted = push_subscriptions.Services.post, []

    def counting(*sent):
        counted.append({outcome: number for outcome, number in tally().items() if number})
        return post(*sent)

    monkeypatch.setattr(push_subscriptions.Services, "post", counting)
    service.answers += [answer, 201]
    tell()
    assert counted == [{}, {ended: 1}]
    assert sum(tally().values()) == 2


@pytest.mark.django_db
def test_one_that_cannot_be_told_holds_up_nobody(service, evening, by, client, monkeypatch):
    odd, anna = Phone(service.url, "odd"), Phone(service.url, "anna")
    for phone, number in ((odd, 4), (anna, 3)):
        ask(client, evening, phone, number)
    draw(evening, seed=1, **by)
    sealed = push_subscriptions.sealed
    monkeypatch.setattr(
        push_subscriptions,
        "sealed",
        lambda said, key, auth: 1 / 0 if key == odd.asks(4)["keys"]["p256dh"] else sealed(said, key, auth),
    )
    assert tell() == 1
    assert len(service.told(anna)) == 1


@pytest.mark.django_db
def test_too_many_for_one_phone_are_not_too_many_for_the_others_and_who_never_answers_is_none(
    service, evening, by, client
):
    busy, anna, none = (Phone(service.url, name) for name in ("busy", "anna", "none"))
    service.answers += [429, 201]
    for phone, number in ((busy, 3), (anna, 4)):
        ask(client, evening, phone, number, hello=True)
    assert push_subscriptions.tell_due() == 1
    assert PushSubscription.objects.count() == 2
    service.answers += [400]
    ask(client, evening, none, 5, hello=True)
    assert push_subscriptions.tell_due() == 0
    assert PushSubscription.objects.count() == 2
