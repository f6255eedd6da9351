"""Registration from home: its pages and forms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from clubs.names import is_number
from core.errors import NoRoom, NotPossible
from core.forms import NameField
from core.http.responses import hide_address
from core.http.steps import add_to_form, posted_data
from core.serving.addresses import base_url
from core.throttle import by_address, by_name, count_attempt, is_throttled
from tournaments.domain.amounts import in_kroner
from tournaments.hall.live import find_tournament
from tournaments.lifecycle.registration import links, mail, places
from tournaments.lifecycle.registration.links import why_closed, why_over
from tournaments.lifecycle.registration.mail import LONGEST_GUEST_NAME, has_address
from tournaments.lifecycle.registration.places import State
from tournaments.lifecycle.registration.requests import (
    Wish,
    arrive,
    ask,
    enter_again,
    say_yes,
    why_not_here,
    withdraw,
)
from tournaments.models import Entry
from tournaments.web.guards import square

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest, HttpResponse

    from tournaments.models import Application, Tournament


# Entering from home: the application page, and each applicant's own page by link.

# So often a minute: from one address (a household, a phone network), and for one evening by everybody.
ASKS_OF_ADDRESS, ASKS_OF_EVENING = 15, 600
WRONG_LINKS = 20
TOO_MANY = 429


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def hall_enter(request: HttpRequest, code: str) -> HttpResponse:
    """Apply for a place. The response is the same for any input: it does not reveal who is a member."""
    tournament = find_tournament(code)
    closed, has_mail = why_closed(tournament, timezone.now()), mail.is_set_up()
    form = EnterForm(posted_data(request), tournament=tournament, has_mail=has_mail)
    status = 200
    if request.method == "POST" and not closed:
        if _asked_too_often(request, tournament, is_guest=bool(request.POST.get("guest"))):
            form.add_error(
                None, _("A lot of people are entering right now. Wait a minute, then send it again.")
            )
            status = TOO_MANY
        elif form.is_valid():
            try:
                key = ask(tournament, form.wish(), now=timezone.now())
            except NotPossible as refusal:
                add_to_form(form, refusal)
                status = TOO_MANY if isinstance(refusal, NoRoom) else status
            else:
                if key:
                    return redirect("hall_entry", tournament.code, key)
                return redirect(f"{reverse('hall_enter', args=[tournament.code])}?sent")
    context = {
        "tournament": tournament,
        "form": form,
        "closed": closed,
        "has_mail": has_mail,
        "left": places.places_left(tournament),
        "sent": "sent" in request.GET and has_mail,
    }
    return render(request, "hall/enter.html", context, status=status)


def _asked_too_often(request: HttpRequest, tournament: Tournament, *, is_guest: bool) -> bool:
    """Rate limit, separate for guests and members, so that many guests' applications do not block members."""
    address = by_address("enter", request.META.get("REMOTE_ADDR", ""))
    evening = by_name("enter-guest" if is_guest else "enter", tournament.code)
    if is_throttled(address, most=ASKS_OF_ADDRESS) or is_throttled(evening, most=ASKS_OF_EVENING):
        return True
    count_attempt(address, evening)
    return False


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def hall_code(request: HttpRequest, code: str) -> HttpResponse:
    """Type the code that an organiser has handed over, and come to one's own page."""
    tournament = find_tournament(code)
    typed = request.POST.get("code", "")
    if request.method == "POST":
        found, problem = _find_application(request, tournament, typed)
        if found:
            return redirect("hall_entry", tournament.code, links.read(typed))
        messages.warning(request, problem)
    return redirect("hall_enter", tournament.code)


def _find_application(
    request: HttpRequest, tournament: Tournament, key: str
) -> tuple[Application | None, str]:
    """The application of this link, else the message for a wrong one.

    A valid link is never refused: a whole hall shares one IP address, and 74 bits cannot be guessed.
    """
    if application := links.find_application(tournament, key):
        return application, ""
    guesser = by_address("entry-link", request.META.get("REMOTE_ADDR", ""))
    if is_throttled(guesser, most=WRONG_LINKS):
        return None, _("Too many wrong codes. Wait a minute and try again.")
    count_attempt(guesser)
    return None, _("This code is not recognised. Check it, or ask the organiser for another.")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def hall_entry(request: HttpRequest, code: str, key: str) -> HttpResponse:
    """A person's own page: where they stand, and what they can do about it. Its URL is their key."""
    tournament = find_tournament(code)
    application, problem = _find_application(request, tournament, key)
    if application is None:
        context = {"tournament": tournament, "problem": problem}
        return hide_address(render(request, "hall/link_unknown.html", context, status=404))
    if request.method == "POST":
        return hide_address(_answered(request, application, links.read(key)))
    return hide_address(_own_page(request, application, links.read(key)))


# Actions of the page's buttons, with their messages.
def _yes(request: HttpRequest, application: Application) -> str:
    say_yes(application, name=request.POST.get("name", ""), now=timezone.now())
    return ""


def _again(_request: HttpRequest, application: Application) -> str:
    enter_again(application, now=timezone.now())
    return ""


def _gone(request: HttpRequest, application: Application) -> str:
    withdraw(application, all_of_them="all" in request.POST, now=timezone.now())
    return _("You have withdrawn.")


def _here(_request: HttpRequest, application: Application) -> str:
    arrive(application, by_themselves=True, account=None, now=timezone.now())
    return _("You are checked in. Welcome!")


STEPS: dict[str, Callable[[HttpRequest, Application], str]] = {
    "yes": _yes,
    "again": _again,
    "withdraw": _gone,
    "here": _here,
}


def _answered(request: HttpRequest, application: Application, key: str) -> HttpResponse:
    do = request.POST.get("do", "")
    if do not in STEPS:
        return redirect("hall_entry", application.tournament.code, key)
    if do == "withdraw" and "sure" not in request.POST:
        party = places.party_of(places.head_of(application))
        context = {"tournament": application.tournament, "application": application, "key": key}
        return render(request, "hall/entry_withdraw.html", context | {"others": _besides(party, application)})
    try:
        said = STEPS[do](request, application)
    except NotPossible as refusal:
        return _own_page(request, application, key, refused=refusal)
    if said:
        messages.success(request, said)
    return redirect("hall_entry", application.tournament.code, key)


def _besides(party: list[Application], application: Application) -> list[Application]:
    return [one for one in party if one.pk != application.pk]


def _own_page(
    request: HttpRequest, application: Application, key: str, refused: NotPossible | None = None
) -> HttpResponse:
    tournament = application.tournament
    now, head = timezone.now(), places.head_of(application)
    party = places.party_of(head) if application.is_live else []
    entry = places.entry_of(application)
    address = base_url(request) + reverse("hall_entry", args=[tournament.code, key])
    context: dict[str, Any] = {
        "tournament": tournament,
        "application": application,
        "head": head,
        "key": key,
        "code": links.format_key(key),
        "entry": entry,
        "fee": in_kroner(tournament.entry_fee),
        "others": _besides(party, application),
        "before": places.waits_before(head) if application.state == State.WAITING else 0,
        "closed": why_closed(tournament, now),
        "over": why_over(tournament),
        "is_here": entry is not None and entry.status == Entry.Status.PRESENT,
        "may_say_here": entry is not None and not why_not_here(application, now),
        "square": square(address) if entry else "",
        "has_mail": mail.is_set_up(),
        "refused": refused,
    }
    return render(request, "hall/entry.html", context, status=200)


# Forms for entering from home: identity and partners.

LONGEST_NAME_OF_TEAM = 80


def refuse_address(name: str) -> None:
    """Raise ValidationError for a name containing a URL, which could lead readers of the letter astray."""
    if has_address(name):
        raise ValidationError(_("A name cannot contain a web or email address."))


class WhoField(forms.CharField):
    """A member's number or e-mail address."""

    def __init__(self, **fields: Any) -> None:
        super().__init__(max_length=254, **fields)

    def clean(self, value: Any) -> str:
        typed = str(super().clean(value)).strip()
        if typed and not is_number(typed):
            try:
                validate_email(typed)
            except ValidationError:
                raise ValidationError(_("Type a member number or an email address.")) from None
        return typed


class EnterForm(forms.Form):
    """A member by number or e-mail, or a guest by name; with partners if the format has them."""

    who = WhoField(
        label=gettext_lazy("Your member number or email address"),
        required=False,
        help_text=gettext_lazy("As recorded in the club’s member list."),
        widget=forms.TextInput({"autocomplete": "email", "autocapitalize": "none", "spellcheck": "false"}),
    )
    guest = NameField(
        label=gettext_lazy("Or, as a guest: your name"),
        max_length=LONGEST_GUEST_NAME,
        validators=[refuse_address],
        required=False,
        widget=forms.TextInput({"autocomplete": "name"}),
    )
    email = forms.EmailField(label=gettext_lazy("The guest’s email address"), required=False)
    team_name = NameField(
        label=gettext_lazy("Name of the team"),
        max_length=LONGEST_NAME_OF_TEAM,
        validators=[refuse_address],
        required=False,
        help_text=gettext_lazy("Optional."),
    )

    def __init__(self, *args: Any, tournament: Tournament, has_mail: bool, **fields: Any) -> None:
        super().__init__(*args, **fields)
        allowed, row = tournament.from_home, tournament.format_row
        if not allowed.guests:
            del self.fields["guest"], self.fields["email"]
            self.fields["who"].required = True
        elif not has_mail:
            del self.fields["email"]
        if row.team_size <= 2:  # a pair is called by its players
            del self.fields["team_name"]
        self.partner_fields = [f"partner_{place}" for place in range(1, row.team_size)]
        for place, name in enumerate(self.partner_fields, start=1):
            self.fields[name] = WhoField(label=_partner(place, len(self.partner_fields)), required=False)
        if self.partner_fields:
            self.fields[self.partner_fields[-1]].help_text = _(
                "A member number or email address. They accept with a link of their own. Leave it empty if "
                "you do not know yet."
            )

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        guest, who = data.get("guest", ""), data.get("who", "")
        if "guest" in self.fields and not self.errors:
            if guest and who:
                self.add_error("guest", _("Enter either as a member or as a guest."))
            elif not guest and not who:
                self.add_error(
                    "who", _("Tell us who you are: a member number, an email address or a guest’s name.")
                )
            elif guest and "email" in self.fields and not data.get("email"):
                self.add_error("email", _("Your link will be sent to it."))
        self._check_partners(who)
        return data

    def _check_partners(self, who: str) -> None:
        named = {who.lower()} - {""}
        for name in self.partner_fields:
            typed = str(self.cleaned_data.get(name, "")).lower()
            if typed and typed in named:
                self.add_error(name, _("This person is named twice."))
            named.add(typed)

    def wish(self) -> Wish:
        data = self.cleaned_data
        return Wish(
            who=data.get("who", ""),
            guest=data.get("guest", ""),
            email=data.get("email", ""),
            partners=tuple(data[name] for name in self.partner_fields if data.get(name)),
            team_name=data.get("team_name", ""),
        )


def _partner(place: int, all_of_them: int) -> str:
    return _("Your partner") if all_of_them == 1 else _("Partner %(place)d") % {"place": place}
