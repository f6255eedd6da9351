"""Limits for letters to addresses that nobody has proved to be theirs, as those that guests type on a public page.

Whoever types another person's address makes the club's mail server write to a stranger. So there are few such letters
for a tournament, to a domain and altogether in an hour, and a tournament has some hundred in all. A wish beyond that is
kept without a letter: the organiser sees it, and lets them in or hands them a code.
"""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING

from clubs.models import Letter

if TYPE_CHECKING:
    from datetime import datetime

    from tournaments.models import Tournament

AN_HOUR = timedelta(hours=1)
# Letters to unproved addresses: for a tournament in an hour and in all, to a domain in an hour, by this program in one.
OF_TOURNAMENT_AN_HOUR, OF_TOURNAMENT, TO_DOMAIN_AN_HOUR, AN_HOUR_IN_ALL = 20, 100, 12, 60
KINDS = ("entry_link", "entry_partner")
# Letters of the name of a guest who enters from home: as long as names are, too short for a message.
LONGEST_GUEST_NAME = 50
# An address of the web or of mail, or what mail programs make one of: a scheme, "www.", an @, letters.letters, a path.
_ADDRESS = re.compile(r"://|@|\bwww\b|\w\.\w{2,}|[/\\<>]", re.IGNORECASE)


def has_address(name: str) -> bool:
    """Whether there is an address of the web or of mail in a name, or what a mail program takes for one."""
    return bool(_ADDRESS.search(name))


def may_write_to_stranger(tournament: Tournament, address: str, now: datetime) -> bool:
    """Whether one more letter to an unproved address is within the limits; the caller holds the tournament."""
    posted = Letter.objects.filter(kind__in=KINDS, player=None)
    newest = posted.filter(posted_at__gt=now - AN_HOUR)
    of_tournament = posted.filter(club=tournament.host_id, facts__evening=tournament.code)
    domain = address.rpartition("@")[2]
    # Each is counted whatever the others are: how long it takes says nothing of the address.
    counts = (
        (newest, AN_HOUR_IN_ALL),
        (newest.filter(to__iendswith=f"@{domain}"), TO_DOMAIN_AN_HOUR),
        (of_tournament.filter(posted_at__gt=now - AN_HOUR), OF_TOURNAMENT_AN_HOUR),
        (of_tournament, OF_TOURNAMENT),
    )
    within = [letters.count() < most for letters, most in counts]
    return all(within)
