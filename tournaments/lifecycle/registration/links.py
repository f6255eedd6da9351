"""Personal links of applications, and when registration is open."""

from __future__ import annotations

import re
import secrets
from hashlib import sha256
from typing import TYPE_CHECKING

from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from core.errors import NotPossible
from core.text import CODE_LETTERS
from tournaments.models import Application

if TYPE_CHECKING:
    from datetime import datetime

    from tournaments.models import Tournament


# A player's own link: fifteen letters that can be typed as well as clicked.
#
# The token is derived from a stored salt and the program's key, and looked up by its hash. So a later mail has the
# same link as the first, and read access to the database is not enough to use it.

LETTERS, GROUP = 15, 5  # 74 bits
SALT = "spadille.entering"
LONGEST_SENT = 2000  # what a scanner or a person sends at most


def make_link(application: Application) -> str:
    """Give the application, which is stored afterwards, a link; the one before it leads nowhere any more."""
    application.salt = secrets.token_hex(16)
    key = _made_of(application.salt, settings.SECRET_KEY)
    application.key_hash = hash_of(key)
    return key


def key_of(application: Application) -> str:
    """The key of the link that was given; "" where the program's key was replaced since, and is not known any more."""
    made = (_made_of(application.salt, one) for one in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS))
    return next((key for key in made if constant_time_compare(hash_of(key), application.key_hash)), "")


def address_of(application: Application, key: str = "") -> str:
    """The path of an application's link."""
    return reverse("hall_entry", args=[application.tournament.code, key or key_of(application)])


def format_key(key: str) -> str:
    """A key as it is typed: in groups of five."""
    return "-".join(key[start : start + GROUP] for start in range(0, len(key), GROUP))


def hash_of(key: str) -> str:
    return sha256(key.encode()).hexdigest()


def read(sent: str) -> str:
    """The key in what was typed, scanned or followed, with or without the address around it; "" for none."""
    last = sent[:LONGEST_SENT].strip().rstrip("/").rpartition("/")[2]
    key = re.sub(r"[\s-]", "", last).upper()
    return key if len(key) == LETTERS and set(key) <= set(CODE_LETTERS) else ""


def find_application(tournament: Tournament, sent: str) -> Application | None:
    """The application of a link's key, at this tournament; None for an invalid one."""
    key = read(sent)
    there = Application.objects.select_related("player", "club", "entry__player", "entry__club", "lead")
    one = there.filter(tournament=tournament, key_hash=hash_of(key)).first() if key else None
    if one:
        one.tournament = tournament
    return one


def _made_of(salt: str, key: str) -> str:
    number = int.from_bytes(salted_hmac(SALT, salt, secret=key, algorithm="sha256").digest())
    letters = []
    for _place in range(LETTERS):
        number, letter = divmod(number, len(CODE_LETTERS))
        letters.append(CODE_LETTERS[letter])
    return "".join(letters)


# Whether one can enter from home now, and if not, why.


def why_closed(tournament: Tournament, now: datetime) -> str:
    """The reason why online entries are closed, as text; "" while they are open."""
    if not tournament.from_home.is_on:
        return _("The organiser enters the players for this evening. Please ask there.")
    if problem := why_over(tournament):
        return problem
    opens, closes = tournament.entering_opens, tournament.entering_closes
    if opens and now < opens:
        return _("Entry opens on %(when)s.") % {"when": format_moment(opens)}
    if now >= closes:
        return _("Entry closed on %(when)s. Ask the organiser.") % {"when": format_moment(closes)}
    return ""


def why_over(tournament: Tournament) -> str:
    """The reason why players cannot enter and withdraw by themselves; "" if they can."""
    if tournament.is_called_off:
        return _("This tournament has been called off.")
    if tournament.state != tournament.State.SETUP or tournament.rounds.exists():
        return _("The seats have already been drawn. Contact the organiser.")
    return ""


def refuse_when_over(tournament: Tournament) -> None:
    if problem := why_over(tournament):
        raise NotPossible(problem)


def format_moment(moment: datetime) -> str:
    return date_format(timezone.localtime(moment), "DATETIME_FORMAT")
