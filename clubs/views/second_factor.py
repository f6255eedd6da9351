"""URL patterns of allauth's pages for the second factor and for reauthentication.

Its views are imported at the first request: what passkeys need is large. Pages of allauth for signing in and up, for
passwords and e-mail have no address here: they would bypass ours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.urls import path
from django.utils.module_loading import import_string
from django.views.decorators.cache import never_cache

from clubs.views.accounts import SignIn

if TYPE_CHECKING:
    from django.http import HttpRequest
    from django.http.response import HttpResponseBase
    from django.urls import URLPattern

PAGES = {
    "account_reauthenticate": ("password-again/", "account.views.reauthenticate"),
    "mfa_reauthenticate": ("password-again/code/", "mfa.base.views.reauthenticate"),
    "mfa_reauthenticate_webauthn": ("password-again/passkey/", "mfa.webauthn.views.reauthenticate_webauthn"),
    "mfa_authenticate": ("login/second/", "mfa.base.views.authenticate"),
    "mfa_index": ("my-account/second/", "mfa.base.views.index"),
    "mfa_activate_totp": ("my-account/second/app/", "mfa.totp.views.activate_totp"),
    "mfa_deactivate_totp": ("my-account/second/app/off/", "mfa.totp.views.deactivate_totp"),
    "mfa_view_recovery_codes": ("my-account/second/paper/", "mfa.recovery_codes.views.view_recovery_codes"),
    "mfa_generate_recovery_codes": (
        "my-account/second/paper/new/",
        "mfa.recovery_codes.views.generate_recovery_codes",
    ),
    "mfa_list_webauthn": ("my-account/second/passkeys/", "mfa.webauthn.views.list_webauthn"),
    "mfa_add_webauthn": ("my-account/second/passkeys/new/", "mfa.webauthn.views.add_webauthn"),
    "mfa_edit_webauthn": ("my-account/second/passkeys/<int:pk>/", "mfa.webauthn.views.edit_webauthn"),
    "mfa_remove_webauthn": (
        "my-account/second/passkeys/<int:pk>/remove/",
        "mfa.webauthn.views.remove_webauthn",
    ),
}


def _page(name: str) -> URLPattern:
    address, where = PAGES[name]

    @never_cache
    def wrapper(request: HttpRequest, **asked: Any) -> HttpResponseBase:
        view = import_string(f"allauth.{where}")
        answer: HttpResponseBase = view(request, **asked)
        return answer

    return path(address, wrapper, name=name)


urlpatterns = [
    *(_page(name) for name in PAGES),
    # As allauth calls the page that it leads to; it is ours.
    path("login/", SignIn.as_view(), name="account_login"),
]
