"""Finding a plan again from the rounds that were played by it.

Rounds by a rule fit together so tightly that a search seldom finds the rest of a plan once some rounds are
played. So it is first tried whether the rounds played could be the rule's: some of its rounds are matched
with them, table by table, each player standing for one number of the rule. If that works out, the rule's
other rounds can follow, whoever came sits down on the numbers of those who left, and again nobody meets
anybody twice.
"""

from collections.abc import Sequence

from tournaments.draw.tables import Round

STEPS = 3_000  # numbers tried in all; a plan that is there is mostly found in some hundreds


def found_again(played: Sequence[Round], rule: Sequence[Round]) -> tuple[dict[int, int], list[Round]] | None:
    """Return everybody's number in the rule's rounds, and those of its rounds that have not been played.

    None when the rounds played are not the rule's, or when it takes too long to say.
    """
    return _Matcher(played, rule).extended([])


class _Matcher:
    def __init__(self, played: Sequence[Round], rule: Sequence[Round]) -> None:
        self.played = played
        self.rule = rule
        self.steps = STEPS

    def extended(self, chosen: list[int]) -> tuple[dict[int, int], list[Round]] | None:
        """Match one more round played with one of the rule's, those chosen so far staying matched."""
        matching = _Matching(self.played, [self.rule[index] for index in chosen])
        if chosen:
            self.steps = matching.complete(self.steps)
            if not matching.is_complete:
                return None
        if len(chosen) == len(self.played):
            return matching.numbers, [tables for i, tables in enumerate(self.rule) if i not in chosen]
        for index in range(len(self.rule)):
            if self.steps > 0 and index not in chosen and (found := self.extended([*chosen, index])):
                return found
        return None


class _Matching:
    """The first rounds played against as many of the rule's: which number every player can stand for."""

    def __init__(self, played: Sequence[Round], rule: Sequence[Round]) -> None:
        pairs = list(zip(played, rule, strict=False))
        self.rule = [tables for _played, tables in pairs]
        self.table_of = [_tables_of(tables) for tables, _rule in pairs]
        self.rule_table_of = [_tables_of(tables) for _played, tables in pairs]
        self.sizes = [[len(table) for table in tables] for tables, _rule in pairs]
        self.absent = [
            len(its) - len(mine) for its, mine in zip(self.rule_table_of, self.table_of, strict=True)
        ]
        self.matched: list[dict[int, int]] = [{} for _pair in pairs]  # table played -> the rule's table
        self.numbers: dict[int, int] = {}
        self.players = sorted({player for tables in self.table_of for player in tables})

    @property
    def is_complete(self) -> bool:
        """Tell whether everybody has a number."""
        return len(self.numbers) == len(self.players)

    def complete(self, steps: int) -> int:
        """Give everybody a number, or nobody one, and return the steps that are left."""
        if self.is_complete or steps <= 0:
            return steps
        player = max((p for p in self.players if p not in self.numbers), key=self._known_tables)
        for number in self._candidates(player):
            steps -= 1
            before = [dict(tables) for tables in self.matched]
            if self._take(player, number):
                steps = self.complete(steps)
            if self.is_complete or steps <= 0:
                break
            self.numbers.pop(player, None)
            self.matched = before
        return steps

    def _known_tables(self, player: int) -> int:
        return sum(
            tables.get(player) in matched for tables, matched in zip(self.table_of, self.matched, strict=True)
        )

    def _candidates(self, player: int) -> list[int]:
        """Return the free numbers at the tables that are matched already, or all free numbers."""
        places = [
            set(rule[matched[tables[player]]])
            for rule, tables, matched in zip(self.rule, self.table_of, self.matched, strict=True)
            if tables.get(player) in matched
        ]
        free = set.intersection(*places) if places else set(self.rule_table_of[0])
        return sorted(free - set(self.numbers.values()))

    def _take(self, player: int, number: int) -> bool:
        """Let the player stand for the number, unless a table would match two, or a smaller one."""
        for index, tables in enumerate(self.table_of):
            if player in tables:
                mine, its = tables[player], self.rule_table_of[index][number]
                matched = self.matched[index]
                taken = mine not in matched and its in matched.values()
                if taken or matched.get(mine, its) != its:
                    return False
                missing = len(self.rule[index][its]) - self.sizes[index][mine]
                if not 0 <= missing <= self.absent[index]:
                    return False
                matched[mine] = its
        self.numbers[player] = number
        return True


def _tables_of(tables: Round) -> dict[int, int]:
    return {player: index for index, table in enumerate(tables) for player in table}
