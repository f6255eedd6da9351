"""A club's letters at its desk, its news, and what its members have agreed to."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from clubs.mail import sending
from clubs.mail.kinds import EVERYTHING, address_digest, set_consent, unsubscribe
from clubs.mail.outbox import enqueue_letter
from clubs.mail.sending import send_due
from clubs.models import Agreement, ClubLogEntry, Letter, News, Stop
from tests.factories import make_player
from tests.post_office import html_of, text_of
from tournaments.entries.merging import merge
from tournaments.entries.personal_data import erase, known_of

HOSTILE = "<script>alert(1)</script> & Ærø\n\nhttps://example.dk/x"


def member(club, name="Anna Holm", *, email="anna@example.dk", topics=("news",), number=None, language=""):
    player = make_player(name, club, number)
    player.email, player.language = email, language
    player.save()
    set_consent(player, topics, now=timezone.now())
    return player


def posted(club, to="bo@example.dk", **fields):
    letter = enqueue_letter("trial", to, language="en", facts={}, club=club)
    Letter.objects.filter(pk=letter.pk).update(**fields)
    return Letter.objects.get(pk=letter.pk)


def test_letters_of_no_club_are_seen_and_sent_again_by_the_programs_owner_alone(
    as_alice, alice, club, post_office, client
):
    own = posted(None, "carl@example.dk", state="given up", error="The mail server cannot be reached.")
    posted(club, "dora@example.dk")
    page, again = "/desk/letters/", f"/desk/letters/{own.pk}/again/"
    assert [as_alice.get(page).status_code, as_alice.post(again).status_code] == [403, 403]
    alice.is_superuser = True
    alice.save()
    shown = as_alice.get(page).content.decode()
    assert ("carl@example.dk" in shown, "dora@example.dk" in shown, again in shown) == (True, False, True)
    assert "carl@example.dk" not in as_alice.get(f"/clubs/{club.slug}/letters/").content.decode()
    assert as_alice.post(again).url == page
    assert send_due() == 2
    assert as_alice.post(f"/desk/letters/{own.pk}/elsewhere/").status_code == 404
    as_alice.post(f"/desk/letters/{own.pk}/back/")
    assert "An organiser saw it bounce." in as_alice.get(f"{page}?show=back").content.decode()


def test_news_go_to_who_has_agreed_and_to_each_address_once(as_alice, club, post_office):
    member(club)
    member(club, "Bo Krogh", email="ANNA@example.dk")  # a couple with one address
    member(club, "Carl Dam", email="carl@example.dk", topics=["results"])
    member(club, "Dora Friis", email="")
    member(club, "Erik Lund", email="erik@example.dk", language="da")
    member(club, "Fie Munk", email="fie@example.dk")
    unsubscribe(address_digest("fie@example.dk"), EVERYTHING, now=timezone.now())
    told = {"subject": "Autumn  <b>", "text": HOSTILE}
    preview = as_alice.post("/clubs/stilling/letters/news/", told).content.decode()
    assert "&lt;script&gt;" in preview
    assert "<script>alert" not in preview
    assert not News.objects.exists()
    as_alice.post("/clubs/stilling/letters/news/", told | {"send": "1"})
    assert send_due() == 2
    assert {letter["To"].casefold() for letter in post_office.came} == {"anna@example.dk", "erik@example.dk"}
    came = post_office.to("erik@example.dk")
    assert came["Subject"] == "Autumn <b>"
    assert came["Content-Language"] == "da"
    assert HOSTILE in text_of(came).replace("\r\n", "\n")
    assert "<script" not in html_of(came)
    assert '<a href="https://example.dk/x"' in html_of(came)
    assert ClubLogEntry.objects.filter(text="Sent news to {count}: {subject}").get().params["count"] == 2


def test_what_was_typed_is_not_lost_where_news_cannot_be_sent(as_alice, club):
    page = as_alice.post(
        "/clubs/stilling/letters/news/", {"subject": "", "text": "See it all"}
    ).content.decode()
    assert "See it all" in page
    assert "Nothing can be sent:" in page
    assert "Nothing can be sent" in as_alice.get("/clubs/stilling/letters/").content.decode()


@pytest.mark.parametrize(
    ("step", "before", "after", "is_hidden"),
    [
        ("again", "failed", "waiting", False),
        ("again", "given up", "waiting", False),
        ("again", "sent", "sent", False),
        ("back", "sent", "failed", False),
        ("back", "waiting", "waiting", False),
        ("away", "waiting", "given up", True),
        ("away", "failed", "failed", True),
        ("away", "sending", "sending", False),
    ],
)
def test_a_letter_is_sent_again_said_to_have_come_back_or_thrown_away(
    as_alice, club, post_office, step, before, after, is_hidden
):
    letter = posted(club, state=before)
    as_alice.post(f"/clubs/stilling/letters/{letter.pk}/{step}/")
    letter.refresh_from_db()
    assert (letter.state, letter.is_hidden) == (after, is_hidden)


def test_what_came_back_is_told_on_the_clubs_page(as_alice, club, post_office):
    assert "bounced" not in as_alice.get("/clubs/stilling/").content.decode()
    posted(club, state="failed", answer="550 <b>no</b> such user")
    assert "1 bounced" in as_alice.get("/clubs/stilling/").content.decode()
    assert "1 email from Stilling bounced" in as_alice.get("/desk/").content.decode()
    page = as_alice.get("/clubs/stilling/letters/?show=back").content.decode()
    assert "550 &lt;b&gt;no&lt;/b&gt; such user" in page
    assert "bo@example.dk" not in as_alice.get("/clubs/stilling/letters/?show=sent").content.decode()


def test_another_clubs_letter_is_not_found(as_alice, alice, club, post_office):
    letter = posted(None, state="failed")
    assert as_alice.post(f"/clubs/stilling/letters/{letter.pk}/again/").status_code == 404


def test_a_letter_to_try_with_is_sent_ten_times_a_minute(as_alice, club, post_office):
    for _number in range(11):
        as_alice.post("/clubs/stilling/letters/trial/", {"to": "alice@example.dk"})
    assert Letter.objects.filter(kind="trial", club=club).count() == 10


def test_a_letter_to_try_with_is_in_the_language_that_its_organiser_reads(as_alice, club, post_office):
    for language in ("sv", "en", "da"):
        header = {"accept-language": language}
        as_alice.post("/clubs/stilling/letters/trial/", {"to": "alice@example.dk"}, headers=header)
    assert list(Letter.objects.order_by("pk").values_list("language", flat=True)) == ["sv", "en", "da"]


def test_what_a_member_agreed_to_is_ticked_by_the_organiser_and_said_to_them(as_alice, club, post_office):
    anna = member(club, topics=["news"])
    (held,) = anna.memberships.all()
    address = f"/clubs/stilling/members/{held.pk}/edit/"
    told = {
        "name": anna.name, "joined": "2020-01-01", "email": anna.email, "topics": ["results"], "language": "da",
        "seen": as_alice.get(address).context["form"].initial_digest,
    }  # fmt: skip
    assert as_alice.post(address, told).status_code == 302
    assert list(anna.agreements.values_list("topic", flat=True)) == ["results"]
    anna.refresh_from_db()
    assert anna.language == "da"
    assert known_of(anna)["letters"]["agreed_to"][0]["topic"] == "results"
    unsubscribe(address_digest(anna.email), "results", now=timezone.now())
    assert "They have unsubscribed from these, whatever is ticked" in as_alice.get(address).content.decode()


def test_who_is_erased_is_in_no_letter_any_more_and_stays_unwritten_to(club, alice, post_office):
    anna = member(club)
    enqueue_letter(
        "trial", "anna@example.dk", language="en", facts={"name": "Anna Holm"}, club=club, member=anna
    )
    sent = posted(club, player=anna, to="anna@example.dk", facts={"name": "Anna Holm"}, state="sent")
    unsubscribe(address_digest("anna@example.dk"), "news", now=timezone.now())
    erase(anna, account=alice, today=timezone.localdate(), now=timezone.now())
    sent.refresh_from_db()
    assert (sent.to, sent.facts, sent.player) == ("", {}, None)
    assert Letter.objects.count() == 1
    assert not Agreement.objects.exists()
    assert Stop.objects.count() == 1
    anna.refresh_from_db()
    assert known_of(anna)["letters"]["posted"] == []


def test_of_two_that_are_one_person_either_has_agreed(club, alice):
    anna = member(club, topics=["news"])
    other = member(club, "Anne Holm", email="", topics=["results", "news"], language="da")
    merge(anna, other, account=alice, now=timezone.now())
    assert sorted(anna.agreements.values_list("topic", flat=True)) == ["news", "results"]
    anna.refresh_from_db()
    assert anna.language == "da"


def test_letters_are_kept_for_half_a_year(club, post_office):
    now = timezone.now()
    old, waiting, young = (
        posted(club, posted_at=now - timedelta(days=days), state=state)
        for days, state in ((181, "sent"), (181, "waiting"), (179, "sent"))
    )
    sending.clear_old(now)
    assert set(Letter.objects.all()) == {waiting, young}
    assert old not in Letter.objects.all()
