"""What a phone needs to put Spadille on its first screen."""

from __future__ import annotations

from django.http import HttpRequest, JsonResponse
from django.templatetags.static import static
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

ICONS = {"icon-192.png": "192x192", "icon-512.png": "512x512"}
FELT, GROUND = "#14432f", "#f5efe2"  # of static/css/base.css


@require_safe
def manifest(_request: HttpRequest) -> JsonResponse:
    home = reverse("home")
    answer = JsonResponse(
        {
            "name": "Spadille",
            "short_name": "Spadille",
            "description": _("L'Hombre tournaments"),
            "lang": get_language(),
            "start_url": home,
            "scope": home,
            "display": "minimal-ui",
            "theme_color": FELT,
            "background_color": GROUND,
            "icons": [
                {"src": static("icon.svg"), "sizes": "any", "type": "image/svg+xml"},
                *(
                    {"src": static(name), "sizes": sizes, "type": "image/png", "purpose": "any maskable"}
                    for name, sizes in ICONS.items()
                ),
            ],
        },
        content_type="application/manifest+json",
    )
    patch_cache_control(answer, public=True, max_age=3600)
    return answer
