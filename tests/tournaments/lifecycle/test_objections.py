"""Objections are recorded, keep the standings from becoming final while they are open, and are decided by the desk."""

from __future__ import annotations

import html
from datetime import timedelta

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.mail.kinds import render_letter
from clubs.models import Club, Letter, Player, Role
from core.errors import NotPossible
from tests.factories import first_round, make_account
from tests.tournaments.exports.test_transfer import forget
from tests.tournaments.seasons.test_season import make_teams, play
from tournaments.entries.personal_data import erase, known_of
from tournaments.entries.teams import dissolve
from tournaments.exports.tournament_file import export_tournament, import_tournament
from tournaments.exports.verify.recount import differences
from tournaments.lifecycle.ending import finish, finish_what_is_due, post
from tournaments.lifecycle.objections import (
    Subject,
    decide_objection,
    make_objection,
    withdraw_objection,
)
from tournaments.lifecycle.playing import close_round, start_round
from tournaments.models import Objection, Tournament

STANDINGS = Subject("standings")


@pytest.fixture
def played(club, by_alice):
    """Two teams that have played a round."""
    tournament = make_teams(club, by_alice, teams=2)
    start_round(first_round(tournament), **by_alice)
    for table in first_round(tournament).tables.select_related("round__tournament", "match"):
        play(table)
    close_round(first_round(tournament), **by_alice)
    tournament.refresh_from_db()
    return tournament


@pytest.fixture
def home(played):
    return played.teams.order_by("number").first()


def wrong(tournament):
    return [str(one) for one in differences(Tournament.objects.get(pk=tournament.pk))]


def refused(step, *args, **given):
    with pytest.raises(NotPossible) as caught, transaction.atomic():
        step(*args, **given)
    return caught.value.field, caught.value.message


def text_of(answer):
    return html.unescape(answer.content.decode())


def object_to(team, by, words="Spil 3 er forkert"):
    return make_objection(team.tournament, team, Subject("deal", 1, 1, 3), words=words, **by)


def test_an_open_objection_keeps_the_standings_from_becoming_final(played, home, by_alice):
    objection = object_to(home, by_alice)
    said = f"Objection 1 by {home} is open: decide it first."
    assert refused(finish, played, **by_alice)[1] == said
    assert refused(post, played, minutes=0, **by_alice)[1] == said
    post(played, minutes=10, **by_alice)
    due = by_alice["now"] + timedelta(minutes=20)
    assert finish_what_is_due(due) == []
    decide_objection(
        objection, upheld=False, answer="Spillet er rigtigt", account=by_alice["account"], now=due
    )
    # Everybody has ten minutes to look at what was decided.
    assert finish_what_is_due(due + timedelta(minutes=9)) == []
    assert finish_what_is_due(due + timedelta(minutes=11)) == [played]
    assert wrong(played) == []
    assert "final" in refused(object_to, home, by_alice)[1]


def test_the_finish_names_an_open_objection_with_a_link(played, home, by_alice, as_alice):
    object_to(home, by_alice)
    post(played, minutes=10, **by_alice)
    page = text_of(as_alice.get(reverse("desk_finish", args=[played.code])))
    assert f"Objection 1 by {home} is open" in page
    assert f'href="{reverse("desk_objections_made", args=[played.code])}"' in page


def test_the_same_objection_sent_twice_is_one_and_what_lacks_is_said_at_its_field(played, home, by_alice):
    assert object_to(home, by_alice) == object_to(home, by_alice)
    wrongs = {
        ("match", None, None, None): "round_number",
        ("match", 60, None, None): "round_number",
        ("deal", 1, None, 3): "table_number",
        ("deal", 1, 9, 3): "table_number",
        ("deal", 1, 1, None): "deal_number",
        ("deal", 1, 1, 5): "deal_number",
    }
    for numbers, field in wrongs.items():
        assert refused(make_objection, played, home, Subject(*numbers), words="nej", **by_alice)[0] == field
    assert refused(make_objection, played, home, STANDINGS, words=" ", **by_alice)[0] == "words"
    assert played.objections.count() == 1


def test_who_made_it_withdraws_it_and_what_is_decided_stays_decided(played, home, by_alice):
    one = object_to(home, by_alice)
    withdraw_objection(one, **by_alice)
    assert withdraw_objection(one, **by_alice).state == "withdrawn"
    assert "decided or withdrawn" in refused(decide_objection, one, upheld=True, answer="ja", **by_alice)[1]
    two = object_to(home, by_alice)
    assert refused(decide_objection, two, upheld=True, answer="", **by_alice)[0] == "answer"
    decide_objection(two, upheld=True, answer="Rettet", **by_alice)
    assert withdraw_objection(two, **by_alice).state == "upheld"
    assert [line.words for line in played.log.all()[:2]] == [
        f"Objection 2 by {home} is upheld: Rettet",
        f"Objection 2 by {home}: Spil 3 er forkert",
    ]
    assert wrong(played) == []


def test_the_team_is_told_by_mail_and_so_is_a_club(settings, played, home, club, alice, by_alice):
    settings.MAIL_SERVER = object()
    Club.objects.update(language="en")
    alice.email = "alice@example.org"
    alice.save()
    player = home.members.order_by("number").first().player
    Player.objects.filter(pk=player.pk).update(email="kaptajn@example.org")
    player.agreements.create(topic="evening", agreed_at=timezone.now())
    by_club = make_objection(played, club, STANDINGS, words="Forkert", **by_alice)
    for one in (object_to(home, by_alice), by_club):
        decide_objection(Objection.objects.get(pk=one.pk), upheld=True, answer="Rettet", **by_alice)
    told = Letter.objects.order_by("pk")
    assert [(one.kind, one.to) for one in told] == [
        ("objection", "kaptajn@example.org"), ("objection_club", "alice@example.org"),
    ]  # fmt: skip
    letter = render_letter(told[0])
    assert letter.subject == "Objection 2 in Efterårsturnering is decided"
    assert f"The objection by {home} (a deal, round 1, table 1, deal 3) is decided: upheld." in letter.text
    assert "Answer: Rettet" in letter.text


def test_by_its_link_a_team_objects_and_withdraws_and_nothing_typed_is_lost(played, home, client):
    page = reverse("team_objections", args=[home.secret])
    assert page in text_of(client.get(reverse("team_line_up", args=[home.secret])))
    typed = {"about": "deal", "round_number": "1", "table_number": "1", "words": "Spil 3 er forkert"}
    answer = text_of(client.post(page, typed))
    assert "Type the number of the deal." in answer
    assert "Spil 3 er forkert</textarea>" in answer
    client.post(page, typed | {"deal_number": "3"})
    assert "Spil 3 er forkert" in text_of(client.get(page))
    other = played.teams.exclude(pk=home.pk).get()
    client.post(reverse("team_objections", args=[other.secret]), {"withdraw": "1"})
    assert played.objections.get().is_open
    client.post(page, {"withdraw": "1"})
    assert played.objections.get().state == "withdrawn"


def test_the_desk_records_and_decides_an_objection_of_a_player(played, home, as_alice):
    entry, code = home.members.order_by("number").first(), played.code
    new = reverse("desk_objection_new", args=[code])
    typed = {"entry": str(entry.pk), "about": "line_up", "round_number": "1", "words": "Hun var ikke med"}
    assert "Choose one who objects" in text_of(as_alice.post(new, typed | {"team": str(home.pk)}))
    as_alice.post(new, typed)
    decide = reverse("desk_objection_decide", args=[code, 1])
    assert "Say why, in a few words." in text_of(as_alice.post(decide, {"upheld": ""}))
    as_alice.post(decide, {"upheld": "", "answer": "Ja"})
    stored = played.objections.get()
    assert (stored.state, stored.made_by, stored.decided_by) == ("upheld", "Alice", "Alice")
    (evening,) = known_of(entry.player)["tournaments"]
    assert [one["words"] for one in evening["objections"]] == ["Hun var ikke med"]


def test_who_may_open_the_objections(played, club, home):
    made, decide = (
        reverse("desk_objections_made", args=[played.code]),
        reverse("desk_objection_decide", args=[played.code, 1]),
    )
    Objection.objects.create(
        tournament=played, number=1, team=home, about="match", words="nej", made_at=timezone.now()
    )
    helper, stranger = make_account("hanne", club, Role.Kind.HELPER), make_account("charlie")
    found = {}
    for account in (helper, stranger):
        browser = Client()
        browser.force_login(account)
        found[str(account)] = [browser.get(made).status_code, browser.post(decide).status_code]
    assert found == {"Hanne": [200, 403], "Charlie": [403, 403]}
    assert Client().get(reverse("team_objections", args=["x" * 22])).status_code == 404


def test_objections_go_with_the_file_and_a_team_with_one_is_not_dissolved(club, by_alice):
    tournament = make_teams(club, by_alice, teams=4, drawn=False)
    team = tournament.teams.order_by("number").first()
    make_objection(tournament, team, STANDINGS, words="nej", **by_alice)
    make_objection(tournament, club, STANDINGS, words="nej", **by_alice)
    assert "has made an objection" in refused(dissolve, team, **by_alice)[1]
    tournament.refresh_from_db()
    text = export_tournament(tournament)
    forget(tournament)
    taken = import_tournament(text)
    assert export_tournament(taken) == text
    assert wrong(taken) == []


@pytest.mark.databases
def test_erasing_a_player_takes_the_name_out_of_objections_and_their_lines(played, home, by_alice):
    erased = home.members.select_related("player").first().player
    Player.objects.filter(pk=erased.pk).update(name="Gudrun Holm Persen")
    erased.refresh_from_db()
    objection = object_to(home, by_alice, words="gudrun holm  persens spil 3 er forkert")
    decide_objection(objection, upheld=True, answer="Gudrun Holm Persen har ret", **by_alice)
    erase(erased, account=by_alice["account"], today=timezone.localdate(), now=timezone.now())
    objection.refresh_from_db()
    assert (objection.words, objection.answer) == ("N.N.s spil 3 er forkert", "N.N. har ret")
    assert "persen" not in str(list(played.log.values_list("params", flat=True))).casefold()
    assert wrong(played) == []


def test_one_team_cannot_use_up_the_objections_of_a_tournament(played, home, by_alice, monkeypatch):
    monkeypatch.setattr("tournaments.lifecycle.objections.MOST_OF_ONE", 2)
    for number in range(2):
        withdraw_objection(object_to(home, by_alice, words=f"nej {number}"), **by_alice)
    said = refused(make_objection, played, home, STANDINGS, words="nej igen", **by_alice)[1]
    assert said == "There have been too many objections: ask the organiser."
    other = played.teams.order_by("number").last()
    assert make_objection(played, other, STANDINGS, words="nej", **by_alice).number == 3


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "provisional until an open objection is decided"),
        ("da", "foreløbig til der er svaret på en åben indsigelse"),
        ("sv", "preliminär till dess att en öppen invändning är besvarad"),
    ],
)
def test_pages_and_paper_say_that_an_objection_is_open_and_name_nobody(
    played, home, by_alice, client, language, said
):
    Club.objects.update(language=language)
    post(played, minutes=10, **by_alice)
    objection = object_to(home, by_alice, words="Spil 3 af Gudrun er forkert")
    client.cookies["django_language"] = language
    for name in ("standings", "projector", "hall"):
        page = text_of(client.get(reverse(name, args=[played.code])))
        assert said.casefold() in page.casefold().replace("<b>", "").replace("</b>", ""), name
        assert "Gudrun" not in page
    withdraw_objection(objection, **by_alice)
    assert said not in text_of(client.get(reverse("standings", args=[played.code]))).casefold()
    assert played.objections_said in text_of(client.get(reverse("standings", args=[played.code])))
