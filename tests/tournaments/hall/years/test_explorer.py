"""Any question of games in the hall: what may be asked, what is answered, and what is told of whom."""

from __future__ import annotations

from datetime import date
from urllib.parse import urlencode

import pytest
from django.http import QueryDict
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override

from clubs.models import Club
from scoring import rulebooks
from tests.evenings import make_evening
from tests.factories import first_round, make_player, report
from tests.languages import LANGUAGES
from tests.pages import words_at
from tournaments.domain.terms import contract_name, contract_names
from tournaments.hall.charts import MOST_DRAWN, rate_chart
from tournaments.hall.years import explorer
from tournaments.hall.years.explorer import GamesText, QuestionForm, most_often_won_text, question_text
from tournaments.ledger import Author
from tournaments.lifecycle.playing import close_round, start_round
from tournaments.models import Table
from tournaments.people.explorer import Question, Row
from tournaments.people.person_statistics import Rate
from tournaments.people.span import Span
from tournaments.standings.statistics import Declared


def game(declarer, outcome, contract="solo", trump="H", **more):
    return {"contract": contract, "declarer": declarer, "trump": trump, "outcome": outcome} | more


# A deals the first, then B, C and D: forehand, backhand, forehand and middlehand declare.
PLAYED = (game(1, "won"), game(1, "kodille"), game(3, "won", trump="D"), game(2, "bete", "simple_game"))


@pytest.fixture
def people(club):
    return [make_player(name, club, number) for number, name in enumerate(("Anna", "Bo", "Carl", "=Dora"), 1)]


@pytest.fixture
def evening(alice, club, people):
    tournament = make_evening(people, club, alice, date=date(2025, 3, 1))
    now = timezone.now()
    start_round(tournament.rounds.get(), account=alice, now=now)
    table = Table.objects.select_related("round__tournament").get(round__tournament=tournament)
    for deal, result in enumerate(PLAYED, start=1):
        answer = report(table, deal, result, author=Author("desk", alice))
        assert answer.status == "accepted", answer.problems
    close_round(first_round(tournament), account=alice, now=now, force_reason="enige")
    return tournament


def page_of(club):
    return reverse("hall_club_explorer", args=[club.slug])


def test_a_question_is_an_address():
    games = GamesText(["union"])
    for asked in (
        Question(),
        Question("solo", "H", "BH", "kodille", "won", 4, by=("seat", "year")),
        Question(by=()),
    ):
        sent = QueryDict(urlencode(asked.as_query()))
        form = QuestionForm(sent, games)
        assert form.is_valid()
        assert form.question(Span()) == asked
    assert Question(span=Span(year=2026, format="pairs")).as_query() == {
        "by": "contract", "year": "2026", "format": "pairs",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("contract=whist", "contract"),
        ("trump=X", "trump"),
        ("contract=pure_nolo&trump=H", "trump"),
        ("contract=spade_solo&trump=H", "trump"),
        ("seat=IDLE", "seat"),
        ("players=7", "players"),
        ("outcome=drawn", "outcome"),
        ("by=person", "by"),
        ("by=seat&then=seat", "then"),
    ],
)
def test_what_cannot_be_asked_is_told_at_its_field(query, field):
    form = QuestionForm(QueryDict(query), GamesText(["union"]))
    assert not form.is_valid()
    assert list(form.errors) == [field]


def test_contracts_are_those_of_the_families_that_are_played():
    one, other = GamesText(["union", "rasle"]).families(), GamesText(["union", "crocodile"]).families()
    assert len(one) == 1
    assert [len(choices) == len(dict(choices)) for _name, choices in one] == [True]
    assert len(other) == 2
    assert GamesText(["crocodile"]).name("seat", "FH") == "Eldest"
    both = GamesText(["union", "crocodile"])
    assert both.name("seat", "FH") == "Forehand / eldest"
    assert both.knowing("tourne").name("seat", "FH") == "Forehand"


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_two_contracts_of_a_list_read_the_same(language):
    """Danish has one word for tourné and tournée: the rows say by which rules."""
    books = [book.id for book in rulebooks()]
    with override(language):
        games = GamesText(books)
        contracts = [name for book in rulebooks() for name in book.known_contracts]
        rows = [Row((name,)) for name in dict.fromkeys(contracts)]
        named = [names[0] for names, _row in explorer._labelled_rows(rows, Question(), games)]
        assert len(set(named)) == len(rows)
        assert [*contract_names(row.key[0] for row in rows).values()] == [
            games.called[row.key[0]] for row in rows
        ]
        assert GamesText(["crocodile"]).called["tournee"] == contract_name("tournee")


def test_the_question_is_told_back():
    games = GamesText(["union"])
    assert question_text(Question(), games) == "How often is a game won?"
    asked = Question("solo", "H", "BH")
    assert question_text(asked, games) == "How often is solo in hearts declared by backhand won?"
    lost = Question("solo", outcome="kodille")
    assert question_text(lost, games) == "How often does solo end in “kruk”?"


def test_the_page_answers_and_its_file_has_the_same(client, evening, club, people):
    page = client.get(page_of(club), {"by": "contract", "then": "seat"})
    assert [(names, row.games.deals, row.games.won) for names, row in page.context["rows"]] == [
        (["Solo", "Forehand"], 2, 2), (["Solo", "Backhand"], 1, 0), (["Game", "Middlehand"], 1, 0),
    ]  # fmt: skip
    assert page.context["whole"].rate == Rate(2, 4)
    file = client.get(page.context["file"])
    lines = file.content.decode("utf-8-sig").splitlines()
    assert lines[0] == "Contract,Seat,Games,Won,Bête,Kruk,Share,at least,at most,Tokens,Each"
    assert lines[1] == "Solo,Forehand,2,2,0,0,1,0.3424,1,12,6"
    assert client.get(page.context["address"]).context["question"] == page.context["question"]
    nothing = client.get(f"{page_of(club)}games.csv?contract=nolo_ouvert&by=seat")
    assert len(nothing.content.decode().splitlines()) == 1


def test_nothing_asked_wrongly_is_answered(client, evening, club):
    page = client.get(page_of(club), {"contract": "whist", "year": "1"})
    assert "said" not in page.context
    assert page.content.decode().count("field-error") == 2
    wrong = client.get(f"{page_of(club)}games.csv?contract=whist")
    assert wrong["Location"] == f"{page_of(club)}?contract=whist"
    assert client.get(f"{page_of(club)}games.exe").status_code == 404


def test_who_asks_again_and_again_waits_and_loses_nothing(client, evening, club, monkeypatch):
    monkeypatch.setattr(explorer, "ASKED_A_MINUTE", 2)
    asked = {"contract": "solo", "by": "seat"}
    assert [client.get(page_of(club), asked).status_code for _time in range(3)] == [200, 200, 429]
    later = client.get(page_of(club), asked)
    assert "Try again in a minute." in later.content.decode()
    assert (later["Retry-After"], later.context["form"].data["contract"]) == ("60", "solo")
    assert client.get(f"{page_of(club)}games.csv", asked).status_code == 429
    assert client.get(page_of(club), {"year": "x"}).status_code == 200  # nothing is counted
    assert client.get(page_of(club), asked, REMOTE_ADDR="192.0.2.9").status_code == 200


def test_it_tells_of_whom_it_may(client, evening, club, people):
    anna = evening.entries.get(number=1).player
    own = reverse("hall_person_explorer", args=[anna.pk])
    addresses = ["/explorer/", page_of(club), own]

    def answered():
        return [client.get(address).status_code for address in addresses]

    def listed():
        return ["X-Robots-Tag" not in client.get(address).headers for address in addresses]

    assert answered() == [200, 200, 200]
    assert listed() == [False, False, False]
    club.is_findable = True
    club.save()
    assert listed() == [False, True, True]
    assert "X-Robots-Tag" in client.get(page_of(club), {"contract": "solo"}).headers
    anna.has_objected = True
    anna.save()
    assert answered() == [200, 200, 404]
    assert client.get(f"{own}games.csv").status_code == 404
    Club.objects.filter(pk=club.pk).update(statistics=Club.Statistics.CLUB)
    assert answered() == [200, 200, 404]
    assert "No such game has been played." in words_at(client, "/explorer/")
    Club.objects.filter(pk=club.pk).update(statistics=Club.Statistics.NOWHERE)
    assert answered() == [200, 404, 404]


def test_of_many_rows_some_are_drawn_and_where_each_stands():
    assert rate_chart([]) is None
    chart = rate_chart([("one", Rate(1, 2))] * (MOST_DRAWN + 3))
    assert (len(chart.bars), chart.left_out) == (MOST_DRAWN, 3)
    alone = rate_chart([("Solo", Rate(3, 3))]).bars[0]
    assert (alone.width, alone.low, alone.high) == (100.0, 43.8, 100.0)
    assert alone.foot < alone.top < alone.middle < 100


@pytest.mark.parametrize(
    ("question", "won", "said"),
    [
        (Question(), (15, 18), "Won most often: Solo, 90 % of 20 games."),
        (Question(), (15, None), ""),  # of one group alone nothing is the most
        (Question(outcome="bet"), (15, 18), ""),
        (Question(by=("outcome",)), (15, 18), ""),
    ],
)
def test_an_answer_begins_with_the_group_that_is_won_most_often(question, won, said):
    names = ("Game",), ("Solo",)
    rows = [
        (list(name), Row(name, Declared(deals=20 if of else 19, won=of or 19)))
        for name, of in zip(names, won, strict=True)
    ]
    assert most_often_won_text(question, rows) == said
