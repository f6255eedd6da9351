"""Sign in: adapters of allauth and axes for password, second factor, passkeys and throttling.

The session stores the last authentication: before what cannot be undone it is required again. Secrets
of the second factor are encrypted with the key of the installation. Guesses are counted by name and by address.
"""

from __future__ import annotations

import base64
import secrets
import time
from collections.abc import Callable
from functools import wraps
from hashlib import sha256
from io import BytesIO
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar, cast

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.authentication import get_authentication_records
from allauth.core import context
from allauth.core.exceptions import ReauthenticationRequired
from allauth.mfa.adapter import DefaultMFAAdapter
from django.conf import settings
from django.utils import timezone

from clubs.models import Account, Affiliation, Role
from core.throttle import by_address, by_name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from allauth.mfa.models import Authenticator
    from cryptography.fernet import MultiFernet
    from django.db.models import QuerySet
    from django.http import HttpRequest, HttpResponse

    from clubs.models import Account


BACKEND = "django.contrib.auth.backends.ModelBackend"
NOT_SAID = {"account/messages/logged_in.txt", "account/messages/logged_out.txt"}
NO_ADDRESS = "0.0.0.0"  # noqa: S104 - of a visitor who has none


class AccountAdapter(DefaultAccountAdapter):
    """An allauth adapter without sign-up, whose mail is sent by `clubs.mail`."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        del request
        return False

    def login(self, request: HttpRequest, user: Account) -> None:
        # After the second factor the account comes from the session, and django-axes' backend authenticates none.
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
        """The client's address, as `core.middleware.see_behind_proxy` set it."""
        told = request.META.get("REMOTE_ADDR", "")
        try:
            return str(ip_address(told))
        except ValueError:
            return NO_ADDRESS

    def is_reauthentication_required(self, *, app: str, **told: Any) -> bool:
        del app, told
        return not signed_in_recently(context.request)

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        del template_prefix, email, context
        raise NotImplementedError("letters are posted by clubs.mail.outbox")


def sign_in(request: HttpRequest, account: Account, to: str) -> HttpResponse:
    """Sign in a user who has shown a password, or redirect to the second factor; then redirect to `to`."""
    from allauth.account.internal.flows.login import perform_password_login  # noqa: PLC0415 - not while it starts
    from allauth.account.models import Login  # noqa: PLC0415

    login = Login(user=account, redirect_url=to)
    answer: HttpResponse = perform_password_login(request, {"username": account.username}, login)
    return answer


def signed_in_recently(request: HttpRequest) -> bool:
    """Whether the user proved their identity recently."""
    minutes = settings.PASSWORD_AGAIN_MINUTES
    if not minutes:
        return True
    shown = get_authentication_records(request, request.user)
    return any(time.time() - record["at"] < minutes * 60 for record in shown)


P = ParamSpec("P")
R = TypeVar("R")
View = Callable[Concatenate[R, P], "HttpResponse"]


def require_recent_sign_in(view: View[R, P]) -> View[R, P]:
    """Require the password before a view if the user signed in long ago; a form sent meanwhile is then processed.

    Put it below decorators that check permissions.
    """

    @wraps(view)
    def wrapper(request: R, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if not signed_in_recently(cast("HttpRequest", request)):
            raise ReauthenticationRequired
        return view(request, *args, **kwargs)

    return wrapper


PURPOSE = b"clubs.sign_in:"
DEMANDED = ("totp", "webauthn")  # codes on paper are no factor of their own
UNIONS = "unions"


class FactorAdapter(DefaultMFAAdapter):
    def encrypt(self, text: str) -> str:
        return _cipher().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """Decrypt a secret. If the encryption key has changed: a random secret, which no code fits."""
        from cryptography.fernet import InvalidToken  # noqa: PLC0415 - large, and seldom needed

        try:
            return _cipher().decrypt(encrypted_text.encode()).decode()
        except InvalidToken:
            return base64.b32encode(secrets.token_bytes(20)).decode()

    def build_totp_svg(self, url: str) -> str:
        import segno  # noqa: PLC0415 - not while it starts

        segno.make(url, error="m").save(
            made := BytesIO(), kind="svg", scale=5, border=4, light="#fff", xmldecl=False
        )
        return made.getvalue().decode()

    def can_delete_authenticator(self, authenticator: Authenticator) -> bool:
        """Whether an authenticator may be deleted: not the last one of a user who needs a second factor."""
        if authenticator.type not in DEMANDED or not needs_second_factor(authenticator.user):
            return True
        others = factors_of(authenticator.user).exclude(pk=authenticator.pk)
        return bool(others.exists())


def _cipher() -> MultiFernet:
    from cryptography.fernet import Fernet, MultiFernet  # noqa: PLC0415

    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    made = (base64.urlsafe_b64encode(sha256(PURPOSE + key.encode()).digest()) for key in keys)
    return MultiFernet([Fernet(key) for key in made])


def _authenticators(account: Account) -> QuerySet[Any]:
    from allauth.mfa.models import Authenticator  # noqa: PLC0415 - not while it starts

    return cast("QuerySet[Any]", Authenticator.objects.filter(user=account))


def factors_of(account: Account) -> QuerySet[Any]:
    """Authenticator apps and passkeys of an account."""
    return _authenticators(account).filter(type__in=DEMANDED)


def needs_second_factor(account: Account) -> bool:
    """Whether an account must have a second factor: the owner of the program, and who organises a union or for one.

    That is by a role, or as an official of one of its tournaments, seasons or championships.
    """
    if settings.SECOND_FACTOR != UNIONS:
        return False
    if account.is_superuser:
        return True
    organised = set(
        Role.objects.filter(account=account, kind=Role.Kind.ORGANISER).values_list("club", flat=True)
    )
    now = timezone.now()
    # That app is not imported here.
    held = account.officials.filter(kind=Role.Kind.ORGANISER).select_related(
        "tournament", "season", "championship"
    )
    organised |= {one.subject.host_id for one in held if one.is_in_force(now)}
    return Affiliation.objects.filter(union__in=organised, left=None).exists()


def lacks_second_factor(account: Account) -> bool:
    """Whether an account must set up a second factor before going on."""
    return needs_second_factor(account) and not factors_of(account).exists()


def remove_factors(account: Account) -> int:
    """Remove all factors of an account, as when phone and recovery codes are lost; returns how many."""
    return _authenticators(account).delete()[0]


COOKIE, SALT = "known", "clubs.known_browser"
KEPT = 365 * 24 * 3600  # seconds
MOST_ACCOUNTS = 5  # that sign in at one computer


def remember_browser(request: HttpRequest, answer: HttpResponse, account: Account) -> None:
    """Mark this browser as known to the account."""
    keys = [str(account.pk), *(key for key in _known(request) if key != str(account.pk))]
    answer.set_signed_cookie(
        COOKIE,
        "/".join(keys[:MOST_ACCOUNTS]),
        salt=SALT,
        max_age=KEPT,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def is_known_browser(request: HttpRequest, credentials: Mapping[str, str] | None = None) -> bool:
    """Whether the account has signed in in this browser before; also called by django-axes."""
    username = (credentials or {}).get("username", "")
    return bool(username) and bool(_known(request)) and _key_of(username) in _known(request)


def guessers(request: HttpRequest, username: str) -> tuple[str, ...]:
    """The username by which a wrong password is counted."""
    if is_known_browser(request, {"username": username}):
        return (by_name("browser", request.COOKIES[COOKIE]),)
    return by_name("account", username), by_address("sign-in", request.META.get("REMOTE_ADDR", ""))


def _known(request: HttpRequest) -> list[str]:
    """Primary keys, as text, of the accounts that have signed in here."""
    said = request.get_signed_cookie(COOKIE, default="", salt=SALT, max_age=KEPT)
    return said.split("/") if said else []


def _key_of(username: str) -> str:
    return str(Account.objects.filter(username=username).values_list("pk", flat=True).first())
