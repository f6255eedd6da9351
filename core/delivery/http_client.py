"""POST to addresses that users enter, without being led into the own network (SSRF), and within a time limit.

A host name is resolved once, every address of it is checked, and the connection is made to a checked address: a name
that means something else a moment later (DNS rebinding) leads nowhere. Redirects are not followed, and a response times
out after a few seconds, however slowly it arrives.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPException
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from threading import Timer
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol
from urllib.parse import urlsplit

from django.conf import settings
from django.utils.translation import gettext_noop

if TYPE_CHECKING:
    from collections.abc import Mapping

    from urllib3.connection import HTTPConnection


Address = IPv4Address | IPv6Address

WAIT, WHOLE = (
    5.0,
    10.0,
)  # timeouts in seconds: of the connection and each part of a response; of the request in total
LONGEST = 4096  # bytes of a response; with more the connection is closed
PORTS = {"http": 80, "https": 443}
LOWEST_FREE_PORT, HIGHEST_PORT = 1024, 65_535
NAT64 = IPv6Network("64:ff9b::/96")  # the last four bytes are an address of the old kind (RFC 6052)
# All allocated addresses of the Internet (RFC 4291, 2.4), and those outside that range that map to one.
GLOBAL_UNICAST = IPv6Network("2000::/3")
# IANA's special-purpose blocks that `is_global` of one of the Pythons we run under takes for public.
SPECIAL = tuple(
    ip_network(block)
    for block in (
        "0.0.0.0/8",
        "100.64.0.0/10",
        "192.0.0.0/24",  # protocol assignments (RFC 6890)
        "192.88.99.0/24",  # relays of 6to4, out of use (RFC 7526)
        "198.18.0.0/15",
        "64:ff9b:1::/48",  # NAT64 of a network's own (RFC 8215)
        "100::/64",
        "100:0:0:1::/64",  # dummy (RFC 9780)
        "2001::/23",  # protocol assignments: Teredo, benchmarks, ORCHID
        "2001:db8::/32",
        "3ffe::/16",  # the 6bone, given back (RFC 3701)
        "3fff::/20",  # documentation (RFC 9637)
        "5f00::/16",  # segment routing (RFC 9602)
        "fec0::/10",  # site-local, out of use (RFC 3879)
    )
)

# Names that are never the world's (RFC 6761, 6762, 8375, and .internal of ICANN); nor is one without a dot.
OWN_NAMES = (".localhost", ".localdomain", ".local", ".home.arpa", ".internal")

NO_ADDRESS = gettext_noop("This is not a web address: it must begin with https:// or http://.")
WITH_NAME = gettext_noop("Leave the user name and password out of the address.")
OTHER_PORT = gettext_noop("This port is not a web port.")
OWN_NETWORK = gettext_noop(
    "This address is on this machine or a private network. Nothing will be sent to it."
)
UNKNOWN_NAME = gettext_noop("No server has this name.")
NO_ANSWER = gettext_noop("It did not answer.")


class NotThere(Exception):
    """The address cannot be reached or must not be; a text marked with gettext_noop."""


class Parts(NamedTuple):
    """A parsed URL."""

    is_safe: bool
    host: str
    port: int
    target: str


def parts_of(url: str) -> Parts:
    """Parse a URL. Raises NotThere if it is invalid or not public by itself; names are not resolved."""
    try:
        parts = urlsplit(url)
        port = parts.port or PORTS.get(parts.scheme, 0)
        host = (parts.hostname or "").encode("idna").decode("ascii")
    except ValueError:
        raise NotThere(NO_ADDRESS) from None
    if parts.scheme not in PORTS or not host or not url.isprintable() or " " in url:
        raise NotThere(NO_ADDRESS)
    if parts.username is not None or parts.password is not None:
        raise NotThere(WITH_NAME)
    if port not in PORTS.values() and not LOWEST_FREE_PORT <= port <= HIGHEST_PORT:
        raise NotThere(OTHER_PORT)
    if not _may_be_named(host.rstrip(".").lower()):
        raise NotThere(OWN_NETWORK)
    query = f"?{parts.query}" if parts.query else ""
    return Parts(parts.scheme == "https", host, port, (parts.path or "/") + query)


def _may_be_named(host: str) -> bool:
    """Whether a host may be public, judged by its address or name alone."""
    with suppress(ValueError):
        return is_public_ip(ip_address(host))
    with suppress(OSError):
        return is_public_ip(
            IPv4Address(socket.inet_aton(host))
        )  # 127.1 and 2130706433, as resolvers parse them
    is_own = "." not in host or host.endswith(OWN_NAMES)
    return settings.WEBHOOKS_TO_PRIVATE or not is_own


def is_public_ip(address: Address) -> bool:
    """Whether an address is public; with `WEBHOOKS_TO_PRIVATE` private networks and this machine count too."""
    if isinstance(address, IPv6Address):
        inside = address.ipv4_mapped or address.sixtofour or (address.teredo or (None, None))[1]
        if address in NAT64:
            inside = IPv4Address(address.packed[-4:])
        if inside is not None:
            return is_public_ip(inside)
        if address not in GLOBAL_UNICAST and not (address.is_private or address.is_loopback):
            return False
    if any(address in block for block in SPECIAL if block.version == address.version):
        return False
    if address.is_multicast or address.is_unspecified or address.is_link_local or address.is_reserved:
        return settings.WEBHOOKS_TO_PRIVATE and address.is_loopback  # ::1 is reserved, too
    return address.is_global or (settings.WEBHOOKS_TO_PRIVATE and (address.is_private or address.is_loopback))


def resolved(host: str, port: int) -> str:
    """Resolve a name to its first address, if all its addresses are allowed. Raises NotThere."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise NotThere(UNKNOWN_NAME) from None
    addresses = [str(one[4][0]) for one in found]
    if not addresses or not all(is_public_ip(ip_address(one.partition("%")[0])) for one in addresses):
        raise NotThere(OWN_NETWORK)
    return addresses[0]


def post(url: str, body: bytes, headers: Mapping[str, str]) -> int:
    """POST a body and return the status; the rest of the response is ignored. Raises NotThere."""
    line = Line(url)
    try:
        return line.post(url, body, {**headers, "Connection": "close"})
    finally:
        line.close()


class Line:
    """A connection to one server for several messages. Raises NotThere if it has no allowed address."""

    def __init__(self, url: str) -> None:
        parts = parts_of(url)
        self.asked = _line_to(resolved(parts.host, parts.port), parts)
        self.was_used = False

    def post(self, url: str, body: bytes, headers: Mapping[str, str]) -> int:
        """POST a body to a URL of this server and return the status. Raises NotThere."""
        try:
            return self._post(url, body, headers)
        except ConnectionError:
            if not self.was_used:
                raise NotThere(NO_ANSWER) from None
        # Who waits between two messages may find that the other side has hung up.
        self.close()
        self.was_used = False
        return self.post(url, body, headers)

    def _post(self, url: str, body: bytes, headers: Mapping[str, str]) -> int:
        from urllib3.exceptions import HTTPError  # noqa: PLC0415 - only deliveries need it

        parts = parts_of(url)
        host = f"[{parts.host}]" if ":" in parts.host else parts.host
        usual = PORTS["https" if parts.is_safe else "http"]
        own = {"Host": host if parts.port == usual else f"{host}:{parts.port}"}
        try:
            with cut_off_after(WHOLE, self.asked):
                self.asked.request(
                    "POST", parts.target, body=body, headers={**headers, **own}, preload_content=False
                )
                answer = self.asked.getresponse()
                if headers.get("Connection") == "close" or len(answer.read(LONGEST)) == LONGEST:
                    self.close()
            self.was_used = True
            return int(answer.status)
        except ConnectionError:
            self.close()
            raise
        except (OSError, ValueError, HTTPException, HTTPError):
            self.close()
            raise NotThere(NO_ANSWER) from None

    def close(self) -> None:
        self.asked.close()


def _line_to(address: str, parts: Parts) -> HTTPConnection:
    """A connection to this address only; the certificate must be for the requested host name."""
    from urllib3.connection import HTTPConnection, HTTPSConnection  # noqa: PLC0415 - see `post`

    if not parts.is_safe:
        return HTTPConnection(address, parts.port, timeout=WAIT)
    return HTTPSConnection(
        address, parts.port, timeout=WAIT, server_hostname=parts.host, assert_hostname=parts.host
    )


class HasSocket(Protocol):
    """A connection of an HTTP or SMTP library; `sock` is None when it is closed."""

    sock: Any


@contextmanager
def cut_off_after(seconds: float, line: HasSocket) -> Iterator[None]:
    """Close the connection after so many seconds in all, even if every single response is in time."""

    def cut_off() -> None:
        if line.sock is not None:
            with suppress(OSError):
                line.sock.shutdown(socket.SHUT_RDWR)

    timer = Timer(seconds, cut_off)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
