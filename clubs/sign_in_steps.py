"""What allauth does when somebody signs in, as it is done here: the password, then a second factor where there is one.

It keeps in the session when one has last shown who one is: before what cannot be undone that is asked again.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import wraps
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar, cast

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.authentication import get_authentication_records
from allauth.core import context
from allauth.core.exceptions import ReauthenticationRequired
from django.conf import settings

from clubs.signing_in import remember_browser

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from clubs.models import Account

BACKEND = "django.contrib.auth.backends.ModelBackend"
NOT_SAID = {"account/messages/logged_in.txt", "account/messages/logged_out.txt"}
NO_ADDRESS = "0.0.0.0"  # noqa: S104 - of a visitor who has none


class AccountAdapter(DefaultAccountAdapter):
    """Nobody signs up by themselves, and nothing is mailed but by `clubs.mail`."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        del request
        return False

    def login(self, request: HttpRequest, user: Account) -> None:
        # After the second factor the account comes from the session, and django-axes' backend knows nobody.
        user.backend = BACKEND
        super().login(request, user)

    def post_login(self, request: HttpRequest, user: Account, **told: Any) -> HttpResponse:
        answer: HttpResponse = super().post_login(request, user, **told)
        remember_browser(request, answer, user)
        return answer

    def add_message(self, request: HttpRequest, level: int, *args: Any, **told: Any) -> None:
        template = args[0] if args else told.get("message_template")
        if template not in NOT_SAID:
            super().add_message(request, level, *args, **told)

    def get_client_ip(self, request: HttpRequest) -> str:
        """As `config.middleware.see_behind_proxy` found it."""
        told = request.META.get("REMOTE_ADDR", "")
        try:
            return str(ip_address(told))
        except ValueError:
            return NO_ADDRESS

    def is_reauthentication_required(self, *, app: str, **told: Any) -> bool:
        del app, told
        return not is_fresh(context.request)

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        del template_prefix, email, context
        raise NotImplementedError("letters are posted by clubs.mail.posting")


def sign_in(request: HttpRequest, account: Account, to: str) -> HttpResponse:
    """Sign in whoever has shown a password, or lead to what else they have to show; then `to` an address."""
    from allauth.account.internal.flows.login import perform_password_login  # noqa: PLC0415 - not while it starts
    from allauth.account.models import Login  # noqa: PLC0415

    login = Login(user=account, redirect_url=to)
    answer: HttpResponse = perform_password_login(request, {"username": account.username}, login)
    return answer


def is_fresh(request: HttpRequest) -> bool:
    """Whether it is not long ago that they have shown who they are."""
    minutes = settings.PASSWORD_AGAIN_MINUTES
    if not minutes:
        return True
    shown = get_authentication_records(request, request.user)
    return any(time.time() - record["at"] < minutes * 60 for record in shown)


P = ParamSpec("P")
R = TypeVar("R")
View = Callable[Concatenate[R, P], "HttpResponse"]


def password_again(view: View[R, P]) -> View[R, P]:
    """Ask for the password before a view of somebody who signed in long ago; what was sent is done then, or shown.

    It stands below what asks whether they may at all.
    """

    @wraps(view)
    def asked(request: R, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if not is_fresh(cast("HttpRequest", request)):
            raise ReauthenticationRequired
        return view(request, *args, **kwargs)

    return asked
