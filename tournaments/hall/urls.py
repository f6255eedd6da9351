"""The hall: what everybody may see, without signing in."""

from collections.abc import Callable
from typing import Any

from django.urls import URLPattern, path
from django.views.decorators.gzip import gzip_page

from tournaments.hall.cards import (
    hall_card,
    hall_card_pdf,
    hall_card_picture,
    hall_card_share,
    hall_cards,
    person_hands,
)
from tournaments.hall.club import hall_club, hall_crest
from tournaments.hall.embeds import hall_club_embed, hall_embed, hall_follow, hall_poster, hall_season_embed
from tournaments.hall.feeds import (
    hall_calendar,
    hall_evening_calendar,
    hall_feed,
    hall_rating_file,
    hall_results_file,
    hall_season_results,
)
from tournaments.hall.folder_play import hall_folder_play
from tournaments.hall.home import hall_time, home, manifest
from tournaments.hall.live import hall_events, hall_version
from tournaments.hall.overview import hall
from tournaments.hall.phone import (
    hall_phone,
    hall_phone_ask,
    hall_phone_stop,
    hall_phone_told,
    phone_moved,
    worker,
)
from tournaments.hall.player import hall_player, hall_player_pdf
from tournaments.hall.points import (
    hall_points,
    hall_points_clubs,
    hall_points_clubs_file,
    hall_points_file,
    hall_points_list,
    hall_points_pdf,
    hall_season_clubs,
    hall_season_clubs_file,
    hall_tournament_clubs,
    hall_tournament_clubs_file,
)
from tournaments.hall.projector import projector
from tournaments.hall.rating import hall_player_rating, hall_rating
from tournaments.hall.referee import referee
from tournaments.hall.registration import hall_code, hall_enter, hall_entry
from tournaments.hall.rules import (
    captain_guide,
    hall_rules,
    hall_rules_pdf,
    rules_index,
    rules_sheet,
    rules_sheet_pdf,
    rules_text,
)
from tournaments.hall.seasons import (
    hall_championship,
    hall_championship_pdf,
    hall_season,
    hall_season_deals,
    hall_season_deals_pdf,
    hall_season_file,
    hall_season_pdf,
)
from tournaments.hall.seats import seats
from tournaments.hall.share_images import (
    hall_club_picture,
    hall_picture,
    hall_player_picture,
    hall_player_share,
    hall_share,
    hall_story_picture,
    hall_story_share,
    person_picture,
    site_picture,
)
from tournaments.hall.standings import (
    hall_cross_table,
    hall_matches,
    hall_players,
    hall_standings,
    hall_standings_file,
    hall_team,
    hall_teams_file,
    hall_teams_pdf,
    team_match_pdf,
)
from tournaments.hall.story import hall_story
from tournaments.hall.tables import (
    hall_boards,
    hall_boards_round,
    hall_comparison,
    hall_duplicate,
    hall_folder,
    hall_printed_sheet,
    hall_table,
    hall_tables,
)
from tournaments.hall.years import explorer
from tournaments.hall.years.club_history import hall_clubs, hall_history, hall_records
from tournaments.hall.years.head_to_head import person_met, person_with
from tournaments.hall.years.person import hall_player_achievements, person, person_evenings


def _page(address: str, view: Callable[..., Any], name: str) -> URLPattern:
    """A page that travels compressed: a hall's Wi-Fi is shared by all who are in it."""
    return path(address, gzip_page(view), name=name)


urlpatterns = [
    path("t/<str:code>/version", hall_version, name="hall_version"),
    path("t/<str:code>/events", hall_events, name="hall_events"),
    path("time", hall_time, name="hall_time"),
    path(
        "S/<str:code>/<int:round_number>/<int:number>/<int:page>/<str:layout>",
        hall_printed_sheet,
        name="hall_printed_sheet",
    ),
    path("manual/captain/<slug:language>.pdf", captain_guide, name="captain_guide"),
    _page("", home, "home"),
    _page("club/<slug:slug>/", hall_club, "hall_club"),
    _page("club/<slug:slug>/rating/", hall_rating, "hall_rating"),
    _page("club/<slug:slug>/points/", hall_points, "hall_points"),
    _page("club/<slug:slug>/points/<int:pk>/", hall_points_list, "hall_points_list"),
    path("club/<slug:slug>/points/<int:pk>/list.pdf", hall_points_pdf, name="hall_points_pdf"),
    path("club/<slug:slug>/points/<int:pk>/list.<slug:kind>", hall_points_file, name="hall_points_file"),
    _page("club/<slug:slug>/points/<int:pk>/clubs/", hall_points_clubs, "hall_points_clubs"),
    path(
        "club/<slug:slug>/points/<int:pk>/clubs.<slug:kind>",
        hall_points_clubs_file,
        name="hall_points_clubs_file",
    ),
    _page("club/<slug:slug>/history/", hall_history, "hall_history"),
    _page("club/<slug:slug>/records/", hall_records, "hall_records"),
    _page("club/<slug:slug>/clubs/", hall_clubs, "hall_clubs"),
    path("club/<slug:slug>/crest/<slug:name>.webp", hall_crest, name="hall_crest"),
    path("club/<slug:slug>/calendar.ics", hall_calendar, name="hall_calendar"),
    _page("club/<slug:slug>/news.atom", hall_feed, "hall_feed"),
    _page("club/<slug:slug>/follow/", hall_follow, "hall_follow"),
    path("club/<slug:slug>/poster.pdf", hall_poster, name="hall_poster"),
    _page("club/<slug:slug>/embed/", hall_club_embed, "hall_club_embed"),
    _page("club/<slug:slug>/rating.csv", hall_rating_file, "hall_rating_file"),
    _page("club/<slug:slug>/results-<int:year>.csv", hall_results_file, "hall_results_file"),
    _page("person/<int:pk>/", person, "person"),
    _page("person/<int:pk>/evenings/", person_evenings, "person_evenings"),
    _page("person/<int:pk>/hands/", person_hands, "person_hands"),
    _page("person/<int:pk>/met/", person_met, "person_met"),
    _page("person/<int:pk>/with/<int:other>/", person_with, "person_with"),
    path("person/<int:pk>/picture.png", person_picture, name="person_picture"),
    _page("championship/<int:pk>/", hall_championship, "hall_championship"),
    path("championship/<int:pk>/championship.pdf", hall_championship_pdf, name="hall_championship_pdf"),
    _page("season/<int:pk>/", hall_season, "hall_season"),
    _page("season/<int:pk>/deals/", hall_season_deals, "hall_season_deals"),
    path("season/<int:pk>/deals.pdf", hall_season_deals_pdf, name="hall_season_deals_pdf"),
    path("season/<int:pk>/ladder.pdf", hall_season_pdf, name="hall_season_pdf"),
    path("season/<int:pk>/ladder.<slug:kind>", hall_season_file, name="hall_season_file"),
    _page("season/<int:pk>/clubs/", hall_season_clubs, "hall_season_clubs"),
    path("season/<int:pk>/clubs.<slug:kind>", hall_season_clubs_file, name="hall_season_clubs_file"),
    _page("season/<int:pk>/embed/", hall_season_embed, "hall_season_embed"),
    _page("season/<int:pk>/results.csv", hall_season_results, "hall_season_results"),
    _page("t/<str:code>/embed/", hall_embed, "hall_embed"),
    _page("t/<str:code>/", hall, "hall"),
    path("t/<str:code>/enter/", hall_enter, name="hall_enter"),
    path("t/<str:code>/enter/code/", hall_code, name="hall_code"),
    path("t/<str:code>/entry/<str:key>/", hall_entry, name="hall_entry"),
    path("t/<str:code>/evening.ics", hall_evening_calendar, name="hall_evening_calendar"),
    _page("t/<str:code>/standings/", hall_standings, "standings"),
    path("t/<str:code>/standings/places.<slug:kind>", hall_standings_file, name="hall_standings_file"),
    _page("t/<str:code>/standings/clubs/", hall_tournament_clubs, "hall_tournament_clubs"),
    path(
        "t/<str:code>/standings/clubs.<slug:kind>",
        hall_tournament_clubs_file,
        name="hall_tournament_clubs_file",
    ),
    _page("t/<str:code>/standings/players/", hall_players, "hall_players"),
    _page("t/<str:code>/story/", hall_story, "hall_story"),
    _page("t/<str:code>/story/<int:number>/", hall_story, "hall_story_of"),
    _page("t/<str:code>/share/", hall_share, "hall_share"),
    _page("t/<str:code>/story/share/", hall_story_share, "hall_story_share"),
    _page("t/<str:code>/player/<int:number>/share/", hall_player_share, "hall_player_share"),
    path("t/<str:code>/picture.png", hall_picture, name="hall_picture"),
    path("t/<str:code>/story/picture.png", hall_story_picture, name="hall_story_picture"),
    path("t/<str:code>/player/<int:number>/picture.png", hall_player_picture, name="hall_player_picture"),
    path("club/<slug:slug>/picture.png", hall_club_picture, name="hall_club_picture"),
    path("picture.png", site_picture, name="site_picture"),
    path("app.webmanifest", manifest, name="manifest"),
    _page("t/<str:code>/matches/", hall_matches, "hall_matches"),
    _page("t/<str:code>/cross-table/", hall_cross_table, "hall_cross_table"),
    path("t/<str:code>/teams/<slug:what>.pdf", hall_teams_pdf, name="hall_teams_pdf"),
    path(
        "c/team/<str:secret>/match/<int:round_number>/<int:number>/sheet.pdf",
        team_match_pdf,
        name="team_match_pdf",
    ),
    path("t/<str:code>/teams/standings.<slug:kind>", hall_teams_file, name="hall_teams_file"),
    _page("t/<str:code>/team/<int:number>/", hall_team, "hall_team"),
    _page("t/<str:code>/seats/", seats, "seats"),
    _page("t/<str:code>/phone/", hall_phone, "hall_phone"),
    path("t/<str:code>/phone/ask", hall_phone_ask, name="hall_phone_ask"),
    path("t/<str:code>/phone/stop", hall_phone_stop, name="hall_phone_stop"),
    path("t/<str:code>/phone/told", hall_phone_told, name="hall_phone_told"),
    path("push/worker.js", worker, name="phone_worker"),
    path("push/moved", phone_moved, name="phone_moved"),
    _page("t/<str:code>/tables/", hall_tables, "hall_tables"),
    _page("t/<str:code>/round/<int:number>/", hall_tables, "hall_round"),
    _page("t/<str:code>/round/<int:round_number>/table/<int:number>/", hall_table, "hall_table"),
    _page("t/<str:code>/boards/", hall_boards, "hall_boards"),
    _page("t/<str:code>/boards/<int:number>/", hall_boards_round, "hall_boards_round"),
    _page("t/<str:code>/boards/<int:number>/folder/<int:folder>/", hall_folder, "hall_folder"),
    _page("t/<str:code>/boards/<int:number>/folder/<int:folder>/play/", hall_folder_play, "hall_folder_play"),
    path("t/<str:code>/boards/<int:number>/comparison.csv", hall_comparison, name="hall_comparison"),
    path("t/<str:code>/boards/ranking.csv", hall_duplicate, name="hall_duplicate"),
    _page("t/<str:code>/player/<int:number>/", hall_player, "hall_player"),
    path("t/<str:code>/player/<int:number>/evening.pdf", hall_player_pdf, name="hall_player_pdf"),
    _page("t/<str:code>/player/<int:number>/rating/", hall_player_rating, "hall_player_rating"),
    _page("t/<str:code>/player/<int:number>/earned/", hall_player_achievements, "hall_player_achievements"),
    _page("t/<str:code>/cards/", hall_cards, "hall_cards"),
    _page("t/<str:code>/player/<int:number>/card/", hall_card, "hall_card"),
    _page("t/<str:code>/player/<int:number>/card/share/", hall_card_share, "hall_card_share"),
    path("t/<str:code>/player/<int:number>/card.png", hall_card_picture, name="hall_card_picture"),
    path("t/<str:code>/player/<int:number>/card.pdf", hall_card_pdf, name="hall_card_pdf"),
    _page("t/<str:code>/projector/", projector, "projector"),
    _page("t/<str:code>/rules/", hall_rules, "hall_rules"),
    path("t/<str:code>/rules/sheet.pdf", hall_rules_pdf, name="hall_rules_pdf"),
    _page("t/<str:code>/referee/<slug:topic>/", referee, "hall_referee"),
    _page("referee/<slug:topic>/", referee, "referee"),
    _page("referee/", referee, "referee_home"),
    _page("rules/", rules_index, "rules_index"),
    _page("rules/<slug:rulebook>/", rules_sheet, "rules_sheet"),
    _page("rules/<slug:rulebook>/text/", rules_text, "rules_text"),
    path("rules/<slug:rulebook>/sheet.pdf", rules_sheet_pdf, name="rules_sheet_pdf"),
    _page("explorer/", explorer.hall_explorer, "hall_explorer"),
    path("explorer/games.<slug:kind>", explorer.hall_explorer_file, name="hall_explorer_file"),
    _page("club/<slug:slug>/explorer/", explorer.hall_club_explorer, "hall_club_explorer"),
    path(
        "club/<slug:slug>/explorer/games.<slug:kind>",
        explorer.hall_club_explorer_file,
        name="hall_club_explorer_file",
    ),
    _page("person/<int:pk>/explorer/", explorer.hall_person_explorer, "hall_person_explorer"),
    path(
        "person/<int:pk>/explorer/games.<slug:kind>",
        explorer.hall_person_explorer_file,
        name="hall_person_explorer_file",
    ),
]
