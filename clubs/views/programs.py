"""Pages for other programs: API keys and webhooks of a club."""

from functools import partial

from django import forms
from django.db.models import Count, Q
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_POST

from clubs.api_keys import make_key, revoke_key
from clubs.models import Club, Event, Message, Scope
from clubs.sign_in import require_recent_sign_in
from clubs.views.guards import MemberRequest, club_view
from clubs.webhooks import register_webhook, remove_webhook, retry_given_up
from core.errors import UserError
from core.http.steps import add_to_form, handle_button

ONCE = "program_secret"
# How many revoked keys are listed, the newest first; and how many messages to each address.
MOST_ENDED, NEWEST = 10, 5


@club_view()
def club_programs(request: MemberRequest, club: Club) -> HttpResponse:
    """A secret made just now is shown this once."""
    given_up = Count("messages", filter=Q(messages__state=Message.State.GIVEN_UP))
    waiting = Count("messages", filter=Q(messages__state__in=Message.UNDER_WAY))
    webhooks = club.webhooks.annotate(given_up=given_up, waiting=waiting)
    context = {
        "club": club,
        "keys": club.keys.filter(ended_at=None),
        "ended": club.keys.exclude(ended_at=None).order_by("-ended_at")[:MOST_ENDED],
        "webhooks": [(webhook, webhook.messages.all()[:NEWEST]) for webhook in webhooks],
        "once": request.session.pop(ONCE, None),
    }
    return render(request, "clubs/programs.html", context)


@club_view()
@require_recent_sign_in
def program_key_new(request: MemberRequest, club: Club) -> HttpResponse:
    form = KeyForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            _key, words = make_key(club, **form.cleaned_data, account=request.user, now=timezone.now())
        except UserError as refusal:
            add_to_form(form, refusal)
        else:
            return _show_once(request, club, form.cleaned_data["name"], words)
    return _render_form(request, club, form, _("Key for a program"))


@club_view()
@require_recent_sign_in
def webhook_new(request: MemberRequest, club: Club) -> HttpResponse:
    form = WebhookForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            made = register_webhook(club, **form.cleaned_data, account=request.user, now=timezone.now())
        except UserError as refusal:
            add_to_form(form, refusal)
        else:
            return _show_once(request, club, made.url, made.secret)
    return _render_form(request, club, form, _("Send events to an address"))


def _render_form(request: MemberRequest, club: Club, form: forms.Form, heading: str) -> HttpResponse:
    back = reverse("club_programs", args=[club.slug])
    context = {
        "club": club,
        "form": form,
        "title": f"{heading} · {club}",
        "heading": heading,
        "parents": [(back, _("Other programs"))],
        "back": back,
    }
    return render(request, "clubs/form.html", context)


def _show_once(request: MemberRequest, club: Club, name: str, secret: str) -> HttpResponse:
    request.session[ONCE] = {"name": name, "secret": secret}
    return redirect("club_programs", club.slug)


@require_POST
@club_view()
def program_key_end(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    key = get_object_or_404(club.keys, pk=pk)
    said = _("The key “%(name)s” is revoked.") % {"name": key.name}
    return handle_button(request, partial(revoke_key, key), said, "club_programs", club.slug)


@require_POST
@club_view()
def webhook_remove(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    webhook = get_object_or_404(club.webhooks, pk=pk)
    said = _("%(address)s no longer receives events.") % {"address": webhook.url}
    return handle_button(request, partial(remove_webhook, webhook), said, "club_programs", club.slug)


@require_POST
@club_view()
def webhook_again(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    webhook = get_object_or_404(club.webhooks, pk=pk)

    def success_message(count: int) -> str:
        text = ngettext(
            "%(count)d message will be sent again.", "%(count)d messages will be sent again.", count
        )
        return text % {"count": count}

    return handle_button(
        request, partial(retry_given_up, webhook), success_message, "club_programs", club.slug
    )


urlpatterns = [
    path("<slug:slug>/programs/", club_programs, name="club_programs"),
    path("<slug:slug>/programs/key/", program_key_new, name="program_key_new"),
    path("<slug:slug>/programs/key/<int:pk>/end/", program_key_end, name="program_key_end"),
    path("<slug:slug>/programs/address/", webhook_new, name="webhook_new"),
    path("<slug:slug>/programs/address/<int:pk>/remove/", webhook_remove, name="webhook_remove"),
    path("<slug:slug>/programs/address/<int:pk>/again/", webhook_again, name="webhook_again"),
]


class KeyForm(forms.Form):
    name = forms.CharField(
        label=gettext_lazy("Used for"),
        max_length=80,
        help_text=gettext_lazy(
            "For example “Scoreboard in the hall”. The log shows it with everything the program does."
        ),
    )
    scopes = forms.MultipleChoiceField(
        label=gettext_lazy("What it may do"),
        choices=Scope.choices,
        widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy("What everyone can see in the hall needs no key."),
    )


class WebhookForm(forms.Form):
    url = forms.CharField(
        label=gettext_lazy("Address"),
        max_length=300,
        widget=forms.URLInput(attrs={"placeholder": "https://"}),
        help_text=gettext_lazy("The address where the other program receives events."),
    )
    events = forms.MultipleChoiceField(
        label=gettext_lazy("When"), choices=Event.choices, widget=forms.CheckboxSelectMultiple
    )
    secret = forms.CharField(
        label=gettext_lazy("Secret"),
        max_length=100,
        required=False,
        help_text=gettext_lazy(
            "Used to sign what is sent. Leave it empty to have one made for you; it is shown only once."
        ),
    )
