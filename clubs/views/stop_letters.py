"""No more letters: what the link in each of them opens, for whoever reads the mail there. Nobody needs to sign in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import render
from django.urls import path
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from clubs.letters import topic_said
from clubs.mail.agreeing import EVERYTHING, read_token, stop, stops, write_again

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

GONE = 404


@csrf_exempt  # the address is the credential, and a mail program that presses the button brings no cookie (RFC 8058)
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def mail_stop(request: HttpRequest, token: str) -> HttpResponse:
    """What is stopped, with a button: opening the page, as programs do that look through mail, stops nothing."""
    told = read_token(token)
    if told is None:
        return render(request, "clubs/stop_letters.html", {"unknown": True}, status=GONE)
    address_print, topic = told
    if request.method == "POST" and "again" in request.POST:
        write_again(address_print)
    elif request.method == "POST":
        stop(address_print, EVERYTHING if "all" in request.POST else topic, now=timezone.now())
    context = {
        "topic": topic_said(topic),
        "is_stopped": stops(address_print, topic),
        "all_stopped": stops(address_print, EVERYTHING),
        "is_undone": "again" in request.POST,
    }
    return render(request, "clubs/stop_letters.html", context)


urlpatterns = [path("mail/stop/<token>/", mail_stop, name="mail_stop")]
