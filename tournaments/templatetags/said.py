"""What is stored as data, in the reader's language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import template

from tournaments.changes.chain import short_head
from tournaments.domain.terms import reason_words
from tournaments.ledger.queries import rulebook_of
from tournaments.ledger.scoresheet import flag_words
from tournaments.standings.team_text import marked

if TYPE_CHECKING:
    from django.template import Context

    from tournaments.models import Flag

register = template.Library()
register.filter("reason_words", reason_words)
register.filter("short_head", short_head)
register.filter("marked", marked)


@register.simple_tag(takes_context=True, name="flag_words")
def _flag_words(context: Context, flag: Flag, names: list[str]) -> str:
    """What a call, a mark or a doubt says, on a page of its tournament."""
    return flag_words(rulebook_of(context["tournament"]), flag, names)
