"""A tournament as a file: out, in, out again gives the same bytes; a changed file is not taken in."""

from __future__ import annotations

import json
from datetime import date

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from clubs.models import Account
from scoring import ENGINE_VERSION
from tests.factories import (
    affiliate,
    decide_as_it_stands,
    first_table,
    make_club,
    make_tournament,
    play_out,
    report,
    tampering,
)
from tournaments.boards.folders import play_other_folder
from tournaments.changes.register import chain
from tournaments.domain.halls import stored_halls
from tournaments.exports.tournament_file import BadFile, export_tournament, import_tournament
from tournaments.exports.verify.recount import differences
from tournaments.ledger import Outlook, change_seats, raise_flag
from tournaments.lifecycle.playing import close_round, revoke_link
from tournaments.lifecycle.rulings import penalise
from tournaments.models import Match, Team, Tournament


@pytest.fixture
def played(club, alice):
    """A tournament with something in every section of the file."""
    now = timezone.now()
    tournament = make_tournament(
        8, 2, club=club, tie_breaks=["best_round"], stake=25, boards=True, board_sets=2,
        halls=stored_halls([("Sal A", "Søndergade 5", 1), ("Sal B", "", 1)]),
    )  # fmt: skip
    table = first_table(tournament)
    report(table, 1)
    report(
        table,
        1,
        {"contract": "solo", "declarer": 1, "trump": "H", "outcome": "won"},
        base=1,
        reason="„forkert“ 🂡",
    )
    raise_flag(table, "later", deal=1, words="who dealt?", now=now)
    revoke_link(table, account=alice, now=now)
    entry = tournament.entries.first()
    penalise(entry, tokens=-1, reason="late", round_=table.round, account=alice, now=now)
    play_out(table.round.tables.get(number=2))
    play_other_folder(table, 3, 4, reason="byttet om", account=alice, now=now)
    table.refresh_from_db()
    swap = {"deal": 3, "swap": [0, 1]}
    change_seats(
        table, swap, seen=Outlook(table, swap).seen, resolved={}, reason="byttet", account=alice, now=now
    )
    close_round(table.round, account=alice, now=now, force_reason="the bell")
    report(table, 2)
    tournament.refresh_from_db()
    return tournament


def forget(tournament):
    """Remove a tournament as only a test may."""
    with tampering() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("PRAGMA defer_foreign_keys = ON")
        for name in (
            "objection", "teamentryruling", "teamentryplayer", "teamentrylink", "teamentry",
            "fixturewish", "matchconfirmation", "postponement", "chainlink",
            "folderanalysis", "boardset", "folderchange", "seatchange", "formerseat", "payment",
            "penalty", "logentry", "deal", "report", "keptreport", "flag", "revokedsecret", "seat", "table", "match",
            "round", "dealsum", "eveningplaces", "eveningresult", "rating", "ratedevening", "entry", "team",
            "tournament",
        ):  # fmt: skip
            cursor.execute(f'DELETE FROM "tournaments_{name}"')
        chain({f"tournament {tournament.pk}": None})


@pytest.mark.databases
def test_out_in_and_out_again_gives_the_same_bytes(played):
    text = export_tournament(played)
    forget(played)
    assert export_tournament(import_tournament(text)) == text


def in_teams(tournament, club):
    """The played tournament as one of teams: Stilling at home to a team without a club, and a third with a bye."""
    Tournament.objects.filter(pk=tournament.pk).update(format="teams", meetings=2, match_points=[3, 1, 0])
    home, away, third = (
        Team.objects.create(tournament=tournament, number=number, name=name, club=club_, division=1)
        for number, name, club_ in ((1, "Stilling 1", club), (2, "Gæsterne", None), (3, "Stilling 2", club))
    )
    round_ = tournament.rounds.get(number=1)
    round_.date = date(2026, 12, 1)
    round_.save()
    match = Match.objects.create(
        round=round_, number=1, home=home, away=away, postponed_to=date(2026, 12, 8), awarded_reason="sne"
    )
    Match.objects.create(round=round_, number=2, home=third)
    round_.tables.update(match=match)
    tournament.entries.filter(number__lte=5).update(team=home)
    tournament.entries.filter(number=5).update(reserve=True)
    alice = Account.objects.get(roles__club=club)
    penalise(away, tokens=-1, reason="late", round_=None, account=alice, now=timezone.now())
    tournament.refresh_from_db()
    decide_as_it_stands(tournament)


@pytest.mark.databases
def test_teams_and_their_matches_are_in_the_file(played, club):
    in_teams(played, club)
    text = export_tournament(played)
    forget(played)
    taken = import_tournament(text)
    assert export_tournament(taken) == text
    match = taken.rounds.get(number=1).matches.get(number=1)
    assert [str(match), match.tables.count(), match.home.members.count()] == ["Stilling 1 – Gæsterne", 2, 5]


def test_a_file_from_before_there_were_teams_is_still_read(played):
    data = json.loads(export_tournament(played))
    del data["teams"]
    for name in ("format", "meetings", "match_points", "bye_teams", "promoted", "relegated", "by_average"):
        del data["tournament"][name]
    for entry in data["entries"]:
        del entry["team"], entry["reserve"]
    for penalty in data["penalties"]:
        del penalty["team"]
    for round_ in data["rounds"]:
        del round_["matches"], round_["date"]
        for table in round_["tables"]:
            del table["match"]
    now = export_tournament(played)
    forget(played)
    assert export_tournament(import_tournament(json.dumps(data))) == now


def test_a_tournament_that_is_here_already_is_not_taken_in_twice(played):
    with pytest.raises(BadFile, match="already here"):
        import_tournament(export_tournament(played))
    assert Tournament.objects.count() == 1


@pytest.mark.databases
def test_a_changed_file_is_not_taken_in(played):
    data = json.loads(export_tournament(played))
    data["rounds"][0]["tables"][0]["reports"][0]["tokens"] = [9, -9, 0, 0]
    forget(played)
    with pytest.raises(BadFile, match="has been altered"):
        import_tournament(json.dumps(data))
    assert Tournament.objects.count() == 0


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no JSON",
        "[]",
        "{}",
        '{"format": "spadille-tournament", "version": 3}',
        '{"format": "spadille-tournament", "version": 2}',
        '{"format": "spadille-tournament", "version": 1}',
        '{"format": "spadille-tournament", "version": null}',
        '{"format": "spadille-tournament", "version": [1]}',
        "[" * 100_000,
    ],
)
def test_a_strange_file_is_refused_in_words(db, text):
    with pytest.raises(BadFile) as caught:
        import_tournament(text)
    assert str(caught.value)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("tournament", "code"), None),
        (("tournament", "rounds_planned"), 99),
        (("tournament", "rulebook"), "poker"),
        (("tournament", "match_points"), [0, 1, 2]),
        (("tournament", "options"), {"idle_settles": "perhaps"}),
        (("entries", 0, "number"), "x"),
        (("entries",), None),
        (("rounds", 0, "tables", 0, "seats", 0, "entry"), 999),
        (("rounds", 0, "tables", 0, "secret"), "x" * 1000),
        (("log", 0, "at"), "yesterday"),
    ],
)
def test_a_file_with_a_wrong_value_is_refused_whole(played, path, value):
    data = json.loads(export_tournament(played))
    inside = data
    for step in path[:-1]:
        inside = inside[step]
    inside[path[-1]] = value
    forget(played)
    with pytest.raises(BadFile):
        import_tournament(json.dumps(data))
    assert Tournament.objects.count() == 0


def test_the_commands_write_and_read_a_file(played, tmp_path, capsys):
    path = tmp_path / "evening.json"
    call_command("export", played.code, str(path))
    text = path.read_text()
    with pytest.raises(CommandError, match="already here"):
        call_command("import", str(path))
    forget(played)
    call_command("import", str(path))
    assert export_tournament(Tournament.objects.get()) == text
    call_command("verify")
    assert "every total agrees" in capsys.readouterr().out


def test_the_commands_say_what_is_wrong(db, tmp_path):
    strange = tmp_path / "strange.json"
    strange.write_bytes(b"\xff\xfe\x00")
    for arguments in (("export", "NOBODY"), ("import", str(tmp_path / "none")), ("import", str(strange))):
        with pytest.raises(CommandError):
            call_command(*arguments)


def test_a_club_that_is_not_here_is_made_with_its_union(club):
    affiliate(club, make_club("Unionen"))
    tournament = make_tournament(4, club=club, drawn=False)
    data = json.loads(export_tournament(tournament))
    assert data["host"]["union"]["name"] == "Unionen"
    data["host"] |= {"name": "Ny klub", "slug": "ny"}
    forget(tournament)
    host = import_tournament(json.dumps(data)).host
    assert (host.name, host.unions.get()) == ("Ny klub", club.unions.get())


@pytest.mark.databases
def test_every_club_of_the_file_is_made_with_its_union(club):
    """Else a club that was a guest's first would stand alone when its own tournaments come."""
    affiliate(club, make_club("Unionen"))
    tournament = make_tournament(4, club=club, drawn=False)
    data = json.loads(export_tournament(tournament))
    for entry in data["entries"]:
        entry["club"] |= {"name": "Gæsterne", "slug": "gaester"}
    forget(tournament)
    entry = import_tournament(json.dumps(data)).entries.first()
    assert (entry.club.name, entry.club.unions.get()) == ("Gæsterne", club.unions.get())


@pytest.mark.parametrize("spoil", [lambda data: data.pop("chain"), lambda data: data["chain"].clear()])
def test_a_file_whose_chain_was_taken_out_is_refused(played, spoil):
    data = json.loads(export_tournament(played))
    assert data["version"] == 2
    spoil(data)
    forget(played)
    with pytest.raises(BadFile, match="The file has been altered"):
        import_tournament(json.dumps(data))
    assert Tournament.objects.count() == 0


UNCHAINED = "Imported from a file without a hash chain: nothing proves what was done before"


def test_a_file_from_before_there_were_chains_is_taken_in_and_that_is_said_for_good(played, tmp_path, capsys):
    data = json.loads(export_tournament(played)) | {"version": 1}
    del data["chain"]
    forget(played)
    path = tmp_path / "earlier.json"
    path.write_text(json.dumps(data))
    call_command("import", str(path))
    assert f"{UNCHAINED}.\n" in capsys.readouterr().out
    taken_in = Tournament.objects.get()
    assert taken_in.log.first().words == UNCHAINED  # the newest
    assert list(differences(taken_in)) == []
    text = export_tournament(taken_in)
    forget(taken_in)
    assert export_tournament(import_tournament(text)) == text  # from now on its chain goes with it


def test_a_file_of_the_earlier_version_that_has_its_chain_is_vouched_for(played, tmp_path, capsys):
    data = json.loads(export_tournament(played)) | {"version": 1}
    forget(played)
    path = tmp_path / "earlier.json"
    path.write_text(json.dumps(data))
    call_command("import", str(path))
    assert UNCHAINED not in capsys.readouterr().out
    assert not Tournament.objects.get().log.filter(text=UNCHAINED).exists()


@pytest.mark.parametrize(("version", "tokens"), [("1.1", [-3, 6, 0, -3]), (ENGINE_VERSION, [-2, 4, 0, -2])])
def test_a_tournament_keeps_the_version_of_the_rules_with_which_it_began(club, version, tokens):
    """Eight of nine tricks with the first five is a tout that failed since 1.2, and was a game won before."""
    tournament = make_tournament(4, 1, club=club)
    Tournament.objects.filter(pk=tournament.pk).update(rules_version=version)
    decide_as_it_stands(Tournament.objects.get(pk=tournament.pk))
    table = first_table(Tournament.objects.get(pk=tournament.pk))
    solo = {"contract": "solo", "declarer": 1, "trump": "H", "first_five_by": 1}
    report(table, 1, solo | {"tricks": {"0": 0, "1": 8, "3": 1}})
    assert table.reports.get().tokens == tokens
    text = export_tournament(Tournament.objects.get())
    forget(tournament)
    again = import_tournament(text)
    assert (again.rules_version, again.rounds.get().tables.get().reports.get().tokens) == (version, tokens)


def test_a_file_of_a_newer_version_of_the_rules_is_refused(played):
    data = json.loads(export_tournament(played))
    data["tournament"]["rules_version"] = "99.0"
    forget(played)
    with pytest.raises(BadFile, match=r"version 99\.0 of the rules"):
        import_tournament(json.dumps(data))
