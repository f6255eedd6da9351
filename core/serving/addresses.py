"""The addresses of this server: public and in the local network, at the terminal, and whether phones reach them."""

from __future__ import annotations

import io
import re
import socket
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from ipaddress import ip_address
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import segno
from django.conf import settings
from django.core.cache import caches
from django.core.management.base import CommandError
from django.http.request import split_domain_port, validate_host

from core import platform
from core.platform import addresses_of_interfaces, can_be_written
from core.text import CODE_LETTERS, make_code

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.http import HttpRequest


# Networks inside the machine itself: no phone is on them.
INNER_NETWORKS = ("lo", "docker", "br-", "veth", "virbr")
IPV4 = 4


def base_url(request: HttpRequest) -> str:
    """Scheme and host of URLs for others, as in QR codes, without a trailing slash.

    The setting decides; else the host of the request, if it is known to be this machine and not just claimed: otherwise
    an attacker would receive what phones send. Else the address of this machine.
    """
    if site := site_address(request):
        return site
    if settings.PUBLIC_URL:
        return str(settings.PUBLIC_URL)
    usual = "443" if request.scheme == "https" else "80"
    served = request.get_port()  # of the socket: the request's own is as little known as its host
    asked = split_domain_port(request.get_host())[0]
    host = asked if is_ours(asked) else lan_address()
    return f"{request.scheme}://{host}" + (f":{served}" if served != usual else "")


def site_address(request: HttpRequest) -> str:
    """The URL of the static site that is being generated with this request; "" for a real request."""
    return str(getattr(request, "site_address", ""))


def is_ours(host: str) -> bool:
    """Whether requests to this host reach this machine."""
    bare = host.strip("[]")
    if is_loopback(bare):
        return False
    named = [pattern for pattern in settings.ALLOWED_HOSTS if pattern != "*"]
    return validate_host(host, named) or bare in _own_names() or _is_own_address(bare)


def _own_names() -> set[str]:
    """The host names of this machine."""
    names = {socket.gethostname().lower(), socket.gethostname().lower().partition(".")[0]}
    return names | {f"{name}.local" for name in names}


def _is_own_address(host: str) -> bool:
    """Whether an interface of this machine has this address: only then a socket can bind it."""
    try:
        address = ip_address(host)
    except ValueError:
        return False
    if address.is_unspecified or address.is_multicast or getattr(address, "ipv4_mapped", None):
        return False
    family = socket.AF_INET if address.version == IPV4 else socket.AF_INET6
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.bind((host, 0))
        return True
    return False


def is_inside(host: str) -> bool:
    """Whether a host is reachable in its own network only: a link to it works in the hall, not at home."""
    bare = host.strip("[]")
    try:
        return ip_address(bare).is_private
    except ValueError:
        return "." not in bare or bare.endswith(".local")


def is_loopback(host: str) -> bool:
    return host in ("localhost", "::1", "0.0.0.0") or host.startswith("127.")  # noqa: S104 - compared, not bound


def lan_address() -> str:
    """This machine's IPv4 address in the local network, with or without Internet; else its host name."""
    return _address_towards_others() or next(_addresses_of_interfaces(), "") or socket.gethostname()


def _address_towards_others() -> str:
    """The source address of packets to a private network; connecting a UDP socket sends none."""
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.168.254.254", 9))
        address = str(probe.getsockname()[0])
        return "" if is_loopback(address) else address
    return ""


def _addresses_of_interfaces() -> Iterator[str]:
    """Addresses of interfaces: for a laptop that is itself the access point and has no default route."""
    return (address for address in addresses_of_interfaces(INNER_NETWORKS) if not is_loopback(address))


def desk_address() -> str:
    if settings.HTTPS:
        return f"{settings.PUBLIC_URL}/desk/"
    return f"http://localhost:{settings.PORT}/desk/"


def hall_address(port: int | None = None) -> str:
    """The address that phones in the local network use; `port` if it differs from the setting."""
    return settings.PUBLIC_URL or f"http://{lan_address()}:{port or settings.PORT}"


def qr_code(address: str) -> str:
    """A QR code for the terminal; "" if its encoding lacks block characters."""
    drawn = io.StringIO()
    segno.make_qr(address).terminal(drawn, compact=True)
    code = drawn.getvalue()
    return code if can_be_written(code) else ""


def refuse_taken_port(host: str) -> None:
    """Raise CommandError if another program listens on the port."""
    with socket.socket() as probe:
        platform.ask_for_port_alone(probe)
        try:
            probe.bind((host, settings.PORT))
        except OSError as error:
            raise CommandError(
                f"Cannot serve on port {settings.PORT} ({error.strerror}). Is Spadille already running? To "
                f"use another port: PORT={settings.PORT + 1}"
            ) from None


# Seconds: the timeout of an address, and the lifetime of a code that is to be scanned.
ANSWER_TIMEOUT, LASTS = 1.0, 3600
SHAPE = re.compile(f"[{CODE_LETTERS}]{{6}}")
NEVER = ()  # the cached value of a code that was not scanned
ASKED = "GET /health/ HTTP/1.0\r\nHost: {host}\r\n\r\n"
# Phone and desk may reach different processes: a value in one process's memory would be found by chance.
SHARED = "shared"
USUAL = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Scan:
    """The time and the client address of a scanned code."""

    at: datetime
    by: str


def answers(address: str) -> bool:
    """Whether a server responds at a URL such as http://192.168.1.20:8000; for https whether it accepts."""
    told = urlsplit(address)
    host, port = told.hostname or "", told.port or USUAL[told.scheme]
    with suppress(OSError), socket.create_connection((host, port), timeout=ANSWER_TIMEOUT) as asking:
        if told.scheme == "https":
            return True
        asking.settimeout(ANSWER_TIMEOUT)
        asking.sendall(ASKED.format(host=host).encode())
        return asking.recv(5) == b"HTTP/"
    return False


def new_code() -> str:
    """A short code for one check page; it is good for nothing but reporting the scan."""
    code = make_code()
    _keep(code, NEVER)
    return code


def is_code(code: str) -> bool:
    """Whether this is a code of the last hour."""
    return SHAPE.fullmatch(code) is not None and caches[SHARED].get(_key(code)) is not None


def tell_scanned(code: str, by: str, now: datetime) -> None:
    _keep(code, (now, by))


def _keep(code: str, scan: tuple[datetime, str] | tuple[()]) -> None:
    with suppress(OSError):  # the page itself reports a full disk
        caches[SHARED].set(_key(code), scan, LASTS)


def scan_of(code: str) -> Scan | None:
    """The last scan of a code."""
    found = caches[SHARED].get(_key(code), NEVER)
    return Scan(*found) if found else None


def _key(code: str) -> str:
    return f"reached-{code}"
