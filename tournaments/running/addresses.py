"""The addresses that other people's phones reach this Spadille by."""

from __future__ import annotations

import socket
from contextlib import suppress
from ipaddress import ip_address
from typing import TYPE_CHECKING

from django.conf import settings
from django.http.request import split_domain_port, validate_host

from core.platform import addresses_of_interfaces

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.http import HttpRequest

# Networks inside the machine itself: no phone is on them.
INNER_NETWORKS = ("lo", "docker", "br-", "veth", "virbr")
IPV4 = 4


def base_url(request: HttpRequest) -> str:
    """What an address made for others begins with, as in a QR code: scheme and host, without a slash at the end.

    The setting decides; else the name that the organiser uses now, where it is known to be this machine's and not only
    what a request says: whoever makes one up would get what captains' phones send. Else this machine's address.
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
    """Where a site is reached that is being made of the hall's pages (`tournaments.published`); "" for whoever asks."""
    return str(getattr(request, "site_address", ""))


def is_ours(host: str) -> bool:
    """Whether others who ask for this host, as it stands in an address, come to this machine."""
    bare = host.strip("[]")
    if is_loopback(bare):
        return False
    named = [pattern for pattern in settings.ALLOWED_HOSTS if pattern != "*"]
    return validate_host(host, named) or bare in _own_names() or _is_own_address(bare)


def _own_names() -> set[str]:
    """What this machine is called, and what phones call it by where it tells them itself."""
    names = {socket.gethostname().lower(), socket.gethostname().lower().partition(".")[0]}
    return names | {f"{name}.local" for name in names}


def _is_own_address(host: str) -> bool:
    """Whether an interface of this machine has this address: only then may a socket have it too."""
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
    """Whether a host is found on its own network alone: a link to it opens in the hall, and not at home."""
    bare = host.strip("[]")
    try:
        return ip_address(bare).is_private
    except ValueError:
        return "." not in bare or bare.endswith(".local")


def is_loopback(host: str) -> bool:
    return host in ("localhost", "::1", "0.0.0.0") or host.startswith("127.")  # noqa: S104 - compared, not bound


def lan_address() -> str:
    """This machine's IPv4 address on the hall's network, with or without Internet; else its host name."""
    return _address_towards_others() or next(_addresses_of_interfaces(), "") or socket.gethostname()


def _address_towards_others() -> str:
    """The address packets to a private network would leave from; connecting a UDP socket sends none."""
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.168.254.254", 9))
        address = str(probe.getsockname()[0])
        return "" if is_loopback(address) else address
    return ""


def _addresses_of_interfaces() -> Iterator[str]:
    """For a laptop that is the Wi-Fi itself: it has an address there, but no way out to ask about."""
    return (address for address in addresses_of_interfaces(INNER_NETWORKS) if not is_loopback(address))
