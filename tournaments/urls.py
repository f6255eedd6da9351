"""Every audience's addresses, written where its views are."""

from tournaments.views import (
    captain,
    club_rules,
    club_seasons,
    desk_apart,
    desk_draw,
    desk_entries,
    desk_evening,
    desk_money,
    desk_photographs,
    desk_setup,
    desk_teams,
    folders,
    hall,
    personal_data,
    sheets,
    slip,
)

urlpatterns = [
    *hall.urlpatterns,
    *captain.urlpatterns,
    *club_rules.urlpatterns,
    *club_seasons.urlpatterns,
    *personal_data.urlpatterns,
    *desk_setup.urlpatterns,
    *desk_entries.urlpatterns,
    *desk_teams.urlpatterns,
    *desk_draw.urlpatterns,
    *desk_apart.urlpatterns,
    *desk_evening.urlpatterns,
    *desk_money.urlpatterns,
    *desk_photographs.urlpatterns,
    *folders.urlpatterns,
    *sheets.urlpatterns,
    *slip.urlpatterns,
]
