"""Sessions in the database, whose trouble is said as such: by Django's own a full disk is a mistake of the visitor."""

from __future__ import annotations

from typing import Any

from django.contrib.sessions.backends.base import UpdateError
from django.contrib.sessions.backends.db import SessionStore as DatabaseSessions
from django.db import OperationalError


class SessionStore(DatabaseSessions):
    def save(self, must_create: Any = False) -> None:
        """Raises `OperationalError` where the database cannot store; `UpdateError` where the session is gone."""
        try:
            super().save(must_create)
        except UpdateError as error:
            if isinstance(error.__context__, OperationalError):
                raise error.__context__ from None
            raise
