"""What a tournament is played by and for, as lines that a player can read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from tournaments.in_words.terms import option_words
from tournaments.money import in_kroner
from tournaments.queries import rulebook_of
from tournaments.standings import TIE_BREAKS

if TYPE_CHECKING:
    from tournaments.models import Tournament


@dataclass(frozen=True, slots=True)
class RuleSaid:
    """A line: what it is about, how it is here, and what that means."""

    title: str
    value: str
    explanation: str = ""


def rules_in_words(tournament: Tournament) -> list[RuleSaid]:
    """The rulebook, what is played for, and every option of the rulebook as it is set."""
    book = rulebook_of(tournament)
    tie_breaks = [TIE_BREAKS[code] for code in tournament.tie_breaks if code in TIE_BREAKS]
    return [
        RuleSaid(_("Rulebook"), _(book.name), book.source),
        RuleSaid(_("Deals per round"), str(tournament.deals_per_round)),
        RuleSaid(_("Deals at a table of three"), str(tournament.deals_at_three)),
        RuleSaid(_("Stake"), stake_in_words(tournament.stake)),
        RuleSaid(
            _("Tie-breaks"),
            ", ".join(str(tie_break.name) for tie_break in tie_breaks) or _("none"),
            _("Players with the same total are told apart in this order."),
        ),
        *(
            RuleSaid(_(spec.title), option_words(book.options[spec.name]), _(spec.explanation))
            for spec in book.option_specs
        ),
    ]


def stake_in_words(stake: int) -> str:
    if not stake:
        return _("none")
    return _("%(kroner)s kroner for a token") % {"kroner": in_kroner(stake)}


def doubtful_deals(tournament: Tournament) -> list[str]:
    """What an organiser may want to look at again: allowed, but some will deal more often than others."""
    said = []
    if tournament.deals_per_round % 4:
        said.append(
            _("%(count)d deals do not go into four: some at a table deal and sit out once more than others.")
            % {"count": tournament.deals_per_round}
        )
    if tournament.deals_at_three % 3:
        said.append(
            _("%(count)d deals at a table of three do not go into three: some deal once more than others.")
            % {"count": tournament.deals_at_three}
        )
    return said
