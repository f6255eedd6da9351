"""A second factor beside the password: an app's codes, or a passkey; and codes on paper for when the phone is gone.

Its secrets are kept enciphered by the program's key: a backup that falls into somebody's hands opens no account.
"""

from __future__ import annotations

import base64
import secrets
from hashlib import sha256
from io import BytesIO
from typing import TYPE_CHECKING

from allauth.mfa.adapter import DefaultMFAAdapter
from django.conf import settings

from clubs.models import Account, Role

if TYPE_CHECKING:
    from allauth.mfa.models import Authenticator
    from cryptography.fernet import MultiFernet

PURPOSE = b"clubs.second_factor:"
DEMANDED = ("totp", "webauthn")  # codes on paper are no factor of their own
UNIONS = "unions"


class FactorAdapter(DefaultMFAAdapter):
    def encrypt(self, text: str) -> str:
        return _cipher().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """Where the key is another one by now, something that nobody knows: no code fits."""
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
        """Not the last of what is demanded of them."""
        if authenticator.type not in DEMANDED or not is_demanded(authenticator.user):
            return True
        others = factors_of(authenticator.user).exclude(pk=authenticator.pk)
        return bool(others.exists())


def _cipher() -> MultiFernet:
    from cryptography.fernet import Fernet, MultiFernet  # noqa: PLC0415

    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    made = (base64.urlsafe_b64encode(sha256(PURPOSE + key.encode()).digest()) for key in keys)
    return MultiFernet([Fernet(key) for key in made])


def factors_of(account: Account):  # type: ignore[no-untyped-def]  # noqa: ANN201 - allauth's models have no types
    """Apps and passkeys of an account."""
    from allauth.mfa.models import Authenticator  # noqa: PLC0415

    return Authenticator.objects.filter(user=account, type__in=DEMANDED)


def is_demanded(account: Account) -> bool:
    """Whether a second factor is demanded of somebody: who owns the program, or organises a union."""
    if settings.SECOND_FACTOR != UNIONS:
        return False
    of_union = Role.objects.filter(account=account, kind=Role.Kind.ORGANISER, club__clubs__isnull=False)
    return account.is_superuser or of_union.exists()


def is_lacking(account: Account) -> bool:
    """Whether they have to set one up before they go on."""
    return is_demanded(account) and not factors_of(account).exists()


def take_away(account: Account) -> int:
    """Forget somebody's second factor, as where the phone and the paper are lost; how many there were."""
    from allauth.mfa.models import Authenticator  # noqa: PLC0415

    return int(Authenticator.objects.filter(user=account).delete()[0])
