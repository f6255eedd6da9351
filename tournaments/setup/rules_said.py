"""What a tournament is played by and for, as lines that a player can read."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring import ENGINE_VERSION
from scoring.versions import in_force
from tournaments.domain.amounts import in_kroner
from tournaments.domain.terms import option_text, option_words
from tournaments.draw.tables import CHAIRS, SMALL_TABLE
from tournaments.ledger.queries import rulebook_of, sizes_of_tables
from tournaments.standings.comparison_text import comparison_in_words, comparison_name
from tournaments.standings.players import comparison_of
from tournaments.standings.tie_breaks import TIE_BREAKS, tie_breaks_said
from tournaments.words.prices import PriceTable, price_table

if TYPE_CHECKING:
    from scoring.rulebook import Rulebook
    from tournaments.models import Tournament


@dataclass(frozen=True, slots=True)
class RuleSaid:
    """A line: what it is about, how it is here, and what that means.

    `paragraph` is where the rules' text says it, and `usual` how the rulebook has it where it is not so here.
    `is_off`: a switch that is off, as usual.
    """

    title: str
    value: str
    explanation: str = ""
    paragraph: str = ""
    usual: str = ""
    is_off: bool = False


@dataclass(frozen=True, slots=True)
class ChangeSaid:
    """What a version of the rules reads otherwise than the one before, and whether that holds here."""

    version: str
    text: str
    holds: bool


@dataclass(frozen=True, slots=True)
class RuleSheet:
    """All that is in force: the rulebook's prices and options, and what the tournament adds, if it is one's."""

    rulebook: str
    name: str
    source: str
    prices: PriceTable
    options: list[RuleSaid]
    own_name: str = ""
    played_for: list[RuleSaid] = field(default_factory=list)
    version: str = ENGINE_VERSION
    changes: list[ChangeSaid] = field(default_factory=list)

    @property
    def switched_off(self) -> list[RuleSaid]:
        """The options of which it is enough to say that they are not so."""
        return [rule for rule in self.options if rule.is_off]

    @property
    def told_apart(self) -> list[RuleSaid]:
        """The options that have something to say."""
        return [rule for rule in self.options if not rule.is_off]

    @property
    def different(self) -> list[str]:
        """What is other than in the rulebook itself, each as "what: how"."""
        options = [f"{rule.title}: {rule.value}" for rule in self.options if rule.usual]
        prices = [f"{line.contract}: {' · '.join(line.prices)}" for line in self.prices.lines if line.usual]
        return options + prices


def rule_sheet(book: Rulebook, own_name: str = "") -> RuleSheet:
    """A rulebook with its options as they are bound, and what a club calls it so."""
    return RuleSheet(
        book.id,
        _(book.name),
        _(book.source),
        price_table(book),
        options_in_words(book),
        own_name,
        version=book.version,
        changes=[
            ChangeSaid(change.version, _(change.text), in_force(change, book.version))
            for change in book.changes
        ],
    )


def rule_sheet_of(tournament: Tournament) -> RuleSheet:
    sheet = rule_sheet(rulebook_of(tournament), tournament.rules_name)
    return replace(sheet, played_for=played_for(tournament))


def rules_in_words(tournament: Tournament) -> list[RuleSaid]:
    """The rulebook, what is played for, and every option of the rulebook as it is set."""
    book = rulebook_of(tournament)
    named = [RuleSaid(_("The club’s own rules"), tournament.rules_name)] if tournament.rules_name else []
    return [
        *named,
        RuleSaid(_("Rulebook"), _(book.name), _(book.source)),
        *played_for(tournament),
        *options_in_words(book),
    ]


def played_for(tournament: Tournament) -> list[RuleSaid]:
    """Deals, stake and tie-breaks: what a rulebook leaves to the tournament."""
    codes = [code for code in tournament.tie_breaks if code in TIE_BREAKS]
    tie_breaks = tie_breaks_said(rulebook_of(tournament), codes)
    told_apart = RuleSaid(
        _("Tie-breaks"),
        ", ".join(tie_break.name for tie_break in tie_breaks) or _("none"),
        _("Players with the same total are separated in this order."),
    )
    return [
        *_format(tournament),
        *_deals(tournament),
        *_boards(tournament),
        *_comparison(tournament),
        RuleSaid(_("Stake"), stake_in_words(tournament.stake)),
        *([] if tournament.in_teams else [told_apart]),
        RuleSaid(_("Direction of play"), direction_in_words(rulebook_of(tournament))),
    ]


def _format(tournament: Tournament) -> list[RuleSaid]:
    """That pairs or teams meet, where they do, and what a match brings."""
    if not tournament.in_teams:
        return []
    won, drawn, lost = tournament.match_points
    return [
        RuleSaid(
            _("Who plays against whom"),
            str(tournament.format_row.name),
            _whose_hand(tournament),
        ),
        RuleSaid(
            _("Match points"),
            f"{won} – {drawn} – {lost}",
            _("For a match won, drawn and lost; after that, tokens count."),
        ),
    ]


def _whose_hand(tournament: Tournament) -> str:
    """Against whom a declarer plays at a table where two sides meet."""
    if tournament.hands_taken_over:
        return str(tournament.format_row.words.whose_hand)
    return _("Whoever was dealt the cards plays them: a declarer can have a team-mate among the defenders.")


def _boards(tournament: Tournament) -> list[RuleSaid]:
    """That all play the same cards, where they do."""
    if not tournament.boards:
        return []
    sets = tournament.board_sets
    said = ngettext("%(sets)d set of folders", "%(sets)d sets of folders", sets) % {"sets": sets}
    return [
        RuleSaid(
            _("Duplicate boards"),
            said if sets else _("a set of folders for each table"),
            _("Everyone plays the same cards; a folder’s number says who deals."),
        )
    ]


def _comparison(tournament: Tournament) -> list[RuleSaid]:
    """What places go by, where it is not simply the sum."""
    comparison = comparison_of(tournament)
    name = comparison_name(comparison)
    return [RuleSaid(_("Places go by"), name, comparison_in_words(comparison))] if name else []


def direction_in_words(book: Rulebook) -> str:
    return _("clockwise") if book.direction == "clockwise" else _("counter-clockwise")


def _deals(tournament: Tournament) -> list[RuleSaid]:
    """How many deals at which tables."""
    sizes = sizes_of_tables(tournament)
    said = [RuleSaid(_("Deals per round"), str(tournament.deals_for(max(sizes))))]
    if tournament.in_teams:
        return said
    if len(sizes) > 1:
        said.append(RuleSaid(_("Deals at a table of three"), str(tournament.deals_at_three)))
    else:
        said.insert(0, RuleSaid(_("Players at a table"), str(sizes[0])))
    return said


def options_in_words(book: Rulebook) -> list[RuleSaid]:
    """Every option of the rulebook as it is set, but its prices: these have a table of their own."""
    return [
        RuleSaid(
            option_text(book, spec.title, spec.contract),
            option_words(book, book.options[spec.name]),
            option_text(book, spec.explanation, spec.contract),
            spec.paragraph,
            "" if book.options[spec.name] == spec.default else option_words(book, spec.default),
            is_off=book.options[spec.name] is spec.default is False,
        )
        for spec in book.option_specs
        if spec.section != "prices"
    ]


def stake_in_words(stake: int) -> str:
    if not stake:
        return _("none")
    return _("%(kroner)s kroner per token") % {"kroner": in_kroner(stake)}


def doubtful_deals(tournament: Tournament) -> list[str]:
    """What an organiser may want to look at again: allowed, but some will deal more often than others."""
    sizes = sizes_of_tables(tournament)
    if len(rulebook_of(tournament).players) == 1:
        return _doubtful_alike(tournament, sizes[0])
    said = []
    if CHAIRS in sizes and tournament.deals_per_round % CHAIRS:
        said.append(
            _(
                "%(count)d deals cannot be divided by four: some at a table deal and sit out once "
                "more than others."
            )
            % {"count": tournament.deals_per_round}
        )
    if SMALL_TABLE in sizes and tournament.deals_at_three % SMALL_TABLE:
        said.append(
            _(
                "%(count)d deals at a table of three cannot be divided by three: some deal once more "
                "than others."
            )
            % {"count": tournament.deals_at_three}
        )
    return said


def _doubtful_alike(tournament: Tournament, size: int) -> list[str]:
    deals = tournament.deals_for(size)
    if deals % size == 0:
        return []
    return [
        _("%(count)d deals cannot be divided among %(size)d players: some deal once more than others.")
        % {"count": deals, "size": size}
    ]
