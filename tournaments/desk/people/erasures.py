"""Pages of former members whose erasing is proposed: erase them, or keep them for a year."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from django.core.paginator import Paginator
from django.db.models import Count, Max, OuterRef, Subquery
from django.shortcuts import get_object_or_404, render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from clubs.models import Club, Membership
from clubs.views.guards import MemberRequest, club_view
from core.http.steps import handle_button
from tournaments.entries.erasing import all_proposals_of, keep_person, proposals_of, years_of_clubs

if TYPE_CHECKING:
    from django.http import HttpResponse

ON_A_PAGE = 50


@club_view()
@require_safe
def erasures(request: MemberRequest, club: Club) -> HttpResponse:
    """List players who left all clubs so long ago that erasing them is proposed."""
    there = Membership.objects.filter(player=OuterRef("player"), club=OuterRef("club")).order_by("-pk")
    found = (
        proposals_of(club, timezone.localdate())
        .annotate(
            evenings=Count("player__entries"),
            last=Max("player__entries__tournament__date"),
            membership=Subquery(there.values("pk")[:1]),
        )
        .exclude(membership=None)  # whose membership has gone since: until they are looked for again
        .order_by("left", "pk")
    )
    context = {
        "club": club,
        "page": Paginator(found, ON_A_PAGE).get_page(request.GET.get("page")),
        "years": years_of_clubs()[club.pk],
    }
    return render(request, "desk/people/erasures.html", context)


@require_POST
@club_view()
def erasure_keep(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    proposal = get_object_or_404(all_proposals_of(club), pk=pk)
    said = _("%(name)s is kept for another year.") % {"name": proposal.player}
    return handle_button(request, partial(keep_person, proposal), said, "club_erasures", club.slug)


urlpatterns = [
    path("clubs/<slug:slug>/erasures/", erasures, name="club_erasures"),
    path("clubs/<slug:slug>/erasures/<int:pk>/keep/", erasure_keep, name="club_erasure_keep"),
]
