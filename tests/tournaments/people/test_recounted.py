"""Ten people, three clubs and their records, counted again from the files that are saved of the evenings alone.

Nothing of the program is used for it but the files: roles are told by who deals, sums by adding up.
"""

from __future__ import annotations

import csv
import json
from collections import Counter, defaultdict
from datetime import date
from io import StringIO
from random import Random
from uuid import uuid4

import pytest
from django.urls import reverse
from django.utils import timezone

from tests.evenings import make_evening
from tests.factories import make_club, make_player
from tournaments.exports.tournament_file import export_tournament
from tournaments.ledger import Author, Submission, record
from tournaments.lifecycle.ending import finish
from tournaments.lifecycle.playing import close_round, start_round
from tournaments.models import Table
from tournaments.people.head_to_head import head_to_head
from tournaments.people.history import records
from tournaments.people.person import over_the_years
from tournaments.people.span import Span

WON, DEARLY = {"won", "vole"}, {"kodille"}
PEOPLE = 10
# As pages say them.
OUTCOMES = ("won", "bet", "kodille")
CONTRACTS = {"Game": "simple_game", "Tourné": "tourne", "Solo": "solo"}
SEATS = {"Forehand": "FH", "Middlehand": "MH", "Backhand": "BH"}
FH_MH_BH, SELDOM = ("FH", "MH", "BH"), 0.9


@pytest.fixture
def union(db):
    return make_club("Unionen")


@pytest.fixture
def played(alice, union):
    """Three clubs, an evening each; everybody plays at all of them, at tables of four and of three."""
    clubs = [make_club(name, union) for name in ("Aarhus", "Odense", "Vejle")]
    players = [make_player(f"Spiller {number}", clubs[0], number) for number in range(1, PEOPLE + 1)]
    for month, club in enumerate(clubs, start=1):
        evening = make_evening(
            players, club, alice, deals_per_round=12, deals_at_three=12, date=date(2026, month, 1)
        )
        round_, now = evening.rounds.get(), timezone.now()
        start_round(round_, account=alice, now=now)
        for table in Table.objects.filter(round=round_).select_related("round__tournament"):
            sent = list(by_chance(Random(10 * month + table.number), table.seats.count(), table.deals))
            assert {answer.status for answer in record(table, sent, Author("captain"), now=now)} == {
                "accepted"
            }
        round_.refresh_from_db()
        close_round(round_, account=alice, now=now, force_reason="enige")
        finish(evening, account=alice, now=now)
    return clubs, players


def by_chance(random, players, deals):
    """Games by chance; A deals the first, and at a table of four who sits opposite the dealer has no cards."""
    for deal in range(1, deals + 1):
        dealer = (deal - 1) % players
        dealt = [
            seat for seat in range(players) if players == len(FH_MH_BH) or seat != (dealer + 2) % players
        ]
        result = {
            "contract": random.choice(("simple_game", "simple_game", "tourne", "solo")),
            "declarer": random.choice(dealt),
            "trump": random.choice("HD"),
            "outcome": random.choice(("won", "won", "bete", "kodille")),
        }
        if result["outcome"] == "won" and random.random() > SELDOM:
            result["tout"] = "won"
        yield Submission(uuid4(), deal, 0, result if random.random() < SELDOM else {"all_passed": True})


def deals_in(text):
    """Of each deal in a file: who sat at the table, the newest report, and who declared."""
    told = json.loads(text)
    names = {entry["number"]: entry["name"] for entry in told["entries"]}
    for round_ in told["rounds"]:
        for table in round_["tables"]:
            sat = [names[seat["entry"]] for seat in sorted(table["seats"], key=lambda seat: seat["position"])]
            newest = {report["deal_number"]: report for report in table["reports"]}
            for number in sorted(newest):
                yield (round_["number"], number), sat, newest[number]


def seat_of(report, players):
    """The declarer's role by how many chairs after the dealer: C follows A's forehand B, the last is the dealer."""
    after = (report["declarer"] - report["dealer"]) % players
    return {3: ("BH", "FH", "MH"), 4: ("BH", "FH", "IDLE", "MH")}[players][after]


def test_ten_people_three_clubs_and_their_records_are_those_of_the_files(played, union, client):
    clubs, players = played
    tokens, dealt, games, met = Counter(), Counter(), defaultdict(Counter), Counter()
    games_of, own_games = defaultdict(list), defaultdict(lambda: defaultdict(list))
    best_deal, best_round, feats = {}, {}, {}
    for club in clubs:
        evening = club.tournaments.get()
        of_round, sums, won_so_far = Counter(), defaultdict(lambda: [0]), defaultdict(list)
        solos, touts = Counter(), [0]
        for (round_, _number), sat, report in deals_in(export_tournament(evening)):
            for name, won in zip(sat, report["tokens"], strict=True):
                tokens[name, club.pk] += won
                of_round[name, round_] += won
                sums[name].append(sums[name][-1] + won)
                dealt[name] += 1
                best_deal[club.pk] = max(won, best_deal.get(club.pk, 0))
                met.update((name, other) for other in sat if other != name)
            if report["declarer"] is not None:
                outcome = report["outcome"]
                came_to = "won" if outcome in WON else "kodille" if outcome in DEARLY else "bet"
                games[sat[report["declarer"]]][came_to] += 1
                game = came_to, report["tokens"][report["declarer"]]
                played_as = report["contract"], seat_of(report, len(sat))
                games_of[played_as].append(game)
                declarer = sat[report["declarer"]]
                own_games[declarer][played_as].append(game)
                won_so_far[declarer].append(came_to == "won")
                solos[declarer] += played_as[0] == "solo" and came_to == "won"
                if report["result"].get("tout") == "won":
                    touts.append(game[1])
        feats[club.pk] = {
            "solos": max(solos.values()),
            "tout": max(touts),
            "comeback": max(line[-1] - min(line) if min(line) < 0 else 0 for line in sums.values()),
            "run": max(len(run) for games in won_so_far.values() for run in runs_of(games)),
        }
        best_round[club.pk] = max(of_round.values())
    for player in players:
        years = over_the_years(player)
        declared = years.portrait.declared
        assert [one.tokens for one in years.evenings] == [tokens[player.name, club.pk] for club in clubs]
        assert years.portrait.deals == dealt[player.name]
        assert Counter(won=declared.won, bet=declared.bete, kodille=declared.kodille) == games[player.name]
        assert (
            over_the_years(player, Span(club=clubs[1].pk)).portrait.tokens == tokens[player.name, clubs[1].pk]
        )
    for other in players[1:]:
        assert head_to_head(players[0], other).met.deals == met[players[0].name, other.name]
    for club in clubs:
        held = {record.kind: record.value for record in records(club)}
        assert held["deal"] == best_deal[club.pk]
        assert held["round"] == best_round[club.pk]
        assert held["evening"] == max(tokens[player.name, club.pk] for player in players)
        assert held["evenings"] == 1
        assert {kind: held.get(kind, 0) for kind in feats[club.pk]} == feats[club.pk]
    assert sum(of["tout"] > 0 for of in feats.values()) > 0
    assert told_by_explorer(client, reverse("hall_club_explorer_file", args=[union.slug, "csv"])) == told(
        games_of
    )
    for player in players:
        own = reverse("hall_person_explorer_file", args=[player.pk, "csv"])
        assert told_by_explorer(client, own) == told(own_games[player.name])


def runs_of(games):
    """The games in a row that were won."""
    return "".join("w" if won else " " for won in games).split() or [""]


def told(games):
    """Of each contract and seat: games, won, bet, kodille, the share won in ten-thousandths, tokens."""
    return {
        key: [
            deals,
            *counts.values(),
            round(10_000 * counts["won"] / deals),
            sum(won for _came_to, won in played),
        ]
        for key, played in games.items()
        for counts in [Counter(dict.fromkeys(OUTCOMES, 0) | Counter(came_to for came_to, _won in played))]
        for deals in [len(played)]
    }


def told_by_explorer(client, file):
    """The same as the file of an explorer's page has it."""
    said = client.get(file, {"by": "contract", "then": "seat"}).content.decode("utf-8-sig")
    found = {}
    for line in list(csv.reader(StringIO(said)))[1:]:
        contract, seat, games, won, bet, kodille, share, _low, _high, tokens, _each = line
        counts = [int(number) for number in (games, won, bet, kodille)]
        found[CONTRACTS[contract], SEATS[seat]] = [*counts, round(10_000 * float(share)), int(tokens)]
    return found
