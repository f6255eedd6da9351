"""The chain of all that is decided: what is changed by hand shows, named in words, with its tracks covered too."""

from __future__ import annotations

import re

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from tests.factories import make_player, tampering
from tournaments.changes.chain import link_hash
from tournaments.entries import entering
from tournaments.exports.verify.recount import differences
from tournaments.lifecycle.playing import close_round
from tournaments.models import ChainLink, LogEntry, Penalty, Report, Seat, Table, Tournament

pytestmark = pytest.mark.databases


def second_table(tournament):
    return Table.objects.select_related("round__tournament").get(
        round__tournament=tournament, round__number=2, number=1
    )


def said():
    """What verify says, "" where all is well."""
    try:
        call_command("verify")
    except CommandError as error:
        return str(error)
    return ""


def by_hand(sql, *values):
    with tampering() as cursor:
        cursor.execute(sql, values)


def test_an_evening_that_nobody_touched_is_whole(chained_evening):
    assert list(differences(chained_evening)) == []
    assert said() == ""


def test_two_players_who_changed_seats_by_hand_show(chained_evening):
    one, other = Seat.objects.filter(round__number=1, position=1).order_by("table__number")
    numbers = [seat.entry.number for seat in (one, other)]
    third = make_player("Nobody")
    spare = entering.enter(chained_evening, third, club=None, account=None, now=timezone.now())
    assert said() == ""
    for seat, entry in ((one, spare), (other, one.entry), (one, other.entry)):
        Seat.objects.filter(pk=seat.pk).update(entry=entry)
    told = "\n".join(map(str, differences(chained_evening)))
    assert f"round 1 table 1: at seat B sits no. {numbers[1]}, decided was no. {numbers[0]}" in told
    assert f"round 1 table 2: at seat B sits no. {numbers[0]}, decided was no. {numbers[1]}" in told


def cut_newest(tournament):
    """Take the newest report of the running round away with all that tells of it, as if it had never been."""
    table = second_table(tournament)
    newest, before = table.reports.order_by("-sequence")[:2]
    with tampering():
        table.dealt.filter(current=newest).delete()
        Report.objects.filter(pk=newest.pk).delete()
        for seat, tokens in zip(table.seats.all(), before.tokens, strict=True):
            Seat.objects.filter(pk=seat.pk).update(tokens=tokens)
        Table.objects.filter(pk=table.pk).update(reports_count=1, last_hash=before.hash)


def test_the_newest_report_cut_off_shows(chained_evening):
    cut_newest(chained_evening)
    assert said().endswith(
        "round 2 table 1: reports were cut off, or written anew, after report 1: the table's seal is not of these"
    )


def test_a_report_cut_off_after_its_round_was_closed_shows_in_the_chain_too(chained_evening, alice):
    close_round(chained_evening.rounds.get(number=2), account=alice, now=timezone.now(), force_reason="bus")
    cut_newest(chained_evening)
    told = [str(one) for one in differences(chained_evening)]
    assert any("round 2 table 1: report 2 is not the one with which its chain ended" in text for text in told)


def test_all_reports_of_a_table_taken_away_show(chained_evening):
    cut_newest(chained_evening)
    table = second_table(chained_evening)
    with tampering():
        table.dealt.all().delete()
        table.reports.all().delete()
        Seat.objects.filter(table=table).update(tokens=0)
        Table.objects.filter(pk=table.pk).update(reports_count=0, last_hash="", seal="")
    assert "round 2 table 1: reports were cut off" in said()


@pytest.mark.parametrize(
    ("sql", "shown"),
    [
        ("DELETE FROM tournaments_logentry", r"line 1 of the log: is gone; step \d+ decided: "),
        (
            "UPDATE tournaments_logentry SET text = 'Nothing' WHERE text LIKE 'Closed%%'",
            r"line \d+ of the log: text is Nothing, decided was Closed round \{round\} \(step \d+\)$",
        ),
        ("UPDATE tournaments_logentry SET author = 'Bob'", "line 1 of the log: its author is not what was"),
        ("UPDATE tournaments_penalty SET tokens = -4", r"ruling 1: tokens is -4, decided was -5 \(step \d+\)$"),
        ("UPDATE tournaments_penalty SET reason = 'x'", "ruling 1: its reason is not what was written down"),
        ("UPDATE tournaments_tournament SET comparison = 'average'", "set-up: comparison is average, decided was sum"),
        ("UPDATE tournaments_entry SET carried = 500 WHERE number = 2", "player no. 2: carried is 500, decided was 0"),
        ("UPDATE tournaments_round SET seed = 1 WHERE number = 1", "round 1: seed is 1, decided was 7"),
        ("UPDATE clubs_player SET name = 'Zoe' WHERE name = 'Bo Krogh'", "player no. 2: its player is not what was"),
    ],
)  # fmt: skip
def test_what_is_changed_by_hand_is_named(chained_evening, sql, shown):
    by_hand(sql)
    assert re.search(shown, said())


def test_a_ruling_that_is_gone_with_its_line_and_its_link_shows(chained_evening):
    with tampering():
        place = LogEntry.objects.get(text__startswith="{player}: {tokens}").pk
        Penalty.objects.all().delete()
        LogEntry.objects.filter(pk=place).delete()
        link = ChainLink.objects.get(content__has_key="ruling 1")
        link.delete()
    assert re.search(rf"chain: step {link.number} is missing$", said())


def forge(tournament):
    """Cut the chain off before the ruling and write it anew to its end, hashes and all, as only the key prevents."""
    with tampering():
        Penalty.objects.all().delete()
        links = list(tournament.chain.order_by("number"))
        gone = next(link for link in links if "ruling 1" in link.content)
        line = next(name for name in gone.content if name.startswith("log "))
        LogEntry.objects.filter(pk=tournament.log.order_by("pk")[int(line.split()[1]) - 1].pk).delete()
        ChainLink.objects.filter(tournament=tournament).delete()
        head = ""
        kept = [link for link in links if link is not gone]
        for number, link in enumerate(kept, start=1):
            names = {}
            for name, content in link.content.items():
                kind, place = name.split() if " " in name else (name, "")
                later = kind == "log" and int(place) > int(line.split()[1])
                names[f"log {int(place) - 1}" if later else name] = content
            link.pk, link.number, link.content, link.previous_hash = None, number, names, head
            head = link.hash = link_hash(tournament.code, number, link.at, names, link.previous_hash)
            link.save(force_insert=True)
        Tournament.objects.filter(pk=tournament.pk).update(chain_count=len(kept), chain_head=head)


def test_a_chain_written_anew_shows_by_its_seal(chained_evening):
    forge(chained_evening)
    assert re.search(r"chain: it was cut off, or written anew, after step \d+$", said())


def test_a_chain_cut_off_at_its_end_shows(chained_evening):
    last = chained_evening.chain.order_by("-number").first()
    before = chained_evening.chain.get(number=last.number - 1)
    with tampering():
        ChainLink.objects.filter(pk=last.pk).delete()
    assert said().endswith(f"chain: it ends after step {before.number}, the tournament counted {last.number}")
    Tournament.objects.filter(pk=chained_evening.pk).update(chain_count=before.number, chain_head=before.hash)
    assert said().endswith(f"chain: it was cut off, or written anew, after step {before.number}")


def test_a_chain_that_was_taken_away_shows(chained_evening):
    with tampering():
        ChainLink.objects.all().delete()
        Tournament.objects.update(chain_count=0, chain_head="", chain_seal="")
    assert said().endswith("chain: there is none: it was taken away")


def test_all_differences_are_told_when_asked_for(chained_evening, capsys):
    by_hand("UPDATE tournaments_penalty SET tokens = -4")
    by_hand("DELETE FROM tournaments_logentry")
    with pytest.raises(CommandError, match=r"difference\(s\)"):
        call_command("verify", "--all")
    told = capsys.readouterr().err
    assert "ruling 1: tokens is -4" in told
    assert "line 1 of the log: is gone" in told
