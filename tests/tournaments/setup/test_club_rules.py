"""A club's own rules: stored under a name, judged as a whole, taken into a tournament as a copy."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape

from clubs.models import Role
from tests.factories import first_round, make_account, make_club, make_tournament
from tests.tournaments.files.test_transfer import forget
from tournaments import rounds
from tournaments.desk.club.rules_form import ClubRulesForm
from tournaments.files.transfer import export_tournament, import_tournament
from tournaments.models import ClubRules, Tournament
from tournaments.web.rules_form import RulesForm

UNION = {"union-idle_settles": "True", "union-forced_spadille": "False"}


@pytest.fixture
def own(club):
    return ClubRules.objects.create(
        club=club,
        name="Stillings regler",
        rulebook="union",
        options={"idle_settles": True, "forced_spadille": False},
    )


def page(name, club, *which):
    return reverse(name, args=[club.slug, *which])


def sent(answer):
    """What the browser would send back from a page as it came."""
    form = answer.context["form"]
    fields = {field.html_name: field.value() for field in form if field.value() not in (None, "")}
    if "host" in form.fields:
        fields.setdefault("host", form.fields["host"].queryset.first().pk)
    return fields | {"options_of": form.chosen, "rulebook": form.chosen}


# Keeping them


def test_a_set_is_stored_with_every_option_and_shown_as_a_sheet(as_alice, club):
    form = as_alice.get(page("club_rules_new", club))
    answer = as_alice.post(
        page("club_rules_new", club), sent(form) | UNION | {"name": " Vores  regler "}, follow=True
    )
    rules = club.own_rules.get()
    assert (rules.name, rules.rulebook) == ("Vores regler", "union")
    assert {"idle_settles": True, "forced_spadille": False}.items() <= rules.options.items()
    assert answer.redirect_chain == [(page("club_rules_set", club, rules.pk), 302)]
    assert answer.context["sheet"].different == ["The player sitting out settles: yes"]


def test_a_double_click_stores_one_set_and_leads_to_it(as_alice, club):
    url = page("club_rules_new", club)
    typed = sent(as_alice.get(url)) | {"name": "Vores"}
    ways = [as_alice.post(url, typed).headers["Location"] for _click in range(2)]
    assert ways == [page("club_rules_set", club, club.own_rules.get().pk)] * 2


def test_a_name_that_is_taken_between_check_and_storing_is_said_at_the_name(as_alice, club, own, monkeypatch):
    monkeypatch.setattr(ClubRulesForm, "clean", RulesForm.clean)
    url = page("club_rules_new", club)
    answer = as_alice.post(url, sent(as_alice.get(url)) | {"name": own.name})
    assert answer.context["form"].errors["name"] == ["The club has other rules of this name."]


@pytest.mark.parametrize("name", ["Æ" * 80, '"><script>alert(1)</script>', "O'Brien & «Søn» 🃏"])
def test_any_name_is_shown_as_it_is_written_and_printed(as_alice, club, name):
    url = page("club_rules_new", club)
    answer = as_alice.post(url, sent(as_alice.get(url)) | {"name": name}, follow=True)
    assert escape(name) in answer.content.decode()
    assert "<script>alert" not in answer.content.decode()
    assert as_alice.get(page("club_rules_pdf", club, club.own_rules.get().pk)).content.startswith(b"%PDF")


def test_a_set_that_there_cannot_be_is_not_found(as_alice, club):
    assert as_alice.get(page("club_rules_set", club, 10**20)).status_code == 404


def test_a_set_is_renamed_and_changed(as_alice, club, own):
    url = page("club_rules_edit", club, own.pk)
    as_alice.post(url, sent(as_alice.get(url)) | {"name": "Nye regler", "union-forced_spadille": "True"})
    own.refresh_from_db()
    assert (own.name, own.options["idle_settles"], own.options["forced_spadille"]) == (
        "Nye regler",
        True,
        True,
    )


def test_a_copy_begins_with_the_values_and_asks_for_its_own_name(as_alice, club, own):
    url = f"{page('club_rules_new', club)}?copy={own.pk}"
    as_alice.post(url, sent(as_alice.get(url)))
    copy = club.own_rules.exclude(pk=own.pk).get()
    assert (copy.name, copy.rulebook) == ("Copy of Stillings regler", "union")
    assert own.options.items() <= copy.options.items()


@pytest.mark.parametrize("copy", ["", "x", "0", "99999999999999999999"])
def test_a_copy_of_nothing_is_a_new_set(as_alice, club, copy):
    assert as_alice.get(page("club_rules_new", club), {"copy": copy}).status_code == 200


def test_deleting_asks_back_and_a_second_time_finds_nothing_left(as_alice, club, own):
    url = page("club_rules_delete", club, own.pk)
    assert "Tournaments that began with these rules keep theirs." in as_alice.get(url).content.decode()
    assert ClubRules.objects.exists()
    for _once_more in range(2):
        assert as_alice.post(url).headers["Location"] == page("club_rules", club)
    assert not ClubRules.objects.exists()


@pytest.mark.parametrize(
    ("changed", "field", "said"),
    [
        ({"name": ""}, "name", "This field is required."),
        ({"name": "stillings REGLER"}, "name", "The club has other rules of this name."),
        ({"name": "x" * 81}, "name", "at most 80 characters"),
        ({"union-idle_settles": "perhaps"}, "union-idle_settles", "not one of the available choices"),
        ({"rulebook": "poker", "options_of": "poker"}, "rulebook", "These rules are not there any more"),
    ],
)
def test_what_cannot_be_is_said_at_its_field_and_stays_typed(as_alice, club, own, changed, field, said):
    url = page("club_rules_new", club)
    typed = sent(as_alice.get(url)) | {"name": "Andre regler"} | UNION | changed
    answer = as_alice.post(url, typed)
    form = answer.context["form"]
    assert said in " ".join(form.errors[field])
    assert form["name"].value() == typed["name"]
    assert club.own_rules.count() == 1


def test_prices_that_do_not_go_together_are_said_at_each_price(as_alice, club):
    url = page("club_rules_new", club)
    prices = {"union-price_solo": "9", "union-price_nolo_ouvert": "1"}
    form = as_alice.post(url, sent(as_alice.get(url)) | {"name": "Dyre"} | prices).context["form"]
    assert set(form.errors) == {"union-price_spade_solo", "union-price_nolo_ouvert"}
    assert form.errors["union-price_spade_solo"] == ["Spade solo outranks Solo, and must not cost less."]
    assert form["union-price_solo"].value() == "9"
    assert form.has_own_prices


def test_the_box_of_a_kodille_says_that_it_is_an_extra(as_alice, club):
    form = as_alice.get(page("club_rules_new", club)).context["form"]
    assert (form["union-price_solo"].label, form["union-kodille_solo"].label) == (
        "Price of Solo",
        "Extra for a kruk in Solo",
    )


def test_own_prices_stand_on_the_sheet_with_what_is_usual(as_alice, club):
    url = page("club_rules_new", club)
    prices = {"union-price_nolo_ouvert": "10", "union-kodille_nolo_ouvert": "5"}
    answer = as_alice.post(url, sent(as_alice.get(url)) | {"name": "Dyre"} | prices, follow=True)
    line = answer.context["sheet"].prices.lines[-1]
    assert (line.contract, line.prices, line.usual) == ("Nolo ouvert", ("10", "10", "15"), "6 · 6 · 7")
    assert answer.context["sheet"].different == ["Nolo ouvert: 10 · 10 · 15"]


def test_the_second_of_two_who_change_a_set_is_told_and_may_store_theirs(as_alice, club, own):
    url = page("club_rules_edit", club, own.pk)
    typed = sent(as_alice.get(url)) | {"name": "Mine"}
    own.name = "Theirs"
    own.save()
    answer = as_alice.post(url, typed)
    assert "Somebody else has changed these rules" in answer.content.decode()
    own.refresh_from_db()
    assert own.name == "Theirs"
    as_alice.post(url, sent(answer))
    own.refresh_from_db()
    assert own.name == "Mine"


def test_another_rulebook_is_shown_before_it_is_judged_and_nothing_typed_is_lost(as_alice, club):
    url = page("club_rules_new", club)
    typed = sent(as_alice.get(url)) | UNION | {"name": "Vores", "rulebook": "rasle"}
    form = as_alice.post(url, typed).context["form"]
    assert (form.book.id, form["name"].value()) == ("rasle", "Vores")
    assert dict(form.carried).items() >= UNION.items()
    assert not ClubRules.objects.exists()


def test_rules_that_this_version_does_not_know_are_shown_as_such(as_alice, club):
    gone = ClubRules.objects.create(club=club, name="Gamle", rulebook="union", options={"gone": 1})
    ClubRules.objects.create(club=club, name="Ukendte", rulebook="poker")
    said = "This Spadille does not know these rules any more."
    assert as_alice.get(page("club_rules", club)).content.decode().count(said) == 2
    assert said in as_alice.get(page("club_rules_set", club, gone.pk)).content.decode()
    assert as_alice.get(page("club_rules_pdf", club, gone.pk)).status_code == 302
    url = page("club_rules_edit", club, gone.pk)
    as_alice.post(url, sent(as_alice.get(url)))
    gone.refresh_from_db()
    assert "gone" not in gone.options


def test_a_set_is_printed_on_one_page(as_alice, club, own):
    answer = as_alice.get(page("club_rules_pdf", club, own.pk))
    assert answer.content.startswith(b"%PDF")


# Who may


@pytest.mark.parametrize("name", ["club_rules", "club_rules_set", "club_rules_pdf"])
def test_a_helper_reads(club, own, name):
    helper = Client()
    helper.force_login(make_account("bob", club, Role.Kind.HELPER))
    which = [] if name == "club_rules" else [own.pk]
    assert helper.get(page(name, club, *which)).status_code == 200


@pytest.mark.parametrize("name", ["club_rules_new", "club_rules_edit", "club_rules_delete"])
def test_only_an_organiser_changes(club, own, as_charlie, client, name):
    helper = Client()
    helper.force_login(make_account("bob", club, Role.Kind.HELPER))
    url = page(name, club, *([] if name == "club_rules_new" else [own.pk]))
    for stranger in (helper, as_charlie):
        assert stranger.get(url).status_code == 403
        assert stranger.post(url, {"name": "Ours"} | UNION).status_code == 403
    assert client.get(url).status_code == 302
    assert list(ClubRules.objects.values_list("name", flat=True)) == ["Stillings regler"]


def test_another_clubs_set_is_not_found_here(as_alice, own, alice):
    other = make_club("Viby")
    Role.objects.create(club=other, account=alice, kind=Role.Kind.ORGANISER)
    for name in ("club_rules_set", "club_rules_edit"):
        assert as_alice.get(page(name, other, own.pk)).status_code == 404
    as_alice.post(page("club_rules_delete", other, own.pk))
    assert ClubRules.objects.exists()


# In a tournament


def test_setting_up_offers_the_clubs_and_its_unions_own_rules(as_alice, club, own):
    union = make_club("Unionen")
    club.union = union
    club.save()
    ClubRules.objects.create(club=union, name="Unionens egne", rulebook="rasle")
    ClubRules.objects.create(club=make_club("Viby"), name="Vibys", rulebook="union")
    html = as_alice.get(reverse("tournament_new")).content.decode()
    assert re.findall(r'<option value="own-\d+" >(.*?)</option>', html) == [
        "Stillings regler",
        "Unionens egne",
    ]


def test_choosing_own_rules_fills_in_options_and_name_which_stay_editable(as_alice, club, own):
    url = reverse("tournament_new")
    typed = sent(as_alice.get(url)) | {"name": "Juleturnering", "rulebook": own.choice, "show_options": "1"}
    shown = as_alice.post(url, typed)
    form = shown.context["form"]
    assert form["union-idle_settles"].value() is True
    assert (form["rules_name"].value(), form["name"].value()) == ("Stillings regler", "Juleturnering")
    assert not Tournament.objects.exists()

    as_alice.post(url, sent(shown) | {"union-forced_spadille": "True"})
    tournament = Tournament.objects.get()
    assert (tournament.rulebook, tournament.rules_name) == ("union", "Stillings regler")
    assert (tournament.options["idle_settles"], tournament.options["forced_spadille"]) == (True, True)


def test_choosing_own_rules_and_saving_at_once_shows_their_options_first(as_alice, club, own):
    url = reverse("tournament_new")
    answer = as_alice.post(url, sent(as_alice.get(url)) | {"rulebook": own.choice})
    assert answer.context["form"]["union-idle_settles"].value() is True
    assert not Tournament.objects.exists()


def test_from_own_rules_back_to_the_rulebook_brings_its_own_options(as_alice, club, own):
    url = reverse("tournament_new")
    chosen = as_alice.post(url, sent(as_alice.get(url)) | {"rulebook": own.choice})
    back = as_alice.post(url, sent(chosen) | {"rulebook": "union"}).context["form"]
    assert back["union-idle_settles"].value() is False
    assert not back["rules_name"].value()


def began_with(own, as_alice):
    url = reverse("tournament_new")
    chosen = as_alice.post(url, sent(as_alice.get(url)) | {"rulebook": own.choice})
    as_alice.post(url, sent(chosen))
    return Tournament.objects.get()


def test_what_happens_to_the_set_later_does_not_reach_the_tournament(as_alice, club, own):
    tournament = began_with(own, as_alice)
    before = export_tournament(tournament)
    own.options = {"idle_settles": False, "forced_spadille": True}
    own.name = "Andre"
    own.save()
    own.delete()
    tournament.refresh_from_db()
    assert (tournament.rules_name, export_tournament(tournament)) == ("Stillings regler", before)
    form = as_alice.get(reverse("tournament_setup", args=[tournament.code])).context["form"]
    assert (form.chosen, form["rules_name"].value()) == ("union", "Stillings regler")


def test_the_file_of_a_tournament_carries_name_and_values_only(as_alice, own):
    tournament = began_with(own, as_alice)
    text = export_tournament(tournament)
    ClubRules.objects.all().delete()
    forget(tournament)
    taken = import_tournament(text)
    assert (taken.rules_name, taken.options["idle_settles"]) == ("Stillings regler", True)
    assert export_tournament(taken) == text
    assert not ClubRules.objects.exists()


def test_the_desk_prints_the_rules_in_force(as_alice, club):
    tournament = make_tournament(4, club=club, drawn=False)
    page = as_alice.get(reverse("desk_print", args=[tournament.code])).content.decode()
    assert reverse("hall_rules_pdf", args=[tournament.code]) in page


def test_the_set_up_shows_which_own_rules_were_chosen(as_alice, own):
    tournament = began_with(own, as_alice)
    form = as_alice.get(reverse("tournament_setup", args=[tournament.code])).context["form"]
    assert form.chosen == own.choice


def test_a_copy_of_a_tournament_keeps_its_own_rules(as_alice, own):
    earlier = began_with(own, as_alice)
    own.delete()
    url = f"{reverse('tournament_new')}?copy={earlier.code}"
    as_alice.post(url, sent(as_alice.get(url)) | {"code": "ABCDEF"})
    copy = Tournament.objects.get(code="ABCDEF")
    assert (copy.rules_name, copy.options) == (earlier.rules_name, earlier.options)


def test_options_that_are_not_what_the_name_means_are_pointed_out(as_alice, own):
    tournament = began_with(own, as_alice)
    url = reverse("tournament_setup", args=[tournament.code])
    said = "This tournament&#x27;s rules are not what the club has stored as “Stillings regler”."
    unchanged = as_alice.post(url, sent(as_alice.get(url)), follow=True)
    assert said not in unchanged.content.decode()
    changed = as_alice.post(url, sent(as_alice.get(url)) | {"union-idle_settles": "False"}, follow=True)
    assert said in changed.content.decode()


def test_name_and_values_are_frozen_at_the_start(as_alice, alice, club):
    tournament = make_tournament(4, club=club, rules_name="Stillings regler", started=False)
    url = reverse("tournament_setup", args=[tournament.code])
    typed = sent(as_alice.get(url)) | {"rules_name": "Andre"}
    rounds.start_round(first_round(tournament), account=alice, now=timezone.now())
    as_alice.post(url, typed)
    tournament.refresh_from_db()
    assert tournament.rules_name == "Stillings regler"
    assert "Stillings regler" in as_alice.get(url).content.decode()


def test_a_set_that_is_deleted_while_a_tournament_is_set_up_with_it_is_said_to_be_gone(as_alice, club, own):
    url = reverse("tournament_new")
    typed = sent(as_alice.get(url)) | {"name": "Prøve", "date": "2026-12-01", "rulebook": own.choice}
    shown = sent(as_alice.post(url, typed))
    own.delete()
    answer = as_alice.post(url, shown)
    form = answer.context["form"]
    assert form.errors == {"rulebook": ["These rules are not there any more. Choose others."]}
    assert (form["name"].value(), form["rules_name"].value()) == ("Prøve", "Stillings regler")
    assert not Tournament.objects.exists()
