"""The URL patterns of clubs, declared in the modules of their views; fixed words before the slugs of clubs."""

from django.urls import URLPattern

from clubs.views import accounts, clubs, imports, letters, members, programs, register, roles, second_factor

urlpatterns: list[URLPattern] = [
    *accounts.urlpatterns,
    *second_factor.urlpatterns,
    *clubs.urlpatterns,
    *members.urlpatterns,
    *imports.urlpatterns,
    *roles.urlpatterns,
    *register.urlpatterns,
    *letters.urlpatterns,
    *programs.urlpatterns,
]
