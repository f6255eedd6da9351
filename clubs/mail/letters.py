"""Kinds of letters: invitation, forgotten password, own address, and news of the season.

Links that open an account are made when the letter is sent, and stored nowhere: who reads the database opens none.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from django.contrib.auth.tokens import default_token_generator
from django.core import signing
from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from django.utils.translation import get_language, gettext_noop
from django.utils.translation import gettext_lazy as _

from clubs.clubs import log_change
from clubs.letter_models import Topic
from clubs.mail.kinds import LetterKind, LetterObsolete, players_with_consent
from clubs.mail.outbox import Addressed, enqueue_letter, enqueue_letters
from clubs.models import Account, Club, Gives, Letter, Membership, News, Player, Role
from clubs.register_models import clubs_in
from core.log_messages import author_name

if TYPE_CHECKING:
    from datetime import datetime

    from django.db.models import QuerySet

    from clubs.models import Account


GONE = gettext_noop("This account no longer exists or is closed.")
ANSWERED = gettext_noop("It was answered or withdrawn before it was sent.")
ADDRESS_SALT = "clubs.mail.address"
# A requested link is used at once or never.
HELD_FOR = timedelta(days=3)
# Letters for a forgotten password to one account; and accounts of one address that are written to.
PAUSE, MOST_A_DAY, MOST_AT_AN_ADDRESS = timedelta(minutes=5), 6, 3


def own_password_path(account: Account) -> str:
    """The URL path where a user chooses their own password: it works once, for three days."""
    who = urlsafe_base64_encode(force_bytes(account.pk))
    return reverse("password_own", args=[who, default_token_generator.make_token(account)])


def _account(letter: Letter) -> Account:
    if letter.account is None or not letter.account.is_active:
        raise LetterObsolete(GONE)
    return letter.account


class Invitation(LetterKind):
    """Invitation to organise or help: a link to set the password of a new account, or to accept the role."""

    code = "invitation"
    name = _("invitation")

    def template_context(self, letter: Letter) -> dict[str, Any]:
        account = _account(letter)
        role = letter.facts.get("role", "")
        is_new = account.password_is_temporary
        if not is_new and not account.offers.filter(club=letter.club, declined_at=None).exists():
            raise LetterObsolete(ANSWERED)
        return {
            "role": Role.Kind(role).label if role in Role.Kind.values else role,
            "account": account,
            "is_new": is_new,
            "path": own_password_path(account) if is_new else reverse("my_account"),
        }


class ForgottenPassword(LetterKind):
    code = "password"
    name = _("forgotten password")
    tried_for = timedelta(hours=3)

    def template_context(self, letter: Letter) -> dict[str, Any]:
        account = _account(letter)
        return {"account": account, "path": own_password_path(account)}


class PasswordAskedFor(LetterKind):
    """A request for a new password, stored as a letter: it is turned into letters to the accounts found."""

    code = "forgotten"
    name = _("forgotten password")
    tried_for = timedelta(hours=3)

    def template_context(self, letter: Letter) -> dict[str, Any]:
        del letter
        raise LetterObsolete(GONE)


class OwnAddress(LetterKind):
    """A request to confirm an address; before that no other letter is sent to it."""

    code = "address"
    name = _("address to be confirmed")
    tried_for = timedelta(hours=12)

    def template_context(self, letter: Letter) -> dict[str, Any]:
        account = _account(letter)
        token = signing.dumps([account.pk, letter.to], salt=ADDRESS_SALT)
        return {"account": account, "path": reverse("address_confirm", args=[token])}


def invite(account: Account, club: Club, role: str, invited_by: Account) -> Letter | None:
    facts = {"role": role, "by": str(invited_by)}
    language = get_language() or "en"
    return enqueue_letter(
        "invitation", account.email, language=language, facts=facts, club=club, member=account
    )


def accounts_for_reset(asked: str) -> QuerySet[Account]:
    """The accounts with this user name or address that have an address."""
    known = Account.objects.filter(is_active=True).exclude(email="")
    by_name = known.filter(username__iexact=asked)
    return by_name or known.filter(email__iexact=asked)


def request_new_password(asked: str) -> None:
    """Store a request for a new password; accounts are looked up later, by `enqueue_new_passwords`.

    So a request takes equally long whether the account exists or not: it writes one row.
    """
    now = timezone.now()
    Letter.objects.create(
        kind=PasswordAskedFor.code,
        to="",
        language=get_language() or "en",
        facts={"asked": asked},
        posted_at=now,
        next_try=now,
        until=now + PasswordAskedFor.tried_for,
    )


def enqueue_new_passwords() -> None:
    """Turn stored requests into letters to the accounts found, and delete the requests.

    An account gets one letter in five minutes and a few a day, from all requests together.
    """
    for asked in Letter.objects.filter(kind=PasswordAskedFor.code, state=Letter.State.WAITING).order_by("pk"):
        with transaction.atomic():
            if not Letter.objects.filter(pk=asked.pk, state=Letter.State.WAITING).delete()[0]:
                continue  # another process has it
            for account in accounts_for_reset(str(asked.facts["asked"]))[:MOST_AT_AN_ADDRESS]:
                if not _had_enough(account, asked.posted_at):
                    enqueue_letter(
                        "password", account.email, language=asked.language, facts={}, member=account
                    )


def _had_enough(account: Account, now: datetime) -> bool:
    written = Letter.objects.filter(kind=ForgottenPassword.code, account=account)
    within_a_day = written.filter(posted_at__gt=now - timedelta(days=1)).count()
    return within_a_day >= MOST_A_DAY or written.filter(posted_at__gt=now - PAUSE).exists()


def request_confirmation(account: Account, address: str) -> Letter | None:
    return enqueue_letter("address", address, language=get_language() or "en", facts={}, member=account)


def confirmed_address(token: str, account: Account) -> str:
    """The address that a link confirms for this account; "" if it belongs to another account, or is too old."""
    try:
        pk, address = signing.loads(token, salt=ADDRESS_SALT, max_age=HELD_FOR)
    except (signing.BadSignature, ValueError, TypeError):
        return ""
    return str(address) if pk == account.pk else ""


NEWS_GONE = gettext_noop("This news item has been deleted.")


class NewsOfTheSeason(LetterKind):
    """News that is stored once for all recipients."""

    code = "news"
    name = _("news about the season")
    topic = Topic.NEWS.value

    def template_context(self, letter: Letter) -> dict[str, Any]:
        news = News.objects.filter(pk=letter.facts.get("news")).first()
        if news is None:
            raise LetterObsolete(NEWS_GONE)
        return {"news": news}


def readers(club: Club) -> QuerySet[Player]:
    """Members of a club, or of the clubs that give a union everything, who consent to news."""
    given = clubs_in(club, gives=Gives.EVERYTHING)
    theirs = Membership.objects.filter(Q(club=club) | Q(club__in=given), player=OuterRef("pk"), left=None)
    return Player.objects.filter(players_with_consent(Topic.NEWS), Exists(theirs)).order_by("pk")


@transaction.atomic
def publish_news(
    club: Club, *, subject: str, text: str, is_public: bool = False, account: Account, now: datetime
) -> News:
    """Send news to all who consent; public news also appear in the club's feed."""
    news = News.objects.create(
        club=club,
        subject=subject,
        text=text,
        is_public=is_public,
        written_by=author_name(account),
        written_at=now,
    )
    # A couple with one address reads one letter.
    once = {player.email.casefold(): player for player in readers(club)}
    letters = (
        Addressed(player, f"news {news.pk} {player.pk}", {"news": news.pk}) for player in once.values()
    )
    news.posted = enqueue_letters("news", letters, club=club)
    news.save(update_fields=["posted"])
    said = (
        gettext_noop("Sent news to {count} and to the public feed: {subject}")
        if is_public
        else gettext_noop("Sent news to {count}: {subject}")
    )
    log_change(club, account, said, now=now, count=news.posted, subject=subject)
    return news


@transaction.atomic
def hide_news(news: News, *, account: Account, now: datetime) -> None:
    """Remove news from the feed; letters already sent cannot be recalled."""
    if News.objects.filter(pk=news.pk, is_public=True).update(is_public=False):
        said = gettext_noop("Removed from the feed: {subject}")
        log_change(news.club, account, said, now=now, subject=news.subject)
