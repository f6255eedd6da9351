"""Letters about accounts: an invitation to organise or help, a forgotten password, one's own address.

Their links are made when they are sent, and are kept nowhere: a database that is read opens no account.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.contrib.auth.tokens import default_token_generator
from django.core import signing
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from django.utils.translation import get_language, gettext_noop
from django.utils.translation import gettext_lazy as _

from clubs.mail.kinds import Kind, TooLate
from clubs.mail.posting import post
from clubs.models import Account, Club, Letter, Role

if TYPE_CHECKING:
    from django.db.models import QuerySet

GONE = gettext_noop("There is no such account any more, or it is closed.")
ANSWERED = gettext_noop("It was answered, or taken back, before it was sent.")
ADDRESS_SALT = "clubs.mail.address"
# A link that has been asked for is used at once, or not at all.
HELD_FOR = timedelta(days=3)


def own_password_path(account: Account) -> str:
    """The address where somebody chooses a password of their own: it works once, and for three days."""
    who = urlsafe_base64_encode(force_bytes(account.pk))
    return reverse("password_own", args=[who, default_token_generator.make_token(account)])


def _account(letter: Letter) -> Account:
    if letter.account is None or not letter.account.is_active:
        raise TooLate(GONE)
    return letter.account


class Invitation(Kind):
    """To who is to organise or help: the way to a new account's password, or to the page where one says yes."""

    code = "invitation"
    name = _("invitation")

    def said(self, letter: Letter) -> dict[str, Any]:
        account = _account(letter)
        role = letter.facts.get("role", "")
        is_new = account.password_is_temporary
        if not is_new and not account.offers.filter(club=letter.club, declined_at=None).exists():
            raise TooLate(ANSWERED)
        return {
            "role": Role.Kind(role).label if role in Role.Kind.values else role,
            "account": account,
            "is_new": is_new,
            "path": own_password_path(account) if is_new else reverse("my_account"),
        }


class ForgottenPassword(Kind):
    code = "password"
    name = _("forgotten password")
    tried_for = timedelta(hours=3)

    def said(self, letter: Letter) -> dict[str, Any]:
        account = _account(letter)
        return {"account": account, "path": own_password_path(account)}


class OwnAddress(Kind):
    """Whoever reads the mail there says that it is theirs: before that nothing else is sent there."""

    code = "address"
    name = _("address to be confirmed")
    tried_for = timedelta(hours=12)

    def said(self, letter: Letter) -> dict[str, Any]:
        account = _account(letter)
        token = signing.dumps([account.pk, letter.to], salt=ADDRESS_SALT)
        return {"account": account, "path": reverse("address_confirm", args=[token])}


def invite(account: Account, club: Club, role: str, invited_by: Account) -> Letter | None:
    facts = {"role": role, "by": str(invited_by)}
    language = get_language() or "en"
    return post("invitation", account.email, language=language, facts=facts, club=club, member=account)


def forgotten_by(asked: str) -> QuerySet[Account]:
    """Accounts of a user name, or of an address, that can be written to."""
    known = Account.objects.filter(is_active=True).exclude(email="")
    by_name = known.filter(username__iexact=asked)
    return by_name or known.filter(email__iexact=asked)


def send_new_password(asked: str) -> None:
    """Write to whose user name or address this is; whether there is anybody is not told to who asks."""
    for account in forgotten_by(asked)[:3]:
        post("password", account.email, language=get_language() or "en", facts={}, member=account)


def ask_whether_it_is_theirs(account: Account, address: str) -> Letter | None:
    return post("address", address, language=get_language() or "en", facts={}, member=account)


def confirmed(token: str, account: Account) -> str:
    """The address that a link confirms for this account; "" where it is not its own, or too old."""
    try:
        pk, address = signing.loads(token, salt=ADDRESS_SALT, max_age=HELD_FOR)
    except (signing.BadSignature, ValueError, TypeError):
        return ""
    return str(address) if pk == account.pk else ""
