"""The page about an evening, and whether search engines may list it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import get_language, gettext_noop
from django.utils.translation import gettext as _

from core.serving.addresses import base_url

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from tournaments.models import Tournament


# Open Graph metadata of the hall's pages: title, description and picture.
#
# Each page has a row here, by the name of its URL. A row uses only what the page's frame knows, so that cached pages
# cost nothing more; the leader is in the picture, which is rendered on request.

NOW = gettext_noop(
    "{name}, {date}, {host}: what is being played now, seats, standings and every table’s sheet."
)
PLACES = gettext_noop("{name}, {date}, {host}: everyone’s place and tokens after every deal.")
TABLES = gettext_noop("{name}, {date}, {host}: every table’s sheet, deal by deal.")
STORY = gettext_noop(
    "{name}, {date}, {host}: the race for the lead, games declared and won, and the best moments."
)
PLAYER = gettext_noop("{name}, {date}, {host}: tables, tokens deal by deal, and statistics.")
MATCHES = gettext_noop("{name}, {date}, {host}: matches, match points and who meets whom.")
BOARDS = gettext_noop(
    "{name}, {date}, {host}: the same cards at every table, and each table’s result with them."
)
SEATS = gettext_noop("{name}, {date}, {host}: find your table and seat by your name.")
ENTER = gettext_noop("{name}, {date}, {host}: what is played, who is entered, and how to enter from home.")
RULES = gettext_noop("The rules of L’Hombre in words and prices, and who pays whom and why.")
CARDS = gettext_noop("{name}, {date}, {host}: the playing card each player took home.")
PERSON = gettext_noop(
    "{person}’s evenings of L’Hombre over the years: places, tokens, games declared and won."
)
MET = gettext_noop("Who {person} has met at the table, and how they did against each other.")
FOLLOW = gettext_noop("{host}: evenings for your calendar, news, and standings for your own website.")
CLUB = gettext_noop("{host}: evenings, standings and results of L’Hombre.")
GAMES = gettext_noop("How often each game of L’Hombre is won, by contract, trumps and seat.")
GAMES_OF_CLUB = gettext_noop("{host}: how often each game of L’Hombre is won, by contract, trumps and seat.")
GAMES_OF_PERSON = gettext_noop("How often {person} wins each game of L’Hombre, by contract, trumps and seat.")
HISTORY = gettext_noop("{host}: winners, champions and records of L’Hombre over the years.")
HOME = gettext_noop("Evenings, standings and results of L’Hombre tournaments.")
# Title of the page, where the tournament's or club's is not enough; and its description.
PAGES: dict[str, tuple[str, str]] = {
    "home": (gettext_noop("L'Hombre tournaments"), HOME),
    "hall": ("", NOW),
    "standings": (gettext_noop("Standings"), PLACES),
    "hall_players": (gettext_noop("Each player’s tokens"), PLACES),
    "hall_story": (gettext_noop("The evening’s story"), STORY),
    "hall_story_of": (gettext_noop("The evening’s story"), STORY),
    "hall_share": (gettext_noop("Share"), PLACES),
    "hall_story_share": (gettext_noop("Share"), STORY),
    "hall_player_share": (gettext_noop("Share"), PLAYER),
    "hall_enter": (gettext_noop("Enter from home"), ENTER),
    "seats": (gettext_noop("Where do I sit?"), SEATS),
    "hall_phone": (gettext_noop("Notifications on your phone"), SEATS),
    "hall_tables": (gettext_noop("Tables"), TABLES),
    "hall_round": (gettext_noop("Tables"), TABLES),
    "hall_table": (gettext_noop("Score sheet"), TABLES),
    "hall_player": ("{player}", PLAYER),
    "hall_player_rating": ("{player}", PLAYER),
    "hall_player_achievements": ("{player}", PLAYER),
    "hall_cards": (gettext_noop("Cards of the evening"), CARDS),
    "hall_card": ("{player}", CARDS),
    "hall_card_share": (gettext_noop("Share"), CARDS),
    "projector": ("", NOW),
    "hall_rules": (gettext_noop("Rules"), RULES),
    "hall_referee": (gettext_noop("Referee"), RULES),
    "hall_matches": (gettext_noop("Matches"), MATCHES),
    "hall_cross_table": (gettext_noop("Cross table"), MATCHES),
    "hall_team": ("{team}", MATCHES),
    "hall_boards": (gettext_noop("Boards"), BOARDS),
    "hall_boards_round": (gettext_noop("Boards"), BOARDS),
    "hall_folder": (gettext_noop("Boards"), BOARDS),
    "hall_folder_play": (gettext_noop("Boards"), BOARDS),
    "hall_club": ("", CLUB),
    "hall_follow": (gettext_noop("Follow"), FOLLOW),
    "hall_rating": (gettext_noop("Rating"), CLUB),
    "hall_points": (gettext_noop("Points list"), CLUB),
    "hall_points_list": (gettext_noop("Points list"), CLUB),
    "hall_tournament_clubs": (gettext_noop("Clubs by their best"), CLUB),
    "hall_season_clubs": (gettext_noop("Clubs by their best"), CLUB),
    "hall_points_clubs": (gettext_noop("Clubs by their best"), CLUB),
    "hall_season": ("{season}", CLUB),
    "hall_championship": ("{championship}", CLUB),
    "hall_explorer": (gettext_noop("Explorer"), GAMES),
    "hall_club_explorer": (gettext_noop("Explorer"), GAMES_OF_CLUB),
    "hall_person_explorer": ("{person}", GAMES_OF_PERSON),
    "hall_history": (gettext_noop("History"), HISTORY),
    "hall_records": (gettext_noop("Records"), HISTORY),
    "hall_clubs": (gettext_noop("The clubs compared"), HISTORY),
    "person": ("{person}", PERSON),
    "person_evenings": ("{person}", PERSON),
    "person_hands": ("{person}", PERSON),
    "person_met": ("{person}", MET),
    "person_with": ("{person} – {other}", MET),
    "rules_index": (gettext_noop("Rules"), RULES),
    "rules_sheet": (gettext_noop("Rules"), RULES),
    "rules_text": (gettext_noop("Rules"), RULES),
    "referee": (gettext_noop("Referee"), RULES),
    "referee_home": (gettext_noop("Referee"), RULES),
}
# Whose picture is not the standings'.
PICTURES = {
    "hall_story": "hall_story_picture",
    "hall_story_of": "hall_story_picture",
    "hall_story_share": "hall_story_picture",
    "hall_player": "hall_player_picture",
    "hall_player_rating": "hall_player_picture",
    "hall_player_achievements": "hall_player_picture",
    "hall_player_share": "hall_player_picture",
    "hall_card": "hall_card_picture",
    "hall_card_share": "hall_card_picture",
}
OF_PLAYERS = frozenset(("hall_player_picture", "hall_card_picture"))

# What has the picture of a person.
PERSONS = {"person", "person_evenings", "person_hands", "person_met", "person_with", "hall_person_explorer"}


@dataclass(frozen=True, slots=True)
class About:
    """Metadata of a page, with absolute URLs."""

    title: str
    description: str
    address: str
    picture: str


def about(request: HttpRequest, shown: Mapping[str, Any]) -> About | None:
    """The page's metadata from its template context; None for a page without a row."""
    match = request.resolver_match
    if match is None or match.url_name not in PAGES:
        return None
    tournament: Tournament | None = shown.get("tournament") or None
    season, championship = shown.get("season"), shown.get("championship")
    held = season or championship
    host = tournament.host if tournament else shown.get("club") or (held.host if held else None)
    words = {
        "name": tournament.name if tournament else "",
        "date": date_format(tournament.date, "DATE_FORMAT") if tournament else "",
        "host": str(host or ""),
        "player": shown["entry"].shown_name if "entry" in shown else "",
        "team": shown["team"].name if "team" in shown else "",
        "season": str(season or ""),
        "championship": str(championship or ""),
        # Persons over the years have the names that are shown there.
        "person": str(shown.get("name", "")) if "person" in shown else "",
        "other": str(shown.get("other_name", "")),
    }
    page, said = PAGES[match.url_name]
    whole = tournament.name if tournament else str(host or "Spadille")
    named = _(page).format(**words) if page else ""
    base = base_url(request)
    return About(
        title=" · ".join(part for part in (named, whole) if part),
        description=_(said).format(**words),
        address=base + request.path,
        picture=base + picture_of(match.url_name, tournament, match.kwargs, getattr(host, "slug", "")),
    )


def picture_of(page: str, tournament: Tournament | None, named: Mapping[str, Any], club: str = "") -> str:
    """URL of a page's picture. It contains the version, so that cached pictures are replaced."""
    language = f"l={get_language()}"
    if tournament:
        view = PICTURES.get(page, "hall_picture")
        more = [named["number"]] if view in OF_PLAYERS else []
        return f"{reverse(view, args=[tournament.code, *more])}?v={tournament.version}&{language}"
    if page in PERSONS:
        at = reverse("person_picture", args=[named["pk"]])
    else:
        at = reverse("hall_club_picture", args=[club]) if club else reverse("site_picture")
    return f"{at}?{language}"


# Pages that search engines may index: only if the club allows it, and no person on them objects.

Answer = TypeVar("Answer", bound=HttpResponseBase)


def render_page(
    request: HttpRequest, template: str, context: dict[str, Any], *, may_be_found: bool
) -> HttpResponse:
    """Render a page, with `noindex` where it must not be listed."""
    answer = render(request, template, context | {"unlisted": not may_be_found})
    return answer if may_be_found else unlisted(answer)


def unlisted(answer: Answer) -> Answer:
    """Set `noindex` on a page's picture or file, which must not be listed either."""
    answer["X-Robots-Tag"] = "noindex"
    return answer
