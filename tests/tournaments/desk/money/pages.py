"""The page of the money: what stands there, and pressing its buttons."""

from __future__ import annotations

from django.urls import reverse

from core.jobs.models import Job
from tests.pages import texts_of

STAKE, FEE = 25, 5000


def page(client, tournament):
    return " ".join(client.get(reverse("desk_money", args=[tournament.code])).content.decode().split())


def make_list(client, tournament, way="each_other"):
    answer = client.post(reverse("desk_money_list", args=[tournament.code]), {"way": way}, follow=True)
    tournament.refresh_from_db()
    return " ".join(answer.content.decode().split())


def ask(client, tournament, paper):
    """Press the button, and go where it leads."""
    answer = client.post(reverse("desk_money_print", args=[tournament.code, paper]), follow=True)
    return " ".join(answer.content.decode().split())


def printed(client, tournament, paper):
    """The file that the button comes to."""
    ask(client, tournament, paper)
    return Job.objects.latest("pk").path.read_bytes()


def tick(client, tournament, number, paid="1"):
    url = reverse("desk_money_tick", args=[tournament.code, number])
    answer = client.post(url, {"paid": paid}, follow=True)
    tournament.refresh_from_db()
    return " ".join(answer.content.decode().split())


def text_of(pdf):
    return " ".join(texts_of(pdf))
