"""An exchange: how many cards each may take, and whether those taken were allowed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoring.exchange import exchange_problems
from scoring.referee.pairs import said_before_exchange
from scoring.referee.rulings import Ruling, Said, cite, of_problem
from scoring.seats import PLAYING, WITH_FOURTH
from scoring.words import _

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scoring.contracts import Contract
    from scoring.rulebook import Rulebook


def rule_on_exchange(
    rulebook: Rulebook,
    players: int,
    contract: Contract,
    declarer: int,
    defenders: Sequence[int] = (),
    *,
    in_pairs: bool = False,
) -> Ruling:
    """Whether the declarer, and then the defenders in turn, may exchange so many cards; and what is allowed."""
    pack = rulebook.pack
    talon = pack.talon(len(PLAYING[players]))
    found = exchange_problems(
        contract.exchange,
        rulebook.id,
        declarer,
        defenders,
        talon,
        pack.hand,
        others_join=contract.others_may_join,
    )
    said = [
        *_said(rulebook, contract, talon, declarer),
        *_said_of_joining(rulebook, contract, players, talon - declarer),
    ]
    if in_pairs:
        said.append(said_before_exchange(rulebook))
    return Ruling(problems=tuple(map(of_problem, found)), said=tuple(said))


def _said(rulebook: Rulebook, contract: Contract, talon: int, declarer: int) -> Iterator[Said]:
    limits = contract.exchange
    params = {"contract": contract.id, "least": limits.least, "most": min(limits.most, talon)}
    if not limits.most:
        text = _("In {contract} the declarer exchanges no cards.")
    elif limits.least == limits.most:
        text = _("In {contract} the declarer exchanges this many cards: {most}.")
    else:
        text = _("In {contract} the declarer exchanges from {least} to {most} cards.")
    yield cite(rulebook, "4.3", text, **params)
    if limits.defenders:
        # What the declarer of a casco throws away is what the others take from.
        left = talon if limits.from_discards else max(talon - declarer, 0)
        text = _("Then the defenders exchange, one after the other; {left} cards are left for them.")
        yield cite(rulebook, "4.3", text, left=left)
    elif not contract.others_may_join:
        yield cite(rulebook, "4.3", _("The defenders do not exchange here."))


def _said_of_joining(rulebook: Rulebook, contract: Contract, players: int, left: int) -> Iterator[Said]:
    """What those exchange who become declarers of a nolo too."""
    if contract.others_may_join and not contract.exchange.defenders:
        text = _(
            "Who joins exchanges like the declarer, in turn; {left} cards are left. Other defenders do not exchange."
        )
        yield cite(rulebook, "7.4", text, left=max(left, 0))
    if contract.fourth_joins and players in WITH_FOURTH:
        pack = rulebook.pack
        idle = pack.talon(len(PLAYING[players]))
        text = _(
            "The fourth player, who joins, takes all {idle} cards that nobody has, and lays off {off} of them."
        )
        yield cite(rulebook, "7.1", text, idle=idle, off=idle - pack.hand)
