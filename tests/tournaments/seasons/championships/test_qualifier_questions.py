"""The letter to those who qualify, and their yes or no by its link."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.letter_models import Topic
from clubs.mail.kinds import LetterObsolete, render_letter, set_consent
from clubs.models import ClubLogEntry, Letter, Player
from tests.factories import make_account, make_championship, make_club, make_player
from tests.tournaments.seasons.championships.test_quotas import (
    by,
    coming,
    going,
    page,
    ranked,
)
from tournaments.entries.merging import merge
from tournaments.entries.personal_data import erase, known_of
from tournaments.models import Championship, Qualifier, QualifierQuestion
from tournaments.reporting import link_pages
from tournaments.seasons import qualified, quotas
from tournaments.seasons.qualified import link_for
from tournaments.seasons.quotas import QualifiedTable

TODAY = date(2026, 9, 7)
UNTIL = TODAY + timedelta(days=5)
pytestmark = [pytest.mark.time_machine("2026-09-07 12:00+02:00"), pytest.mark.databases]


@pytest.fixture
def asked(stage, played, by_alice, post_office):
    """Two places of the tournament's eight players, who all want letters; the first two were asked. Their order."""
    best = ranked(played)
    for pk in best:
        Player.objects.filter(pk=pk).update(email=f"p{pk}@example.dk", language="en")
        set_consent(Player.objects.get(pk=pk), [Topic.EVENING.value], now=timezone.now())
    quotas.store_quotas(stage, [by(played, 2)], [], **by_alice)
    assert quotas.ask_by_letter(stage, UNTIL, **by_alice) == 2
    return best


def answer(stage, player, said):
    return Client().post(link_for(stage.pk, player), {"answer": said})


def letters_to():
    return sorted(Letter.objects.values_list("player", flat=True))


def answers(stage):
    return dict(stage.qualifiers.values_list("player", "answer"))


def test_who_qualifies_gets_a_letter_with_a_link_and_is_asked_once(stage, asked, by_alice):
    assert letters_to() == sorted(asked[:2])
    letter = render_letter(Letter.objects.get(player=asked[0]))
    assert letter.subject == f"You qualify for {stage}: {stage.championship}"
    assert "place 1 in “Efterår”" in letter.text
    assert f"{link_for(stage.pk, asked[0])}\n" in letter.text
    assert quotas.ask_by_letter(stage, UNTIL, **by_alice) == 0
    assert Letter.objects.count() == 2


def test_opening_the_link_records_nothing(stage, asked):
    for ask in (Client().get, Client().head, Client().get):
        answered = ask(link_for(stage.pk, asked[0]) + "?answer=no")
        assert (answered.status_code, answered["Cache-Control"].split(",")[0]) == (200, "no-store")
    assert answers(stage) == {}


def test_yes_is_recorded_once_and_shown_on_the_page_and_paper(stage, asked, as_alice):
    for _tap in range(2):
        answer(stage, asked[0], "yes")
    assert answers(stage) == {asked[0]: "yes"}
    (shown,) = QualifiedTable(stage).shown_quotas
    assert [one.state for one in shown.going] == ["takes part", "asked by email, may answer until 12/09/2026"]
    assert (
        "asked by email, may answer until 12/09/2026"
        in as_alice.get(page("club_qualified", stage)).content.decode()
    )
    lines = ClubLogEntry.objects.filter(text__contains="through the link in the email")
    assert [line.author for line in lines] == [""]
    assert "You are taking part" in Client().get(link_for(stage.pk, asked[0])).content.decode()


def test_no_brings_the_next_who_gets_the_letter(stage, asked):
    for _tap in range(2):
        answer(stage, asked[1], "no")
    assert going(stage) == [asked[0], asked[2]]
    assert letters_to() == sorted(asked[:3])
    assert QualifierQuestion.objects.get(player=asked[2]).until == UNTIL
    # The place is somebody else's now.
    answer(stage, asked[1], "yes")
    assert answers(stage) == {asked[1]: "no"}
    assert "The next in line" in Client().get(link_for(stage.pk, asked[1])).content.decode()


def test_a_no_that_the_desk_records_brings_the_next_too(stage, asked, by_alice):
    quotas.record_answer(stage, asked[0], "no", **by_alice)
    assert letters_to() == sorted(asked[:3])


def test_yes_can_become_no_until_the_day_and_not_once_entered(stage, asked, club, by_alice):
    answer(stage, asked[0], "yes")
    answer(stage, asked[0], "no")
    assert answers(stage)[asked[0]] == "no"
    answer(stage, asked[1], "yes")
    coming(club)
    qualified.enter_qualified(stage, into="MESTER", only_yes=True, **by_alice)
    answer(stage, asked[1], "no")
    assert answers(stage)[asked[1]] == "yes"


@pytest.mark.parametrize("said", ["yes", "no"])
def test_after_the_day_nothing_can_be_answered_and_nobody_is_asked(
    stage, asked, by_alice, time_machine, said
):
    time_machine.move_to("2026-09-12 23:59+02:00")
    assert (
        Client().get(link_for(stage.pk, asked[0])).content.decode().count('<button class="primary" name') == 1
    )
    time_machine.move_to("2026-09-13 00:01+02:00")
    answer(stage, asked[0], said)
    assert answers(stage) == {}
    assert "The deadline for answers was" in Client().get(link_for(stage.pk, asked[0])).content.decode()
    quotas.record_answer(stage, asked[0], "no", **by_alice | {"now": timezone.now()})
    assert Letter.objects.count() == 2
    with pytest.raises(LetterObsolete):
        render_letter(Letter.objects.get(player=asked[1]))


@pytest.mark.parametrize("token", ["nonsense", "W10:x:y", "x" * 5000, "æøå"])
def test_a_link_that_is_not_ours_is_not_found_and_many_are_refused_at_last(asked, token):
    address = reverse("qualified_answer", args=[token])
    assert Client().get(address).status_code == 404
    assert Client().post(address, {"answer": "no"}).status_code == 404
    assert [Client().get(address).status_code for _guess in range(40)][-1] == 429


def test_the_link_of_another_stage_or_player_answers_only_for_its_own(stage, asked):
    other = stage.championship.stages.create(number=9, name="Other")
    assert answer(other, asked[0], "no").status_code == 404
    assert answer(stage, asked[4], "yes").status_code == 404  # never asked
    answer(stage, asked[0], "maybe" * 1000)
    assert answers(stage) == {}


def test_who_no_longer_qualifies_is_told_so(stage, asked, played, by_alice):
    quotas.store_quotas(stage, [by(played, 1)], [], **by_alice)
    assert "no longer have a place" in Client().get(link_for(stage.pk, asked[1])).content.decode()
    answer(stage, asked[1], "yes")
    assert answers(stage) == {}


def test_who_has_no_address_or_wants_no_letters_is_not_asked(stage, played, by_alice, post_office):
    best = ranked(played)
    Player.objects.filter(pk=best[0]).update(email="a@example.dk")  # without consent
    set_consent(
        Player.objects.get(pk=best[1]), [Topic.EVENING.value], now=timezone.now()
    )  # without an address
    quotas.store_quotas(stage, [by(played, 2)], [], **by_alice)
    assert quotas.ask_by_letter(stage, UNTIL, **by_alice) == 0
    assert not QualifierQuestion.objects.exists()


@pytest.mark.parametrize("until", ["", "soon", "2026-09-06", "0001-01-01", "9999-12-31", "x" * 2000])
def test_a_day_that_cannot_be_is_said_at_its_field(as_alice, stage, asked, until):
    shown = as_alice.post(page("club_qualified_ask", stage), {"until": until})
    assert list(shown.context["ask"].errors) == ["until"]
    assert Letter.objects.count() == 2


def test_the_desk_asks_and_who_may_not_does_not(as_alice, client, stage, asked, club):
    later = {"until": "2026-09-20"}
    for who in (make_account("helge", club, "helper"), make_account("vera", make_club("Viby"))):
        client.force_login(who)
        assert client.post(page("club_qualified_ask", stage), later).status_code == 403
    sent = as_alice.post(page("club_qualified_ask", stage), later, follow=True)
    assert "2 emails are on their way." in sent.content.decode()
    assert set(QualifierQuestion.objects.values_list("until", flat=True)) == {date(2026, 9, 20)}


def test_without_a_mail_server_nobody_is_asked(as_alice, stage, played, by_alice):
    quotas.store_quotas(stage, [by(played, 2)], [], **by_alice)
    shown = as_alice.post(page("club_qualified_ask", stage), {"until": "2026-09-20"})
    assert list(shown.context["ask"].errors["until"]) == ["No mail server is set up: ask them yourself."]


def test_a_link_goes_along_when_two_are_joined_and_goes_when_one_is_erased(stage, asked, club, alice):
    kept = make_player("Kept Person", club, 77)
    merge(kept, Player.objects.get(pk=asked[0]), account=alice, now=timezone.now())
    answer(stage, asked[0], "yes")
    assert answers(stage) == {kept.pk: "yes"}
    assert known_of(kept)["asked_about_championships"][0]["until"] == UNTIL
    erase(Player.objects.get(pk=asked[1]), account=alice, today=TODAY, now=timezone.now())
    assert answer(stage, asked[1], "yes").status_code == 404
    assert not QualifierQuestion.objects.filter(player=asked[1]).exists()
    assert not Qualifier.objects.filter(player=asked[1]).exists()


def test_a_championship_of_another_union_is_asked_about_at_no_address_of_ones_own(
    as_alice, stage, asked, alice, club
):
    other = make_championship(make_club("Odder"))
    sent = {"until": "2026-09-20"}
    for slug, status in ((club.slug, 404), (other.host.slug, 403)):
        address = reverse("club_qualified_ask", args=[slug, other.pk, 1])
        assert as_alice.post(address, sent).status_code == status
    for number in (0, 99):
        gone = reverse("club_qualified_ask", args=[club.slug, stage.championship_id, number])
        assert as_alice.post(gone, sent).status_code == 404


@pytest.mark.parametrize("gone", ["question", "championship"])
def test_a_question_that_goes_while_it_is_answered_is_a_link_that_is_not_recognised(
    stage, asked, monkeypatch, gone
):
    found = link_pages.find_question

    def find_and_lose(secret):
        question = found(secret)
        if question is not None:
            if gone == "question":
                QualifierQuestion.objects.filter(pk=question.pk).delete()
            else:
                Championship.objects.filter(pk=stage.championship_id).delete()
        return question

    monkeypatch.setattr(link_pages, "find_question", find_and_lose)
    assert answer(stage, asked[0], "yes").status_code == 302
    assert Client().get(link_for(stage.pk, asked[0])).status_code == 404
    assert answers(stage) == {}
