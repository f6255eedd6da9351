"""Plans from a long search, kept because a short one seldom finds them: few players, or a round too many for a rule.

A plan is headed players/rounds. A word is a round, four letters a table: player 0 is `a`, player 1 is `b` and so on,
`A` after `z`; `.` is the empty chair at a table of three. Repeats come as late as they can, should the event end early.

`python -m tests.bench.search_plans 29/7 --afresh` searches for such a plan anew: seconds or minutes for most, far
longer for 17 to 24 players in six rounds and more; what beats a stored plan can be put in its place.
"""

from string import ascii_letters as LETTERS  # noqa: N812 - a constant here

from tournaments.draw.tables import CHAIRS, Round

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
    return tuple(tuple(LETTERS.index(letter) for letter in table) for table in tables)


_STORED = read_plans(PLANS)
