"""Letters that belong to no club, for the program's owner: new passwords, addresses to be confirmed, invitations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.core.exceptions import PermissionDenied
from django.shortcuts import render
from django.urls import path
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from clubs.views.guards import sign_in_required
from clubs.views.letters import done_with, letters_shown

if TYPE_CHECKING:
    from django.http import HttpResponse

    from clubs.views.guards import MemberRequest


@never_cache
@sign_in_required
@require_safe
def desk_letters(request: MemberRequest) -> HttpResponse:
    if not request.user.is_superuser:
        raise PermissionDenied
    return render(request, "desk/club/letters.html", letters_shown(request, None))


@require_POST
@sign_in_required
def desk_letter(request: MemberRequest, pk: int, deed: str) -> HttpResponse:
    """Send one again, say that it came back, or throw it away."""
    if not request.user.is_superuser:
        raise PermissionDenied
    return done_with(request, None, pk, deed, "desk_letters")


urlpatterns = [
    path("desk/letters/", desk_letters, name="desk_letters"),
    path("desk/letters/<int:pk>/<slug:deed>/", desk_letter, name="desk_letter"),
]
