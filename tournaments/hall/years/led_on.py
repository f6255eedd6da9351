"""Addresses that stay: who stood in the lists twice has had two numbers, and both lead to the one page."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any

from django.http import Http404
from django.shortcuts import redirect
from django.urls import reverse

from tournaments.models import MergedPlayer
from tournaments.people import visibility

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

# What an address calls a person, or the two of whom it tells.
PEOPLE = "pk", "other"


def led_on(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """A page of a person, or of two: where there is none, the page of who they are now, for good.

    Nobody is led to who has no page. Two who are one person now have that person's page.
    """

    @wraps(view)
    def led(request: HttpRequest, **said: Any) -> HttpResponseBase:
        try:
            return view(request, **said)
        except Http404:
            address = _now_at(request, said)
            if not address:
                raise
            return redirect(address, permanent=True)

    return led


def _now_at(request: HttpRequest, said: dict[str, Any]) -> str:
    """The same page of who they are now; "" where nobody has become somebody else, or there is no such page."""
    asked = {name: said[name] for name in PEOPLE if name in said}
    # One by one: a number that no database has is found nowhere.
    found = [MergedPlayer.objects.filter(number=number).first() for number in asked.values()]
    moved = {one.number: one.player_id for one in found if one}
    now = {name: moved.get(number, number) for name, number in asked.items()}
    here = request.resolver_match
    if here is None or not moved or len(visibility.with_page(set(now.values()))) < len(set(now.values())):
        return ""
    if len(set(now.values())) < len(now):
        return reverse("person", args=[now["pk"]])
    page = reverse(here.view_name, kwargs=said | now)
    asked_for = request.GET.urlencode()
    return f"{page}?{asked_for}" if asked_for else page
