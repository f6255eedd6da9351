"""What clubs ask me: roles that are offered to me, and those that I have, to say yes, no, or no longer."""

from functools import partial

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from clubs import offers
from clubs.views.guards import MemberRequest, signed_in
from core.http.steps import pressed


@require_POST
@signed_in
def role_answer(request: MemberRequest, pk: int) -> HttpResponse:
    """Yes or no to a role that I am asked to take."""
    if "yes" in request.POST:
        return pressed(request, partial(offers.accept, pk), _("You now have the role."), "desk")
    said = _(
        "You have declined. Until the club withdraws its offer you can still accept it on your account page."
    )
    return pressed(request, partial(offers.decline, pk), said, "desk")


@require_POST
@signed_in
def role_give_up(request: MemberRequest, pk: int) -> HttpResponse:
    """Have a role no longer."""
    role = get_object_or_404(request.user.roles.select_related("club"), pk=pk)
    said = _("You no longer have a role in %(club)s.") % {"club": role.club}
    return pressed(request, partial(offers.give_up, role), said, "my_account")


urlpatterns = [
    path("my-account/offers/<int:pk>/", role_answer, name="role_answer"),
    path("my-account/roles/<int:pk>/give-up/", role_give_up, name="role_give_up"),
]
