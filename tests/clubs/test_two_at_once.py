"""Several people, or one who taps several times, store the same at once: one does, the others are told in words."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from clubs.models import Account, Club, Role
from tests.factories import make_account, make_club

pytestmark = pytest.mark.django_db(transaction=True)


def posted_at_once(account, *requests):
    """Each (address, form) from a browser of its own, all together; the answers in order."""
    barrier = Barrier(len(requests))

    def post(request):
        browser = Client()
        browser.force_login(account)
        barrier.wait()
        try:
            return browser.post(*request)
        finally:
            connection.close()

    with ThreadPoolExecutor(len(requests)) as pool:
        return list(pool.map(post, requests))


def statuses(answers):
    return sorted(answer.status_code for answer in answers)


@pytest.fixture
def owner():
    return Account.objects.create_user("owner", is_superuser=True)


def test_a_club_that_is_made_six_times_at_once_is_made_once(owner):
    said = {"name": "Viby", "town": "", "name_style": "full"}
    answers = posted_at_once(owner, *[(reverse("club_new"), said)] * 6)
    assert statuses(answers) == [200] * 5 + [302]
    assert all(
        "A club with this name already exists." in answer.content.decode()
        for answer in answers
        if answer.status_code == 200
    )
    assert Club.objects.count() == 1


def test_clubs_of_different_names_and_one_address_are_all_made(owner):
    names = ("北京", "東京", "Москва", "Αθήνα")  # of whose letters no address is made
    answers = posted_at_once(
        owner, *[(reverse("club_new"), {"name": name, "name_style": "full"}) for name in names]
    )
    assert statuses(answers) == [302] * 4
    assert sorted(Club.objects.values_list("name", flat=True)) == sorted(names)
    assert sorted(Club.objects.values_list("slug", flat=True)) == ["club", "club-2", "club-3", "club-4"]


def test_two_clubs_that_take_one_name_at_once_are_not_called_alike(owner):
    clubs = [make_club("Viby"), make_club("Stilling")]
    said = {"name": "Hadsten", "name_style": "full"}
    answers = posted_at_once(owner, *[(reverse("club_edit", args=[club.slug]), said) for club in clubs])
    assert statuses(answers) == [200, 302]
    assert Club.objects.filter(name="Hadsten").count() == 1


def test_two_clubs_that_make_an_account_of_one_name_at_once_make_one(owner):
    clubs = [make_club("Viby"), make_club("Stilling"), make_club("Hadsten")]
    said = {"username": "bert", "full_name": "Bert Holm", "kind": "helper"}
    answers = posted_at_once(owner, *[(reverse("role_new", args=[club.slug]), said) for club in clubs])
    assert statuses(answers) == [200, 200, 302]
    assert Account.objects.filter(username="bert").count() == 1
    assert Role.objects.filter(account__username="bert").count() == 1


def test_a_role_that_is_given_six_times_at_once_is_given_once(owner):
    club, _bert = make_club("Viby"), make_account("bert", make_club("Stilling"))
    said = {"username": "bert", "kind": "helper", "has_account": "on"}
    answers = posted_at_once(owner, *[(reverse("role_new", args=[club.slug]), said)] * 6)
    assert statuses(answers) == [200] * 5 + [302]
