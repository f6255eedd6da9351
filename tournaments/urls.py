"""The URL patterns of all audiences, collected from the modules of their views."""

from django.urls import URLPattern, URLResolver
from django.urls.resolvers import RoutePattern

from tournaments.api import page as api
from tournaments.desk import boards, fixtures, matches, money, officials, team_entries, teams
from tournaments.desk.club import (
    championships,
    dues,
    find,
    jobs,
    log,
    machine,
    old_results,
    points,
    quotas,
    rules,
    season_deals,
    seasons,
    server,
    year,
)
from tournaments.desk.draw import drawing, swap
from tournaments.desk.evening import substitutes, table, urls
from tournaments.desk.people import entries, personal_data
from tournaments.desk.setup import first_page, new, rules_version, setup, tonight
from tournaments.hall import design
from tournaments.hall import urls as hall
from tournaments.paper import print_page as sheets
from tournaments.reporting import captain_page, link_pages, seats_page
from tournaments.reporting import slip_page as slip
from tournaments.reporting.scans import views as captains_sheets
from tournaments.web import manual


class ReadWhenAsked(URLResolver):
    """Addresses that `reverse` of all others does not look through; in their own namespace they are found."""

    def _populate(self) -> None:
        pass


# By its name: what other programs ask needs libraries of 16 MB and a seventh of a second, and is read when the first of
# them asks.
API = ReadWhenAsked(RoutePattern("api/v1/"), "tournaments.api.urls", app_name="api", namespace="api")

urlpatterns: list[URLPattern | URLResolver] = [
    *captain_page.urlpatterns,  # first, since addresses are looked through in this order: phones ask all the time
    *hall.urlpatterns,
    *design.urlpatterns,
    *manual.urlpatterns,
    *link_pages.urlpatterns,
    *find.urlpatterns,
    *log.urlpatterns,
    *server.urlpatterns,
    *championships.urlpatterns,
    *quotas.urlpatterns,
    *rules.urlpatterns,
    *seasons.urlpatterns,
    *season_deals.urlpatterns,
    *points.urlpatterns,
    *dues.urlpatterns,
    *year.urlpatterns,
    *old_results.urlpatterns,
    *jobs.urlpatterns,
    *personal_data.urlpatterns,
    *setup.urlpatterns,
    *new.urlpatterns,
    *tonight.urlpatterns,
    *first_page.urlpatterns,
    *machine.urlpatterns,
    *officials.urlpatterns,
    *rules_version.urlpatterns,
    *entries.urlpatterns,
    *team_entries.urlpatterns,
    *teams.urlpatterns,
    *drawing.urlpatterns,
    *swap.urlpatterns,
    *urls.urlpatterns,
    *matches.urlpatterns,
    *fixtures.urlpatterns,
    *money.urlpatterns,
    *table.urlpatterns,
    *boards.urlpatterns,
    *sheets.urlpatterns,
    *substitutes.urlpatterns,
    *seats_page.urlpatterns,
    *slip.urlpatterns,
    *captains_sheets.urlpatterns,
    *api.urlpatterns,
    API,
]
