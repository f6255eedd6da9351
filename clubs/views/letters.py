"""Pages of a club's e-mail: sent, waiting and returned letters, news, test letter, unsubscribe."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST

from clubs.letter_models import topic_text
from clubs.mail import outbox
from clubs.mail.kinds import EVERYTHING, kind_of, parse_unsubscribe_token, resubscribe, stops, unsubscribe
from clubs.mail.letters import hide_news, publish_news, readers
from clubs.mail.outbox import enqueue_letter, is_set_up
from clubs.models import Club, Letter, News
from clubs.views.guards import MemberRequest, club_view
from core.forms import NameField
from core.http.steps import handle_button, posted_data, take_step
from core.throttle import by_name, count_attempt, is_throttled

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


ON_A_PAGE = 50
SHOWN = {
    "": Letter.State.values,
    "waiting": [state.value for state in Letter.UNDER_WAY],
    "back": [state.value for state in Letter.IN_VAIN],
    "sent": [Letter.State.SENT.value],
}
STEPS = {"again": outbox.resend_letter, "back": outbox.mark_returned, "away": outbox.discard_letter}


@club_view()
def club_letters(request: MemberRequest, club: Club) -> HttpResponse:
    """List the club's letters, newest first."""
    context = {
        "club": club,
        "layout": "clubs/base.html",
        **letters_shown(request, club),
        "trial": TrialForm(initial={"to": request.user.email}),
        "news": News.objects.filter(club=club)[:10],
    }
    return render(request, "clubs/letters.html", context)


def letters_shown(request: HttpRequest, club: Club | None) -> dict[str, Any]:
    """The template context of `clubs/letters.html`: a page of a club's letters, or of those of no club."""
    show = request.GET.get("show", "")
    found = outbox.letters_of(club).select_related("player", "account")
    found = found.filter(state__in=SHOWN[show]) if SHOWN.get(show) and show else found
    page = Paginator(found, ON_A_PAGE).get_page(request.GET.get("page"))
    for letter in page.object_list:
        letter.called = name_of_kind(letter.kind)  # type: ignore[attr-defined]
        letter.deeds = {deed: _address(club, letter, deed) for deed in STEPS}  # type: ignore[attr-defined]
    return {"page": page, "show": show, "is_set_up": is_set_up()}


def _address(club: Club | None, letter: Letter, deed: str) -> str:
    if club:
        return reverse("club_letter", args=[club.slug, letter.pk, deed])
    return reverse("desk_letter", args=[letter.pk, deed])


def name_of_kind(code: str) -> str:
    try:
        return str(kind_of(code).name)
    except KeyError:  # of a version of the program that knew it
        return code


@require_POST
@club_view()
def club_letter(request: MemberRequest, club: Club, pk: int, deed: str) -> HttpResponse:
    """Send a letter again, mark it as returned, or discard it."""
    return done_with(request, club, pk, deed, "club_letters", club.slug)


def done_with(request: MemberRequest, club: Club | None, pk: int, deed: str, *page: str) -> HttpResponse:
    """Run the step of a letter's button, then redirect to `page`."""
    if deed not in STEPS:
        raise Http404
    letter = get_object_or_404(outbox.letters_of(club), pk=pk)
    said = {
        "again": _("It will be sent again."),
        "back": _("It is now listed among the bounced emails."),
        "away": _("Deleted."),
    }
    return handle_button(request, partial(STEPS[deed], letter), said[deed], *page)


@require_POST
@club_view()
def club_letter_trial(request: MemberRequest, club: Club) -> HttpResponse:
    """Send a test letter; ten a minute, since any address can be typed."""
    form, guesser = TrialForm(request.POST), by_name("trial", request.user.username)
    if not form.is_valid():
        messages.error(request, str(form.errors["to"][0]))
    elif is_throttled(guesser):
        messages.warning(request, _("That is enough for now. Wait a minute."))
    elif enqueue_letter(
        "trial", form.cleaned_data["to"], language=get_language() or "en", facts={}, club=club
    ):
        count_attempt(guesser)
        messages.success(request, _("It is on its way. What happens to it is shown below."))
    else:
        messages.warning(
            request, _("It was not sent: no mail server is set up, or this address is unsubscribed.")
        )
    return redirect("club_letters", club.slug)


@club_view()
def club_news(request: MemberRequest, club: Club) -> HttpResponse:
    """Write news: a preview with the number of recipients is rendered, and they are sent when it is confirmed."""
    form, reading = NewsForm(posted_data(request)), readers(club).count()
    shown = request.method == "POST" and form.is_valid()
    may_send = (is_set_up() and reading) or (shown and form.cleaned_data["is_public"])
    if shown and "send" in request.POST and may_send:
        step = partial(publish_news, club)
        if take_step(request, step, lambda news: _posted(news.posted), form, form.cleaned_data):
            return redirect("club_letters", club.slug)
    context = {
        "club": club,
        "form": form,
        "shown": form.cleaned_data if shown and "change" not in request.POST else None,
        "readers": reading,
        "is_set_up": is_set_up(),
        "may_send": may_send,
        "at": timezone.now(),
    }
    return render(request, "clubs/news.html", context)


@require_POST
@club_view()
def club_news_hide(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    """Remove news from the public feed; letters with it that were sent are not recalled."""
    news = get_object_or_404(News, club=club, pk=pk)
    said = _("It has been removed from the feed.")
    return handle_button(request, partial(hide_news, news), said, "club_letters", club.slug)


def _posted(count: int) -> str:
    if not count:
        return _("It is now in the club’s feed.")
    said = ngettext("One email is on its way.", "%(count)d emails are on their way.", count)
    return said % {"count": count}


urlpatterns = [
    path("<slug:slug>/letters/", club_letters, name="club_letters"),
    path("<slug:slug>/letters/news/", club_news, name="club_news"),
    path("<slug:slug>/letters/news/<int:pk>/hide/", club_news_hide, name="club_news_hide"),
    path("<slug:slug>/letters/trial/", club_letter_trial, name="club_letter_trial"),
    path("<slug:slug>/letters/<int:pk>/<slug:deed>/", club_letter, name="club_letter"),
]


class NewsForm(forms.Form):
    """Plain text: no sign in it means anything but itself."""

    subject = NameField(label=gettext_lazy("Subject"), max_length=120)
    text = forms.CharField(
        label=gettext_lazy("Message"),
        max_length=10_000,
        widget=forms.Textarea({"rows": 14}),
        help_text=gettext_lazy(
            "Plain text, exactly as it will be read. An address such as https://… becomes a link."
        ),
    )
    is_public = forms.BooleanField(
        label=gettext_lazy("Make it public"),
        required=False,
        help_text=gettext_lazy(
            "It stays in the club’s feed for six months and is seen by everyone who follows the club."
        ),
    )


class TrialForm(forms.Form):
    to = forms.EmailField(
        label=gettext_lazy("To"),
        max_length=254,
        help_text=gettext_lazy("One of your own addresses, to check that emails arrive."),
    )


GONE = 404


@csrf_exempt  # the address is the credential, and a mail program that presses the button brings no cookie (RFC 8058)
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def mail_stop(request: HttpRequest, token: str) -> HttpResponse:
    """Unsubscribe from letters, with a button: a GET, as mail scanners send it, changes nothing."""
    told = parse_unsubscribe_token(token)
    if told is None:
        return render(request, "clubs/stop_letters.html", {"unknown": True}, status=GONE)
    address_print, topic = told
    if request.method == "POST" and "again" in request.POST:
        resubscribe(address_print)
    elif request.method == "POST":
        unsubscribe(address_print, EVERYTHING if "all" in request.POST else topic, now=timezone.now())
    context = {
        "topic": topic_text(topic),
        "is_stopped": stops(address_print, topic),
        "all_stopped": stops(address_print, EVERYTHING),
        "is_undone": "again" in request.POST,
    }
    return render(request, "clubs/stop_letters.html", context)


urlpatterns += [path("mail/stop/<token>/", mail_stop, name="mail_stop")]
