"""A page to share from, and the pictures for shared URLs: of clubs, evenings, stories and people."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

from django.conf import settings
from django.core.cache import cache
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import get_conditional_response, patch_cache_control
from django.utils.formats import date_format, time_format
from django.utils.http import quote_etag
from django.utils.translation import get_language, ngettext, override
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs.models import Club, Crest
from core.files import exclusive_lock
from core.http.responses import file_name
from core.serving.addresses import base_url, is_inside, site_address
from core.throttle import by_address, count_attempt, is_throttled
from tournaments.boards.folders import sealed_rounds
from tournaments.changes.versions import print_of_versions
from tournaments.domain.terms import signed
from tournaments.hall.about import picture_of, unlisted
from tournaments.hall.charts import Scale
from tournaments.hall.club import find_club
from tournaments.hall.embeds import line_for
from tournaments.hall.feeds import entering_of
from tournaments.hall.live import HallRequest, find_tournament, listed_where_allowed
from tournaments.hall.share_card import Card, Place, png, webp
from tournaments.hall.share_card import Crest as DrawnCrest
from tournaments.hall.story import Teller
from tournaments.hall.years.links import led_on
from tournaments.hall.years.person import find_person
from tournaments.lifecycle.money import podiums
from tournaments.models import Deal
from tournaments.people import visibility
from tournaments.people.person import over_the_years
from tournaments.people.visibility import may_be_found
from tournaments.standings.players import standings
from tournaments.standings.story_data import story_of
from tournaments.web.guards import find_entry

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

    from clubs.models import Player
    from tournaments.models import Entry, Tournament
    from tournaments.people.person import OverTheYears
    from tournaments.standings.story import Race


# Pictures for shared pages: rendered on request, and cached by the tournament's version.

KEPT = 3600  # seconds
# Rate limit and waiting time: a hall behind one IP address requests the same few; a picture takes 100 ms of CPU.
DRAWN_A_MINUTE, PATIENCE = 30, 20
FIRST = 3
SMALL = "webp"
MOST_POINTS = 200  # per line: more would not be visible
MOST_LINES = 40  # more would be a cloud; of more players, evenly spaced places are rendered


@require_safe
def hall_picture(request: HallRequest, code: str) -> HttpResponseBase:
    tournament = find_tournament(code)
    return tournament_picture(request, tournament, "places", lambda: places_card(tournament))


@require_safe
def hall_story_picture(request: HallRequest, code: str) -> HttpResponseBase:
    tournament = find_tournament(code)
    return tournament_picture(request, tournament, "story", lambda: story_card(tournament))


@require_safe
def hall_player_picture(request: HallRequest, code: str, number: int) -> HttpResponseBase:
    tournament = find_tournament(code)
    entry = find_entry(tournament, number)
    answer = tournament_picture(
        request, tournament, f"player:{number}", lambda: player_card(tournament, entry)
    )
    return listed_where_allowed(answer, entry.player)


@require_safe
def hall_club_picture(request: HallRequest, slug: str) -> HttpResponseBase:
    club = find_club(slug)
    card = Card(_("L'Hombre tournaments"), club.name, club.town, crest=_crest(club))
    return picture(
        request, f"club:{club.pk}", f"{club.name}\n{club.town}\n{club.colour}\n{club.crest}", lambda: card
    )


@require_safe
def site_picture(request: HallRequest) -> HttpResponseBase:
    return picture(request, "site", "1", lambda: Card("Spadille", _("L'Hombre tournaments")))


def tournament_picture(
    request: HttpRequest, tournament: Tournament, what: str, card: Callable[[], Card]
) -> HttpResponseBase:
    """A tournament's picture, with its host's crest."""
    host = tournament.host
    version = f"{tournament.version} {host.colour} {host.crest}"
    return picture(request, f"{tournament.pk}:{what}", version, lambda: replace(card(), crest=_crest(host)))


def _crest(club: Club) -> DrawnCrest:
    kept = Crest.objects.filter(club=club).first() if club.crest else None
    return DrawnCrest(club.name[:1].upper(), club.colour, bytes(kept.picture) if kept else b"")


def picture(request: HttpRequest, what: str, version: str, card: Callable[[], Card]) -> HttpResponseBase:
    """The picture in the language of the URL, or a small one; preview services send no language."""
    asked = request.GET.get("l", "")
    kind = SMALL if SMALL in request.GET else "png"
    with override(asked if asked in dict(settings.LANGUAGES) else get_language()):
        key = f"picture:{what}:{get_language()}:{kind}"
        etag = quote_etag(sha256(f"{key}:{version}".encode()).hexdigest()[:32])
        unchanged = get_conditional_response(request, etag=etag)
        answer = unchanged or _render(request, key, version, card, kind)
    if answer.status_code in {200, 304}:
        answer.headers["ETag"] = etag
        patch_cache_control(answer, public=True, max_age=60)
    return answer


def _render(
    request: HttpRequest, key: str, version: str, card: Callable[[], Card], kind: str
) -> HttpResponse:
    kept: tuple[str, bytes] | None = cache.get(key)
    if kept is None or kept[0] != version:
        if not site_address(request):
            asker = by_address("pictures", request.META.get("REMOTE_ADDR", ""))
            if is_throttled(asker, most=DRAWN_A_MINUTE):
                return _later()
            count_attempt(asker)
        folder = Path(settings.MEDIA_ROOT)
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        try:
            with exclusive_lock("hall-pictures", folder, PATIENCE):
                kept = cache.get(key)
                if kept is None or kept[0] != version:
                    kept = version, (webp if kind == SMALL else png)(card())
                    cache.set(key, kept, KEPT)
        except (TimeoutError, OSError):
            return _later()
    return HttpResponse(kept[1], content_type=f"image/{kind}")


def _later() -> HttpResponse:
    return HttpResponse(status=503, headers={"Retry-After": "60"})


def _label(tournament: Tournament) -> str:
    return f"{tournament.host} · {date_format(tournament.date, 'DATE_FORMAT')}"


def places_card(tournament: Tournament) -> Card:
    """The first three; of divisions the first of each. Before anything is played, what it will be."""
    found = [] if tournament.is_called_off else podiums(tournament)
    if not found:
        return Card(_label(tournament), tournament.name, tournament.place)
    if len(found) > 1:
        rows = [(podium.places[0], f"{podium.name}: {podium.places[0].name}") for podium in found]
    else:
        rows = [(place, place.name) for place in found[0].places]
    title = tournament.name
    winners = [place.name for place in found[0].places if place.rank == 1]
    if tournament.is_finished and len(found) == len(winners) == 1:
        title = _("%(name)s won %(tournament)s") % {"name": winners[0], "tournament": tournament.name}
    places = [Place(place.rank, name, place.total) for place, name in rows[:FIRST]]
    return Card(_label(tournament), title, _progress_text(tournament), places)


def _progress_text(tournament: Tournament) -> str:
    table = standings(tournament)
    players, rounds = len(table.rows), len(table.rounds)
    deals = Deal.objects.filter(table__round__tournament=tournament, current__result__isnull=False).count()
    return ", ".join(
        (
            ngettext("%(count)d player", "%(count)d players", players) % {"count": players},
            ngettext("%(count)d deal", "%(count)d deals", deals) % {"count": deals},
            ngettext("%(count)d round", "%(count)d rounds", rounds) % {"count": rounds},
        )
    )


def story_card(tournament: Tournament) -> Card:
    """The race, the first three standing out."""
    if tournament.is_called_off:
        return places_card(tournament)
    teller = Teller(tournament)
    race, title = teller.story.race, teller.headline()
    lines, zero = _lines(race, list(race.lines)[:FIRST])
    said = ", ".join(part for part in (tournament.name, _progress_text(tournament)) if part)
    return Card(_label(tournament), title, said, lines=lines, bold=FIRST, zero=zero)


def player_card(tournament: Tournament, entry: Entry) -> Card:
    """The player's line among all, with place and tokens."""
    # The story first: the standings count from the deals that it reads.
    race, table = story_of(tournament, sealed_rounds(tournament)).race, standings(tournament)
    row = next((row for row in table.rows if row.entry_id == entry.pk), None)
    if row is None or not row.played or tournament.is_called_off:
        return Card(_label(tournament), entry.shown_name, tournament.name)
    lines, zero = _lines(race, [entry.pk])
    place = _("place %(place)d of %(all)d") % {"place": row.rank, "all": len(table.rows)}
    foot = f"{tournament.name}, {place}, {signed(row.total)}"
    return Card(_label(tournament), entry.shown_name, foot, lines=lines, bold=1, zero=zero)


def _lines(race: Race, first: list[int]) -> tuple[list[list[tuple[float, float]]], float | None]:
    """Lines from 0 to 1 both ways, those of `first` before some of the others; and where zero is."""
    if not race.steps or not race.lines:
        return [], None
    amounts = [amount for line in race.lines.values() for amount in line]
    scale = Scale.over(race.steps, min(*amounts, 0), max(*amounts, 0))
    every = -(-race.steps // MOST_POINTS)
    others = [player for player in race.lines if player not in first]
    order = [*first, *others[:: -(-len(others) // MOST_LINES) or 1]]
    lines = []
    for player in order:
        line = race.lines[player]
        last = len(line) - 1
        points = [scale.point(step, line[step]) for step in (*range(0, last, every), last)]
        lines.append([(x / 100, y / 100) for x, y in points])
    return lines, scale.point(0, 0)[1] / 100


# The picture of a person's page, for who shares it: their sum over the years, evening by evening.


@led_on
@require_safe
def person_picture(request: HttpRequest, pk: int) -> HttpResponseBase:
    player, own = find_person(pk)
    answer = picture(
        request, f"person:{pk}", _version(player, own.name), lambda: person_card(player, own.name)
    )
    return answer if own.may_be_found else unlisted(answer)


def _version(player: Player, name: str) -> str:
    """The cache key of a picture: it changes with each deal, correction, name and setting that it shows."""
    evenings = visibility.own_entries(player).aggregate(all=print_of_versions("tournament__"))
    return f"{name} {evenings['all']}"


def person_card(player: Player, name: str) -> Card:
    years = over_the_years(player)
    evenings, deals = len(years.evenings), years.portrait.deals
    said = (
        ngettext("%(count)d evening", "%(count)d evenings", evenings) % {"count": evenings},
        ngettext("%(count)d deal", "%(count)d deals", deals) % {"count": deals},
        signed(years.portrait.tokens),
    )
    lines, zero = _line(years)
    return Card(
        years.home or _("L'Hombre tournaments"),
        name,
        ", ".join(said),
        lines=lines,
        bold=1,
        zero=zero,
    )


def _line(years: OverTheYears) -> tuple[list[list[tuple[float, float]]], float | None]:
    """The sum after each evening, from 0 to 1 both ways, and where zero is."""
    sums = [0, *(total for _day, total in years.curve.by_evening)]
    last = len(sums) - 1
    if not last:
        return [], None
    scale = Scale.over(last, min(sums), max(sums))
    points = [scale.point(step, sums[step]) for step in (*range(0, last, -(-last // MOST_POINTS)), last)]
    return [[(x / 100, y / 100) for x, y in points]], scale.point(0, 0)[1] / 100


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
