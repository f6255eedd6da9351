"""News of the season: what an organiser has typed, to all members who have agreed to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from clubs.club_log import write_down
from clubs.letters import Topic
from clubs.mail.agreeing import who_agreed
from clubs.mail.kinds import Kind, TooLate
from clubs.mail.posting import Addressed, post_to_all
from clubs.models import Club, Letter, Membership, News, Player
from core.log_messages import name_of

if TYPE_CHECKING:
    from datetime import datetime

    from django.db.models import QuerySet

    from clubs.models import Account

GONE = gettext_noop("This news item is no longer kept.")


class NewsOfTheSeason(Kind):
    """Kept once for all who read it."""

    code = "news"
    name = _("news of the season")
    topic = Topic.NEWS.value

    def said(self, letter: Letter) -> dict[str, Any]:
        news = News.objects.filter(pk=letter.facts.get("news")).first()
        if news is None:
            raise TooLate(GONE)
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
        written_by=name_of(account),
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
