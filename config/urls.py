"""Four audiences, four prefixes: hall at the root, captain under /c/, desk under /desk/, clubs under /clubs/."""

from django.urls import include, path
from django.views.decorators.csrf import csrf_exempt
from django.views.i18n import set_language

from core.monitoring.metrics import metrics
from core.monitoring.status import health

handler500 = "core.middleware.fault"

urlpatterns = [
    path("health/", health, name="health"),
    path("metrics", metrics, name="metrics"),
    # Without a token, which would make every page of the hall its visitor's own: all it can change is the language.
    path("language/", csrf_exempt(set_language), name="set_language"),
    path("clubs/", include("clubs.urls")),
    path("", include("tournaments.urls")),
]
