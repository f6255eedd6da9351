"""Who sends something after being signed out is told so, and comes back to the page on which it was typed."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
from django.urls import reverse

from tests.factories import make_tournament

pytestmark = pytest.mark.django_db
HERE = "http://testserver"


def came_from(page):
    return {"Referer": page}


def way_back(address):
    parts = urlsplit(address)
    assert parts.path == reverse("login")
    return parse_qs(parts.query)["next"]


def test_a_page_is_shown_after_signing_in(client):
    tournament = make_tournament(0)
    page = reverse("desk_entries", args=[tournament.code])
    assert way_back(client.get(f"{page}?q=Bo").url) == [f"{page}?q=Bo"]


@pytest.mark.parametrize(
    ("referer", "back"),
    [
        (f"{HERE}/desk/x/?q=1", "/desk/x/?q=1"),
        (f"{HERE}/desk/x/", "/desk/x/"),
        ("https://evil.example/desk/x/", None),
        ("//evil.example/desk/x/", None),
        ("", None),
    ],
)
def test_a_form_leads_back_to_the_page_that_it_stood_on(client, referer, back):
    sent_to = reverse("desk_mark_all", args=[make_tournament(0).code])
    answer = client.post(sent_to, {"present": ""}, headers=came_from(referer), follow=True)
    ((address, _status),) = answer.redirect_chain
    assert way_back(address) == [back or sent_to]
    assert "You were signed out, so nothing was saved." in answer.content.decode()


def test_htmx_is_sent_to_the_whole_page_for_signing_in(client):
    sent_to = reverse("desk_mark_all", args=[make_tournament(0).code])
    headers = came_from(f"{HERE}/desk/x/") | {"HX-Request": "true"}
    assert way_back(client.post(sent_to, headers=headers).headers["HX-Redirect"]) == ["/desk/x/"]
