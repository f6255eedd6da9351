"""Who is told of on pages over the years, and where these may be found: asked of every address of the room."""

from __future__ import annotations

import re

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from clubs.models import Club
from tests.every_address import FILLED_IN
from tests.factories import affiliate, make_club
from tests.tournaments.hall.years.conftest import NAMES
from tournaments.entries import personal_data
from tournaments.hall.urls import urlpatterns
from tournaments.models import Entry, OldEvent, OldPlace, Tournament
from tournaments.models.names import NAMELESS

# One evening's own pages tell of it as its other pages do.
OF_ONE_EVENING = "t/<str:code>/"
YEARS = {
    pattern.name: str(pattern.pattern)
    for pattern in urlpatterns
    if pattern.callback.__module__.startswith("tournaments.hall.years.")
    and not str(pattern.pattern).startswith(OF_ONE_EVENING)
}
OF_A_PERSON = {name: address for name, address in YEARS.items() if address.startswith("person/")}
OF_SOMEBODY = {name: address for name, address in YEARS.items() if re.search("slug:slug|int:pk", address)}
TEXTS = ("text/", "application/json")


def asked(address, chairs, club):
    """The answer of a page of the first, with the second where it is of two, or of their club."""
    keys = FILLED_IN | {"slug": club.slug, "pk": str(chairs[0].pk), "other": str(chairs[1].pk)}
    cache.clear()
    return Client().get("/" + re.sub(r"<(?:\w+:)?(\w+)>", lambda match: keys.get(match[1], "1"), address))


def named(answer):
    """Who is named there."""
    if answer.status_code != 200 or not answer["Content-Type"].startswith(TEXTS):
        return []
    body = b"".join(answer.streaming_content) if answer.streaming else answer.content
    return [name for name in (*NAMES, NAMELESS) if name in body.decode()]


def wrong(pages, is_right, chairs, club):
    """The pages whose answer is not as it should be: the evenings are played once, for all of them."""
    answers = {name: asked(address, chairs, club) for name, address in pages.items()}
    return [name for name, answer in answers.items() if not is_right(answer)]


def gone(answer):
    return answer.status_code == 404


@pytest.mark.parametrize(
    "setting", [{"statistics": "nowhere"}, {"name_style": Club.NameStyle.NUMBER}], ids=["nowhere", "numbers"]
)
def test_nobody_is_told_of_where_the_club_does_not_want_it(chairs, club, setting):
    Club.objects.filter(pk=club.pk).update(**setting)
    told_of_nobody = lambda answer: answer.status_code in (200, 404) and not named(answer)  # noqa: E731
    assert wrong(YEARS, told_of_nobody, chairs, club) == []
    assert wrong(OF_A_PERSON, gone, chairs, club) == []


def test_who_has_objected_or_was_erased_is_named_nowhere(chairs, club, alice):
    name, now = chairs[0].name, timezone.now()
    assert name in named(asked(OF_A_PERSON["person"], chairs, club))
    for objects in (True, False):
        chairs[0].has_objected = objects
        chairs[0].save()
        if not objects:
            personal_data.erase(chairs[0], account=alice, today=now.date(), now=now)
        for seen_from in (chairs, chairs[1::-1]):  # their own page, and that of somebody whom they met
            nameless = lambda answer: not {name, NAMELESS} & {*named(answer)}  # noqa: E731
            assert wrong(YEARS, nameless, seen_from, club) == []
        assert wrong(OF_A_PERSON, gone, chairs, club) == []


def test_a_club_that_tells_on_its_own_pages_alone_has_no_pages_of_people(chairs, club):
    Club.objects.update(statistics="club")
    assert wrong(OF_A_PERSON, gone, chairs, club) == []


def test_search_engines_are_told_to_pass_by(chairs, club):
    def passed_by(answer):
        is_page = answer.status_code == 200 and answer["Content-Type"].startswith("text/html")
        said = not is_page or '<meta name="robots" content="noindex">' in answer.content.decode()
        return answer.status_code == 200 and "noindex" in answer.get("X-Robots-Tag", "") and said

    assert wrong(OF_SOMEBODY, passed_by, chairs, club) == []


@pytest.mark.parametrize("is_open", [True, False])
def test_a_list_of_ratings_may_be_listed_where_the_club_has_opened_its_history(chairs, club, is_open):
    Club.objects.update(is_findable=is_open)
    answer = asked("club/<slug:slug>/rating/", chairs, club)
    assert ("X-Robots-Tag" not in answer.headers) == is_open


@pytest.mark.parametrize("address", ["person/<int:pk>/", "person/<int:pk>/with/<int:other>/"])
def test_they_may_list_a_page_where_every_club_has_opened_it(chairs, club, address):
    Club.objects.update(is_findable=True)
    answer = asked(address, chairs, club)
    assert "X-Robots-Tag" not in answer.headers
    assert 'name="robots"' not in answer.content.decode()


def test_everybody_met_is_never_listed_for_those_who_stand_there(chairs, club):
    Club.objects.update(is_findable=True)
    assert "noindex" in asked("person/<int:pk>/met/", chairs, club)["X-Robots-Tag"]


def test_a_club_that_shows_initials_has_people_with_initials(chairs, club):
    Club.objects.update(name_style=Club.NameStyle.INITIAL)
    for address in OF_A_PERSON.values():
        assert named(asked(address, chairs, club)) == []
    assert chairs[0].short_name in asked("person/<int:pk>/", chairs, club).content.decode()


def test_the_page_of_an_evening_leads_to_that_of_the_person_while_there_is_one(chairs, club, evenings):
    entry = evenings[0].entries.get(player=chairs[0])
    address = f"t/{evenings[0].code}/player/{entry.number}/"
    link = f'href="/person/{chairs[0].pk}/"'
    assert link in Client().get(f"/{address}").content.decode()
    chairs[0].has_objected = True
    chairs[0].save()
    assert link not in Client().get(f"/{address}").content.decode()


def test_a_name_that_is_not_shown_whole_is_not_found_out_by_asking_for_it(chairs, club):
    Club.objects.update(name_style=Club.NameStyle.INITIAL)
    one, other = (chair for chair in chairs if chair.name in NAMES[:2])
    found = lambda name: Client().get(f"/person/{one.pk}/met/?name={name}").context["lines"]  # noqa: E731
    first, last = other.name.split()
    assert [line.name for line in found(first)] == [other.short_name]
    assert found(last) == []


def test_a_number_leads_to_nobodys_page(chairs, club, evenings):
    """Who is a number at this club has played elsewhere under their name, and has a page there."""
    club.name_style = Club.NameStyle.NUMBER
    club.save()
    elsewhere = make_club("Andre")
    Entry.objects.filter(tournament=evenings[1]).update(club=elsewhere)
    Tournament.objects.filter(pk=evenings[1].pk).update(host=elsewhere)
    for year in (1985, 1986):
        event = OldEvent.objects.create(
            host=club, kind="title", name="DM", year=year, entered_at=timezone.now()
        )
        OldPlace.objects.create(event=event, place=1, name=chairs[0].name, player=chairs[0])
    assert Client().get(f"/person/{chairs[0].pk}/").status_code == 200
    for page in ("history", "records"):
        assert 'href="/person/' not in Client().get(f"/club/{club.slug}/{page}/").content.decode()


def test_a_unions_history_may_be_found_where_all_who_stand_there_may(chairs, club):
    union = make_club("Unionen")
    union.is_findable = True
    union.save()
    affiliate(club, union)
    assert "noindex" in asked("club/<slug:slug>/history/", chairs, union)["X-Robots-Tag"]
    Club.objects.filter(pk=club.pk).update(is_findable=True)
    assert "X-Robots-Tag" not in asked("club/<slug:slug>/history/", chairs, union)
    # A guest of a club that is closed.
    entry = Entry.objects.filter(player=chairs[0]).first()
    Entry.objects.filter(pk=entry.pk).update(club=make_club("Gæster"))
    assert "noindex" in asked("club/<slug:slug>/history/", chairs, union)["X-Robots-Tag"]
