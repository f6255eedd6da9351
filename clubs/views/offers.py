"""What clubs ask me: roles that are offered to me, and those that I have, to say yes, no, or no longer."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from clubs import offers
from clubs.roles import LastOrganiserError
from clubs.views.guards import MemberRequest, signed_in


@require_POST
@signed_in
def role_answer(request: MemberRequest, pk: int) -> HttpResponse:
    """Yes or no to a role that I am asked to take."""
    offered = request.user.offers.select_related("club").filter(pk=pk).first()
    if "yes" in request.POST:
        done = offered is not None and offers.accept(offered)
        said = _("You have the role now.")
    else:
        done = offered is not None and offers.decline(offered, now=timezone.now())
        said = _(
            "You have said no. Until the club takes its offer back you can say yes after all: on your account's page."
        )
    if done:
        messages.success(request, said)
    else:
        messages.warning(request, _("You are not asked any more: the club has taken its offer back."))
    return redirect("desk")


@require_POST
@signed_in
def role_give_up(request: MemberRequest, pk: int) -> HttpResponse:
    """Have a role no longer."""
    role = get_object_or_404(request.user.roles.select_related("club"), pk=pk)
    try:
        offers.give_up(role, now=timezone.now())
    except LastOrganiserError as reason:
        messages.error(request, str(reason))
    else:
        messages.success(request, _("You have no role in %(club)s any more.") % {"club": role.club})
    return redirect("my_account")


urlpatterns = [
    path("my-account/offers/<int:pk>/", role_answer, name="role_answer"),
    path("my-account/roles/<int:pk>/give-up/", role_give_up, name="role_give_up"),
]
