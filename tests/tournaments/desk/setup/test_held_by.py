"""The club in whose hall a union's tournament is played: who works for it helps at the tournament's desk."""

from __future__ import annotations

import pytest
from django.urls import reverse

from clubs.models import Role
from tests.factories import browser_of, make_account, make_club, make_tournament
from tournaments.models import Tournament

pytestmark = pytest.mark.databases


@pytest.fixture
def union(db):
    return make_club("Union")


@pytest.fixture
def odder(union):
    return make_club("Odder", union)


@pytest.fixture
def as_union(union, odder):
    return browser_of(make_account("uwe", union))


@pytest.fixture
def cup(union, odder):
    return make_tournament(8, club=union, account=make_account("ulla", union), name="Unionens cup")


def sent(browser, tournament, **said):
    """The form of a set-up as the page has it, with what is `said`; its answer."""
    page = reverse("tournament_setup", args=[tournament.code])
    form = browser.get(page).context["form"]
    values = {field.html_name: field.value() for field in form}
    typed = {name: "" if value is None else value for name, value in values.items() if value is not False}
    return browser.post(page, typed | said)


@pytest.mark.parametrize("kind", Role.Kind.values)
def test_who_works_for_the_club_helps_in_its_own_hall(as_union, union, odder, cup, kind):
    there, desk = browser_of(make_account("otto", odder, kind)), reverse("desk_tournament", args=[cup.code])
    assert there.get(desk).status_code == 403
    answer = sent(as_union, cup, held_by=odder.pk)
    assert answer.status_code == 302, answer.context["form"].errors
    cup.refresh_from_db()
    assert (cup.held_by, cup.log.first().text) == (odder, "Set-up: changed the hosting club")
    assert there.get(desk).status_code == 200
    assert there.get(reverse("tournament_setup", args=[cup.code])).status_code == 403
    assert cup.name in there.get("/desk/").content.decode()
    assert cup.name in there.get("/desk/find/?q=cup").content.decode()
    sent(as_union, cup, held_by="")
    assert there.get(desk).status_code == 403


def test_a_club_of_another_union_holds_none(as_union, union, cup):
    stranger = make_club("Viby", make_club("Another"))
    answer = sent(as_union, cup, held_by=stranger.pk)
    assert answer.context["form"].errors.keys() == {"held_by"}
    assert Tournament.objects.get(pk=cup.pk).held_by is None


def test_a_clubs_own_tournament_is_held_by_no_other_club(union, odder, as_union):
    own = make_tournament(0, club=odder, drawn=False, account=make_account("otto", odder))
    viby = make_club("Viby", union)
    answer = sent(as_union, own, held_by=viby.pk)
    assert answer.context["form"].errors == {"held_by": ["The hosting club must belong to the union."]}


def test_who_organises_no_union_is_not_asked(odder):
    own = make_tournament(0, club=odder, drawn=False, account=make_account("otto", odder))
    page = browser_of(make_account("olga", odder)).get(reverse("tournament_setup", args=[own.code]))
    assert "held_by" not in page.context["form"].fields
