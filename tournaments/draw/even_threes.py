"""Tables of three shared evenly: no player sits at a second one before all have sat at their first.

The rule is hard: it is counted over the whole event, rounds played and rounds to come, and holds whatever meetings
it costs. `evened` takes rounds that were found without it. First the player who sits at tables of three most often
changes places with one who sits there least, until no such change makes the counts more even; the sum of their squares
is convex, so they are then as even as they can be. Then the rounds are annealed as in `search`, by moves that make
the counts no less even: two players at tables of one size change places; one at a table of three gives it up to one
who has been there less often; or, where both have been there as often, they change places in one round and back in
another.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from random import Random

from tournaments.draw.constructions import read_plans
from tournaments.draw.quality import (
    MEETING,
    Prices,
    Seats,
    least_cost_of_meetings,
    prices_after,
    seats_of,
    tables_of,
)
from tournaments.draw.search import chance
from tournaments.draw.tables import CHAIRS, SMALL_TABLE, KeptApart, Round

STAGES = 40
# The loss that is accepted with chance 1/e at the start and at the end; the first is for rounds that a rule gave, which
# a hot search would only take apart.
HEATS = ((0.6, 0.2), (1.5, 0.25), (1.5, 0.25))
SWAPS = 120_000  # in one search
WORST_LOSS = 24  # a swap that loses this much is never accepted


def visits_of(rounds: Sequence[Round]) -> Counter[int]:
    """Count how often every player sat at a table of three."""
    return Counter(p for tables in rounds for table in tables if len(table) == SMALL_TABLE for p in table)


def unevenness_of_threes(rounds: Sequence[Round], players: int) -> int:
    """Return the sum of the squares of how often numbers below `players` sat at a table of three."""
    visits = visits_of(rounds)
    return sum(visits[player] ** 2 for player in range(players))


def least_unevenness(history: Sequence[Round], rounds: Sequence[Round], players: int) -> int:
    """Return the lowest such sum that rounds of this shape can have after the history."""
    visits = visits_of(history)
    counts = [visits[player] for player in range(players)]
    for tables in rounds:
        counts.sort()
        for place in range(sum(len(table) for table in tables if len(table) == SMALL_TABLE)):
            counts[place] += 1
    return sum(count**2 for count in counts)


def are_even(history: Sequence[Round], rounds: Sequence[Round], players: int) -> bool:
    """Return whether tables of three are shared as evenly as they can be in these rounds."""
    return unevenness_of_threes([*history, *rounds], players) == least_unevenness(history, rounds, players)


def evened(
    rounds: Sequence[Round], history: Sequence[Round], players: int, kept: KeptApart | None, rng: Random
) -> tuple[Round, ...]:
    """Return rounds to follow the history that share tables of three evenly, with as few repeats as a search finds.

    `rounds` are a good start. Numbers from `players` on in the history are people who have left.
    """
    prices = prices_after(players, history, kept)
    for row in prices:
        row[players] = 0  # what a visit costs is no matter of price here
    target = least_cost_of_meetings(rounds, prices, kept)
    visits = visits_of(history)
    start = [seats_of(tables, players) for tables in rounds]
    least, best = None, start
    for hot, cold in HEATS:
        search = _Search(start, prices, {player: visits[player] for player in range(players)}, players)
        search.even_out()
        search.anneal(rng, hot, cold, target)
        if least is None or search.best_cost < least:
            least, best = search.best_cost, search.best
        if least <= target:
            break
    return tuple(tables_of(seats, players) for seats in best)


class _Search:
    """Rounds under way, four seats to a table, and how often everybody sits at a table of three by them."""

    def __init__(self, rounds: Seats, prices: Prices, visits: Mapping[int, int], empty: int) -> None:
        self.rounds = [list(seats) for seats in rounds]
        self.prices = [list(row) for row in prices]
        self.empty = empty
        self.visits = dict(visits)
        self.at_three = [self._at_three(seats) for seats in self.rounds]
        for sitting in self.at_three:
            for player in sitting:
                self.visits[player] += 1
        self.others = [
            tuple(
                other for other in range(seat - seat % CHAIRS, seat - seat % CHAIRS + CHAIRS) if other != seat
            )
            for seat in range(len(self.rounds[0]))
        ]
        self.cost = 0
        for seats in self.rounds:
            for start in range(0, len(seats), CHAIRS):
                for p, q in combinations(seats[start : start + CHAIRS], 2):
                    if empty not in (p, q):
                        self.cost += self.prices[p][q]
                        self.prices[p][q] += MEETING
                        self.prices[q][p] += MEETING
        self.best_cost, self.best = self.cost, [list(seats) for seats in self.rounds]

    def _at_three(self, seats: Sequence[int]) -> set[int]:
        tables = (seats[start : start + CHAIRS] for start in range(0, len(seats), CHAIRS))
        return {p for table in tables if self.empty in table for p in table if p != self.empty}

    def even_out(self) -> None:
        """Move visits from who has most to who has least, each time where it costs least, until none helps."""
        while moves := list(self._evening_moves()):
            _gain, _loss, index, seat, other = min(moves)
            self._swap(index, seat, other)
        self.best_cost, self.best = self.cost, [list(seats) for seats in self.rounds]

    def _evening_moves(self) -> Iterator[tuple[int, int, int, int, int]]:
        """Yield swaps that make visits more even: what they gain, what they cost, the round and the two seats."""
        for index, seats in enumerate(self.rounds):
            small = self.at_three[index]
            places = [seat for seat, player in enumerate(seats) if player != self.empty]
            for seat in (seat for seat in places if seats[seat] in small):
                for other in (other for other in places if seats[other] not in small):
                    gain = self.visits[seats[other]] + 1 - self.visits[seats[seat]]
                    if gain < 0:
                        yield gain, self._loss(index, seat, other), index, seat, other

    def _loss(self, index: int, seat: int, other: int) -> int:
        """Return what it costs to let the players of two seats at different tables change places."""
        seats, empty = self.rounds[index], self.empty
        of_x, of_y = self.prices[seats[seat]], self.prices[seats[other]]
        loss = 0
        for at in self.others[seat]:
            mate = seats[at]
            if mate != empty:
                loss += of_y[mate] - of_x[mate] + MEETING
        for at in self.others[other]:
            mate = seats[at]
            if mate != empty:
                loss += of_x[mate] - of_y[mate] + MEETING
        return loss

    def _swap(self, index: int, seat: int, other: int) -> None:
        seats, prices, empty, cost = self.rounds[index], self.prices, self.empty, self.cost
        x, y = seats[seat], seats[other]
        for loser, gainer, others in ((x, y, self.others[seat]), (y, x, self.others[other])):
            of_loser, of_gainer = prices[loser], prices[gainer]
            for at in others:
                mate = seats[at]
                if mate != empty:
                    cost += of_gainer[mate] - of_loser[mate] + MEETING
                    of_mate = prices[mate]
                    of_loser[mate] -= MEETING
                    of_mate[loser] -= MEETING
                    of_gainer[mate] += MEETING
                    of_mate[gainer] += MEETING
        self.cost = cost
        seats[seat], seats[other] = y, x
        small = self.at_three[index]
        if (x in small) != (y in small):
            for player in (x, y):
                self.visits[player] += -1 if player in small else 1
            small ^= {x, y}

    def anneal(self, rng: Random, hot: float, cold: float, target: int) -> None:
        """Swap players at falling heat; keep the cheapest rounds met."""
        for stage in range(STAGES):
            if self.best_cost <= target:
                return
            heat = hot + (cold - hot) * stage / (STAGES - 1)
            chances = [chance(loss / heat) for loss in range(WORST_LOSS)]
            self._run(rng, SWAPS // STAGES, chances, target)

    def _run(self, rng: Random, swaps: int, chances: Sequence[float], target: int) -> None:
        random, rounds, size = rng.random, self.rounds, len(self.rounds[0])
        for _swap in range(swaps):
            index = int(random() * len(rounds))
            seats = rounds[index]
            seat, other = int(random() * size), int(random() * size)
            x, y = seats[seat], seats[other]
            if seat // CHAIRS == other // CHAIRS or x == y or self.empty in (x, y):
                continue
            if self._keeps_even(index, x, y):
                loss = self._loss(index, seat, other)
                if loss <= 0 or (loss < WORST_LOSS and random() < chances[loss]):
                    self._swap(index, seat, other)
            else:
                self._exchange(index, seat, other, rng, chances)
            if self.cost < self.best_cost:
                self.best_cost, self.best = self.cost, [list(kept) for kept in rounds]
                if self.cost <= target:
                    return

    def _keeps_even(self, index: int, x: int, y: int) -> bool:
        """Return whether the two can change places without making visits to tables of three less even."""
        small = self.at_three[index]
        if (x in small) == (y in small):
            return True
        three, four = (x, y) if x in small else (y, x)
        return self.visits[four] < self.visits[three]

    def _exchange(self, index: int, seat: int, other: int, rng: Random, chances: Sequence[float]) -> None:
        """Let the players of two seats change places here and back in another round, where chance allows it."""
        seats = self.rounds[index]
        x, y = seats[seat], seats[other]
        three, four = (x, y) if x in self.at_three[index] else (y, x)
        rest = [
            at
            for at, small in enumerate(self.at_three)
            if at != index and four in small and three not in small
        ]
        if not rest:
            return
        at = rest[int(rng.random() * len(rest))]
        back = at, self.rounds[at].index(three), self.rounds[at].index(four)
        before = self.cost
        self._swap(index, seat, other)
        self._swap(*back)
        loss = self.cost - before
        if loss > 0 and (loss >= WORST_LOSS or rng.random() >= chances[loss]):
            self._swap(*back)
            self._swap(index, seat, other)


# Plans that share tables of three evenly, for the numbers where that costs repeats and a short search misses the
# best.
#
# They are written as in `constructions`. Each has the fewest repeats that are known with everybody at a table of
# three equally often, give or take one; its rounds are in the order in which that holds earliest and repeats come
# last. For all other numbers up to 71 players in 8 rounds the plan with the fewest repeats is even by itself.
#
# `python -m tests.bench.search_plans 13/5 --even` repeats the search for such a plan.

PLANS = """
7/2 abcdefg. aefgbcd.
7/3 abcdefg. defgabc. abefcdg.
7/4 abcdefg. cefgabd. bdefacg. adegbcf.
10/2 abcdefg.hij. egijabf.cdh.
10/3 abcdefg.hij. eghjadf.bci. befiach.dgj.
10/4 abcdefg.hij. bghiadf.cej. afhjbde.cgi. degjabi.cfh.
10/5 abcdefg.hij. aehjbdf.cgi. cfghadj.bei. bfijace.dgh. degiabh.cfj.
10/7 abcdefg.hij. abejcgh.dfi. cegiadh.bfj. dgijacf.beh. afhibdg.cej. defhagj.bci. bfghaei.cdj.
11/2 abcdefghijk. bdekchijafg.
11/3 abcdefghijk. aghidejkbcf. bfijcehkadg.
11/4 abcdefghijk. acfibhjkdeg. cgijdefkabh. adgjbeikcfh.
11/5 abcdefghijk. bghjdeikacf. aegicfjkbdh. adgkchijbef. abejdfhicgk.
11/6 abcdefghijk. aefkdgijbch. bhjkcegiadf. adhibefjcgk. abgkcfijdeh. aghjcdekbfi.
13/2 abcdefg.hij.klm. ehjladi.bgm.cfk.
13/3 abcdefg.hij.klm. ehklagj.bcm.dfi. gijmafk.bde.chl.
13/4 abcdefg.hij.klm. fgilahk.bdj.cem. dghmafj.bel.cik. bejkagl.cfh.dim.
13/5 abcdefg.hij.klm. fgimahk.bce.djl. ehjkagm.bfl.cdi. aeilbjm.cfk.dgh. cghlafj.bik.dem.
13/6 abcdefg.hij.klm. ghkmabj.cfl.dei. afimbek.cgj.dhl. cejlaik.bfh.dgm. bgilaeh.cfk.djm. dfjkagl.bem.chi.
14/2 abcdefghijk.lmn. chkmijlnadg.bef.
14/3 abcdefghijk.lmn. afkmchinbel.dgj. bjmndeilafh.cgk.
14/4 abcdefghijk.lmn. cijngklmadh.bef. bhimdeknagj.cfl. aeildfjmbgn.chk.
14/5 abcdefghijk.lmn. djmnfiklabh.ceg. agknbeimcfj.dhl. aejlchkmbfn.dgi. bgjlchinafm.dek.
17/2 abcdefghijk.lmn.opq. ijnokmpqace.bfl.dgh.
17/6 abcdefghijk.lmn.opq. cfjqdkmoael.bgi.hnp. agmphklqbfn.cio.dej. ainqbekocgl.dfp.hjm. bjlpefimaho.ckn.dgq.
dhilgjnoafk.bmq.cep.
17/7 abcdefghijk.lmn.opq. cinogjmqaek.bhp.dfl. bjlqfknpagi.cem.dho. ahjncglpbfo.dkm.eiq. bimpekloahq.cfj.dgn.
afmodejpbgk.cnq.hil. chkmdfiqalp.ben.gjo.
18/6 abcdefghijklmno.pqr. chmpdioqeknrafl.bgj. ajnqbfmrcgkodhl.eip. agorblnpdejmcfi.hkq. ahindfkpglmqbeo.cjr.
bhircelqfjopakm.dgn.
19/6 abcdefghijklmnopqrs. agmrcfipdkosejnqbhl. afjsbinrchoqdelmgkp. ahknbepsdgiqflorcjm. alpqbgjocekrhimsdfn.
bfkqcgnsdhjrilmpaeo.
22/7 abcdefghijklmnopqrs.tuv. aorvcgksdmqtfjpubhi.eln. aekmbflochquipstdgr.jnv. bgntdjoseirufkqvahp.clm.
ainqbprucejtdhlvfms.gko. besvdknuglpqhjmraft.cio. alsucfnrgimvhkotbjq.dep.
25/7 abcdefghijklmnopqrs.tuv.wxy. bkorcfqveiuxjpswagn.dhy.lmt. aruybgjthmvwlnsxcio.dfp.ekq. chrxdimqgkpvostyaej.blw.fnu.
cgsudelvfjmyinrtakx.bhp.oqw. aftwbemsdgoxhjquckn.ivy.lpr. ahlobnqyceptdkuwfis.gmr.jvx.
25/8 abcdefghijklmnopqrs.tuv.wxy. ansvbpqwdgkyortxchl.eim.fju. ciquelpxgjvwhstyafo.bkm.dnr. birvdhmueoqyfknxalw.cgs.jpt.
ajmqbflycntwgprudov.eks.hix. agitbenudjsxhkowcpy.fqv.lmr. cejrdlqtfmswhkpvaux.bgo.iny. akrycmvxdfiplosubhj.etw.gnq.
26/7 abcdefghijklmnopqrstuvw.xyz. bekwcglpfmuxhnqyisvzaot.djr. ahiubgmtdnwxfjozlrvycks.epq. alqxbprudhosfktvjmwycez.gin.
aenvchrxdfiygjsuptwzblo.kmq. apsybjqvcntudgkzeioxfrw.hlm. amrzbfnsciqwdeltkouygvx.hjp.
26/8 abcdefghijklmnopqrstuvw.xyz. anwzbgrxctuyejqvflmsdko.hip. agltbfnvdiruhoqzjpwycem.ksx. blowchnrdfpxektzgivyajs.mqu.
aepubkqyciosdlvzhmtxfrw.gjn. afiqcgkpdeswjmrzouvxbnt.hly. ahkvcqwxdmnyfjotgsuzbei.lpr. aorybhjuelnxikmwpstvcfz.dgq.
29/8 abcdefghijklmnopqrstABC.uvw.xyz. AekoBprwCmqybsuxcivzaft.dhl.gjn. BglsCduzbfnvchpxeiqwAjt.aoy.kmr.
AruyBhozagkxcentdjmwCfi.blq.psv. AfwxCajpbemzhinrltvyBku.cgq.dos. AanzCgrvclowfksyhjquBbt.dep.imx.
AdqvBcjyCelxahmsgotubip.frz.knw. BnqxbjordgiyflmukptzAcs.Chw.aev.
30/8 abcdefghijklmnopqrstuvwxAyz.BCD. AmswBjqvCdgyDbnxceizhkoratu.flp. AlruBbmzCfisDdtwagoxejpychq.knv.
AdjnBektCamvDlqybhiwfrxzcos.gpu. ABgiDafjbkqucmxydpszhlntCow.erv. AcfkCbprDiouahsyenqwglvzBdx.jmt.
ACtxBnsuDhpvakwzcgjrdelobfy.imq. AapqBclwChjzbotvdfmuinryDgk.esx.
"""


def stored_even_plan(players: int, rounds: int) -> tuple[Round, ...]:
    """Return the stored even plan for these numbers, () for none."""
    return _STORED.get((players, rounds), ())


_STORED = read_plans(PLANS)
