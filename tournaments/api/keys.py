"""Who asks, by a club's key: what it is good for, and that it is for this club alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils import timezone
from django.utils.translation import gettext as _
from ninja.errors import HttpError
from ninja.security import HttpBearer

from clubs.api_keys import authenticate_key
from clubs.models import ProgramKey
from core.errors import UserError
from core.throttle import by_address, count_attempt, is_throttled
from tournaments.hall.live import find_tournament

if TYPE_CHECKING:
    from django.http import HttpRequest

    from tournaments.models import Tournament

TOO_OFTEN, NOT_FOR_THAT = 429, 403


class Key(HttpBearer):
    """A key with this scope; with "" any that has not been ended. Wrong keys are answered 429 after ten a minute.

    The right key is always accepted: a hall shares one address, and 256 bits are not guessed, however often one tries.
    """

    def __init__(self, scope: str = "") -> None:
        super().__init__()
        self.scope = scope

    def authenticate(self, request: HttpRequest, token: str) -> ProgramKey | None:
        key = authenticate_key(token, timezone.now())
        if key is None:
            guesser = by_address("key", request.META.get("REMOTE_ADDR", ""))
            if is_throttled(guesser):
                raise HttpError(TOO_OFTEN, "")
            count_attempt(guesser)
            return None
        if self.scope and self.scope not in key.scopes:
            raise HttpError(NOT_FOR_THAT, "")
        return key


class OtherClub(UserError):  # noqa: N818 - says what happened
    """The key is of another club."""

    def __init__(self) -> None:
        super().__init__(_("This key belongs to another club."))


def key_in(request: HttpRequest) -> ProgramKey:
    key: ProgramKey = request.auth  # type: ignore[attr-defined]
    return key


def own_tournament(request: HttpRequest, code: str) -> Tournament:
    """The tournament of this code, if the key's club hosts it. Raises OtherClub."""
    found = find_tournament(code)
    if found.host_id != key_in(request).club_id:
        raise OtherClub
    return found
