"""The officials of a tournament, season or championship: who organises or helps there without a role in the club."""

from __future__ import annotations

from functools import partial, wraps
from typing import TYPE_CHECKING, Any, ParamSpec, cast

from django import forms
from django.db import transaction
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from clubs.accounts import add_account, renew_password
from clubs.clubs import lock_table
from clubs.models import Account, Role
from clubs.roles import may_organise, may_renew_passwords
from clubs.sign_in import require_recent_sign_in
from clubs.views.accounts import ColleagueForm
from clubs.views.guards import MemberRequest, club_view, sign_in_required
from core.forms import field_of
from core.http.steps import handle_button, take_step
from tournaments.changes.permissions import (
    colleagues_for,
    kinds_of_championship,
    kinds_of_season,
    may_organise_tournament,
)
from tournaments.desk.club.championships import CHAMPIONSHIPS
from tournaments.desk.club.seasons import SEASONS
from tournaments.lifecycle import officials
from tournaments.models import Official, Season, Tournament
from tournaments.web.guards import DESK, DeskRequest, desk_view

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from django.http import HttpRequest, HttpResponse

    from clubs.models import Club
    from tournaments.models import Championship

P = ParamSpec("P")
ONCE = "temporary_password"
WHAT_THEY_MAY = gettext_lazy(
    "An organiser can do everything here. A helper can do what an evening needs: check in, draw, start and close "
    "rounds, enter slips, correct and print."
)


class ColleagueField(forms.ModelChoiceField):
    def label_from_instance(self, account: Account) -> str:
        return f"{account} ({account.username})"


class OfficialForm(forms.Form):
    """A colleague who becomes an official."""

    colleague = ColleagueField(
        label=gettext_lazy("Colleague"),
        queryset=None,
        error_messages={"required": gettext_lazy("Choose a colleague.")},
    )
    kind = forms.ChoiceField(
        label=gettext_lazy("Role"),
        choices=Role.Kind.choices,
        initial=Role.Kind.HELPER,
        widget=forms.RadioSelect,
    )

    def __init__(
        self, *args: Any, of: Tournament | Season | Championship, visitor: Account, **options: Any
    ) -> None:
        super().__init__(*args, **options)
        field_of(self, "colleague").queryset = colleagues_for(of, visitor)
        _add_halls(self, of)


def _add_halls(form: forms.Form, of: Tournament | Season | Championship) -> None:
    """A choice of one hall, where the tournament has several."""
    if isinstance(of, Tournament) and of.halls:
        form.fields["hall"] = forms.ChoiceField(
            label=_("Tables"),
            required=False,
            choices=[("", _("in all halls")), *((one.name, one.name) for one in of.hall_list)],
            help_text=_(
                "A helper in one hall sees and prints what belongs to that hall’s tables, and nothing "
                "else at the tournament’s desk."
            ),
        )


class InvitationForm(ColleagueForm):
    """The form to invite a person without a role in the club: a new account, or a user name."""

    def __init__(
        self, *args: Any, club: Club, of: Tournament | Season | Championship, **options: Any
    ) -> None:
        super().__init__(*args, club=club, prefix="new", **options)
        _add_halls(self, of)
        self.fields["kind"].help_text = ""
        self.fields["has_account"].help_text = ""
        self.refused_at = {"colleague": "username"}

    def why_not(self, account: Account) -> str:
        return "" if account.is_active else _("This account is closed.")


def _page(
    request: DeskRequest | MemberRequest, of: Tournament | Season | Championship, layout: str, **around: Any
) -> HttpResponse:
    """The page with its forms within a `layout`; every button of it is sent to itself."""
    sent = request.POST
    form = OfficialForm(sent if "give" in sent else None, of=of, visitor=request.user)
    new = InvitationForm(sent if "invite" in sent else None, club=of.host, of=of)
    held = list(of.officials.select_related("account"))
    if request.method == "POST" and _handle(request, of, form, new, held):
        return redirect(request.path) if _may_stay(request, of) else redirect("desk")
    renewed = may_renew_passwords(request.user, [one.account for one in held]) - {request.user}
    context = {
        "layout": layout,
        "of": of,
        "officials": [(one, one.account in renewed) for one in held],
        "form": form,
        "new": new,
        "opens_new": new.is_bound,
        "kinds_said": WHAT_THEY_MAY,
        "once": request.session.pop(ONCE, None),
    }
    return render(request, "desk/officials.html", context | around)


def _handle(
    request: DeskRequest | MemberRequest,
    of: Tournament | Season | Championship,
    form: OfficialForm,
    new: InvitationForm,
    held: list[Official],
) -> bool:
    """Do what a button says; False if its form is to be shown again."""
    sent = request.POST
    if "give" in sent:
        said = _("%(account)s now has the role.")
        return form.is_valid() and take_step(
            request,
            partial(officials.give, of),
            lambda made: said % {"account": made.account},
            form,
            form.cleaned_data,
        )
    if "invite" in sent:
        return _invite(request, of, new)
    for official in held:
        if sent.get("withdraw") == str(official.pk):
            said = _("%(account)s no longer has a role here.") % {"account": official.account}
            take_step(request, partial(officials.withdraw, official), said)
        elif sent.get("password") == str(official.pk) and official.account in may_renew_passwords(
            request.user, [official.account]
        ):
            _show_once(request, official.account, renew_password(official.account))
    return True


@transaction.atomic
def _invite(
    request: DeskRequest | MemberRequest, of: Tournament | Season | Championship, form: InvitationForm
) -> bool:
    lock_table(Account)
    if not form.is_valid():
        return False
    said: Mapping[str, Any] = form.cleaned_data
    colleague, password = form.account, ""
    if colleague is None:
        names = {name: said.get(name, "") for name in ("username", "full_name", "email")}
        colleague, password = add_account(of.host, **names)
    text = _("%(account)s now has the role.") % {"account": colleague}
    step = partial(officials.give, of, colleague, said["kind"], said.get("hall", ""))
    done = take_step(request, step, text, form)
    if not done:
        transaction.set_rollback(True)  # no account for a role that was refused
    elif password:
        _show_once(request, colleague, password)
    return done


def _show_once(request: DeskRequest | MemberRequest, account: Account, password: str) -> None:
    request.session[ONCE] = {"name": str(account), "username": account.username, "password": password}


def _may_stay(request: DeskRequest | MemberRequest, of: Tournament | Season | Championship) -> bool:
    """Whether the visitor may open the page still: an official may have withdrawn their own rights."""
    if isinstance(of, Tournament):
        return may_organise_tournament(request.user, of)
    kinds = kinds_of_season if isinstance(of, Season) else kinds_of_championship
    return may_organise(request.user, of.host) or Role.Kind.ORGANISER in kinds(request.user, of.pk)


def _recent_to_change(view: Callable[P, HttpResponse]) -> Callable[P, HttpResponse]:
    """Require the password for a change if the user signed in long ago, and not for a look at the list."""
    recent: Any = require_recent_sign_in(view)

    @wraps(view)
    def wrapper(*args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        request = cast("HttpRequest", args[0])
        answer: HttpResponse = (recent if request.method == "POST" else view)(*args, **kwargs)
        return answer

    return wrapper


@desk_view()
@_recent_to_change
def desk_officials(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    """The officials of a tournament, and what the hosting club may do."""
    if "hosting" in request.POST:
        organises = request.POST["hosting"] == "organise"
        step = partial(officials.let_hosting_club_organise, tournament, organises=organises)
        return handle_button(request, step, _("Saved."), "desk_officials", tournament.code)
    return _page(request, tournament, "desk/base.html", tournament=tournament)


@club_view(officials=kinds_of_season)
@_recent_to_change
def club_season_officials(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    season = get_object_or_404(club.seasons, pk=pk)
    return _page(request, season, "desk/club/series_base.html", series=SEASONS, club=club, thing=season)


@club_view(officials=kinds_of_championship)
@_recent_to_change
def club_championship_officials(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    championship = get_object_or_404(club.championships, pk=pk)
    return _page(
        request,
        championship,
        "desk/club/series_base.html",
        series=CHAMPIONSHIPS,
        club=club,
        thing=championship,
    )


@sign_in_required
@require_POST
def official_give_up(request: DeskRequest, pk: int) -> HttpResponse:
    """Be an official no longer."""
    official = get_object_or_404(request.user.officials, pk=pk)
    said = _("You no longer have a role at %(of)s.") % {"of": official.subject}
    return handle_button(request, partial(officials.withdraw, official), said, "desk")


urlpatterns = [
    path(f"{DESK}officials/", desk_officials, name="desk_officials"),
    path(
        "clubs/<slug:slug>/seasons/<int:pk>/officials/", club_season_officials, name="club_season_officials"
    ),
    path(
        "clubs/<slug:slug>/championships/<int:pk>/officials/",
        club_championship_officials,
        name="club_championship_officials",
    ),
    path("desk/officials/<int:pk>/give-up/", official_give_up, name="official_give_up"),
]
