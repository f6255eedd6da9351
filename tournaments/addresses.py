"""The addresses that other people's phones reach this Spadille by."""

from __future__ import annotations

import fcntl
import socket
import struct
from contextlib import suppress
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.core.exceptions import DisallowedHost

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.http import HttpRequest

# Networks inside the machine itself: no phone is on them.
INNER_NETWORKS = ("lo", "docker", "br-", "veth", "virbr")
LONGEST_HOST = 260  # a name in the net has at most 253 letters, a port five digits and a colon
SIOCGIFADDR = 0x8915  # Linux: "which IPv4 address has this interface?"


def base_url(request: HttpRequest) -> str:
    """What an address in a QR code begins with: scheme and host, without a slash at the end.

    The setting decides; else the address the organiser uses now, unless that is one only this laptop knows.
    Raises DisallowedHost, which is answered with 400, where a program made that address up.
    """
    if settings.PUBLIC_URL:
        return str(settings.PUBLIC_URL)
    asked, port = _asked(request)
    if not is_loopback(asked.hostname or ""):
        return f"{asked.scheme}://{asked.netloc}"
    return f"{asked.scheme}://{lan_address()}{port}"


def _asked(request: HttpRequest) -> tuple[SplitResult, str]:
    """The address this request came by, and its port with a colon; raises DisallowedHost for what is none."""
    try:
        asked = urlsplit(f"{request.scheme}://{request.get_host()}")
        port = f":{asked.port}" if asked.port else ""
    except ValueError:
        raise DisallowedHost("The host is no address.") from None
    if len(asked.netloc) > LONGEST_HOST:
        raise DisallowedHost("The host is too long for a name.")
    return asked, port


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
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _index, name in socket.if_nameindex():
            if name.startswith(INNER_NETWORKS):
                continue
            with suppress(OSError):  # an interface without an address
                answer = fcntl.ioctl(probe, SIOCGIFADDR, struct.pack("256s", name.encode()[:15]))
                yield socket.inet_ntoa(answer[20:24])
