"""What the program itself writes down is data: the same act in Danish and in English stores the same bytes."""

from __future__ import annotations

import importlib
from datetime import UTC, date, datetime
from uuid import UUID, uuid5

import pytest
from django.apps import apps
from django.db import models, transaction
from django.utils import translation
from django.utils.formats import date_format
from django.utils.translation import gettext

from clubs import accounts
from core.former_texts import current_text
from scoring.words import CONTRACT_NAMES
from tests.factories import first_table, make_account, make_club, make_player, make_tournament, report
from tests.languages import LANGUAGES
from tournaments import ledger
from tournaments.domain.terms import REASONS, reason_code, reason_words
from tournaments.entries import entering
from tournaments.entries import teams as teaming
from tournaments.ledger import Author, read_submission
from tournaments.ledger.queries import rulebook_of
from tournaments.ledger.scoresheet import flag_words
from tournaments.lifecycle import creating, money
from tournaments.lifecycle.drawing import draw
from tournaments.lifecycle.ending import finish
from tournaments.lifecycle.playing import close_round, end_table_early, reopen_round, start_round
from tournaments.lifecycle.rulings import award, penalise, play_with_its_round, postpone
from tournaments.models import Championship, Flag, KeptReport, LogEntry, Season
from tournaments.seasons import championships
from tournaments.seasons import season as seasons

pytestmark = pytest.mark.databases

NOW = datetime(2026, 11, 22, 18, 0, tzinfo=UTC)
OUVERT = {"contract": "nolo_ouvert", "declarer": 1, "outcome": "won"}
SOLO = {"contract": "solo", "declarer": 1, "trump": "S", "outcome": "won"}
# Made by lot, or worked out of other fields and of what was made by lot.
BY_LOT = {
    "Tournament.code", "Table.secret", "Table.code", "Team.secret", "BoardSet.seed", "Account.password",
    "RevokedSecret.secret", "Photograph.file",
    # The register names rows by their primary keys, which PostgreSQL gives out once; what it holds of each is a digest.
    "RegisterHead.head", "RegisterHead.seal", "RegisterLink.content", "RegisterLink.hash",
    "RegisterLink.previous_hash",
}  # fmt: skip
# Models that nothing below writes, and why the language of whoever is at work cannot get into them.
TYPED = {
    "Affiliation": "days and codes",
    "AffiliationOffer": "a user name and a moment",
    "Agreement": "codes",
    "Application": "a name and an address that are typed, codes and prints",
    "Award": "typed by the club's organiser",
    "ChangedRow": "names of tables, and keys",
    "ClubRules": "a name that is typed, and codes",
    "ColumnChoice": "headings of files, and codes",
    "EveningPlaces": "numbers, written with the results",
    "EveningResult": "codes of suits, written when a season or a history is read",
    "FixtureWish": "teams and days",
    "MatchConfirmation": "numbers",
    "FolderAnalysis": "codes and numbers, written when a round on boards is closed",
    "FolderChange": "a reason that is typed, and codes",
    "HandOver": "notes that are typed, and a user name",
    "JournalState": "codes, and what a disk says",
    "KeptYear": "numbers and codes, written when a history is read",
    "Letter": "codes and values, said when it is sent: tests/clubs/mail",
    "MemberImport": "what the file says",
    "MainClub": "days and user names",
    "MemberCount": "numbers, and names that are typed",
    "MergedPlayer": "numbers",
    "Message": "what programs are told, in no language: tests/clubs/test_webhooks.py",
    "News": "typed by the club's organiser",
    "Official": "codes, a user name and a moment",
    "OldEvent": "typed by the club's organiser",
    "OldPlace": "typed by the club's organiser",
    "Photograph": "a file's name by lot",
    "PointsRule": "codes and numbers",
    "PointsTable": "codes and numbers",
    "Quota": "codes and numbers",
    "Qualifier": "codes and user names",
    "QualifierQuestion": "days",
    "PublishedList": "codes and numbers, and a name that is typed",
    "PublishedRow": "codes and numbers, and what tournaments are called",
    "PrintedList": "codes and numbers, written when a list is printed",
    "PrintedSheet": "codes and numbers, written when a sheet is printed",
    "ProgramAnswer": "what a program was answered, in no language",
    "ProgramKey": "a name that is typed, and codes",
    "PushMessage": "codes and numbers, said when it is sent: tests/tournaments/changes/push",
    "PushSubscription": "what a browser says of itself",
    "PushTally": "codes and numbers, written as messages are sent",
    "RatedEvening": "a print of numbers, made when a rating is read",
    "RatingState": "keys of clubs, written when a rating is read",
    "RevokedSecret": "by lot",
    "RoleOffer": "a role by its code",
    "PlayerMerge": "numbers, days, user names, and names and addresses that are typed",
    "TwoPeople": "user names",
    "ErasureProposal": "days and user names",
    "Postponement": "days, and a place, a reason and an answer that are typed",
    "SeasonDeal": "codes and numbers, and a comment that is typed",
    "SeatChange": "a reason that is typed, and numbers",
    "SheetPicture": "codes, numbers and the name of a file, written as a photograph is read",
    "Statement": "numbers, days and user names, and an account number that is typed",
    "Stop": "a print of an address",
    "Objection": "words and an answer that are typed, codes, numbers and user names",
    "TeamEntry": "names, a place and a reason that are typed, and codes",
    "TeamEntryLink": "by lot",
    "TeamEntryRuling": "a reason that is typed, codes and user names",
    "ToldResult": "a print, written when a feed is read",
    "Transfer": "days, codes and user names",
    "UnionFees": "numbers, and an account number that is typed",
    "UnionNumber": "a number",
    "UploadedList": "what the file says",
    "Webhook": "an address that is typed, and codes",
}


def key(number):
    return uuid5(UUID(int=0), str(number))


def evening(club, alice):
    """An evening with everything that the program has words for: doubts, disputes, calls, late reports, rulings."""
    when = {"account": alice, "now": NOW}
    tournament = creating.create(
        "KODE77", {"host": club, "name": "Aften", "date": date(2026, 11, 22)}, **when
    )
    for index in range(4):
        entry = entering.enter(
            tournament, make_player(f"Spiller {index}", club, index + 1), club=club, **when
        )
        entering.check_in(entry, present=True, **when)
    values = {"rounds_planned": 1, "date": date(2026, 11, 23), "entry_fee": 5000}
    creating.change(tournament, values, seen=creating.mark(tournament), **when)
    draw(tournament, seed=7, **when)
    (round_,) = tournament.rounds.all()
    start_round(round_, **when)
    table = round_.tables.select_related("round__tournament").get()
    told_by_phones(table, alice)
    penalise(tournament.entries.get(number=1), tokens=-3, reason="talte", round_=round_, **when)
    end_table_early(table, reason="bussen", **when)
    close_round(round_, **when)
    late(table, alice)
    close_round(round_, force_reason="bussen", **when)
    finish(tournament, **when)
    tournament.refresh_from_db()
    money.set_prizes(tournament, shares=[], amounts=[12_550, 5_000], **when)
    money.make_list(tournament, with_box=True, **when)
    money.tick(tournament, 1, paid=True, **when)


def told_by_phones(table, alice):
    report(table, 1, OUVERT, key=key(1), now=NOW)
    report(table, 2, SOLO, key=key(2), now=NOW)
    report(table, 1, SOLO, key=key(3), now=NOW)
    report(table, 3, key=key(4), now=NOW)
    for number, (deal, base, reason) in enumerate(
        [(2, 1, "typed wrong"), (3, 1, "Two phones differed; agreed at the table.")], start=5
    ):
        sent = {
            "key": str(key(number)),
            "deal": deal,
            "base": base,
            "result": OUVERT,
            "reason": gettext(reason),
        }
        ledger.record(table, [read_submission(sent)], Author("captain"), now=NOW)
    report(table, 3, None, key=key(7), base=2, now=NOW, reason="")
    ledger.raise_flag(table, "call", deal=None, words="", now=NOW)
    ledger.raise_flag(table, "later", deal=4, words="", now=NOW)
    for flag in table.flags.filter(settled_at=None):
        ledger.settle_flag(flag, alice, now=NOW)


def late(table, alice):
    for number, why, result in ((20, "closed", SOLO), (21, "code", OUVERT)):
        sent = read_submission({"key": str(key(number)), "deal": 1, "base": 0, "result": result})
        ledger.keep_aside(table, [sent], why, now=NOW)
    reopen_round(table.round, reason="for sene", account=alice, now=NOW)
    for kept in KeptReport.objects.order_by("pk"):
        ledger.take_in(kept, alice, now=NOW)


def pairs(club, alice):
    when = {"account": alice, "now": NOW}
    values = {"host": club, "name": "Par", "date": date(2026, 11, 22), "rounds_planned": 1}
    tournament = creating.create("PARR77", values, **when)
    creating.change(tournament, {"format": "pairs"}, seen=creating.mark(tournament), **when)
    for index in range(4):
        entry = entering.enter_guest(tournament, f"Gæst {index}", **when)
        entering.check_in(entry, present=True, **when)
    teaming.put_together(tournament, seed=3, **when)
    draw(tournament, seed=5, **when)
    match = tournament.rounds.get().matches.get()
    postpone(match, date(2026, 12, 3), **when)
    play_with_its_round(match, **when)
    award(match, {"home": 2, "away": 0}, reason="mødte ikke", **when)


def series(club, alice):
    season = Season(host=club, name="2026", starts=date(2026, 1, 1), ends=date(2026, 12, 31))
    seasons.store(season, {}, account=alice, now=NOW)
    championship = Championship(host=club, name="DM", date=date(2026, 11, 1))
    championships.store(championship, {}, [{"name": "Gruppe"}, {"name": "Finale"}], account=alice, now=NOW)
    accounts.rename(alice, "Alice Holm", now=NOW)


def stored(language):
    """Every text and every JSON that is stored after all of it was done in a language, by model and field."""
    found = {}
    with translation.override(language), transaction.atomic():
        club = make_club()
        alice = make_account("alice", club)
        evening(club, alice)
        pairs(club, alice)
        series(club, alice)
        for model in text_models():
            for field in text_fields(model):
                name = f"{model.__name__}.{field.name}"
                if name not in BY_LOT:
                    rows = model._base_manager.order_by("pk").values_list(field.attname, flat=True)
                    found[name] = list(rows)
        transaction.set_rollback(True)
    return found


def text_models():
    mine = [*apps.get_app_config("tournaments").get_models(), *apps.get_app_config("clubs").get_models()]
    return [model for model in mine if text_fields(model)]


def text_fields(model):
    return [
        field
        for field in model._meta.fields
        if isinstance(field, (models.CharField, models.TextField, models.JSONField))
    ]


# The register's links tell when they were written.
@pytest.mark.time_machine(NOW, tick=False)
@pytest.mark.slow
@pytest.mark.django_db
def test_the_same_evening_in_danish_and_in_english_stores_the_same_bytes():
    danish, english = stored("da"), stored("en")
    differing = {name: (danish[name], english[name]) for name in danish if danish[name] != english[name]}
    assert differing == {}
    assert {"rare", "conflict", "call", "later"} == set(danish["Flag.kind"])
    assert {"typed_wrong", "two_phones", "came_late", "came_as_code"} <= set(danish["Report.reason"])
    without_rows = {name.split(".")[0] for name, rows in danish.items() if not rows}
    assert without_rows - TYPED.keys() == set()


@pytest.mark.django_db
def test_what_is_stored_is_said_in_the_readers_language(club, alice):
    evening(club, alice)
    rare = Flag.objects.filter(kind="rare").earliest("pk")
    names = ["Anna", "Bo", "Carl", "Dora"]
    for language in LANGUAGES:
        with translation.override(language):
            rarely = gettext("{contract} is rare. Is that right?").format(contract=gettext("Nolo ouvert"))
            assert flag_words(rulebook_of(rare.table.round.tournament), rare, names) == rarely
            assert [reason_words(code) for code in REASONS] == [gettext(words) for words in REASONS.values()]
            told = [line.words for line in LogEntry.objects.all()]
            assert not [words for words in told if "{" in words]
    with translation.override("da"):
        assert any("125,50 + 50" in line.words for line in LogEntry.objects.all())


@pytest.mark.parametrize("typed", ["undo it", "fortryd", "Bo had the hand"])
def test_a_reason_that_is_typed_stays_as_it_is(typed):
    assert reason_words(reason_code(typed)) == typed


OLD_RARE = [
    ("en", ["{contract} is rare. Is that right?"], {"contract": "nolo_ouvert"}, ["rare_contract"]),
    ("da", ["{contract} is rare. Is that right?"], {"contract": "nolo_ouvert"}, ["rare_contract"]),
    (
        "da",
        ["The ante alone is {ante}. Was there less in the pool?", "A tout is rare. Is that right?"],
        {"ante": 5},
        ["pool_odd", "rare_tout"],
    ),
]


@pytest.mark.django_db
@pytest.mark.parametrize(("language", "texts", "params", "codes"), OLD_RARE)
def test_what_earlier_versions_wrote_in_words_becomes_data(club, alice, language, texts, params, codes):
    migration = importlib.import_module("tournaments.migrations.0019_said_when_shown")
    table = first_table(make_tournament(4, club=club, account=alice))
    with translation.override(language):
        named = {
            name: gettext(CONTRACT_NAMES.get(value, value)) if isinstance(value, str) else value
            for name, value in params.items()
        }
        words = " ".join(gettext(current_text(text)).format(**named) for text in texts)
        put_off = {"round": 1, "match": "A – B", "day": date_format(date(2026, 12, 3), "DATE_FORMAT")}
        calls = {"round": 1, "table": 1, "words": gettext("calls the organiser")}
        rare = {"round": 1, "table": 1, "words": words}
    flag = Flag.objects.create(table=table, kind="rare", deal=1, words=words, raised_at=NOW)
    typed = Flag.objects.create(table=table, kind="rare", deal=2, words="något helt andet", raised_at=NOW)
    old = [
        (name, LogEntry.objects.create(tournament=table.round.tournament, at=NOW, text=text, params=said))
        for name, text, said in (
            ("day", migration.PLAYED_ON, put_off),
            ("words", migration.SETTLED, calls),
            ("words", migration.SETTLED, rare),
            ("words", migration.SETTLED, calls | {"words": "Bo er væk"}),
            ("amounts", migration.PRIZES, {"amounts": "1.950 + 12,50"}),
            ("value", migration.FORMAT, {"value": "pairs"}),
        )
    ]
    migration.read_rare_deals(apps, None)
    migration.read_log(apps, None)
    for thing in (flag, typed, *(line for _name, line in old)):
        thing.refresh_from_db()
    assert (flag.words, [doubt["code"] for doubt in flag.about["warnings"]]) == ("", codes)
    assert flag.about["warnings"][0]["params"] == params
    assert (typed.words, typed.about) == ("något helt andet", {})
    assert [line.params[name] for name, line in old] == [
        {"day": "2026-12-03"},
        {"word": "calls the organiser"},
        {"word": "rare, to be looked at"},
        "Bo er væk",
        {"kroner": [195_000, 1250]},
        {"word": "pairs (makkerpar)"},
    ]
