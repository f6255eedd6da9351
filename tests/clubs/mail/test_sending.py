"""Letters through a real mail server: taken, refused, tried again, given up, and never sent twice."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from clubs.mail import sending
from clubs.mail.outbox import enqueue_letter
from clubs.mail.sending import PAUSES, is_due, send_due
from clubs.models import Letter
from config.environment import MailServer
from tests.post_office import html_of, links_in, text_of
from tests.services import free_port

BODIL = "bodil@example.dk"


def posted(to: str = BODIL, **told) -> Letter:
    return enqueue_letter("trial", to, language="en", facts={}, **told)


def wait(seconds: timedelta) -> None:
    """Let time pass for all letters."""
    for letter in Letter.objects.all():
        Letter.objects.filter(pk=letter.pk).update(
            next_try=letter.next_try - seconds,
            until=letter.until - seconds,
            posted_at=letter.posted_at - seconds,
        )


def test_nothing_is_posted_where_no_mail_is_set_up(db):
    assert posted() is None
    assert not Letter.objects.exists()
    assert not is_due(timezone.now())


def test_a_letter_comes_as_text_and_html_with_a_way_to_stop_it(post_office, club):
    letter = posted(club=club)
    assert (letter.state, is_due(timezone.now())) == ("waiting", True)
    assert send_due() == 1
    letter.refresh_from_db()
    assert (letter.state, letter.tries, letter.error) == ("sent", 1, "")
    came = post_office.to(BODIL)
    assert came["From"] == f"{club} <spadille@example.dk>"
    assert came["Subject"] == "Send a test email"
    assert came["Auto-Submitted"] == "auto-generated"
    assert "They do" in text_of(came)
    assert "They do" in html_of(came)
    stop = links_in(came)[-1]
    assert came["List-Unsubscribe"].strip() == f"<{stop}>"
    assert came["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert not [word for word in ("<img", "src=", "@import", "url(") if word in html_of(came)]


def test_a_letter_of_a_key_is_posted_once(post_office):
    assert posted(key="draw 1 of 2") == posted(key="draw 1 of 2")
    assert send_due() == 1
    assert posted(key="draw 1 of 2").state == "sent"
    assert send_due() == 0
    assert len(post_office.came) == 1


@pytest.mark.parametrize(
    ("answer", "state", "error", "said"),
    [
        ("550 No such user here", "failed", sending.NEVER, "550 No such user here"),
        ("450 Greylisted, come again", "waiting", sending.NOT_NOW, "450 Greylisted, come again"),
        ("552 Too much\r", "failed", sending.NEVER, "552 Too much"),
    ],
)
def test_what_the_server_says_of_an_address_is_kept(post_office, answer, state, error, said):
    post_office.answers[BODIL] = [answer.strip()]
    letter = posted()
    other = posted("other@example.dk")
    assert send_due() == 1
    letter.refresh_from_db(), other.refresh_from_db()
    assert (letter.state, letter.error, letter.answer) == (state, error, said)
    assert other.state == "sent"


def test_a_letter_that_is_not_taken_at_first_is_tried_again(post_office):
    post_office.answers["*"] = ["451 Later"]
    letter = posted()
    send_due()
    assert send_due() == 0, "not before its pause is over"
    wait(PAUSES[0])
    assert send_due() == 1
    letter.refresh_from_db()
    assert (letter.state, letter.tries, post_office.asked) == ("sent", 2, [BODIL, BODIL])


def test_the_pauses_grow_until_it_is_given_up(post_office, settings):
    settings.MAIL_SERVER = MailServer("127.0.0.1", free_port())
    letter = posted()
    waited = []
    while letter.state == "waiting" and len(waited) < 40:
        assert send_due() == 0
        letter.refresh_from_db()
        pause = letter.next_try - timezone.now()
        waited.append(round(pause.total_seconds() / 60))
        wait(pause)
        letter.refresh_from_db()
    assert waited[:7] == [1, 5, 15, 60, 180, 360, 360]
    assert (letter.state, letter.error) == ("given up", sending.TOO_LONG)
    assert len(waited) == 21, "four days"


def test_a_letter_that_would_come_too_late_is_not_tried_to_the_end(post_office):
    post_office.answers["*"] = ["451 Later"]
    letter = posted(until=timezone.now() + timedelta(seconds=30))
    send_due()
    letter.refresh_from_db()
    assert (letter.state, letter.error) == ("given up", sending.TOO_LONG)


def test_a_server_that_hangs_up_or_takes_its_time_holds_up_no_other_letter(post_office, monkeypatch):
    monkeypatch.setattr(sending, "WHOLE_LETTER", 0.1)
    post_office.after_data = ["hang up"]
    first, second = posted(), posted("other@example.dk")
    assert send_due() == 0
    assert {letter.state for letter in (first, second)} == {"waiting"}
    wait(PAUSES[0])
    post_office.delay = 0.3
    assert send_due() == 0
    post_office.delay = 0.0
    monkeypatch.undo()  # a busy machine may take longer, too
    wait(PAUSES[1])
    assert send_due() == 2
    # Whether it had been taken could not be known: it came once more, and says that it is the same.
    assert len({letter["Message-ID"] for letter in post_office.came if letter["To"] == BODIL}) == 1


def test_two_who_send_at_once_send_no_letter_twice(post_office):
    letter = posted()
    seen_by_both = Letter.objects.get(pk=letter.pk)
    assert sending.OUTBOX.claim(letter)
    assert not sending.OUTBOX.claim(seen_by_both)
    assert send_due() == 0
    assert post_office.came == []


def test_whoever_fell_while_sending_is_taken_up_again(post_office):
    letter = posted()
    sending.OUTBOX.claim(letter)
    now = timezone.now()
    assert not is_due(now + sending.OUTBOX.lost_after - timedelta(seconds=5))
    assert is_due(now + sending.OUTBOX.lost_after + timedelta(seconds=5))


@pytest.mark.parametrize(
    ("to", "error"),
    [
        ("nobody", "This is not an email address."),
        ("a@b.dk\r\nBcc: all@example.dk", "This is not an email address."),
        (f"{'x' * 250}@example.dk", "This is not an email address."),
    ],
)
def test_what_is_no_address_comes_back_at_once(post_office, to, error):
    letter = posted(to)
    assert (letter.state, letter.error) == ("failed", error)
    assert send_due() == 0


def test_hostile_names_stay_words(post_office, club):
    type(club).objects.filter(pk=club.pk).update(name="Stil\r\nBcc: a@b.dk, <b>\N{RIGHT-TO-LEFT OVERRIDE}")
    club.refresh_from_db()
    posted(club=club)
    send_due()
    came = post_office.to(BODIL)
    assert came["Bcc"] is None
    assert came["From"].addresses[0].addr_spec == "spadille@example.dk"
    assert post_office.asked == [BODIL]


def test_one_click_stops_letters_and_no_organiser_undoes_it(post_office, client):
    posted()
    send_due()
    address = links_in(post_office.to(BODIL))[-1].removeprefix("https://lhombre.example.dk")
    browser = Client(enforce_csrf_checks=True, HTTP_HOST="lhombre.example.dk")
    assert "Never email this address" in browser.get(address).content.decode()
    assert posted() is not None, "looking stops nothing"
    waiting = Letter.objects.get(state="waiting")
    browser.cookies.clear()
    assert browser.post(address, {"List-Unsubscribe": "One-Click"}).status_code == 200
    assert posted() is None
    send_due()
    waiting.refresh_from_db()
    assert (waiting.state, waiting.error) == ("given up", sending.STOPPED)
    assert "no more emails" in browser.get(address).content.decode()
    browser.post(address, {"again": "1"})
    assert posted() is not None


@pytest.mark.parametrize("token", ["x", "x:y:z", "W10:1:x"])
def test_a_link_that_is_not_ours_stops_nothing(client, db, token):
    answer = client.post(f"/clubs/mail/stop/{token}/")
    assert answer.status_code == 404
    assert "link is incomplete" in answer.content.decode()
