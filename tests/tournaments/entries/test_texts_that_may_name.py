"""Every text that somebody types: erased with a person's name, or with the reason why it is not."""

from __future__ import annotations

from datetime import date

import pytest
from django.apps import apps
from django.db import models
from django.utils import timezone

from clubs.models import News, Player
from tests.factories import first_round, first_table, make_tournament
from tournaments.changes.register import register_differences
from tournaments.entries.personal_data import erase
from tournaments.exports.verify.recount import differences
from tournaments.ledger.table_actions import agree
from tournaments.lifecycle.ending import call_off, finish
from tournaments.lifecycle.playing import close_round, end_table_early
from tournaments.models import (
    Award,
    ChainLink,
    FolderChange,
    Round,
    Season,
    SeasonDeal,
    Table,
    Team,
    Tournament,
)

NAME = "Gudrun Holm Persen"
CODES = "codes and numbers by the program"
SECRETS = "keys, digests and addresses by lot"
OF_ACCOUNTS = "the name of an account, which is no player"
CHAINED = "the chain of reports or of the register is made of it"
OF_CLUBS = "what a club, union or organiser calls something of its own, not a person"
SHORT = "deleted by itself within days"
DERIVED = "computed again from rows without the name"
ERASED = {
    "tournaments.Application": "typed name email team_name",
    "tournaments.Tournament": "called_off_reason place",
    "tournaments.Table": "ended_early_reason",
    "tournaments.Team": "name place",
    "tournaments.Match": "place awarded_reason",
    "tournaments.Postponement": "place reason answer",
    "tournaments.Penalty": "reason cancel_reason",
    "tournaments.FolderChange": "reason",
    "tournaments.Objection": "words answer",
    "tournaments.TeamEntry": "name place answer",
    "tournaments.TeamEntryRuling": "reason",
    "tournaments.Flag": "words",
    "tournaments.LogEntry": "params",
    "tournaments.HandOver": "keys things backup more",
    "tournaments.Award": "words",
    "tournaments.SeasonDeal": "comment",
    "tournaments.OldPlace": "name",
    "tournaments.PlayerMerge": "name moved",
    "clubs.News": "subject text",
    "clubs.ClubLogEntry": "params",
    "clubs.Player": "name email phone language",
    "clubs.Letter": "to facts answer error",
}
KEPT = {
    CHAINED: {
        "tournaments.Report": "reason result outcome contract tokens parts previous_hash hash",
        "tournaments.SeatChange": "reason change",
        "tournaments.PublishedRow": "parts",
        "tournaments.PublishedList": "rule digest",
        "tournaments.ChainLink": "content previous_hash hash",
        "tournaments.RegisterLink": "content previous_hash hash",
        "clubs.MemberCount": "rows",
        "tournaments.Statement": "pay_to",
    },
    OF_ACCOUNTS: {
        "tournaments.LogEntry": "author",
        "tournaments.OldEvent": "entered_by",
        "tournaments.HandOver": "changed_by",
        "tournaments.SeatChange": "author",
        "tournaments.Flag": "settled_by",
        "tournaments.Payment": "ticked_by",
        "tournaments.Statement": "made_by",
        "tournaments.Report": "author",
        "tournaments.KeptReport": "decided_by",
        "tournaments.Penalty": "ruled_by cancelled_by",
        "tournaments.FolderChange": "author",
        "tournaments.Photograph": "attached_by",
        "tournaments.Objection": "made_by decided_by",
        "tournaments.Official": "given_by",
        "tournaments.PlayerMerge": "merged_by undone_by",
        "tournaments.TwoPeople": "said_by",
        "tournaments.ErasureProposal": "kept_by",
        "tournaments.PublishedList": "author",
        "tournaments.Qualifier": "said_by",
        "tournaments.TeamEntryRuling": "ruled_by",
        "clubs.News": "written_by",
        "clubs.AffiliationOffer": "offered_by",
        "clubs.Transfer": "asked_by answered_by",
        "clubs.MainClub": "chosen_by",
        "clubs.MemberCount": "made_by",
        "clubs.ProgramKey": "made_by",
        "clubs.Webhook": "made_by",
        "clubs.Account": "username first_name last_name email password",
        "clubs.RoleOffer": "offered_by",
        "clubs.ClubLogEntry": "author",
    },
    OF_CLUBS: {
        "tournaments.Tournament": "name rules_name prize_things halls",
        "tournaments.Championship": "name",
        "tournaments.Stage": "name",
        "tournaments.Season": "name",
        "tournaments.Award": "title",
        "tournaments.OldEvent": "name",
        "tournaments.ClubRules": "name",
        "tournaments.UnionFees": "pay_to",
        "tournaments.Official": "hall",
        "clubs.Club": "name slug town position language colour crest",
        "clubs.ProgramKey": "name",
        "clubs.Webhook": "url",
    },
    SHORT: {
        "tournaments.SheetPicture": "file name why missing sheet reading taken_by answers",
        "tournaments.PrintedSheet": "code layout",
        "tournaments.PrintedList": "code layout",
        "tournaments.PushMessage": "facts",
        "clubs.UploadedList": "kind file_name contents about",
        "clubs.MemberImport": "file_name contents",
        "clubs.ProgramAnswer": "asked answer",
        "clubs.Message": "event body came_to",
    },
    DERIVED: {
        "tournaments.KeptYear": "part said own",
        "tournaments.EveningResult": "suit",
        "tournaments.EveningPlaces": "groups",
        "tournaments.RatingState": "hosts",
        "tournaments.RatedEvening": "games",
        "tournaments.DealSort": "said contract trump seat outcome tout",
        "tournaments.ToldResult": "thing print",
        "tournaments.FolderAnalysis": "cards rules found",
        "clubs.Player": "sought sorted_as",
    },
    SECRETS: {
        "tournaments.Application": "salt key_hash",
        "tournaments.Tournament": "code chain_head chain_seal",
        "tournaments.RegisterHead": "head seal",
        "tournaments.Table": "secret code phone last_hash seal",
        "tournaments.RevokedSecret": "secret",
        "tournaments.Team": "secret origin",
        "tournaments.BoardSet": "seed",
        "tournaments.Photograph": "file",
        "tournaments.PushSubscription": "endpoint endpoint_print p256dh auth made_for language",
        "tournaments.TeamEntryLink": "secret",
        "tournaments.ChangedRow": "place key",
        "tournaments.JournalState": "installation book head file problem problem_said",
        "clubs.Stop": "address_print topic",
        "clubs.ProgramKey": "digest begins scopes",
        "clubs.Webhook": "secret events",
        "clubs.Letter": "kind language key",
    },
    CODES: {
        "tournaments.Application": "language",
        "tournaments.Tournament": "projector entering rulebook options rules_version match_points three_factor "
        "tie_breaks prize_shares prize_amounts not_together draw_prices",
        "tournaments.Season": "place_points",
        "tournaments.LogEntry": "text",
        "tournaments.ClubRules": "rulebook options",
        "tournaments.Round": "clock_pauses byes ranking",
        "tournaments.Table": "folders turns",
        "tournaments.Flag": "about",
        "tournaments.UnionFees": "votes",
        "tournaments.Postponement": "days",
        # Reasons that phones send are those of a list.
        "tournaments.KeptReport": "item why",
        "tournaments.SeasonDeal": "about line",
        "tournaments.PointsRule": "steps weights",
        "tournaments.PointsTable": "points",
        "clubs.ColumnChoice": "kind column field",
        "clubs.ClubLogEntry": "text",
    },
}


def texts() -> set[str]:
    """Every field in which a text can stand that is none of a list of choices."""
    return {
        f"{model._meta.label}.{field.name}"
        for app in ("clubs", "tournaments")
        for model in apps.get_app_config(app).get_models()
        for field in model._meta.concrete_fields
        if isinstance(field, (models.CharField, models.TextField, models.JSONField)) and not field.choices
    }


def named(table: dict[str, str]) -> set[str]:
    return {f"{model}.{field}" for model, fields in table.items() for field in fields.split()}


def test_every_text_is_decided_about() -> None:
    decided = named(ERASED).union(*(named(table) for table in KEPT.values()))
    assert texts() - decided == set(), "new texts: may they have a person's name, and who erases it?"
    assert decided - texts() == set(), "these texts are no more"
    assert not named(ERASED) & set().union(*(named(table) for table in KEPT.values()))


@pytest.fixture
def played(club, alice):
    made = make_tournament(8, club=club, account=alice)
    Player.objects.filter(pk=made.entries.get(number=1).player_id).update(name=NAME)
    made.rounds.update(state=Round.State.CLOSED)
    return made


@pytest.mark.databases
def test_a_name_goes_from_reasons_places_news_awards_and_comments(played, club, alice) -> None:
    table, player = first_table(played), Player.objects.get(name=NAME)
    said = f"fordi {NAME}s bil gik i stå; {NAME.upper()} ringede"
    season = Season.objects.create(host=club, name="2026", starts=date(2026, 1, 1), ends=date(2026, 12, 31))
    Tournament.objects.filter(pk=played.pk).update(place=f"hos {NAME}", called_off_reason=said)
    Table.objects.filter(pk=table.pk).update(ended_early_reason=said)
    rows = [
        Award.objects.create(season=season, title="Jokum", player=player, words=said),
        News.objects.create(club=club, subject=NAME, text=said, written_by="x", written_at=timezone.now()),
        SeasonDeal.objects.create(
            season=season, tournament=played, round_number=1, folder=1, place=1, reason="spread", comment=said
        ),
        FolderChange.objects.create(
            table=table, deal_number=1, was=1, now=2, reason=said, source="desk", changed_at=timezone.now()
        ),
        Team.objects.create(tournament=played, number=1, name="Et hold", place=f"hos {NAME}"),
    ]
    erase(player, account=alice, today=timezone.localdate(), now=timezone.now())
    played.refresh_from_db()
    table.refresh_from_db()
    for row in rows:
        row.refresh_from_db()
    gone = "fordi N.N.s bil gik i stå; N.N. ringede"
    award, news, deal, change, team = rows
    assert (played.place, team.place) == ("hos N.N.", "hos N.N.")
    found = [
        played.called_off_reason, table.ended_early_reason, award.words, news.text, deal.comment, change.reason,
    ]  # fmt: skip
    assert found == [gone] * 6
    assert news.subject == "N.N."
    assert [str(one) for one in register_differences()] == []


@pytest.mark.databases
def test_the_chain_has_the_reason_without_the_name(club, alice) -> None:
    made = make_tournament(4, club=club, account=alice, drawn=False)
    player = made.entries.first().player
    Player.objects.filter(pk=player.pk).update(name=NAME)
    call_off(made, reason=f"{NAME} er syg", account=alice, now=timezone.now())
    erase(Player.objects.get(pk=player.pk), account=alice, today=timezone.localdate(), now=timezone.now())
    made = Tournament.objects.get(pk=made.pk)
    assert made.called_off_reason == "N.N. er syg"
    assert NAME not in str(list(ChainLink.objects.values_list("content", flat=True)))
    assert NAME not in str(list(made.log.values_list("params", flat=True)))
    assert [str(one) for one in differences(made)] == []


@pytest.mark.databases
def test_the_chain_has_the_reason_of_a_table_ended_early_without_the_name(club, alice) -> None:
    made = make_tournament(4, club=club, account=alice)
    player, by = made.entries.first().player, {"account": alice, "now": timezone.now()}
    Player.objects.filter(pk=player.pk).update(name=NAME)
    table = first_table(made)
    end_table_early(table, reason=f"{NAME} er syg", **by)
    for seat in table.seats.all():
        agree(seat, now=timezone.now())
    close_round(first_round(made), force_reason="sent", **by)
    finish(Tournament.objects.get(pk=made.pk), **by)
    erase(Player.objects.get(pk=player.pk), account=alice, today=timezone.localdate(), now=timezone.now())
    table.refresh_from_db()
    assert table.ended_early_reason == "N.N. er syg"
    assert NAME not in str(list(ChainLink.objects.values_list("content", flat=True)))
    assert [str(one) for one in differences(Tournament.objects.get(pk=made.pk))] == []
