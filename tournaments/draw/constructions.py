"""Rounds in which no two players meet twice, written down by a rule instead of searched for.

Classes. Divide 4g players into four classes of g. At every table sits one of each class, and in round r the
players of class k have moved on by some number of tables. Two players of classes k and l then meet in the
round in which their classes' moves differ by just the distance between the two. So no two players meet
twice when, for each two classes, the difference of their moves is another one every round. Class k moves on
by k*r: that does it for every g without the factors 2 and 3, and a while for the others. Moves taken from a
field do it for every prime power g, g rounds long; otherwise a short search finds moves. Players of one
class never meet that way: when g is divisible by four, each class can afterwards play by itself by the same
rule.

Base rounds. For 24, 28, 36, 40 and 48 players one base round was searched for, in which no distance between
two players at a table occurs twice when the players are put on circles of m places (a few stay in the
middle). Turning the circles by one place makes the next round: m rounds, which is all that is possible for
24, 28, 36, 40 and 48.

The circle, for two at a time. One stays in place, the others move around by one place a round: with n an even
number, all meet all exactly once in n - 1 rounds. With an odd number the opponent of the missing player has
a bye. Of two who meet one comes first; every other place of the circle turns that round, so that everybody is
first as often as second, give or take one.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from math import gcd
from string import ascii_letters

from tournaments.draw.tables import CHAIRS, Round

# By number of players: m, the places on a circle, and the base round read in tables of four. Player u is
# at place u % m of circle u // m; the last ones, beyond the last full circle, stay in the middle.
BASE_ROUNDS = {
    24: (7, "12 2 10 9 6 5 1 20 19 14 7 18 11 0 21 17 4 15 22 13 16 3 8 23"),
    28: (9, "14 18 5 27 23 17 11 15 13 7 22 3 4 21 25 24 0 8 2 16 20 6 10 9 19 12 1 26"),
    36: (
        11,
        "14 33 29 3 22 11 8 21 34 9 31 15 27 13 30 17 18 12 2 20 28 26 32 5 19 10 0 7 35 25 16 1 4 23 6 24",
    ),
    40: (
        13,
        (
            "34 12 2 32 25 8 6 15 24 16 0 1 22 18 4 10 27 11 26 3 20 7 39 33 14 29 37 13 36 5 9 30 28 38 21"
            " 19 35 23 17 31"
        ),
    ),
    48: (
        15,
        (
            "4 11 25 39 21 34 9 45 16 8 6 42 47 14 38 29 7 26 33 46 24 18 0 28 41 44 43 37 13 1 2 31 17 20 36"
            " 19 30 22 40 15 12 23 35 3 10 32 27 5"
        ),
    ),
}
LARGEST_FIELD = (
    64  # beyond, moving on by k*r lasts longer than any event, and a field's tables would take time
)
MOVES_SOUGHT = 8  # as many rounds as an event has; a longer search for moves would not be worth it


def circle(count: int) -> list[tuple[tuple[int, int], ...]]:
    """Return rounds in which 0 to count - 1 all meet once; with an odd count, one a round has no opponent."""
    even = count + count % 2
    rounds = []
    for turn in range(even - 1):
        order = [even - 1, *((turn + place) % (even - 1) for place in range(even - 1))]
        pairs = []
        for place in range(even // 2):
            one, other = order[place], order[even - 1 - place]
            turned = (place or turn) % 2
            pairs.append((other, one) if turned else (one, other))
        rounds.append(tuple(pair for pair in pairs if max(pair) < count))
    return rounds


@cache
def rounds_without_repeats(tables: int) -> tuple[Round, ...]:
    """Return rounds of `tables` tables of four in which no pair meets twice, as many as a rule gives."""
    players = CHAIRS * tables
    if players in BASE_ROUNDS:
        return tuple(_turned(players))
    rounds = [
        tuple(tuple(k * tables + place for k, place in enumerate(places)) for places in moved)
        for moved in _moved_tables(tables)
    ]
    if tables % CHAIRS == 0:
        rounds += _classes_by_themselves(tables)
    return tuple(rounds)


def _turned(players: int) -> Iterator[Round]:
    """Turn the stored base round's circles by one place after another."""
    places, text = BASE_ROUNDS[players]
    base = [int(player) for player in text.split()]
    circled = players - players % places
    for turn in range(places):
        turned = [u - u % places + (u + turn) % places if u < circled else u for u in base]
        yield tuple(tuple(turned[i : i + CHAIRS]) for i in range(0, players, CHAIRS))


def _moved_tables(tables: int) -> Iterator[list[tuple[int, ...]]]:
    """Return, for every round, the places in the four classes whose players meet at each table."""
    field = field_of(tables) if CHAIRS <= tables <= LARGEST_FIELD else None
    if field:
        for r in range(tables):
            yield [
                tuple(field.plus[table][field.times[k][r]] for k in range(CHAIRS)) for table in range(tables)
            ]
        return
    for moves in _moves(tables):
        yield [tuple((table + move) % tables for move in moves) for table in range(tables)]


def _moves(tables: int) -> list[tuple[int, ...]]:
    """Return each round's moves of the four classes, every difference between two classes being new."""
    straight = min(tables // gcd(tables, 2), tables // gcd(tables, 3))
    found = [tuple(k * r % tables for k in range(CHAIRS)) for r in range(straight)]
    if straight < MOVES_SOUGHT < tables:
        return _sought_moves(tables)
    return found


def _sought_moves(tables: int) -> list[tuple[int, ...]]:
    """Return MOVES_SOUGHT rounds' moves, tried in order and taken back where no further round fits."""
    chosen: list[tuple[int, ...]] = []
    untried = [_fitting(tables, chosen)]
    while len(chosen) < MOVES_SOUGHT:
        moves = next(untried[-1], None)
        if moves is None:
            untried.pop()
            chosen.pop()
        else:
            chosen.append(moves)
            untried.append(_fitting(tables, chosen))
    return chosen


def _fitting(tables: int, chosen: list[tuple[int, ...]]) -> Iterator[tuple[int, ...]]:
    """Return the moves of a next round that differ in all six ways from those chosen."""
    used = {
        (i, j, (m[j] - m[i]) % tables) for m in chosen for i in range(CHAIRS) for j in range(i + 1, CHAIRS)
    }
    r = len(chosen)
    for second in range(tables):
        for third in range(tables):
            moves = (0, r, second, third)
            new = {
                (i, j, (moves[j] - moves[i]) % tables) for i in range(CHAIRS) for j in range(i + 1, CHAIRS)
            }
            if not new & used:
                yield moves


def _classes_by_themselves(tables: int) -> list[Round]:
    """Return rounds in which each class of `tables` players plays at its own quarter of the tables."""
    return [
        tuple(tuple(k * tables + player for player in table) for k in range(CHAIRS) for table in inner)
        for inner in rounds_without_repeats(tables // CHAIRS)
    ]


# Counting in finite fields: the arithmetic behind the best plans for 4, 5, 7, 8, 9, 11, 13, 16 … tables.
#
# In a field one can add, subtract, multiply and divide by anything but zero. The integers modulo a prime
# are one; for a power of a prime, elements are polynomials with coefficients modulo the prime, multiplied
# modulo a polynomial that has no factors. An element is written as the number whose digits in base p are the
# coefficients.


@dataclass(frozen=True)
class Field:
    """A field's addition and multiplication tables, elements 0 to size - 1."""

    size: int
    plus: tuple[tuple[int, ...], ...]
    times: tuple[tuple[int, ...], ...]


@cache
def field_of(size: int) -> Field | None:
    """Return the field with this many elements, or None where there is none (size not a power of a prime)."""
    prime, power = _prime_power(size)
    if not power:
        return None
    digits = [_digits(element, prime, power) for element in range(size)]
    modulus = _irreducible(prime, power)
    elements = range(size)
    plus = tuple(
        tuple(
            _number([(x + y) % prime for x, y in zip(digits[a], digits[b], strict=True)], prime)
            for b in elements
        )
        for a in elements
    )
    times = tuple(
        tuple(_number(_product(digits[a], digits[b], modulus, prime), prime) for b in elements)
        for a in elements
    )
    return Field(size, plus, times)


def _prime_power(size: int) -> tuple[int, int]:
    """Return (p, k) with p^k = size, or (0, 0)."""
    prime = next((p for p in range(2, size + 1) if size % p == 0), 0)
    power = 0
    while prime and size % prime == 0:
        size //= prime
        power += 1
    return (prime, power) if size == 1 and power else (0, 0)


def _digits(number: int, base: int, length: int) -> list[int]:
    return [number // base**place % base for place in range(length)]


def _number(digits: list[int], base: int) -> int:
    return sum(digit * base**place for place, digit in enumerate(digits))


def _irreducible(prime: int, power: int) -> list[int]:
    """Return the first monic polynomial of this degree without factors, lowest digit first."""
    composite = set()
    for degree in range(1, power // 2 + 1):
        for low in product(range(prime), repeat=degree):
            for high in product(range(prime), repeat=power - degree):
                composite.add(tuple(_multiply([*low, 1], [*high, 1], prime)))
    return next([*tail, 1] for tail in product(range(prime), repeat=power) if (*tail, 1) not in composite)


def _multiply(a: list[int], b: list[int], prime: int) -> list[int]:
    result = [0] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            result[i + j] = (result[i + j] + x * y) % prime
    return result


def _product(a: list[int], b: list[int], modulus: list[int], prime: int) -> list[int]:
    """Return a * b modulo a monic polynomial."""
    result = _multiply(a, b, prime)
    degree = len(modulus) - 1
    for place in range(len(result) - 1, degree - 1, -1):
        factor = result[place]
        for offset, digit in enumerate(modulus):
            result[place - degree + offset] = (result[place - degree + offset] - factor * digit) % prime
    return result[:degree]


# Plans from a long search, stored because a short one seldom finds them: few players, or a round too many for a rule.
#
# A plan is headed players/rounds. A word is a round, four letters a table: player 0 is `a`, player 1 is `b` and so
# on, `A` after `z`; `.` is the empty chair at a table of three. Repeats come as late as they can, should the event
# end early.
#
# `python -m tests.bench.search_plans 29/7 --afresh` repeats the search for such a plan: seconds or minutes for most,
# far longer for 17 to 24 players in six rounds and more; what beats a stored plan can be put in its place.

PLANS = """
6/2 abc.def. abe.cdf.
6/3 abc.def. abe.cdf. ade.bcf.
6/4 abc.def. aef.bcd. abe.cdf. acf.bde.
6/5 abc.def. acf.bde. ace.bdf. aef.bcd. adf.bce.
6/6 abc.def. abd.cef. abf.cde. aef.bcd. ade.bcf. ace.bdf.
6/7 abc.def. aef.bcd. ade.bcf. adf.bce. acd.bef. acf.bde. ace.bdf.
6/8 abc.def. abf.cde. abd.cef. abe.cdf. ace.bdf. aef.bcd. ade.bcf. acf.bde.
7/2 abcdefg. abfgcde.
7/3 abcdefg. cdefabg. acegbdf.
7/4 abcdefg. bdegacf. cdfgabe. adefbcg.
7/5 abcdefg. bdefacg. acefbdg. cdegabf. abfgcde.
7/6 abcdefg. cdegabf. abegcdf. adfgbce. bdefacg. acefbdg.
7/8 abcdefg. bdfgace. acfgbde. cdegabf. bcefadg. abegcdf. adefbcg. acfgbde.
8/2 abcdefgh adfhbceg
8/3 abcdefgh acfhbdeg acegbdfh
8/4 abcdefgh adefbcgh adghbcef abegcdfh
8/5 abcdefgh abegcdfh abfhcdeg adefbcgh adehbcfg
8/6 abcdefgh acfhbdeg acegbdfh abehcdfg adghbcef abfgcdeh
9/5 abc.def.ghi. aeh.bfi.cdg. adi.beg.cfh. afg.bdh.cei. ace.bdh.fgi.
9/6 abc.def.ghi. afi.beh.cdg. aeg.bdi.cfh. adh.bfg.cei. aeh.bcf.dgi. afi.beg.cdh.
9/7 abc.def.ghi. afh.beg.cdi. aei.bdh.cfg. adg.bfh.cei. aeh.bfi.cdg. abd.ceh.fgi. acf.beg.dhi.
9/8 abc.def.ghi. adh.bfg.cei. afi.beh.cdg. aeg.bdi.cfh. abd.ceg.fhi. aei.bfg.cdh. acf.beh.dgi. agh.bci.def.
10/2 abcdefg.hij. acehbgj.dfi.
10/3 abcdefg.hij. adghbfi.cej. bcghafj.dei.
10/4 abcdefg.hij. bcgiafj.deh. bdgjaei.cfh. dfgiabh.cej.
10/5 abcdefg.hij. adgjbeh.cfi. bcgjaei.dfh. dghiabf.cej. defjach.bgi.
10/6 abcdefg.hij. cdejafh.bgi. bdfjaei.cgh. beghacj.dfi. cfhiadg.bej. agijbcf.deh.
10/7 abcdefg.hij. abficgh.dej. aefhbcj.dgi. bfgjadh.cei. agijbde.cfh. behiacg.dfj. cdfiaej.bgh.
10/8 abcdefg.hij. bcfhagj.dei. cdgjaeh.bfi. cegiadf.bhj. afijbde.cgh. adhjbgi.cef. beijagh.cdf. efghaci.bdj.
11/2 abcdefghijk. abfkcehidgj.
11/3 abcdefghijk. adficehkbgj. abeicfhjdgk.
11/4 abcdefghijk. acgkbefidhj. adfibghkcej. afgjbdekchi.
11/5 abcdefghijk. adgjcehkbfi. bdgkcefjahi. acfkbghjdei. abekdfhjcgi.
11/6 abcdefghijk. bcfjdghkaei. adgjcfhibek. bdhicegjafk. ahjkbfgicde. abehcgikdfj.
11/7 abcdefghijk. adfibegkchj. abgjcefidhk. afhkbdejcgi. bhijcdgkaef. adehcijkbfg. aghicfjkbde.
11/8 abcdefghijk. acejbghkdfi. afgkbdejchi. ahijbcfgdek. behicdgkafj. adhkcefibgj. adgiefjkbch. bdijcfhkaeg.
12/2 abcdefghijkl abhicefldgjk
12/3 abcdefghijkl acglbefkdhij ahjkbcfidegl
12/4 abcdefghijkl aeflbhjkcdgi achibgjldefk acgkbfijdehl
12/5 abcdefghijkl agilbehkcdfj abficehldgjk abejcfgkdhil ahjkbfglcdei
12/6 abcdefghijkl acfjbghldeik aghkbfijcdel agilbcfkdehj abehcgijdfkl abelcfhidgjk
12/7 abcdefghijkl acelbfgjdhik ahjlbdekcfgi agklbchidefj abfhcjkldegi acijbegkdfhl aehibcgldfjk
12/8 abcdefghijkl afglbcejdhik aeikbcfhdgjl ahjlbdficegk achibgkldefj adehbgijcfkl afjkbeilcdgh acdibgjkefhl
13/2 abcdefg.hij.klm. dejmagl.bhk.cfi.
13/3 abcdefg.hij.klm. dghmaek.bfj.cil. behlajm.cgk.dfi.
13/4 abcdefg.hij.klm. dfhlaik.bgm.cej. dgjkael.bfi.chm. cgilafj.bhk.dem.
13/5 abcdefg.hij.klm. bfhmagj.cik.del. cghlaim.bej.dfk. aehkbil.cfj.dgm. ceimafl.bgk.dhj.
13/6 abcdefg.hij.klm. aehmbgj.cil.dfk. afjlbgm.cdh.eik. bhjkagi.cfm.del. dijmafh.bel.cgk. dghlakm.bfi.cej.
13/7 abcdefg.hij.klm. behlagj.cim.dfk. bfjmacl.dei.ghk. cdgjaem.bik.fhl. fgilabj.cek.dhm. ahikbgm.cef.djl.
ejkmadf.bch.gil.
13/8 abcdefg.hij.klm. dfikagl.bhm.cej. afjmbgk.cil.deh. cfghaek.bdl.ijm. aehlbfi.ckm.dgj. egimach.bjk.dfl.
bejlagi.cfk.dhm. hiklabf.cem.dgj.
14/2 abcdefghijk.lmn. aeinbhklcfj.dgm.
14/3 abcdefghijk.lmn. bhkmdfjnaei.cgl. agjmbfilchn.dek.
14/4 abcdefghijk.lmn. ahknbfjmcel.dgi. agjlcfinbek.dhm. aeimdfklbgn.chj.
14/5 abcdefghijk.lmn. cfjndgkmahi.bel. agjlceimbfk.dhn. bginchklafm.dej. aekndfilbcg.hjm.
14/6 abcdefghijk.lmn. agkldfimbej.chn. aeincfjlbgm.dhk. ahjmbfkncgi.del. bhilcekmafg.djn. bhikdgjnaef.clm.
14/7 abcdefghijk.lmn. bejndgimahl.cfk. agjlchinbfm.dek. dhjmfgknace.bil. bhikcelmagn.dfj. aeficjklbgm.dhn.
akmnbdflcgh.eij.
14/8 abcdefghijk.lmn. bhkncgilaem.dfj. cefndhimagk.bjl. achjeklmbfi.dgn. adflbgjmckn.ehi. bcfmdejkain.ghl.
ahjnfiklbde.cgm. abegdimncjl.fhk.
15/6 abcdefghijklmno. bejmcfiodglnahk. agjobfkndhimcel. aflmchjndekobgi. aeinbhlocgkmdfj. bfhkcgjodilmaen.
15/7 abcdefghijklmno. aejmbhkndfiocgl. aginbflmcekodhj. bgjochimdelnafk. ahlocfjndgkmbei. adknbghofijmcel.
cdgmeikohjlnabf.
15/8 abcdefghijklmno. afjoceindglmbhk. bejmcfkodhlnagi. aelobdfncgkmhij. ajknbghodeimcfl. beklcdhjginoafm.
aehnbfimcgjldko. ahlmbciofgkndej.
17/2 abcdefghijk.lmn.opq. cjmodfknagl.beq.hip.
17/5 abcdefghijk.lmn.opq. agjqdhmpbno.cfi.ekl. bimqcenpahk.dgl.fjo. ailodfknbgp.chq.ejm.
bhjlckmoafp.deq.gin.
17/6 abcdefghijk.lmn.opq. cfjnekmqahp.bgo.dil. bfiqhjloaen.ckp.dgm. bjmpdhnqagi.ceo.fkl.
afmocglqbhk.dej.inp. chimgknoajq.bel.dfp.
17/7 abcdefghijk.lmn.opq. bkmpcgilahq.dej.fno. dgmoeklqafp.bin.chj. ajlodhknbgq.cfm.eip.
dfiqgjnpaem.bhl.cko. cenqhimoagk.bfj.dlp. adingjmqbeo.chp.fkl.
17/8 abcdefghijk.lmn.opq. cfipdejmano.bhq.gkl. aimqdhkpbfn.cel.gjo. bhmodgilafk.cjq.enp.
bjlphinoaeg.ckm.dfq. afjleknqbdo.chi.gmp. cgjnfkmoadp.bei.hlq. bgkqceloahj.dmn.fip.
18/5 abcdefghijklmno.pqr. aglpbekmcfoqdin.hjr. chkndeopgimrafj.blq. aeiqcjmpflnrbho.dgk.
akorbgjndhmqcel.fip.
18/6 abcdefghijklmno.pqr. ahmrbinqekopcgj.dfl. aelnbhjpcfoqdkr.gim. afipchkndejmbor.glq.
bfkmceirdgnpajq.hlo. agkoclmpfjnrbeq.dhi.
18/7 abcdefghijklmno.pqr. aknqbejpcfordhi.glm. cekmdlophjnrafi.bgq. agjobimrchlqden.fkp. aelrdfmqginpbhk.cjo.
bflndgkreioqacp.hjm. ahmpcgindfjqbko.elr.
18/8 abcdefghijklmno.pqr. ainpbfkocgmrdhj.elq. bglncfjqdeopahm.ikr. agjobeirdlmqchp.fkn.
aflrhioqjkmpbdg.cen. bhnrclmogkpqaej.dfi. aekodjnrfhlpbmq.cgi. agnqcdhkefimbjp.lor.
19/6 abcdefghijklmnopqrs. ahnqbejrcgkoflmsdip. alorchisdfjnekpqbgm. aeimbknscfprdglqhjo.
bhlpcjmqdeosginrafk. ajpsbfoqcelndhmrgik.
19/7 abcdefghijklmnopqrs. afjpbenqcglshimrdko. bfksceipdjnrhloqagm. ainscfordelmgkpqbhj.
aekrbgiocjmqdhpsfln. adgqblprchknejosfim. ahlobkmsdfiqgjnrcep.
19/8 abcdefghijklmnopqrs. aekobjnqchmrdgisflp. agjpbelrcinodhkqfms. bgoqcklsdfjmehipanr.
abimdlprfknqhjosceg. aflocipqdensgkmrbhj. acfhbkpsdjorelmqgin. amqsbfircejpghlndko.
20/6 abcdefghijklmnopqrst agjnbhotcflrdkpseimq afmsblnqcekodgithjpr ahkqbfipcjmtdenrglos
aiorbejscgpqdhlmfknt alptbgmrchnsdfoqeijk
20/7 abcdefghijklmnopqrst alotbhkscgindfpqejmr afnsbimqchlrdgjoekpt agkqbelncjpsdhmtfior
ahipbfjtceoqdknrglms ajlqbgprcfkmdeishnot aemrbkoscgitdflphjnq
21/8 abcdefghijklmno.pqr.stu. bgopcjmufkrsahq.din.elt. aflncoqteipubjr.dgk.hms. aiosdejqgnrtbfu.chk.lmp.
aemrbhitknqucgl.dps.fjo. dfmtgjqshlouakp.ben.cir. bkmtdlorhjnpagu.ces.fiq. blqscfnpdhruajt.eko.gim.
22/6 abcdefghijklmnopqrs.tuv. ceiodhmqflprgnsuakv.bjt. bepqchjudnrvlostagi.fkm. ajnqbglmcfsvdekthor.ipu.
amrtbhivcgkpfoqudjs.eln. ahpsbkruejmvfintclq.dgo.
22/8 abcdefghijklmnopqrs.tuv. agjobhipcnqudmrvekt.fls. ahsvblntdgkuejmqcfp.ior. ckosdhlqfimujprtaen.bgv.
aiqtcglrdepsfjnvbkm.hou. afkrbjsuchmtelovdin.gpq. berudfotginskpqvalm.chj. alpubfoqceivhknrdgj.mst.
23/8 abcdefghijklmnopqrstuvw. aknsblmtcerwgiovhjpudfq. bprvcgjtdkoweinqfmsuahl. airuchosdelpfntvjmqwbgk.
aemvboqucfkpdhitglswjnr. afjobhnwclqvdgmrektuips. aptwbejsdgnuflorhkqvcim. agpqbfiwclnudjsvhkmreot.
24/8 abcdefghijklmnopqrstuvwx akrwblqxceovdfpuginshjmt ahlpbntvcgjxdkoseirufmqw aimvbgkpchswdeltfnrxjoqu
aenqbmsucfktdhixglowjprv afjsbhorclnudgqvekmxiptw aotxbejwcipqdgmrflsvhknu agtubfioclmrdjnwepsxhkqv
29/7 abcdefghijklmnopqrstABC.uvw.xyz. AhmwBdgtCcjybfouinqxakr.elv.psz. AfqzBlruChnvagjpbswxcko.dei.mty.
BfsvCdpraenycglzkmuxAio.bht.jqw. AberBcimahlsfpwyktvzCoq.djx.gnu. AptuBekwCbizdlqygovxafm.cns.hjr.
AdknCatwchquejozirvyBbp.flx.gms.
"""


def stored_plan(players: int, rounds: int) -> tuple[Round, ...]:
    """Return the stored plan for these numbers, () for none."""
    return _STORED.get((players, rounds), ())


def read_plans(text: str) -> dict[tuple[int, int], tuple[Round, ...]]:
    """Parse plans written as in `PLANS`, by players and rounds."""
    plans: dict[tuple[int, int], tuple[Round, ...]] = {}
    for word in text.split():
        if "/" in word:
            players, rounds = word.split("/")
            key = int(players), int(rounds)
            plans[key] = ()
        else:
            plans[key] = (*plans[key], _round(word))
    return plans


def _round(word: str) -> Round:
    tables = (word[start : start + CHAIRS].rstrip(".") for start in range(0, len(word), CHAIRS))
    return tuple(tuple(ascii_letters.index(letter) for letter in table) for table in tables)


_STORED = read_plans(PLANS)
