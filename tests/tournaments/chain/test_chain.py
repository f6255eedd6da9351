"""The chain of all that is decided: what is changed by hand shows, named in words, with its tracks covered too."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import connection
from django.urls import reverse
from django.utils import timezone

from tests.factories import (
    drop_trigger,
    first_round,
    make_player,
    make_tournament,
    play_out,
    report,
    tampering,
)
from tournaments import rounds
from tournaments.chain import short_head
from tournaments.chain.contents import ELSEWHERE, FROM_TOURNAMENT, LEFT_OUT, print_of
from tournaments.chain.links import link_hash
from tournaments.entries import entering
from tournaments.entries.personal_data import erase
from tournaments.files.recount import differences
from tournaments.models import ChainLink, LogEntry, Penalty, Report, Seat, Table, Tournament
from tournaments.models.append_only import protect_reports, triggers

pytestmark = pytest.mark.databases

SOLO = {"contract": "solo", "declarer": 1, "trump": "H", "outcome": "won"}


@pytest.fixture
def chained_evening(club, alice):
    """Eight players at two tables, the first round closed, with a ruling."""
    tournament, now = make_tournament(8, 2, club=club, account=alice), timezone.now()
    for table in first_round(tournament).tables.select_related("round__tournament"):
        play_out(table, agreed=True)
    entry = tournament.entries.get(number=3)
    rounds.penalise(entry, tokens=-5, reason="late", round_=None, account=alice, now=now)
    rounds.close_round(first_round(tournament), account=alice, now=now)
    rounds.start_round(tournament.rounds.get(number=2), account=alice, now=now)
    table = second_table(tournament)
    report(table, 1, SOLO)
    report(table, 2, SOLO | {"outcome": "bete"})
    tournament.refresh_from_db()
    return tournament


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


# What is changed by hand


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
    rounds.close_round(
        chained_evening.rounds.get(number=2), account=alice, now=timezone.now(), force_reason="bus"
    )
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


# Triggers


def test_a_trigger_that_was_dropped_shows(chained_evening):
    for name in triggers(connection):
        with connection.cursor() as cursor:
            drop_trigger(cursor, name)
        assert f"the trigger {name} on {triggers(connection)[name].table} is missing" in said()
        protect_reports()
    assert said() == ""


def test_a_trigger_that_was_hollowed_out_shows(chained_evening):
    connection.check_constraints()  # PostgreSQL: those that wait for the end of the transaction
    for name, trigger in triggers(connection).items():
        with connection.cursor() as cursor:
            drop_trigger(cursor, name)
            if connection.vendor == "sqlite":
                cursor.execute(re.sub("BEGIN .*", "BEGIN SELECT 1; END", trigger.sql))
            else:
                cursor.execute(trigger.postgresql)
                cursor.execute(f"ALTER TABLE {trigger.table} DISABLE TRIGGER {name}")
        assert f"the trigger {name} on {trigger.table} is not what it should be" in said()
        with connection.cursor() as cursor:
            drop_trigger(cursor, name)
        protect_reports()


def test_a_trigger_hollowed_out_is_put_right_by_the_next_migration(chained_evening):
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL is told to replace it")
    name, trigger = next(iter(triggers(connection).items()))
    with connection.cursor() as cursor:
        drop_trigger(cursor, name)
        cursor.execute(re.sub("BEGIN .*", "BEGIN SELECT 1; END", trigger.sql))
    protect_reports()
    assert said() == ""


def test_the_function_that_refuses_hollowed_out_shows(chained_evening):
    if connection.vendor == "sqlite":
        pytest.skip("SQLite's triggers have their body with them")
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE OR REPLACE FUNCTION refuse_report_change() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN RETURN NULL; END $$"
        )
    assert "the function refuse_report_change" in said()
    protect_reports()
    assert said() == ""


# Heads on paper


def test_a_head_has_sixteen_letters_that_nobody_mistakes():
    head = short_head("ab" * 32)
    assert re.fullmatch(r"[A-HJKMNP-Z2-9]{4}(-[A-HJKMNP-Z2-9]{4}){3}", head)
    assert (short_head(""), short_head("ab" * 31 + "ac")) != ("", head)


def test_a_head_on_paper_is_found_and_told_what_it_is_of(chained_evening, alice, capsys):
    on_standings, on_sheet = (
        short_head(chained_evening.chain_head),
        short_head(second_table(chained_evening).last_hash),
    )
    rounds.penalise(
        chained_evening.entries.get(number=1),
        tokens=2,
        reason="x",
        round_=None,
        account=alice,
        now=timezone.now(),
    )
    typed = on_standings.lower().replace("-", " ")
    call_command("verify", chained_evening.code, "--head", typed, "--head", on_sheet)
    out = capsys.readouterr().out
    steps = chained_evening.chain_count
    assert f"{chained_evening.code}, the whole tournament: steps, after {steps} of {steps + 1}" in out
    assert f"{chained_evening.code} round 2 table 1: reports, after 2 of 2" in out


def test_a_chain_written_anew_with_the_key_itself_shows_by_the_head_on_paper(chained_evening, settings):
    paper = short_head(chained_evening.chain_head)
    forge(chained_evening)
    chained_evening.refresh_from_db()
    seal_as_the_program_does(chained_evening)
    assert said() == ""
    with pytest.raises(CommandError, match="no chain here ever had this head"):
        call_command("verify", "--head", paper)


def seal_as_the_program_does(tournament):
    from tournaments.chain.seals import seal

    sealed = seal(tournament.code, tournament.chain_count, tournament.chain_head)
    Tournament.objects.filter(pk=tournament.pk).update(chain_seal=sealed)


def test_a_key_that_is_not_known_here_is_told_and_is_no_difference(chained_evening, settings, capsys):
    settings.SECRET_KEY = "k" * 60
    call_command("verify")
    assert "sealed with another machine's key" in capsys.readouterr().out


def test_a_key_that_was_replaced_is_believed_on(chained_evening, settings, capsys):
    settings.SECRET_KEY_FALLBACKS, settings.SECRET_KEY = [settings.SECRET_KEY], "k" * 60
    call_command("verify")
    assert "Notice" not in capsys.readouterr().out
    cut_newest(chained_evening)
    assert "reports were cut off" in said()


# What is decided is chained


def test_whoever_is_erased_leaves_a_whole_chain_without_their_name(chained_evening, alice):
    rounds.close_round(
        chained_evening.rounds.get(number=2), account=alice, now=timezone.now(), force_reason="bus"
    )
    player = chained_evening.entries.get(number=3).player
    erase(player, account=alice, today=timezone.localdate() + timedelta(days=1), now=timezone.now())
    assert list(differences(Tournament.objects.get())) == []
    assert not ChainLink.objects.filter(content__icontains=player.name).exists()


def test_a_member_who_is_renamed_is_chained(chained_evening, club):
    player = chained_evening.entries.get(number=3).player
    player.name = "Karen Dam"
    player.save()
    newest = Tournament.objects.get().chain.order_by("-number").first()
    assert newest.content["entry 3"]["player"] == print_of("Karen Dam")
    assert list(differences(Tournament.objects.get())) == []


def test_a_discarded_draw_is_gone_in_the_chain_too(club, alice):
    tournament = make_tournament(8, 2, club=club, account=alice, started=False)
    rounds.discard_draw(tournament, account=alice, now=timezone.now())
    rounds.draw(tournament, seed=9, account=alice, now=timezone.now())
    rounds.discard_draw(tournament, account=alice, now=timezone.now())
    tournament.refresh_from_db()
    assert list(differences(tournament)) == []
    assert tournament.chain.order_by("-number").first().content["table 2/1"] is None


def test_every_model_is_chained_or_said_to_be_kept_elsewhere():
    models = {model.__name__: model for model in apps.get_app_config("tournaments").get_models()}
    chained = {"Tournament", *FROM_TOURNAMENT}
    assert chained | ELSEWHERE.keys() == models.keys()
    assert chained & ELSEWHERE.keys() == set()
    for name, fields in LEFT_OUT.items():
        assert fields.keys() <= {field.name for field in models[name]._meta.concrete_fields}
        assert all(fields.values())


def test_a_report_writes_no_link(chained_evening):
    """A table's chain has its end and its seal in the row that a report changes anyway."""
    count = ChainLink.objects.count()
    report(second_table(chained_evening), 3)
    assert ChainLink.objects.count() == count


def test_the_check_code_is_shown_in_the_hall_and_in_the_log(chained_evening, as_alice):
    whole, table = short_head(chained_evening.chain_head), second_table(chained_evening)
    shown = {
        reverse("standings", args=[chained_evening.code]): whole,
        reverse("hall_table", args=[chained_evening.code, 2, 1]): short_head(table.last_hash),
        reverse("desk_log", args=[chained_evening.code]): whole,
    }
    for address, code in shown.items():
        assert code in as_alice.get(address).content.decode()
