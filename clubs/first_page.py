"""Permission for the first page, which creates the first organiser: requests from this machine, or with the code.

Each start of `serve` generates a new code while there is no organiser; its processes have it in their environment.
"""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from hmac import compare_digest
from http import HTTPStatus
from ipaddress import IPv6Address, ip_address
from pathlib import Path
from typing import TYPE_CHECKING

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.request import split_domain_port
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import Resolver404, resolve
from django.utils.translation import gettext as _

from clubs.models import Account
from core.middleware import PROGRAMS, RETRY_AFTER, Answering
from core.throttle import by_address, by_name, count_attempt, is_throttled, uncount_attempt

if TYPE_CHECKING:
    from django.http import HttpRequest


ENVIRONMENT = "SPADILLE_FIRST_PAGE_SECRET"
# No letters that are mistaken for each other when they are read out or typed from a screen: 23 ** 6 codes.
LETTERS, LENGTH = "ABCDEFGHJKMNPQRSTUVWXYZ", 6
# From all addresses together: at this rate a thousandth of the codes is tried in 41 hours.
WRONG_CODES_A_MINUTE = 60
LOCAL_NAMES = {"localhost", "127.0.0.1", "[::1]"}
# Headers that a proxy or a tunnel adds; browsers send none of them, and no other that begins with X-.
OF_PROXIES = ("HTTP_X_", "HTTP_FORWARDED", "HTTP_VIA", "HTTP_CF_", "HTTP_TRUE_CLIENT_IP", "HTTP_CLIENT_IP")
# Files of Docker, of Podman, and of systemd in a container (LXC, nspawn); variables of Podman and Kubernetes.
CONTAINER_FILES = (Path("/.dockerenv"), Path("/run/.containerenv"), Path("/run/systemd/container"))
CONTAINER_VARIABLES = ("container", "KUBERNETES_SERVICE_HOST")


def new_code() -> str:
    return "".join(secrets.choice(LETTERS) for _place in range(LENGTH))


def is_awaited() -> bool:
    """Whether this server was started without an organiser, and there is still none."""
    return bool(settings.FIRST_PAGE_SECRET) and not Account.objects.exists()


def needs_no_code_here() -> bool:
    """Whether an address of this machine is one: behind a proxy or a container's port everybody may have it."""
    if settings.MACHINE:
        return True  # a machine of our own has no proxy, whatever name phones know it by
    if settings.PUBLIC_URL or any(name in os.environ for name in CONTAINER_VARIABLES):
        return False
    return not any(file.exists() for file in CONTAINER_FILES)


def is_on_this_machine(request: HttpRequest) -> bool:
    """Whether the request comes from a browser on this machine, by a loopback address and host.

    A host name that resolves here (DNS rebinding) is refused. Proxies are recognised by their headers, and by HTTP/1.0,
    which nginx speaks by default.
    """
    if not needs_no_code_here() or request.META.get("SERVER_PROTOCOL") == "HTTP/1.0":
        return False
    if any(name.startswith(OF_PROXIES) for name in request.META):
        return False
    return split_domain_port(request.get_host())[0] in LOCAL_NAMES and _is_loopback(
        request.META.get("REMOTE_ADDR", "")
    )


def _is_loopback(address: str) -> bool:
    try:
        peer = ip_address(address)
    except ValueError:
        return False
    if isinstance(peer, IPv6Address) and peer.ipv4_mapped:
        peer = peer.ipv4_mapped
    return peer.is_loopback


def has_to_wait(request: HttpRequest) -> bool:
    """Whether too many wrong codes were sent within the last minute, from this address or from all together."""
    own, everybody = _guessers(request)
    return is_throttled(own) or is_throttled(everybody, most=WRONG_CODES_A_MINUTE)


def is_right_code(request: HttpRequest, typed: str) -> bool:
    """Whether it is the code of this start, in any case and with blanks or hyphens; a wrong one is counted.

    It is counted before it is compared: many at once try no more than one after the other.
    """
    guessers = _guessers(request)
    count_attempt(*guessers)
    plain = "".join(typed.split()).replace("-", "").upper()
    if not compare_digest(plain.encode(), settings.FIRST_PAGE_SECRET.encode()):
        return False
    uncount_attempt(*guessers)
    return True


def _guessers(request: HttpRequest) -> tuple[str, str]:
    return by_address("first", request.META.get("REMOTE_ADDR", "")), by_name("first", "")


# What opens while there is no organiser yet; static files are served before.
BEFORE_THE_FIRST = {"desk_first", "health", "metrics", "set_language", "manual", "manual_chapter"}


def lead_to_first_page(answer: Answering) -> Answering:
    """Redirect pages to the first page while there is no organiser; respond 503 to forms and programs meanwhile.

    Once there is one, this process never queries the database for it again.
    """
    over: set[str] = set()

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if not settings.FIRST_PAGE_SECRET or settings.FIRST_PAGE_SECRET in over or _opens_before(request):
            return answer(request)
        if not is_awaited():
            over.add(settings.FIRST_PAGE_SECRET)
            return answer(request)
        by_program = request.path_info.startswith(PROGRAMS)
        wants_page = "text/html" in request.headers.get("Accept", "text/html") and not by_program
        page: HttpResponse
        if request.method in ("GET", "HEAD") and wants_page:
            page = redirect("desk_first")
        else:
            message = _("Spadille is being set up and has no organiser yet. Try again later.")
            page = render(request, "503.html", {"message": message}, status=HTTPStatus.SERVICE_UNAVAILABLE)
            page["Retry-After"] = str(RETRY_AFTER)
        page["Cache-Control"] = "no-store"
        return page

    return middleware


def _opens_before(request: HttpRequest) -> bool:
    with suppress(Resolver404):
        return resolve(request.path_info).url_name in BEFORE_THE_FIRST
    return False
