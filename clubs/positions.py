"""Positions on the map: latitude and longitude, parsed from text or a map's link, and the distance between two."""

from __future__ import annotations

import math
import re
from typing import NamedTuple
from urllib.parse import unquote

# Kilometres: the mean radius of the Earth (IUGG).
EARTH_RADIUS = 6371.0088

_NUMBER = r"([-+]?[0-9]{1,3}(?:\.[0-9]{1,20})?)"
# Decimals are required: “56,157” alone is half a position with a decimal comma, not two whole degrees.
_TYPED = (
    re.compile(r"([-+]?[0-9]{1,3}\.[0-9]{1,20})(?:\s*[,;]\s*|\s+)([-+]?[0-9]{1,3}\.[0-9]{1,20})"),
    re.compile(r"([-+]?[0-9]{1,3},[0-9]{1,20})(?:[,;]?\s+|\s*;\s*)([-+]?[0-9]{1,3},[0-9]{1,20})"),
)
# A marker comes before the middle of the map.
_LINKED = tuple(
    re.compile(form.replace("N", _NUMBER))
    for form in (
        r"[?&#]mlat=N&mlon=N(?![0-9.])",
        r"!3dN!4dN(?![0-9.])",
        r"[?&](?:q|query|ll|destination)=(?:loc:)?N,[+\s]{0,3}N(?![0-9.])",
        r"/place/N,[+\s]{0,3}N(?![0-9.])",
        r"/@N,N(?![0-9.])",
        r"[#&?]map=[0-9.]{1,20}/N/N(?![0-9.])",
        r"[?&]center=N,N(?![0-9.])",
        r"^geo:N,N(?![0-9.])",
    )
)


class Position(NamedTuple):
    """Latitude and longitude in degrees, positive to the north and east."""

    latitude: float
    longitude: float

    def __str__(self) -> str:
        return f"{self.latitude:.5f}, {self.longitude:.5f}"


def parse_position(text: str) -> Position:
    """The position in a text like “56.157, 10.211”, or in a link from OpenStreetMap or Google. Raises ValueError."""
    typed = text.strip()
    link = unquote(typed)
    found = next(filter(None, (form.fullmatch(typed) for form in _TYPED)), None) or next(
        filter(None, (form.search(link) for form in _LINKED)), None
    )
    if found is None:
        raise ValueError("no position")
    latitude, longitude = (float(number.replace(",", ".")) for number in found.groups())
    if abs(latitude) > 90 or abs(longitude) > 180:
        raise ValueError("not on the map")
    return Position(latitude, longitude)


def kilometres_between(one: Position, other: Position) -> float:
    """The distance along a great circle, by the haversine formula."""
    south, north = math.radians(one.latitude), math.radians(other.latitude)
    east = math.radians(other.longitude - one.longitude)
    square = math.sin((north - south) / 2) ** 2 + math.cos(south) * math.cos(north) * math.sin(east / 2) ** 2
    return 2 * EARTH_RADIUS * math.asin(min(1.0, math.sqrt(square)))
