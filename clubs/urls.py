"""The addresses of clubs, written where their views are; those of words before those of clubs' names."""

from django.urls import URLPattern

from clubs.views import (
    accounts,
    clubs,
    crests,
    imports,
    letters,
    member_columns,
    members,
    offers,
    own_account,
    programs,
    roles,
    second_factor,
    stop_letters,
)

urlpatterns: list[URLPattern] = [
    *accounts.urlpatterns,
    *own_account.urlpatterns,
    *second_factor.urlpatterns,
    *offers.urlpatterns,
    *stop_letters.urlpatterns,
    *clubs.urlpatterns,
    *crests.urlpatterns,
    *members.urlpatterns,
    *imports.urlpatterns,
    *member_columns.urlpatterns,
    *roles.urlpatterns,
    *letters.urlpatterns,
    *programs.urlpatterns,
]
