"""Pages as whoever opens them has them: what is read there, and what is sent from there."""

from __future__ import annotations

import re
import subprocess
from html import unescape

from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from clubs.models import Club
from tests.factories import make_player, player_name
from tournaments.models import Tournament

# What is typed to set a tournament up.
SET_UP = {
    "code": "ABCDEF",
    "name": "Høstturnering",
    "date": "2026-11-21",
    "place": "Kroen",
    "rounds_planned": "3",
    "deals_per_round": "40",
    "deals_at_three": "30",
    "draw_mode": "whole",
    "stake": "0,25",
    "entry_fee": "50",
    "rulebook": "union",
    "tie_break_1": "best_round",
    "tie_break_2": "",
    "tie_break_3": "lot",
    "tie_break_4": "",
    "union-idle_settles": "False",
    "union-forced_spadille": "True",
}


def hall_page(client: Client, tournament: Tournament, path: str = "", **headers: str) -> str:
    """A page of a tournament in the hall."""
    answer = client.get(f"/t/{tournament.code}/{path}", headers=headers)
    assert answer.status_code == 200, path
    return answer.content.decode()


def text(answer: HttpResponse) -> str:
    """A page as it comes, with its signs as they are read."""
    assert answer.status_code == 200
    return unescape(answer.content.decode())


def set_up_together(client: Client, club: Club, format_: str, players: int, **typed: str) -> Tournament:
    """Set up, entered and here, put together and drawn, all through the pages."""
    new, sent = reverse("tournament_new"), SET_UP | {"host": str(club.pk)} | typed
    shown = client.post(new, sent | {"format": format_, "format_of": "individual"})
    client.post(new, values_on(shown) | {"format_of": format_, "host": str(club.pk)})
    tournament = Tournament.objects.get()
    members = [make_player(player_name(index), club, index + 1).memberships.get() for index in range(players)]
    come = {"member": [member.pk for member in members], "here": "1"}
    draw = reverse("desk_draw", args=[tournament.code])
    client.post(reverse("desk_add_members", args=[tournament.code]), come)
    client.post(reverse("desk_put_together", args=[tournament.code]))
    client.post(reverse("desk_all_meet", args=[tournament.code]))
    client.post(draw, {"seed": "5", "drawn": client.get(draw).context["mark"]})
    tournament.refresh_from_db()
    return tournament


def words(html: str) -> str:
    """What is read on a page, without tags and with single blanks."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


def words_at(client: Client, address: str) -> str:
    return words(client.get(address).content.decode())


def texts_of(pdf: bytes) -> list[str]:
    """What is read on each page of a PDF, line by line as it was set; each run of blanks is one.

    Told by Poppler: a library in Python takes up to ten times as long.
    """
    command = ["pdftotext", "-raw", "-", "-"]
    read = subprocess.run(command, input=pdf, check=True, capture_output=True).stdout.decode()
    return read.split("\f")[:-1]


def printed(client: Client, tournament: Tournament, kind: str) -> str | None:
    """The text of a sheet that the desk asks for; None where it is not made."""
    ask = client.post(reverse("desk_print_ask", args=[tournament.code, 1, kind]), {"at_once": "1"})
    if not ask["Location"].split("/")[-2].isdigit():
        return None
    file = client.get(f"{ask['Location']}file")
    return " ".join(" ".join(texts_of(b"".join(file.streaming_content))).split())


def values_on(page: HttpResponse) -> dict[str, str]:
    """What a set-up page's fields hold, as a browser would send it back."""
    form = page.context["form"]
    fields = {field.html_name: field.value() for field in form}
    return {name: "" if value is None else str(value) for name, value in fields.items()}
