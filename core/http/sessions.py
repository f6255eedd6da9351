"""Sessions in the database, with database errors raised as such: Django's own blame a full disk on the visitor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib.sessions.backends.base import UpdateError
from django.contrib.sessions.backends.db import SessionStore as DatabaseSessions
from django.db import OperationalError
from django.utils import timezone

from core.sql import prepared_query

if TYPE_CHECKING:
    from django.contrib.sessions.base_session import AbstractBaseSession
    from django.db.models import QuerySet


class SessionStore(DatabaseSessions):
    def _get_session_from_db(self) -> AbstractBaseSession | None:
        """The session of this key, by a prepared query; None, and forgotten, if it is missing or expired."""
        found = _by_key.first(self.session_key)
        if found is not None and found.expire_date > timezone.now():
            return found
        self._session_key = None
        return None

    def save(self, must_create: Any = False) -> None:
        """Raises `OperationalError` where the database cannot store; `UpdateError` where the session is gone."""
        try:
            super().save(must_create)
        except UpdateError as error:
            if isinstance(error.__context__, OperationalError):
                raise error.__context__ from None
            raise


@prepared_query
def _by_key(key: str | None) -> QuerySet[AbstractBaseSession]:
    return SessionStore.get_model_class().objects.filter(session_key=key)
