"""Every audience's addresses, written where its views are."""

from django.urls import URLPattern, URLResolver
from django.urls.resolvers import RoutePattern

from tournaments.api import page as api
from tournaments.desk.boards import boards, folders
from tournaments.desk.club import (
    backup,
    championships,
    files,
    find,
    first_groups,
    hall_check,
    jobs,
    letters,
    log,
    machine,
    old_results,
    old_results_columns,
    rules,
    season_deals,
    seasons,
    site,
    status,
)
from tournaments.desk.draw import apart, drawing, swap
from tournaments.desk.evening import photographs, substitutes, urls
from tournaments.desk.money import money
from tournaments.desk.people import entries, personal_data, same_person
from tournaments.desk.setup import calling_off, first_page, new, rules_version, sample, setup, tonight
from tournaments.desk.teams import matches, teams
from tournaments.hall import design
from tournaments.hall import urls as hall
from tournaments.paper import print_page as sheets
from tournaments.reporting import captain_page, line_up_page, seats_page
from tournaments.reporting import slip_page as slip
from tournaments.reporting.scans import views as captains_sheets
from tournaments.reporting.scans import views as photographed_sheets
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
    *line_up_page.urlpatterns,
    *find.urlpatterns,
    *log.urlpatterns,
    *letters.urlpatterns,
    *championships.urlpatterns,
    *first_groups.urlpatterns,
    *rules.urlpatterns,
    *seasons.urlpatterns,
    *season_deals.urlpatterns,
    *old_results.urlpatterns,
    *old_results_columns.urlpatterns,
    *files.urlpatterns,
    *personal_data.urlpatterns,
    *same_person.urlpatterns,
    *setup.urlpatterns,
    *new.urlpatterns,
    *tonight.urlpatterns,
    *sample.urlpatterns,
    *first_page.urlpatterns,
    *backup.urlpatterns,
    *hall_check.urlpatterns,
    *site.urlpatterns,
    *status.urlpatterns,
    *machine.urlpatterns,
    *jobs.urlpatterns,
    *calling_off.urlpatterns,
    *rules_version.urlpatterns,
    *entries.urlpatterns,
    *teams.urlpatterns,
    *drawing.urlpatterns,
    *swap.urlpatterns,
    *apart.urlpatterns,
    *urls.urlpatterns,
    *matches.urlpatterns,
    *money.urlpatterns,
    *photographs.urlpatterns,
    *folders.urlpatterns,
    *boards.urlpatterns,
    *sheets.urlpatterns,
    *substitutes.urlpatterns,
    *seats_page.urlpatterns,
    *slip.urlpatterns,
    *photographed_sheets.urlpatterns,
    *captains_sheets.urlpatterns,
    *api.urlpatterns,
    API,
]
