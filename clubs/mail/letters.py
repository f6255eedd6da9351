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

from clubs.clubs import write_down
from clubs.letter_models import Topic
from clubs.mail.consent import who_agreed
from clubs.mail.kinds import Kind, TooLate
from clubs.mail.outbox import Addressed, post, post_to_all
from clubs.models import Account, Club, Letter, Membership, News, Player, Role
from core.log_messages import author_name

if TYPE_CHECKING:
    from datetime import datetime

    from django.db.models import QuerySet

    from clubs.models import Account


GONE = gettext_noop("This account no longer exists, or is closed.")
ANSWERED = gettext_noop("It was answered or withdrawn before it was sent.")
ADDRESS_SALT = "clubs.mail.address"
# A link that has been asked for is used at once, or not at all.
HELD_FOR = timedelta(days=3)
# Letters for a forgotten password to one account; and accounts of one address that are written to.
PAUSE, MOST_A_DAY, MOST_AT_AN_ADDRESS = timedelta(minutes=5), 6, 3


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


class PasswordAskedFor(Kind):
    """Somebody has typed a user name or an address: it becomes letters, if it is anybody's, and is none itself."""

    code = "forgotten"
    name = _("forgotten password")
    tried_for = timedelta(hours=3)

    def said(self, letter: Letter) -> dict[str, Any]:
        del letter
        raise TooLate(GONE)


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


def ask_for_new_password(asked: str) -> None:
    """Store that a new password is asked for. Accounts are looked up beside the pages, by `post_new_passwords`.

    So a request takes as long for a user name that there is as for one that there is not: it writes one row.
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


def post_new_passwords() -> None:
    """Turn what was asked for into letters to the accounts that there are; what was typed is forgotten.

    An account has one letter in five minutes and few in a day, whoever asks, and from wherever.
    """
    for asked in Letter.objects.filter(kind=PasswordAskedFor.code, state=Letter.State.WAITING).order_by("pk"):
        with transaction.atomic():
            if not Letter.objects.filter(pk=asked.pk, state=Letter.State.WAITING).delete()[0]:
                continue  # another process has it
            for account in forgotten_by(str(asked.facts["asked"]))[:MOST_AT_AN_ADDRESS]:
                if not _had_enough(account, asked.posted_at):
                    post("password", account.email, language=asked.language, facts={}, member=account)


def _had_enough(account: Account, now: datetime) -> bool:
    written = Letter.objects.filter(kind=ForgottenPassword.code, account=account)
    within_a_day = written.filter(posted_at__gt=now - timedelta(days=1)).count()
    return within_a_day >= MOST_A_DAY or written.filter(posted_at__gt=now - PAUSE).exists()


def ask_whether_it_is_theirs(account: Account, address: str) -> Letter | None:
    return post("address", address, language=get_language() or "en", facts={}, member=account)


def confirmed(token: str, account: Account) -> str:
    """The address that a link confirms for this account; "" where it is not its own, or too old."""
    try:
        pk, address = signing.loads(token, salt=ADDRESS_SALT, max_age=HELD_FOR)
    except (signing.BadSignature, ValueError, TypeError):
        return ""
    return str(address) if pk == account.pk else ""


NEWS_GONE = gettext_noop("This news item is no longer kept.")


class NewsOfTheSeason(Kind):
    """Kept once for all who read it."""

    code = "news"
    name = _("news of the season")
    topic = Topic.NEWS.value

    def said(self, letter: Letter) -> dict[str, Any]:
        news = News.objects.filter(pk=letter.facts.get("news")).first()
        if news is None:
            raise TooLate(NEWS_GONE)
        return {"news": news}


def readers(club: Club) -> QuerySet[Player]:
    """Members of a club, or of a union's clubs, who have agreed to news."""
    theirs = Membership.objects.filter(Q(club=club) | Q(club__union=club), player=OuterRef("pk"), left=None)
    return Player.objects.filter(who_agreed(Topic.NEWS), Exists(theirs)).order_by("pk")


@transaction.atomic
def post_news(
    club: Club, *, subject: str, text: str, is_public: bool = False, account: Account, now: datetime
) -> News:
    """To all who have agreed; where everybody may read it, it stands in the club's feed as well."""
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
    news.posted = post_to_all("news", letters, club=club)
    news.save(update_fields=["posted"])
    said = (
        gettext_noop("Sent news to {count} and to the public feed: {subject}")
        if is_public
        else gettext_noop("Sent news to {count}: {subject}")
    )
    write_down(club, account, said, now=now, count=news.posted, subject=subject)
    return news


@transaction.atomic
def hide_news(news: News, *, account: Account, now: datetime) -> None:
    """Take it out of the feed; letters that were sent are with who read them."""
    if News.objects.filter(pk=news.pk, is_public=True).update(is_public=False):
        said = gettext_noop("Removed from the feed: {subject}")
        write_down(news.club, account, said, now=now, subject=news.subject)
