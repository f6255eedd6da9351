"""A club's own rules: stored under a name, judged as a whole, for organisers to change."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import escape

from clubs.models import Role
from tests.factories import make_account, make_club
from tournaments.desk.club.rules import ClubRulesForm
from tournaments.models import ClubRules
from tournaments.web.rules_form import RulesForm

UNION = {"union-idle_settles": "True", "union-forced_spadille": "False"}


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


def test_a_name_that_is_taken_between_check_and_storing_is_said_at_the_name(
    as_alice, club, own_rules, monkeypatch
):
    monkeypatch.setattr(ClubRulesForm, "clean", RulesForm.clean)
    url = page("club_rules_new", club)
    answer = as_alice.post(url, sent(as_alice.get(url)) | {"name": own_rules.name})
    assert answer.context["form"].errors["name"] == ["The club already has rules with this name."]


@pytest.mark.parametrize("name", ["Æ" * 80, '"><script>alert(1)</script>', "O'Brien & «Søn» 🃏"])
def test_any_name_is_shown_as_it_is_written_and_printed(as_alice, club, name):
    url = page("club_rules_new", club)
    answer = as_alice.post(url, sent(as_alice.get(url)) | {"name": name}, follow=True)
    assert escape(name) in answer.content.decode()
    assert "<script>alert" not in answer.content.decode()
    assert as_alice.get(page("club_rules_pdf", club, club.own_rules.get().pk)).content.startswith(b"%PDF")


def test_a_set_that_there_cannot_be_is_not_found(as_alice, club):
    assert as_alice.get(page("club_rules_set", club, 10**20)).status_code == 404


def test_a_set_is_renamed_and_changed(as_alice, club, own_rules):
    url = page("club_rules_edit", club, own_rules.pk)
    as_alice.post(url, sent(as_alice.get(url)) | {"name": "Nye regler", "union-forced_spadille": "True"})
    own_rules.refresh_from_db()
    assert (own_rules.name, own_rules.options["idle_settles"], own_rules.options["forced_spadille"]) == (
        "Nye regler",
        True,
        True,
    )


def test_a_copy_begins_with_the_values_and_asks_for_its_own_name(as_alice, club, own_rules):
    url = f"{page('club_rules_new', club)}?copy={own_rules.pk}"
    as_alice.post(url, sent(as_alice.get(url)))
    copy = club.own_rules.exclude(pk=own_rules.pk).get()
    assert (copy.name, copy.rulebook) == ("Copy of Stillings regler", "union")
    assert own_rules.options.items() <= copy.options.items()


@pytest.mark.parametrize("copy", ["", "x", "0", "99999999999999999999"])
def test_a_copy_of_nothing_is_a_new_set(as_alice, club, copy):
    assert as_alice.get(page("club_rules_new", club), {"copy": copy}).status_code == 200


def test_deleting_asks_back_and_a_second_time_finds_nothing_left(as_alice, club, own_rules):
    url = page("club_rules_delete", club, own_rules.pk)
    assert (
        "Tournaments that have already started keep the rules they started with."
        in as_alice.get(url).content.decode()
    )
    assert ClubRules.objects.exists()
    for _once_more in range(2):
        assert as_alice.post(url).headers["Location"] == page("club_rules", club)
    assert not ClubRules.objects.exists()


@pytest.mark.parametrize(
    ("changed", "field", "said"),
    [
        ({"name": ""}, "name", "Fill this in."),
        ({"name": "stillings REGLER"}, "name", "The club already has rules with this name."),
        ({"name": "x" * 81}, "name", "At most 80 characters"),
        ({"union-idle_settles": "perhaps"}, "union-idle_settles", "Choose one of these."),
        ({"rulebook": "poker", "options_of": "poker"}, "rulebook", "These rules no longer exist"),
    ],
)
def test_what_cannot_be_is_said_at_its_field_and_stays_typed(as_alice, club, own_rules, changed, field, said):
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


def test_the_second_of_two_who_change_a_set_is_told_and_may_store_theirs(as_alice, club, own_rules):
    url = page("club_rules_edit", club, own_rules.pk)
    typed = sent(as_alice.get(url)) | {"name": "Mine"}
    own_rules.name = "Theirs"
    own_rules.save()
    answer = as_alice.post(url, typed)
    assert "Someone else has changed these rules since you opened the page" in answer.content.decode()
    own_rules.refresh_from_db()
    assert own_rules.name == "Theirs"
    as_alice.post(url, sent(answer))
    own_rules.refresh_from_db()
    assert own_rules.name == "Mine"


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
    said = "This version of Spadille no longer knows these rules."
    assert as_alice.get(page("club_rules", club)).content.decode().count(said) == 2
    assert said in as_alice.get(page("club_rules_set", club, gone.pk)).content.decode()
    assert as_alice.get(page("club_rules_pdf", club, gone.pk)).status_code == 302
    url = page("club_rules_edit", club, gone.pk)
    as_alice.post(url, sent(as_alice.get(url)))
    gone.refresh_from_db()
    assert "gone" not in gone.options


def test_a_set_is_printed_on_one_page(as_alice, club, own_rules):
    answer = as_alice.get(page("club_rules_pdf", club, own_rules.pk))
    assert answer.content.startswith(b"%PDF")


# Who may


@pytest.mark.parametrize("name", ["club_rules", "club_rules_set", "club_rules_pdf"])
def test_a_helper_reads(club, own_rules, name):
    helper = Client()
    helper.force_login(make_account("bob", club, Role.Kind.HELPER))
    which = [] if name == "club_rules" else [own_rules.pk]
    assert helper.get(page(name, club, *which)).status_code == 200


@pytest.mark.parametrize("name", ["club_rules_new", "club_rules_edit", "club_rules_delete"])
def test_only_an_organiser_changes(club, own_rules, as_charlie, client, name):
    helper = Client()
    helper.force_login(make_account("bob", club, Role.Kind.HELPER))
    url = page(name, club, *([] if name == "club_rules_new" else [own_rules.pk]))
    for stranger in (helper, as_charlie):
        assert stranger.get(url).status_code == 403
        assert stranger.post(url, {"name": "Ours"} | UNION).status_code == 403
    assert client.get(url).status_code == 302
    assert list(ClubRules.objects.values_list("name", flat=True)) == ["Stillings regler"]


def test_another_clubs_set_is_not_found_here(as_alice, own_rules, alice):
    other = make_club("Viby")
    Role.objects.create(club=other, account=alice, kind=Role.Kind.ORGANISER)
    for name in ("club_rules_set", "club_rules_edit"):
        assert as_alice.get(page(name, other, own_rules.pk)).status_code == 404
    as_alice.post(page("club_rules_delete", other, own_rules.pk))
    assert ClubRules.objects.exists()
