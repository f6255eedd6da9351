"""The chain's head on paper: found again, told what it is of, and not to be had by writing the chain anew."""

from __future__ import annotations

import re

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from tests.factories import make_club, make_tournament
from tests.tournaments.changes.chain.test_chain import cut_newest, forge, said, second_table
from tournaments.changes.chain import short_head
from tournaments.lifecycle.rulings import penalise
from tournaments.models import Tournament

pytestmark = pytest.mark.databases


def test_a_head_has_sixteen_letters_that_nobody_mistakes():
    head = short_head("ab" * 32)
    assert re.fullmatch(r"[A-HJKMNP-Z2-9]{4}(-[A-HJKMNP-Z2-9]{4}){3}", head)
    assert (short_head(""), short_head("ab" * 31 + "ac")) != ("", head)


def test_a_head_on_paper_is_found_and_told_what_it_is_of(chained_evening, alice, capsys):
    on_standings, on_sheet = (
        short_head(chained_evening.chain_head),
        short_head(second_table(chained_evening).last_hash),
    )
    penalise(
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
    with pytest.raises(CommandError, match="no tournament here has ever had this check code"):
        call_command("verify", "--head", paper)


def seal_as_the_program_does(tournament):
    from tournaments.changes.chain import seal

    sealed = seal(tournament.code, tournament.chain_count, tournament.chain_head)
    Tournament.objects.filter(pk=tournament.pk).update(chain_seal=sealed)


def test_a_key_that_is_not_known_here_is_told_and_is_no_difference(chained_evening, settings, capsys):
    settings.SECRET_KEY = "k" * 60
    call_command("verify")
    assert "sealed with another machine's key" in capsys.readouterr().out


def test_what_all_tournaments_have_in_common_is_told_once(chained_evening, alice, settings, capsys):
    for number in range(5):
        make_tournament(4, club=make_club(f"Club {number}"), account=alice)
    settings.SECRET_KEY = "k" * 60
    call_command("verify")
    told = [line for line in capsys.readouterr().out.splitlines() if line.startswith("Notice: ")]
    first, second, third = sorted(Tournament.objects.values_list("code", flat=True))[:3]
    of_the_register, notice = told
    assert of_the_register == "Notice: the end of the register was sealed with another machine's key"
    assert notice.startswith(
        f"Notice: {first} chain, {second} chain, {third} chain and 3 more: the end of the chain was"
    )


def test_a_key_that_was_replaced_is_believed_on(chained_evening, settings, capsys):
    settings.SECRET_KEY_FALLBACKS, settings.SECRET_KEY = [settings.SECRET_KEY], "k" * 60
    call_command("verify")
    assert "Notice" not in capsys.readouterr().out
    cut_newest(chained_evening)
    assert "reports were cut off" in said()
