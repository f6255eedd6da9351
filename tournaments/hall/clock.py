"""The time by this machine's clock, from which every screen counts: theirs may be wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import JsonResponse
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_safe

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


@require_safe
def hall_time(_request: HttpRequest) -> HttpResponse:
    """`{"now": milliseconds}`; asked once a minute by a screen that shows a clock."""
    answer = JsonResponse({"now": round(timezone.now().timestamp() * 1000)})
    patch_cache_control(answer, no_store=True)
    return answer
