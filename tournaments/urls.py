"""Every audience's addresses, written where its views are."""

from tournaments.views import captain, desk_draw, desk_entries, desk_evening, desk_setup, hall, sheets

urlpatterns = [
    *hall.urlpatterns,
    *captain.urlpatterns,
    *desk_setup.urlpatterns,
    *desk_entries.urlpatterns,
    *desk_draw.urlpatterns,
    *desk_evening.urlpatterns,
    *sheets.urlpatterns,
]
