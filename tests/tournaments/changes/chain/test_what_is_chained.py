"""What is decided is chained, of every model; who is erased leaves a whole chain."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.apps import apps
from django.urls import reverse
from django.utils import timezone

from tests.factories import make_tournament, report
from tests.tournaments.changes.chain.test_chain import second_table
from tournaments.changes.chain import short_head
from tournaments.changes.chain_contents import ELSEWHERE, FROM_TOURNAMENT, LEFT_OUT, print_of
from tournaments.entries.personal_data import erase
from tournaments.exports.verify.recount import differences
from tournaments.lifecycle.drawing import discard_draw, draw
from tournaments.lifecycle.playing import close_round
from tournaments.models import ChainLink, Tournament

pytestmark = pytest.mark.databases


def test_whoever_is_erased_leaves_a_whole_chain_without_their_name(chained_evening, alice):
    close_round(chained_evening.rounds.get(number=2), account=alice, now=timezone.now(), force_reason="bus")
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
    discard_draw(tournament, account=alice, now=timezone.now())
    draw(tournament, seed=9, account=alice, now=timezone.now())
    discard_draw(tournament, account=alice, now=timezone.now())
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
