"""Push notifications on one's phone about the next seat and closed rounds: the page and its script's endpoints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from core.delivery.push import own_key, public_key
from core.errors import UserError
from core.http.responses import BadBody, parse_body
from core.throttle import by_address, count_attempt, is_throttled
from tournaments.changes.locks import hold
from tournaments.changes.push_subscriptions import (
    Phone,
    begin,
    end,
    has_moved,
    print_of,
    refuse_what_is_none,
    tournaments_told_to,
)
from tournaments.hall.live import find_tournament
from tournaments.models import PushSubscription

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest

    from tournaments.models import Tournament

# A hall full of phones is one address to us.
MOST_A_MINUTE = 120
LARGEST_BODY = 4096  # bytes; a browser's own words are a tenth of it
TOO_MANY = 429


@require_safe
def worker(_request: HttpRequest) -> HttpResponse:
    """The service worker that shows push messages; its scope, the folder of its URL, has no page."""
    script = f'importScripts("{static("js/phone_worker.js")}");'
    return HttpResponse(script, content_type="text/javascript", headers={"Cache-Control": "no-cache"})


@never_cache
@require_safe
def hall_phone(request: HttpRequest, code: str) -> HttpResponse:
    tournament = _told_of(code)
    return render(request, "hall/phone.html", {"tournament": tournament, "key": public_key(own_key())})


def _told_of(code: str) -> Tournament:
    tournament = find_tournament(code)
    if not tournament.tells_phones:
        raise Http404
    return tournament


@csrf_exempt  # the hall's pages have no CSRF token; a forged request subscribes to public information only
@never_cache
@require_POST
def hall_phone_ask(request: HttpRequest, code: str) -> HttpResponse:
    """Subscribe this phone. Errors are returned as text for the page."""
    tournament = find_tournament(code)

    def subscribe(body: dict[str, Any]) -> None:
        phone, number = _read(body)
        refuse_what_is_none(phone)
        with transaction.atomic():
            hold(tournament.pk)
            tournament.refresh_from_db()
            language = get_language() or "en"
            begin(tournament, phone, number=number, language=language, now=timezone.now())

    return _answered(request, subscribe)


@csrf_exempt  # the old address's secret is the credential: only its browser has it
@never_cache
@require_POST
def phone_moved(request: HttpRequest) -> HttpResponse:
    """Replace a push subscription that its browser renewed. The response does not reveal whether it was known."""

    def moved(body: dict[str, Any]) -> None:
        was, was_auth, (phone, _number) = _text(body, "was"), _text(body, "was_auth"), _read(body)
        refuse_what_is_none(phone)
        for tournament in tournaments_told_to(was):
            with transaction.atomic():
                hold(tournament)
                has_moved(tournament, was, was_auth, phone)

    return _answered(request, moved)


def _answered(
    request: HttpRequest, step: Callable[[dict[str, Any]], dict[str, Any] | None], kind: str = "phone"
) -> JsonResponse:
    """Take a step that makes us think about a phone: not too often, and with words for what is refused.

    What is of another `kind` is counted by itself.
    """
    asker = by_address(kind, request.META.get("REMOTE_ADDR", ""))
    if is_throttled(asker, most=MOST_A_MINUTE):
        return _refused(_("Too many requests. Wait a minute and try again."), TOO_MANY)
    count_attempt(asker)
    try:
        return JsonResponse(step(parse_body(request, LARGEST_BODY)) or {})
    except BadBody as problem:
        return _refused(problem.message, 400)
    except UserError as refusal:
        return _refused(refusal.message, 409)


@csrf_exempt
@never_cache
@require_POST
def hall_phone_told(request: HttpRequest, code: str) -> HttpResponse:
    """Whether this phone is subscribed, to which number, and to other tournaments; identified by its address."""
    tournament = find_tournament(code)

    def read_subscription(body: dict[str, Any]) -> dict[str, Any]:
        endpoint_print = print_of(_text(body, "endpoint"))
        phones = PushSubscription.objects.filter(endpoint_print=endpoint_print).exclude(p256dh="")
        told = phones.filter(tournament=tournament).values_list("entry__number", flat=True)
        others = phones.exclude(tournament=tournament).exists()
        return {"told": bool(told), "number": told[0] if told else None, "others": others}

    return _answered(request, read_subscription, "phone-told")


@csrf_exempt
@never_cache
@require_POST
def hall_phone_stop(request: HttpRequest, code: str) -> HttpResponse:
    """Unsubscribe this phone. The response does not reveal whether it was subscribed."""
    tournament = find_tournament(code)
    try:
        end(tournament, _text(parse_body(request, LARGEST_BODY), "endpoint"))
    except BadBody as problem:
        return _refused(problem.message, 400)
    return JsonResponse({})


def _refused(message: str, status: int) -> JsonResponse:
    return JsonResponse({"message": message}, status=status)


def _read(body: dict[str, Any]) -> tuple[Phone, int | None]:
    keys, number = body.get("keys"), body.get("number")
    if not isinstance(keys, dict) or not (number is None or (type(number) is int and 0 < number < 2**31)):
        raise BadBody(_("The request could not be read."))
    phone = Phone(_text(body, "endpoint"), _text(keys, "p256dh"), _text(keys, "auth"), _text(body, "key"))
    return phone, number


def _text(body: dict[str, Any], name: str) -> str:
    value = body.get(name)
    if not isinstance(value, str) or "\0" in value or not value.isascii():
        raise BadBody(_("The request could not be read."))
    return value
