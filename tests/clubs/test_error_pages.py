"""What people read when something is not as it should be."""

from __future__ import annotations

import pytest
from django.template.loader import render_to_string
from django.test import Client, override_settings
from django.urls import path


def broken(request):
    raise RuntimeError


urlpatterns = [path("broken/", broken)]


@pytest.mark.django_db
def test_a_page_that_is_not_there(client) -> None:
    response = client.get("/clubs/nowhere/at/all/")
    assert response.status_code == 404
    assert "Page not found" in response.content.decode()


def test_a_page_that_is_not_for_me(as_charlie, club) -> None:
    response = as_charlie.get("/clubs/stilling/")
    assert response.status_code == 403
    assert "You cannot open this page" in response.content.decode()


@override_settings(ROOT_URLCONF=__name__)
def test_a_fault_of_the_program(db) -> None:
    response = Client(raise_request_exception=False).get("/broken/")
    assert response.status_code == 500
    assert "Something went wrong in Spadille" in response.content.decode()


def test_the_page_of_a_fault_needs_nothing() -> None:
    assert "It is not your fault." in render_to_string("500.html")


@pytest.mark.parametrize("name", ["400", "403", "404", "403_csrf", "500"])
def test_an_error_page_has_no_inline_script_or_style(name) -> None:
    page = render_to_string(f"{name}.html")
    assert "style=" not in page
    assert "<style" not in page
    assert all("src=" in script.split(">")[0] for script in page.split("<script")[1:])
