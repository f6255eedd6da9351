"""Building blocks of rulebooks: options that several share, a club's own prices, and binding options to a rulebook."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, TypeVar

from scoring.cards import USUAL_PACK, Pack, Ranking
from scoring.family_rules import USUAL_AUCTION, USUAL_PLAY, AuctionRules, HouseRules, PlayRules
from scoring.rulebook import BadOption, OptionSpec, PoolRules, Rulebook, Trumps, refuse
from scoring.versions import (
    CONTRABOLA_WITHOUT_FIRST_FIVE,
    ESTUCHES_BY_SUIT,
    FIRST_FIVE_BY_TRICKS,
    SOLO_BY_THE_LAST,
    STOPPED_WHEN_CLEAR,
    Change,
    in_force,
)
from scoring.words import _

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from scoring.rulebook import Contract, OptionValue
    from scoring.seats import Role


# Name of a house rule -> the change of a version since which it is on.
_BY_VERSION = {
    "tricks_tell_first_five": FIRST_FIVE_BY_TRICKS,
    "contrabola_without_first_five": CONTRABOLA_WITHOUT_FIRST_FIVE,
    "stops_when_clear": STOPPED_WHEN_CLEAR,
    "estuches_by_suit": ESTUCHES_BY_SUIT,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RulebookSource:
    """The definition of a rulebook, before its options are bound. Most fields are those of `Rulebook`.

    Callables get the values of all options:

    - contracts: every contract, in the order of bidding, including those that the options switch off
    - house, pool, pack, auction: rules that depend on options
    - example: the explanation of the notation, as a text or by the options
    - against: errors of a combination of options that are valid one by one
    """

    id: str
    name: str
    source: str
    direction: str
    players: tuple[int, ...]
    zero_sum: bool
    options: tuple[OptionSpec, ...]
    contracts: Callable[[Mapping[str, OptionValue]], tuple[Contract, ...]]
    house: Callable[[Mapping[str, OptionValue]], HouseRules]
    example: str | Callable[[Mapping[str, OptionValue]], str]
    seat_names: Mapping[Role, str] = field(default_factory=dict)
    wording: Mapping[str, str] = field(default_factory=dict)
    pool: Callable[[Mapping[str, OptionValue]], PoolRules] | None = None
    against: Callable[[Mapping[str, OptionValue]], Iterable[BadOption]] | None = None
    pack: Callable[[Mapping[str, OptionValue]], Pack] | None = None
    auction: AuctionRules | Callable[[Mapping[str, OptionValue]], AuctionRules] = USUAL_AUCTION
    play: PlayRules = USUAL_PLAY
    changes: tuple[Change, ...] = (STOPPED_WHEN_CLEAR, FIRST_FIVE_BY_TRICKS)

    def bind(self, options: Mapping[str, OptionValue], version: str) -> Rulebook:
        """The rulebook with these values of its options. Raises BadOption for a combination that is not valid."""
        known = self._contracts(options, version)
        played = tuple(
            row
            for row in known
            if all(options[name] for name in row.needs) and not any(options[name] for name in row.unless)
        )
        refuse([*self._prices_out_of_order(played), *(self.against(options) if self.against else ())])
        return Rulebook(
            id=self.id,
            name=self.name,
            source=self.source,
            direction=self.direction,
            players=self.players,
            zero_sum=self.zero_sum,
            contracts=played,
            known_contracts=frozenset(row.id for row in known),
            option_specs=self.options,
            options=dict(options),
            house=self._house(options, version),
            example=self.example if isinstance(self.example, str) else self.example(options),
            seat_names=self.seat_names,
            wording=self.wording,
            pool=self.pool and self.pool(options),
            pack=self.pack(options) if self.pack else USUAL_PACK,
            auction=self.auction if isinstance(self.auction, AuctionRules) else self.auction(options),
            play=self.play,
            version=version,
            changes=self.changes,
        )

    def _contracts(self, options: Mapping[str, OptionValue], version: str) -> tuple[Contract, ...]:
        """All contracts by the rules of this version."""
        rows = self.contracts(options)
        if in_force(SOLO_BY_THE_LAST, version):
            return rows
        return tuple(replace(row, by_last=False) for row in rows)

    def _house(self, options: Mapping[str, OptionValue], version: str) -> HouseRules:
        """The house rules of this version."""
        house = self.house(options)
        known = {rule.name for rule in fields(house)}
        by_version: dict[str, Any] = {
            name: in_force(change, version) for name, change in _BY_VERSION.items() if name in known
        }
        return replace(house, **by_version)

    def _prices_out_of_order(self, contracts: Sequence[Contract]) -> Iterator[BadOption]:
        """The errors of contracts that are cheaper than a lower one of the same kind."""
        priced = {spec.name for spec in self.options}
        for row in contracts:
            name = f"price_{row.id}"
            cheaper = [
                other
                for other in contracts
                if other.kind is row.kind and other.rank < row.rank and other.price > row.price
            ]
            if name in priced and cheaper:
                text = _("{contract} outranks {other}, and must not cost less.")
                yield BadOption(name, text, contract=row.id, other=cheaper[-1].id)


MOST_TOKENS = 100
Rules = TypeVar("Rules", bound=HouseRules)
LHOMBRE_EXAMPLE = _("Seat, contract, trump, result: “{one} solo h won”, “{other} nolo 2”, “- pass”.")
OMBRE_EXAMPLE = _("Seat, contract, trump, result: “{one} ombre h won”, “- pass”.")
RENEGADO_EXAMPLE = _(
    "Seat, contract, trump, result, estuches: “{one} solo h won estuches 2”, “{one} entrada s kodille won by {other} "
    "estuches 1”."
)


def house_rules(family: type[Rules], options: Mapping[str, OptionValue], **others: Any) -> Rules:
    """The house rules of a family, taken from the options of the same names; `others` override them."""
    named = {rule.name: options[rule.name] for rule in fields(family) if rule.name in options}
    rules: dict[str, Any] = named | others
    return family(**rules)


def switch(name: str, title: str, explanation: str, paragraph: str, *, default: bool = False) -> OptionSpec:
    """An option that is on or off; `paragraph` is like `rasle §4.1`."""
    return OptionSpec(
        name=name, kind="bool", default=default, title=title, explanation=explanation, paragraph=paragraph
    )


def tokens(
    name: str, default: int, title: str, explanation: str, paragraph: str, *, minimum: int = 0
) -> OptionSpec:
    """An option for a price other than a contract's, in tokens."""
    return OptionSpec(
        name=name, kind="int", default=default, minimum=minimum, maximum=MOST_TOKENS, title=title,
        explanation=explanation, paragraph=paragraph, section="prices",
    )  # fmt: skip


def agreements(
    rulebook: str,
    *,
    first_dealer: str = "free",
    cutting: str = "free",
    second_pack: str = "free",
    talon_left: str | None = "free",
) -> tuple[OptionSpec, ...]:
    """Options for agreements before the first deal, with the rulebook's defaults.

    They are printed on the rule sheet and do not change a settlement. `talon_left` is None in games without a talon.
    """
    specs = [
        OptionSpec(
            name="first_dealer",
            kind="choice",
            default=first_dealer,
            values=("free", "by_lot", "highest_card"),
            title=_("First dealer"),
            explanation=_("How the players decide who deals first; it is then entered on the phone."),
            paragraph=f"{rulebook} §1.2",
            section="table",
        ),
        OptionSpec(
            name="cutting",
            kind="choice",
            default=cutting,
            values=("free", "left", "right", "nobody"),
            title=_("Cutting"),
            explanation=_("Who cuts the pack after the dealer has shuffled."),
            paragraph=f"{rulebook} §1.4",
            section="table",
        ),
        OptionSpec(
            name="second_pack",
            kind="choice",
            default=second_pack,
            values=("free", "one", "two"),
            title=_("Second pack"),
            explanation=_("Whether one pack is shuffled while the other is being played."),
            paragraph=f"{rulebook} §1.4",
            section="table",
        ),
    ]
    if talon_left is not None:
        specs.append(
            OptionSpec(
                name="talon_left",
                kind="choice",
                default=talon_left,
                values=("free", "down", "up"),
                title=_("Rest of the talon"),
                explanation=_("How the cards that nobody took in the exchange are left on the table."),
                paragraph=f"{rulebook} §4.3",
                section="table",
            )
        )
    return tuple(specs)


def idle_settles(rulebook: str, *, default: bool, paragraph: str = "6.1") -> OptionSpec:
    """The option that the player sitting out settles like a defender."""
    return switch(
        "idle_settles",
        _("The player sitting out settles"),
        _("At a table of four the player sitting out pays and receives like a defender."),
        f"{rulebook} §{paragraph}",
        default=default,
    )


def sits_out(rulebook: str) -> OptionSpec:
    """The option for the player who sits out at a table of four."""
    return OptionSpec(
        name="sits_out",
        kind="choice",
        default="opposite",
        values=("opposite", "dealer"),
        title=_("Who sits out at a table of four"),
        explanation=_("The player opposite the dealer, or the dealer, who then deals to the other three."),
        paragraph=f"{rulebook} §1.1",
    )


def forced_spadille(rulebook: str) -> OptionSpec:
    """The option that the holder of spadille must bid."""
    return switch(
        "forced_spadille",
        _("Forced spadille"),
        _(
            "The holder of spadille must bid unless someone already has, and the dealer must bid "
            "when the others pass: no deal is passed out."
        ),
        f"{rulebook} §4.1",
    )


def literal_matador_privilege(rulebook: str) -> OptionSpec:
    """The option for the strict reading of the matadors' privilege."""
    return switch(
        "literal_matador_privilege",
        _("Matadors’ privilege to the letter"),
        _(
            "Leading a higher matador forces out a lower one only from a hand with no other trump"
            " at all, including other matadors."
        ),
        f"{rulebook} §2.4",
    )


def krokodille(rulebook: str) -> OptionSpec:
    """The option that red cards rank like black ones."""
    return switch(
        "krokodille",
        _("Krokodille: red cards rank like black"),
        _(
            "For learners: in red suits too the 7 ranks above the 2, the ace is lowest, and a red"
            " ace is manille."
        ),
        f"{rulebook} §2.2",
    )


def pack_of(options: Mapping[str, OptionValue]) -> Pack:
    """The usual pack, with red cards ranked according to the option `krokodille`."""
    return Pack(ranking=Ranking.RED_AS_BLACK) if options["krokodille"] else USUAL_PACK


def tout_counts_in_defeat(rulebook: str) -> OptionSpec:
    """The option that a failed tout is paid for in a lost game too."""
    return switch(
        "tout_counts_in_defeat",
        _("A failed tout is also paid for in a lost game"),
        _("A declarer who announced a tout and loses the game pays for both; otherwise for the game only."),
        f"{rulebook} §5.6",
        default=True,
    )


def simple_nolo_may_be_abandoned(rulebook: str, *, default: bool) -> OptionSpec:
    """The option that a simple nolo may be given up."""
    return switch(
        "simple_nolo_may_be_abandoned",
        _("Simple nolo may be given up"),
        _("The declarer of a simple nolo may give up before playing a first card, and pays for a bête."),
        f"{rulebook} §4.5",
        default=default,
    )


def with_nolo_abandoned(rows: Iterable[Contract], options: Mapping[str, OptionValue]) -> tuple[Contract, ...]:
    """The contracts with the option `simple_nolo_may_be_abandoned` applied."""
    may = bool(options["simple_nolo_may_be_abandoned"])
    return tuple(
        replace(row, may_be_abandoned=may and not row.all_join) if row.id == "simple_nolo" else row
        for row in rows
    )


def turned_card_is_taken(rulebook: str) -> OptionSpec:
    """The option that the declarer of a tourné must take the turned card."""
    return switch(
        "turned_card_is_taken",
        _("The turned-up card is taken"),
        _("The declarer of a tourné must take the card turned up; otherwise it may be left."),
        f"{rulebook} §4.3",
    )


def with_turned_card(rows: Iterable[Contract], options: Mapping[str, OptionValue]) -> tuple[Contract, ...]:
    """The contracts with the option `turned_card_is_taken` applied: a tourné exchanges at least one card."""
    if not options["turned_card_is_taken"]:
        return tuple(rows)
    return tuple(
        replace(row, exchange=replace(row.exchange, least=1)) if row.trumps is Trumps.TURNED else row
        for row in rows
    )


def declarer_foul(rulebook: str) -> OptionSpec:
    """The option for the loss of a declarer who fouls the exchange."""
    return OptionSpec(
        name="declarer_foul",
        kind="choice",
        default="bete",
        values=("bete", "kodille"),
        title=_("The declarer’s fouled exchange"),
        explanation=_("What a declarer who fouls the exchange loses."),
        paragraph=f"{rulebook} §4.4",
    )


def defender_foul_covers_idle(rulebook: str) -> OptionSpec:
    """The option that a defender who fouls the exchange pays for the player sitting out too."""
    return switch(
        "defender_foul_covers_idle",
        _("A defender’s foul covers the player sitting out"),
        _("A defender who fouls the exchange also pays for the player sitting out."),
        f"{rulebook} §4.4",
        default=True,
    )


def price_options(
    rulebook: str, rows: Iterable[Contract], *, kodilles: bool = True
) -> tuple[OptionSpec, ...]:
    """Options for a club's own price of each contract and of its kodille; the defaults are the rulebook's prices."""
    specs = []
    for row in rows:
        specs.append(
            OptionSpec(
                name=f"price_{row.id}", kind="int", default=row.price, minimum=1, maximum=MOST_TOKENS,
                title=_("Price of {contract}"),
                explanation=_("Tokens for winning {contract}, and for a plain loss."),
                paragraph=f"{rulebook} §3.1", section="prices", contract=row.id,
            )
        )  # fmt: skip
        if kodilles:
            specs.append(
                OptionSpec(
                    name=f"kodille_{row.id}", kind="int", default=row.kodille_extra, maximum=MOST_TOKENS,
                    title=_("Extra for a kodille in {contract}"),
                    explanation=_(
                        "Extra tokens for a kodille; where every trick costs, for each trick after the first."
                    ),
                    paragraph=f"{rulebook} §3.1", section="prices", contract=row.id,
                )
            )  # fmt: skip
    return tuple(specs)


def priced(rows: Iterable[Contract], options: Mapping[str, OptionValue]) -> tuple[Contract, ...]:
    """The contracts with the prices of the options."""
    return tuple(
        replace(
            row,
            price=int(options.get(f"price_{row.id}", row.price)),
            kodille_extra=int(options.get(f"kodille_{row.id}", row.kodille_extra)),
        )
        for row in rows
    )
