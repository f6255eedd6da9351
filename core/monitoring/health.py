"""`/health/`: whether this process can work, for whatever watches over it."""

from __future__ import annotations

import shutil

from django.conf import settings
from django.core.cache import cache
from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from core.backup.folder import RESERVE


@require_safe
@never_cache
def health(_request: HttpRequest) -> JsonResponse:
    """200 if the database responds, else 503; a full disk or a missing cache is reported, but pages still work."""
    found = {
        "database": _database(),
        "cache": _cache(),
        "disk": "ok" if shutil.disk_usage(settings.DATA_DIR).free > RESERVE else "nearly full",
    }
    works = found["database"] == "ok"
    return JsonResponse({"status": "ok" if works else "down"} | found, status=200 if works else 503)


def _database() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM django_migrations")
    except DatabaseError:
        return "does not answer"
    return "ok"


def _cache() -> str:
    cache.set("health", "ok", 10)
    return "ok" if cache.get("health") == "ok" else "does not answer"
