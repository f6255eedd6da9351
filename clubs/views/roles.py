"""Pages of roles: who organises and helps in a club, offers to accept or decline."""

from functools import partial

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_POST

from clubs import accounts
from clubs.accounts import add_colleague, change_role, give_role, remove_role, renew_password
from clubs.clubs import lock_table, log_change
from clubs.mail.letters import invite
from clubs.models import Account, Club, Gives, Role
from clubs.register_models import unions_with
from clubs.roles import GIVEN, may_organise, may_renew_password, may_renew_passwords
from clubs.sign_in import require_recent_sign_in
from clubs.views.accounts import ColleagueForm
from clubs.views.guards import MemberRequest, club_view, sign_in_required
from core.http.steps import handle_button, take_step

ONCE = "temporary_password"


@club_view()
def roles(request: MemberRequest, club: Club) -> HttpResponse:
    """The club's accounts; a temporary password made just now is shown this once."""
    roles = list(club.roles.select_related("account").order_by("-kind", "account__username"))
    renewed = may_renew_passwords(request.user, [role.account for role in roles]) - {request.user}
    held = [(role, role.account in renewed) for role in roles]
    context = {
        "club": club,
        "unions": Club.objects.filter(pk__in=unions_with(club, gives=Gives.EVERYTHING)),
        "roles": held,
        "offers": club.offers.select_related("account"),
        "kinds": Role.Kind.choices,
        "once": request.session.pop(ONCE, None),
    }
    return render(request, "clubs/roles.html", context)


@club_view()
@require_recent_sign_in
def role_new(request: MemberRequest, club: Club) -> HttpResponse:
    if request.method == "POST":
        lock_table(Account)
    form = ColleagueForm(request.POST or None, club=club)
    if request.method == "POST" and form.is_valid():
        said, now = form.cleaned_data, timezone.now()
        if form.account and form.account != request.user:
            accounts.offer(club, form.account, said["kind"], account=request.user, now=now)
            invite(form.account, club, said["kind"], request.user)
            text = _("%(account)s has been asked and gets the role on accepting it on their desk page.")
            messages.success(request, text % {"account": form.account})
        elif form.account:
            give_role(club, form.account, said["kind"])
            log_change(club, request.user, GIVEN[said["kind"]], now=now, colleague=form.account)
            messages.success(request, _("%(account)s now has the role.") % {"account": form.account})
        else:
            role, password = add_colleague(
                club,
                username=said["username"],
                full_name=said["full_name"],
                kind=said["kind"],
                email=said.get("email", ""),
            )
            if invite(role.account, club, said["kind"], request.user):
                text = _("%(account)s has been emailed a link to choose a password.")
                messages.success(request, text % {"account": role.account})
            _show_once(request, role.account, password)
            log_change(club, request.user, GIVEN[said["kind"]], now=now, colleague=role.account)
        return redirect("club_roles", club.slug)
    new = _("Add a colleague")
    context = {
        "club": club,
        "form": form,
        "title": f"{new} · {club}",
        "heading": new,
        "intro": _("For a new account you get a temporary password to pass on to them."),
        "parents": [(reverse("club_roles", args=[club.slug]), _("Organisers and helpers"))],
        "back": reverse("club_roles", args=[club.slug]),
    }
    return render(request, "clubs/form.html", context)


@require_POST
@club_view()
@require_recent_sign_in
def role_change(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    role = get_object_or_404(club.roles.select_related("account"), pk=pk)
    kind = request.POST.get("kind", "")
    if kind in Role.Kind.values:
        take_step(request, partial(change_role, role, kind), _("Saved."))
    return _back(request, club)


@require_POST
@club_view()
@require_recent_sign_in
def role_remove(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    role = club.roles.filter(pk=pk).select_related("account").first()
    if role:
        said = _("%(account)s no longer has a role here.") % {"account": role.account}
        take_step(request, partial(remove_role, role), said)
    return _back(request, club)


@require_POST
@club_view()
@require_recent_sign_in
def role_password(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    """A new temporary password for a colleague who has forgotten theirs."""
    role = get_object_or_404(club.roles.select_related("account"), pk=pk)
    if role.account == request.user or not may_renew_password(request.user, role.account):
        raise PermissionDenied
    _show_once(request, role.account, renew_password(role.account))
    text = gettext_noop("New temporary password for {colleague}")
    log_change(club, request.user, text, now=timezone.now(), colleague=role.account)
    return _back(request, club)


@require_POST
@club_view()
def role_offer_take_back(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    """Withdraw the offer of a role."""
    if offered := club.offers.select_related("account").filter(pk=pk).first():
        said = _("The offer to %(account)s has been withdrawn.") % {"account": offered.account}
        take_step(request, partial(accounts.take_back, offered), said)
    return redirect("club_roles", club.slug)


def _show_once(request: MemberRequest, account: Account, password: str) -> None:
    request.session[ONCE] = {"name": str(account), "username": account.username, "password": password}


def _back(request: MemberRequest, club: Club) -> HttpResponse:
    """Redirect to the roles, or elsewhere after removing the own role."""
    return redirect("club_roles", club.slug) if may_organise(request.user, club) else redirect("clubs")


urlpatterns = [
    path("<slug:slug>/roles/", roles, name="club_roles"),
    path("<slug:slug>/roles/new/", role_new, name="role_new"),
    path("<slug:slug>/roles/<int:pk>/", role_change, name="role_change"),
    path("<slug:slug>/roles/<int:pk>/remove/", role_remove, name="role_remove"),
    path("<slug:slug>/roles/<int:pk>/password/", role_password, name="role_password"),
    path("<slug:slug>/roles/offers/<int:pk>/", role_offer_take_back, name="role_offer_take_back"),
]


@require_POST
@sign_in_required
def role_answer(request: MemberRequest, pk: int) -> HttpResponse:
    """Accept or decline the offer of a role."""
    if "yes" in request.POST:
        return handle_button(request, partial(accounts.accept, pk), _("You now have the role."), "desk")
    said = _(
        "You have declined. Until the club withdraws its offer you can still accept it on your account page."
    )
    return handle_button(request, partial(accounts.decline, pk), said, "desk")


@require_POST
@sign_in_required
def role_give_up(request: MemberRequest, pk: int) -> HttpResponse:
    """Have a role no longer."""
    role = get_object_or_404(request.user.roles.select_related("club"), pk=pk)
    said = _("You no longer have a role in %(club)s.") % {"club": role.club}
    return handle_button(request, partial(accounts.give_up, role), said, "my_account")


urlpatterns += [
    path("my-account/offers/<int:pk>/", role_answer, name="role_answer"),
    path("my-account/roles/<int:pk>/give-up/", role_give_up, name="role_give_up"),
]
