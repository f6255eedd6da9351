"""A championship's pages and file: what cannot be is said at its field, who may, what is removed and put back."""

from __future__ import annotations

import json
from datetime import date
from fractions import Fraction

import pytest
from django.urls import reverse
from django.utils import timezone

from core.errors import NotPossible
from tests.evenings import make_evening
from tests.factories import TO_THE_FINAL, decide_as_it_stands, make_club, make_player, make_tournament, stage
from tests.tournaments.exports.test_transfer import forget
from tests.tournaments.seasons.championships.test_championships import typed, url
from tournaments.exports.tournament_file import export_tournament, import_tournament, unlike_the_file
from tournaments.models import Championship, Stage, Tournament
from tournaments.seasons import championships
from tournaments.standings.players import standings

DAY = date(2026, 9, 5)


def test_nobody_plays_in_two_groups_and_no_more_groups_are_chosen_than_there_are(
    alice, club, championship, groups
):
    twice = groups[0].entries.first().player
    third = make_evening(
        [twice, *(make_player(f"Ny {n}", club, 30 + n) for n in range(3))], club, alice, date=DAY
    )
    codes = [group.code for group in groups]
    for chosen, why in (
        ([*codes, third.code], "has 2 groups"),
        ([codes[0], third.code], f"In more than one group: {twice.name}"),
    ):
        with pytest.raises(NotPossible, match=why):
            championships.choose_groups(championship, chosen, account=alice, now=timezone.now())
    assert {group.stage_id for group in Tournament.objects.filter(code__in=codes)} == {
        championship.stages.get(number=1).pk
    }


@pytest.mark.parametrize(
    ("stages", "fields", "number", "field"),
    [
        (TO_THE_FINAL, {"name": ""}, None, "name"),
        (TO_THE_FINAL, {"date": "1026-09-05"}, None, "date"),
        ([stage(""), stage(""), stage("")], {}, 0, "name"),
        ([stage("Grupper"), stage("Finale"), stage("")], {}, 0, "each"),
        ([stage("Grupper", each=1), stage("Finale", carried=101), stage("")], {}, 1, "carried"),
        ([stage("Finale", groups=0), stage(""), stage("")], {}, 0, "groups"),
        ([stage("Finale", deals="x"), stage(""), stage("")], {}, 0, "deals"),
    ],
)
def test_what_cannot_be_is_said_at_its_field(as_alice, club, stages, fields, number, field):
    answer = as_alice.post(reverse("club_championship_new", args=[club.slug]), typed(stages, **fields))
    form = answer.context["form"] if number is None else answer.context["stages"][number]
    assert list(form.errors) == [field]
    assert not club.championships.exists()


def test_a_stage_that_has_been_made_cannot_be_left_out(as_alice, championship):
    as_alice.post(url("club_championship_next", championship, 1), {"day": "2026-09-12"})
    page = url("club_championship_edit", championship)
    answer = as_alice.post(page, typed([TO_THE_FINAL[0], stage(""), stage(""), stage("")]))
    assert "A stage that has been created can no longer be left out" in answer.content.decode()
    assert championship.stages.count() == 3
    as_alice.post(page, typed([*TO_THE_FINAL, stage("")], name="DM"))
    championship.refresh_from_db()
    assert championship.name == "DM"


def test_only_the_clubs_organisers_change_it(as_charlie, as_alice, championship):
    other = Championship.objects.create(host=make_club("Nim"), name="Nims", date=DAY)
    for name in ("club_championship", "club_championship_edit", "club_championship_delete"):
        assert as_charlie.get(url(name, championship)).status_code == 403
        assert as_alice.get(url(name, other)).status_code == 403


def test_a_removed_championship_is_nowhere_until_it_is_put_back(as_alice, client, championship, groups):
    standing = reverse("standings", args=[groups[0].code])
    marks = ("DM 2026: Grupper", "✓")
    before = client.get(standing).content.decode()
    as_alice.post(url("club_championship_delete", championship))
    shown = [client.get(standing), client.get(reverse("hall_club", args=[championship.host.slug]))]
    assert not any("DM 2026" in page.content.decode() for page in shown)
    assert client.get(championship.get_absolute_url()).status_code == 404
    # Its groups are free for another; what is not taken by another is there again.
    other = Championship.objects.create(host=championship.host, name="DM 2027", date=DAY)
    Stage.objects.create(championship=other, number=1, **stage("Finale"))
    as_alice.post(url("club_championship_groups", other), {"group": [groups[1].code]})
    back = as_alice.post(url("club_championship_put_back", championship), follow=True)
    assert [group.tournament for group in back.context["tables"][0].groups] == [groups[0]]
    as_alice.post(url("club_championship_delete", other))
    as_alice.post(url("club_championship_groups", championship), {"group": [group.code for group in groups]})
    after = client.get(standing).content.decode()
    assert [after.count(mark) for mark in marks] == [before.count(mark) for mark in marks] == [1, 2]


def test_a_tournaments_file_names_its_stage_and_carries_what_was_taken_along(club):
    final = Stage.objects.create(
        championship=Championship.objects.create(host=club, name="DM", date=DAY), number=3, **TO_THE_FINAL[2]
    )
    tournament = make_tournament(4, club=club, drawn=False, stage=final)
    tournament.entries.update(carried=-350)
    decide_as_it_stands(tournament)
    text = export_tournament(tournament)
    forget(tournament)
    taken = import_tournament(text)
    assert taken.stage == final
    assert {row.total for row in standings(taken).rows} == {Fraction(-7, 2)}
    assert export_tournament(taken) == text
    # Where it is not there, or has no such stage.
    forget(taken)
    final.delete()
    taken = import_tournament(text)
    assert taken.stage is None
    assert "no such stage" in "".join(unlike_the_file(text, taken))
    forget(taken)
    Championship.objects.all().delete()
    taken = import_tournament(text)
    assert [stage.name for stage in Championship.objects.get().stages.all()] == ["Finale"]
    assert export_tournament(taken) == text


def test_a_file_that_has_only_its_stages_name_finds_it(club, championship, groups):
    data = json.loads(export_tournament(Tournament.objects.get(pk=groups[0].pk)))
    data["series"] = {
        "season": None,
        "stage": {"host": club.slug, "championship": "DM 2026", "number": 1},
    }
    forget(groups[0])
    assert import_tournament(json.dumps(data)).stage == championship.stages.get(number=1)
