"""Who asks to be told on a phone, moves with it, and asks no more; and what is refused."""

from __future__ import annotations

import json

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from core.delivery import push
from tests.factories import first_round, make_club, make_tournament
from tests.push_service import Phone
from tests.tournaments.changes.push.phones import ask, seat_of, tell
from tournaments.changes import push_subscriptions
from tournaments.changes.push_subscriptions import is_known_service
from tournaments.entries.personal_data import erase, known_of
from tournaments.lifecycle.drawing import draw
from tournaments.lifecycle.playing import close_round, start_round
from tournaments.lifecycle.rulings import set_dates
from tournaments.models import PushSubscription


def test_a_phone_is_told_no_more_by_its_own_word_by_erasing_and_by_another_key(service, evening, by, client):
    phones = [Phone(service.url, name) for name in "abc"]
    for number, phone in enumerate(phones, 1):
        ask(client, evening, phone, number)
    player = evening.entries.get(number=2).player
    ((known),) = known_of(player)["phones_that_are_told"]
    assert (known["code"], known["push_service"]) == (evening.code, "127.0.0.1")
    assert [told["topic"] for told in known["told"]] == ["standings"]
    stop = f"/t/{evening.code}/phone/stop"
    for endpoint in (phones[0].endpoint, "https://nobody.example.org/"):
        told = json.dumps({"endpoint": endpoint})
        answer = client.post(stop, told, content_type="application/json")
        assert (answer.status_code, answer.json()) == (200, {})
    erase(player, today=timezone.localdate(), **by)
    assert [one.endpoint for one in PushSubscription.objects.all()] == [phones[2].endpoint]
    draw(evening, seed=1, **by)
    push.key_file().unlink()
    assert (tell(), service.came, PushSubscription.objects.count()) == (0, [], 0)


def test_a_phone_that_asks_late_is_told_what_is_to_come_and_nothing_that_is_past(
    service, evening, by, client
):
    phone = Phone(service.url, "late")
    draw(evening, seed=1, **by)
    start_round(first_round(evening), **by)
    ask(client, evening, phone, 3)
    assert tell() == 0
    close_round(first_round(evening), force_reason="late", **by)
    PushSubscription.objects.all().delete()
    ask(client, evening, phone, 3)
    assert push_subscriptions.is_due(timezone.now())
    assert tell() == 1
    # Asked for once more it is told of whom it names now; another step of the evening tells nobody anything.
    ask(client, evening, phone, 4)
    assert tell() == 1
    assert [told["body"].rpartition("· ")[2] for told in service.told(phone)] == [
        seat_of(evening, number, 2) for number in (3, 4)
    ]
    set_dates(evening, {}, **by)
    assert tell() == 0


def posted(client, path, told):
    answer = client.post(path, json.dumps(told), content_type="application/json")
    return answer.status_code, answer.json()


def test_a_phone_with_another_address_is_told_there_of_all_that_it_was_told(
    service, evening, club, by, client
):
    """As its browser says it, or its page; whoever does not know the old address moves nothing."""
    other = make_tournament(4, club=make_club("Naboen"), account=by["account"], drawn=False)
    was, now, charlie = (Phone(service.url, name) for name in ("was", "now", "charlie"))
    for tournament, number in ((evening, 3), (other, None)):
        ask(client, tournament, was, number)
    ask(client, evening, charlie, 4)
    told = f"/t/{evening.code}/phone/told"
    known = {"told": True, "number": 3, "others": True}
    assert posted(client, told, {"endpoint": was.endpoint}) == (200, known)
    unknown = {"told": False, "number": None, "others": False}
    for nobody in ("https://nobody.example.org/", now.endpoint):
        assert posted(client, told, {"endpoint": nobody}) == (200, unknown)
        assert posted(client, "/push/moved", now.moves(was) | {"was": nobody}) == (200, {})
    assert posted(client, told, {"endpoint": [1]})[0] == 400
    moves = now.moves(was)
    for changed, status in (
        ({"was": None}, 400),
        ({"was_auth": None}, 400),
        ({"keys": None}, 400),
        ({"key": "x"}, 409),
    ):
        assert posted(client, "/push/moved", moves | changed)[0] == status
    # Push services know the address as well, but not its secret.
    assert posted(client, "/push/moved", moves | {"was_auth": charlie.asks(None)["keys"]["auth"]}) == (
        200,
        {},
    )
    assert posted(client, told, {"endpoint": was.endpoint}) == (200, known)
    for _time in range(2):  # also where the first answer was lost on its way
        assert posted(client, "/push/moved", moves) == (200, {})
        assert posted(client, told, {"endpoint": now.endpoint}) == (200, known)
        assert posted(client, told, {"endpoint": was.endpoint}) == (200, unknown)
    draw(evening, seed=1, **by)
    assert tell() == 2
    assert [service.told(phone)[0]["body"].rpartition("· ")[2] for phone in (now, charlie)] == [
        seat_of(evening, number) for number in (3, 4)
    ]
    # What has been asked for with the new address already is what was meant last.
    again = Phone(service.url, "again")
    ask(client, evening, again, 5)
    assert posted(client, "/push/moved", again.moves(now)) == (200, {})
    assert posted(client, told, {"endpoint": again.endpoint}) == (200, known | {"number": 5})
    assert PushSubscription.objects.count() == 3


@pytest.mark.parametrize("status", [410, 400])
def test_a_phone_that_moves_while_its_old_address_is_asked_is_told_at_the_new_one(
    service, evening, by, client, monkeypatch, status
):
    was, now = Phone(service.url, "was"), Phone(service.url, "now")
    ask(client, evening, was, 3)
    draw(evening, seed=1, **by)
    send = push_subscriptions.Services.post

    def slow(services, endpoint, *told):
        if endpoint == was.endpoint:
            assert posted(client, "/push/moved", now.moves(was)) == (200, {})
        return send(services, endpoint, *told)

    monkeypatch.setattr(push_subscriptions.Services, "post", slow)
    service.answers += [status]
    assert tell() == 1
    assert [told["body"].endswith(seat_of(evening, 3)) for told in service.told(now)] == [True]


@pytest.mark.django_db
def test_a_phone_whose_address_is_gone_is_told_nothing_until_it_says_another(service, evening, by, client):
    was, now = Phone(service.url, "was"), Phone(service.url, "now")
    ask(client, evening, was, 3)
    service.answers += [410]
    for seed in (1, 2):
        draw(evening, seed=seed, **by)
        assert tell() == 0
    assert len(service.came) == 1
    told = f"/t/{evening.code}/phone/told"
    assert posted(client, told, {"endpoint": was.endpoint})[1]["told"] is False
    assert posted(client, "/push/moved", now.moves(was)) == (200, {})
    assert posted(client, told, {"endpoint": now.endpoint})[1]["told"] is True
    assert tell() == 1
    assert [told["body"].endswith(seat_of(evening, 3)) for told in service.told(now)] == [True]


KNOWN = [
    ("https://fcm.googleapis.com/fcm/send/x", True),
    ("https://wns2-par02p.notify.windows.com/w/?token=x", True),
    ("https://updates.push.services.mozilla.com/wpush/v2/x", True),
    ("https://web.push.apple.com/x", True),
    ("http://fcm.googleapis.com/fcm/send/x", False),
    ("https://fcm.googleapis.com:8443/x", False),
    ("https://fcm.googleapis.com@127.0.0.1/x", False),
    ("https://fcm.googleapis.com.example.org/x", False),
    ("https://evilfcm.googleapis.com/x", False),
    ("https://127.0.0.1/x", False),
    ("https://fcm.googleapis.com:/x", False),
    ("https://fcm.googleapis.com:443/x", False),
    ("https://FCM.googleapis.com/x", False),
    ("https://example.org/x", False),
    ("", False),
]


@pytest.mark.parametrize(("endpoint", "known"), KNOWN)
def test_messages_go_to_push_services_alone(endpoint, known):
    assert is_known_service(endpoint) is known


@pytest.mark.django_db
def test_what_is_no_phone_is_refused_in_words(service, evening, client):
    phone = Phone(service.url, "x")
    good = phone.asks(1)["keys"]
    odd = [
        ({"endpoint": "https://example.org/x"}, 409, "push service"),
        ({"endpoint": f"{service.url}/{'x' * 1000}"}, 409, "push service"),
        ({"keys": {**good, "auth": "AAAA"}}, 409, "keys"),
        ({"keys": {**good, "p256dh": "A" * 87}}, 409, "keys"),
        ({"keys": {**good, "p256dh": "!"}}, 409, "keys"),
        ({"key": "another"}, 409, "Reload this page, then ask again"),
        ({"number": 99}, 409, "No one here has this number"),
        ({"endpoint": "https://fcm.googleapis.com/\0"}, 400, "could not be read"),
        *(({"number": number}, 400, "could not be read") for number in ("1", True, 0, 2**40, [1])),
        *(
            ({"keys": keys_}, 400, "could not be read")
            for keys_ in (None, [], {}, {"auth": 1, "p256dh": "x"})
        ),
    ]
    for changed, status, why in odd:
        assert why in ask(client, evening, phone, 1, status=status, changed=changed)["message"]
    page = f"/t/{evening.code}/phone/ask"
    for body, status in (("[]", 400), ("{", 400), ("x" * 5000, 400)):
        assert client.post(page, body, content_type="application/json").status_code == status
    assert not PushSubscription.objects.exists()


@pytest.mark.django_db
def test_how_many_may_ask_is_bounded(service, evening, client, monkeypatch):
    monkeypatch.setattr("tournaments.changes.push_subscriptions.MOST_OF_PLAYER", 2)
    monkeypatch.setattr("tournaments.changes.push_subscriptions.MOST_OF_TOURNAMENT", 3)
    phones = [Phone(service.url, str(number)) for number in range(4)]
    for phone, number, status in zip(phones, (1, 1, 1, 2), (200, 200, 409, 200), strict=True):
        ask(client, evening, phone, number, status=status)
    assert "Too many phones" in ask(client, evening, phones[2], 3, status=409)["message"]
    ask(client, evening, phones[0], 3)  # one that is told already takes nobody's room
    monkeypatch.setattr("tournaments.hall.phone.MOST_A_MINUTE", 5)
    assert "Wait a minute" in ask(client, evening, phones[0], 3, status=429)["message"]
    # Whether it is told a page asks as it opens: that is counted by itself.
    asks = [f"/t/{evening.code}/phone/told", {"endpoint": phones[0].endpoint}]
    assert [posted(client, *asks)[0] for _time in range(6)] == [200] * 5 + [429]


@pytest.mark.django_db
def test_where_it_cannot_be_had_no_page_speaks_of_it_and_a_step_asks_nothing_more(
    settings, evening, by, client
):
    pages = [f"/t/{evening.code}/", f"/t/{evening.code}/standings/", f"/t/{evening.code}/seats/?name=3"]
    assert not [page for page in pages if "/phone/" in client.get(page).content.decode()]
    assert client.get(f"/t/{evening.code}/phone/").status_code == 404
    settings.PUSH = True
    assert [page for page in pages if "/phone/" in client.get(page).content.decode()] == pages
    settings.PUSH = False
    with CaptureQueriesContext(connection) as asked:
        draw(evening, seed=1, **by)
    assert not [query for query in asked.captured_queries if "push" in query["sql"]]
    captain = f"/c/{first_round(evening).tables.get(number=1).secret}/"
    for settings.PUSH in (True, False):
        assert ("/phone/" in client.get(captain).content.decode()) is settings.PUSH
