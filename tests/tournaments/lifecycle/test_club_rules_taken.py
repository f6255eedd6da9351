"""A club's own rules in a tournament: taken into it as a copy, which nothing changes later."""

from __future__ import annotations

import re

from django.urls import reverse
from django.utils import timezone

from tests.factories import affiliate, first_round, make_club, make_tournament
from tests.pages import printed
from tests.tournaments.exports.test_transfer import forget
from tests.tournaments.lifecycle.test_club_rules import sent
from tournaments.exports.tournament_file import export_tournament, import_tournament
from tournaments.lifecycle.playing import start_round
from tournaments.models import ClubRules, Tournament


def page(name, club, *which):
    return reverse(name, args=[club.slug, *which])


def test_setting_up_offers_the_clubs_and_its_unions_own_rules(as_alice, club, own_rules):
    union = make_club("Unionen")
    affiliate(club, union)
    ClubRules.objects.create(club=union, name="Unionens egne", rulebook="rasle")
    ClubRules.objects.create(club=make_club("Viby"), name="Vibys", rulebook="union")
    html = as_alice.get(reverse("tournament_new")).content.decode()
    assert re.findall(r'<option value="own-\d+" >(.*?)</option>', html) == [
        "Stillings regler",
        "Unionens egne",
    ]


def test_choosing_own_rules_fills_in_options_and_name_which_stay_editable(as_alice, club, own_rules):
    url = reverse("tournament_new")
    typed = sent(as_alice.get(url)) | {
        "name": "Juleturnering",
        "rulebook": own_rules.choice,
        "show_options": "1",
    }
    shown = as_alice.post(url, typed)
    form = shown.context["form"]
    assert form["union-idle_settles"].value() is True
    assert (form["rules_name"].value(), form["name"].value()) == ("Stillings regler", "Juleturnering")
    assert not Tournament.objects.exists()

    as_alice.post(url, sent(shown) | {"union-forced_spadille": "True"})
    tournament = Tournament.objects.get()
    assert (tournament.rulebook, tournament.rules_name) == ("union", "Stillings regler")
    assert (tournament.options["idle_settles"], tournament.options["forced_spadille"]) == (True, True)


def test_choosing_own_rules_and_saving_at_once_shows_their_options_first(as_alice, club, own_rules):
    url = reverse("tournament_new")
    answer = as_alice.post(url, sent(as_alice.get(url)) | {"rulebook": own_rules.choice})
    assert answer.context["form"]["union-idle_settles"].value() is True
    assert not Tournament.objects.exists()


def test_from_own_rules_back_to_the_rulebook_brings_its_own_options(as_alice, club, own_rules):
    url = reverse("tournament_new")
    chosen = as_alice.post(url, sent(as_alice.get(url)) | {"rulebook": own_rules.choice})
    back = as_alice.post(url, sent(chosen) | {"rulebook": "union"}).context["form"]
    assert back["union-idle_settles"].value() is False
    assert not back["rules_name"].value()


def began_with(own_rules, as_alice):
    url = reverse("tournament_new")
    chosen = as_alice.post(url, sent(as_alice.get(url)) | {"rulebook": own_rules.choice})
    as_alice.post(url, sent(chosen))
    return Tournament.objects.get()


def test_what_happens_to_the_set_later_does_not_reach_the_tournament(as_alice, club, own_rules):
    tournament = began_with(own_rules, as_alice)
    before = export_tournament(tournament)
    own_rules.options = {"idle_settles": False, "forced_spadille": True}
    own_rules.name = "Andre"
    own_rules.save()
    own_rules.delete()
    tournament.refresh_from_db()
    assert (tournament.rules_name, export_tournament(tournament)) == ("Stillings regler", before)
    form = as_alice.get(reverse("tournament_setup", args=[tournament.code])).context["form"]
    assert (form.chosen, form["rules_name"].value()) == ("union", "Stillings regler")


def test_the_file_of_a_tournament_carries_name_and_values_only(as_alice, own_rules):
    tournament = began_with(own_rules, as_alice)
    text = export_tournament(tournament)
    ClubRules.objects.all().delete()
    forget(tournament)
    taken = import_tournament(text)
    assert (taken.rules_name, taken.options["idle_settles"]) == ("Stillings regler", True)
    assert export_tournament(taken) == text
    assert not ClubRules.objects.exists()


def test_the_desk_prints_the_rules_in_force(as_alice, club):
    tournament = make_tournament(4, club=club)
    Tournament.objects.update(rules_name="Stillings regler")
    page = as_alice.get(reverse("desk_print", args=[tournament.code])).content.decode()
    assert reverse("desk_print_ask", args=[tournament.code, 1, "rules"]) in page
    paper = printed(as_alice, tournament, "rules")
    assert "Rules in force Stillings regler" in paper


def test_the_set_up_shows_which_own_rules_were_chosen(as_alice, own_rules):
    tournament = began_with(own_rules, as_alice)
    form = as_alice.get(reverse("tournament_setup", args=[tournament.code])).context["form"]
    assert form.chosen == own_rules.choice


def test_a_copy_of_a_tournament_keeps_its_own_rules(as_alice, own_rules):
    earlier = began_with(own_rules, as_alice)
    own_rules.delete()
    url = f"{reverse('tournament_new')}?copy={earlier.code}"
    as_alice.post(url, sent(as_alice.get(url)) | {"code": "ABCDEF"})
    copy = Tournament.objects.get(code="ABCDEF")
    assert (copy.rules_name, copy.options) == (earlier.rules_name, earlier.options)


def test_options_that_are_not_what_the_name_means_are_pointed_out(as_alice, own_rules):
    tournament = began_with(own_rules, as_alice)
    url = reverse("tournament_setup", args=[tournament.code])
    said = "This tournament’s rules differ from what the club has saved as “Stillings regler”."
    unchanged = as_alice.post(url, sent(as_alice.get(url)), follow=True)
    assert said not in unchanged.content.decode()
    changed = as_alice.post(url, sent(as_alice.get(url)) | {"union-idle_settles": "False"}, follow=True)
    assert said in changed.content.decode()


def test_name_and_values_are_frozen_at_the_start(as_alice, alice, club):
    tournament = make_tournament(4, club=club, rules_name="Stillings regler", started=False)
    url = reverse("tournament_setup", args=[tournament.code])
    typed = sent(as_alice.get(url)) | {"rules_name": "Andre"}
    start_round(first_round(tournament), account=alice, now=timezone.now())
    as_alice.post(url, typed)
    tournament.refresh_from_db()
    assert tournament.rules_name == "Stillings regler"
    assert "Stillings regler" in as_alice.get(url).content.decode()


def test_a_set_that_is_deleted_while_a_tournament_is_set_up_with_it_is_said_to_be_gone(
    as_alice, club, own_rules
):
    url = reverse("tournament_new")
    typed = sent(as_alice.get(url)) | {"name": "Prøve", "date": "2026-12-01", "rulebook": own_rules.choice}
    shown = sent(as_alice.post(url, typed))
    own_rules.delete()
    answer = as_alice.post(url, shown)
    form = answer.context["form"]
    assert form.errors == {"rulebook": ["These rules no longer exist. Choose others."]}
    assert (form["name"].value(), form["rules_name"].value()) == ("Prøve", "Stillings regler")
    assert not Tournament.objects.exists()
