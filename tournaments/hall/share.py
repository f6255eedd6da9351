"""A page to share from: the URL, a text and a picture, to be sent on with whatever the phone has for that."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

from django.shortcuts import render
from django.urls import reverse
from django.utils.formats import date_format, time_format
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.http.responses import file_name
from core.serving.addresses import base_url, is_inside
from tournaments.domain.terms import signed
from tournaments.hall.about import picture_of
from tournaments.hall.embeds import line_for
from tournaments.hall.feeds import entering_of
from tournaments.hall.live import HallRequest, find_tournament
from tournaments.hall.story_text import Teller
from tournaments.lifecycle.money import podiums
from tournaments.people.visibility import may_be_found
from tournaments.standings.players import standings
from tournaments.web.lookup import find_entry

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.http import HttpResponse

    from tournaments.models import Entry, Tournament


@require_safe
def hall_share(request: HallRequest, code: str) -> HttpResponse:
    """The standings, with the first three."""
    tournament = find_tournament(code)
    address = reverse("standings", args=[tournament.code])
    said = [*_headline(tournament), *_places(tournament)]
    if tournament.state == tournament.State.SETUP and not tournament.is_called_off:
        # What is still to be played is shared for who would come.
        address, said = tournament.get_absolute_url(), [*_invitation(tournament), *said]
    line = line_for(base_url(request) + reverse("hall_embed", args=[tournament.code]), tournament.name)
    return share_page(request, tournament, address, said, line=line)


@require_safe
def hall_story_share(request: HallRequest, code: str) -> HttpResponse:
    tournament = find_tournament(code)
    address = reverse("hall_story", args=[tournament.code])
    return share_page(request, tournament, address, [*_headline(tournament), *Teller(tournament).lead()])


@require_safe
def hall_player_share(request: HallRequest, code: str, number: int) -> HttpResponse:
    tournament = find_tournament(code)
    entry = find_entry(tournament, number)
    address = reverse("hall_player", args=[tournament.code, number])
    said, unlisted = [_evening_of(tournament, entry)], not may_be_found(entry.player)
    return share_page(request, tournament, address, said, entry=entry, unlisted=unlisted)


def share_page(
    request: HallRequest, tournament: Tournament, address: str, said: Sequence[str], **more: Any
) -> HttpResponse:
    """The page to share an address from: `said` are the text's sentences, one per line; the URL is below them."""
    whole = base_url(request) + address
    held = f"{tournament.name}, {date_format(tournament.date, 'DATE_FORMAT')}, {tournament.host}"
    text = "\n".join((held, *said))
    match = request.resolver_match
    picture = picture_of(match.url_name or "", tournament, match.kwargs) if match else ""
    body = quote(f"{text}\n{whole}")
    context = {
        "tournament": tournament,
        "page": address,
        "address": whole,
        "is_inside": is_inside(urlsplit(whole).hostname or ""),
        "text": text,
        "lines": text.count("\n") + 5,
        "picture": picture,
        "file": file_name(tournament.name, kind="png"),
        "mail": f"mailto:?subject={quote(tournament.name)}&body={body}",
    }
    return render(request, "hall/share.html", context | more)


def _invitation(tournament: Tournament) -> list[str]:
    """Place and time of the beginning, and the deadline and link of online entries."""
    hour = time_format(tournament.begins_at, "TIME_FORMAT") if tournament.begins_at else ""
    return [*filter(None, [", ".join(filter(None, [tournament.place, hour]))]), *entering_of(tournament)]


def _headline(tournament: Tournament) -> list[str]:
    """The current standings as text; empty before the start, or if it was cancelled."""
    if tournament.is_called_off or not standings(tournament).rounds:
        return []
    return [Teller(tournament).headline()]


def _places(tournament: Tournament) -> list[str]:
    """The first three of each division."""
    if tournament.is_called_off:
        return []
    return [
        (f"{podium.name}: " if podium.name else "")
        + ", ".join(f"{place.rank_text}. {place.name} {place.total}" for place in podium.places)
        for podium in podiums(tournament)
    ]


def _evening_of(tournament: Tournament, entry: Entry) -> str:
    rows = standings(tournament).rows
    row = next((row for row in rows if row.entry_id == entry.pk and row.played), None)
    if row is None or tournament.is_called_off:
        return entry.shown_name
    said = _("%(name)s: place %(place)d of %(all)d, %(total)s")
    return said % {"name": row.name, "place": row.rank, "all": len(rows), "total": signed(row.total)}
