"""Plans that share tables of three evenly, for the numbers where that costs repeats and a short search misses the best.

They are written like those of `stored`. Each has the fewest repeats that are known with everybody at a table of three
equally often, give or take one; its rounds are in the order in which that holds earliest and repeats come last. For all
other numbers up to 71 players in 8 rounds the plan with the fewest repeats is even by itself.

`python -m tests.bench.search_plans 13/5 --even` searches for such a plan anew.
"""

from tournaments.draw.stored import read_plans
from tournaments.draw.tables import Round

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
