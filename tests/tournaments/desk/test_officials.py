"""Officials: rights at one tournament, season or championship, given and withdrawn at its own page of the desk."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.mail.kinds import render_letter
from clubs.models import Account, Gives, Letter, Role
from clubs.roles import may_renew_password
from core.errors import NotPossible
from tests.factories import affiliate, browser_of, make_account, make_championship, make_club, make_tournament
from tournaments.changes.permissions import (
    kinds_of_championship,
    kinds_of_season,
    may_help_at,
    may_organise_tournament,
    tournaments_of,
)
from tournaments.lifecycle import officials
from tournaments.models import Official, Season, Tournament
from tournaments.seasons.season import choose_evenings

pytestmark = pytest.mark.databases

TODAY = timezone.localdate


@pytest.fixture
def union(db):
    return make_club("Union")


@pytest.fixture
def uwe(union):
    return make_account("uwe", union)


@pytest.fixture
def as_union(uwe):
    return browser_of(uwe)


@pytest.fixture
def odder(union):
    return make_club("Odder", union)


@pytest.fixture
def otto(odder):
    return make_account("otto", odder)


@pytest.fixture
def cup(union, uwe):
    return make_tournament(8, club=union, account=uwe, name="Unionens cup")


@pytest.fixture
def season(union):
    days = {"starts": TODAY() - timedelta(days=5), "ends": TODAY() + timedelta(days=5)}
    return Season.objects.create(host=union, name="Vinter", **days)


def page_of(of):
    if isinstance(of, Tournament):
        return reverse("desk_officials", args=[of.code])
    return reverse(f"club_{of._meta.model_name}_officials", args=[of.host.slug, of.pk])


def give(of, colleague, by, kind="organiser"):
    return officials.give(of, colleague, kind, account=by, now=timezone.now())


def log_of(of):
    lines = of.log if isinstance(of, Tournament) else of.host.log
    return [f"{line.author}: {line.words}" for line in lines.order_by("-pk")[:3]]


@pytest.mark.parametrize("kind", Role.Kind.values)
def test_a_colleague_is_chosen_and_removed_again(as_union, otto, cup, kind):
    there, desk = browser_of(otto), reverse("desk_tournament", args=[cup.code])
    assert there.get(desk).status_code == 403
    as_union.post(page_of(cup), {"give": "", "colleague": otto.pk, "kind": kind})
    assert there.get(desk).status_code == 200
    organises = kind == "organiser"
    assert there.get(reverse("tournament_setup", args=[cup.code])).status_code == (200 if organises else 403)
    assert there.get(page_of(cup)).status_code == (200 if organises else 403)
    front = there.get("/desk/").content.decode()
    assert (front.count(cup.name) > 1, "Here you are an official" in front) == (True, True)
    assert cup.name in there.get("/desk/find/?q=cup").content.decode()
    as_union.post(page_of(cup), {"withdraw": cup.officials.get().pk})
    assert there.get(desk).status_code == 403
    said = {"organiser": "an organiser of", "helper": "a helper at"}[kind]
    assert log_of(cup)[:2] == [
        "Uwe: Otto is no longer an official of this tournament",
        f"Uwe: Otto is {said} this tournament",
    ]


def test_a_new_account_is_invited_by_email(as_union, union, cup, post_office):
    sent = {"username": "nora", "full_name": "Nora Friis", "email": "nora@example.dk", "kind": "helper"}
    as_union.post(page_of(cup), {"invite": "", **{f"new-{name}": value for name, value in sent.items()}})
    nora = Account.objects.get(username="nora")
    assert (nora.roles.exists(), nora.made_by, cup.officials.get().account) == (False, union, nora)
    letter = render_letter(Letter.objects.get())
    assert letter.subject == "You are helper of Unionens cup"
    assert "user name is nora" in letter.text
    once = as_union.get(page_of(cup)).context["once"]
    assert (
        Client().post("/clubs/login/", {"username": "nora", "password": once["password"]}).status_code == 302
    )


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({"give": "", "colleague": "", "kind": "helper"}, "colleague"),
        ({"give": "", "colleague": "0", "kind": "helper"}, "colleague"),
        ({"give": "", "kind": "king"}, "kind"),
        ({"invite": "", "new-username": "otto", "new-kind": "helper"}, "username"),
        ({"invite": "", "new-username": "nobody", "new-kind": "helper", "new-has_account": "on"}, "username"),
        # Who organises the host may do that already.
        ({"invite": "", "new-username": "uwe", "new-kind": "organiser", "new-has_account": "on"}, "username"),
    ],
)
def test_bad_input_is_said_at_its_field_and_changes_nothing(as_union, otto, cup, sent, field):
    context = as_union.post(page_of(cup), sent).context
    errors = {**context["form"].errors, **context["new"].errors}
    assert field in errors
    assert not Official.objects.exists()
    assert Account.objects.count() == 2


def test_a_second_click_changes_nothing(otto, uwe, cup):
    first, second = (give(cup, otto, uwe) for _click in range(2))
    assert first == second
    assert len([line for line in log_of(cup) if "Otto" in line]) == 1


def test_a_helper_becomes_an_organiser_by_being_added_again(otto, uwe, cup):
    give(cup, otto, uwe, "helper")
    give(cup, otto, uwe)
    assert cup.officials.get().kind == "organiser"


def test_a_helper_of_the_union_can_be_made_organiser_of_one_tournament(union, uwe, cup):
    hans = make_account("hans", union, "helper")
    other = make_tournament(0, club=union, drawn=False, account=uwe)
    give(cup, hans, uwe)
    assert [may_organise_tournament(hans, one) for one in (cup, other)] == [True, False]
    with pytest.raises(NotPossible):
        give(cup, hans, uwe, "helper")


def test_an_official_gives_up_their_own_rights(otto, uwe, cup):
    official = give(cup, otto, uwe)
    address = reverse("official_give_up", args=[official.pk])
    assert browser_of(uwe).post(address).status_code == 404
    assert browser_of(otto).post(address)["Location"] == "/desk/"
    assert not may_help_at(otto, cup)
    # And on the page of the officials: then there is nothing left to see there.
    official = give(cup, otto, uwe)
    assert browser_of(otto).post(page_of(cup), {"withdraw": official.pk})["Location"] == "/desk/"


def test_rights_end_thirty_days_after_the_tournament(otto, uwe, cup):
    give(cup, otto, uwe)
    now = timezone.now()
    for days, holds in ((29, True), (31, False)):
        Tournament.objects.filter(pk=cup.pk).update(state="finished", finished_at=now - timedelta(days=days))
        assert may_help_at(otto, cup) is holds
        assert tournaments_of(otto).exists() is holds
    Tournament.objects.filter(pk=cup.pk).update(state="running", finished_at=None)
    Tournament.objects.filter(pk=cup.pk).update(called_off_at=now - timedelta(days=31))
    assert not may_help_at(otto, cup)


def test_rights_in_a_season_end_thirty_days_after_its_last_day(otto, uwe, season):
    give(season, otto, uwe)
    for days, holds in ((30, True), (31, False)):
        day = TODAY() - timedelta(days=days)
        Season.objects.filter(pk=season.pk).update(starts=day, ends=day)
        assert bool(kinds_of_season(otto, season.pk)) is holds


def test_rights_in_a_championship_last_until_its_last_stage_is_over(otto, uwe, union):
    championship = make_championship(union)
    give(championship, otto, uwe)
    first, *_others, last = championship.stages.all()
    over = timezone.now() - timedelta(days=31)
    for stage, holds in ((first, True), (last, False)):
        group = make_tournament(0, club=union, drawn=False, account=uwe, name=f"Trin {stage.number}")
        Tournament.objects.filter(pk=group.pk).update(stage=stage, state="finished", finished_at=over)
        assert bool(kinds_of_championship(otto, championship.pk)) is holds


def test_a_season_brings_its_evenings_and_no_other(otto, uwe, cup, season, union):
    other = make_tournament(0, club=union, drawn=False, account=uwe, name="En anden")
    Tournament.objects.filter(pk=cup.pk).update(season=season)
    give(season, otto, uwe)
    assert list(tournaments_of(otto).filter(host=union)) == [cup]
    assert [may_organise_tournament(otto, Tournament.objects.get(pk=one.pk)) for one in (cup, other)] == [
        True,
        False,
    ]
    # Nor is another taken in to become its organiser.
    now = timezone.now()
    with pytest.raises(NotPossible, match="En anden"):
        choose_evenings(season, [cup.code, other.code], account=otto, now=now)
    choose_evenings(season, [cup.code, other.code], account=uwe, now=now)
    assert log_of(season)[0] == "Uwe: Chose the evenings of “Vinter”"


def test_a_unions_season_gives_no_rights_in_a_club_that_keeps_its_own(otto, uwe, union, season):
    viby = make_club("Viby")
    affiliate(viby, union, gives=Gives.NOTHING)
    evening = make_tournament(0, club=viby, drawn=False, account=make_account("vera", viby))
    Tournament.objects.filter(pk=evening.pk).update(season=season)
    give(season, otto, uwe)
    assert not may_help_at(otto, Tournament.objects.get(pk=evening.pk))
    assert evening not in tournaments_of(otto)


def test_an_official_moves_no_tournament_to_a_club_of_their_own(otto, uwe, union):
    coming = make_tournament(0, club=union, drawn=False, account=uwe)
    give(coming, otto, uwe)
    page = browser_of(otto).get(reverse("tournament_setup", args=[coming.code]))
    assert [club.name for club in page.context["form"].fields["host"].queryset] == ["Union"]


def test_an_official_sets_up_no_next_evening_in_the_club(otto, uwe, cup):
    give(cup, otto, uwe)
    browser_of(otto).post(reverse("desk_repeat", args=[cup.code]), {"code": "KODE77"})
    assert Tournament.objects.count() == 1


@pytest.mark.parametrize("which", ["season", "championship"])
def test_the_page_of_a_season_and_a_championship(as_union, otto, union, season, which):
    of = season if which == "season" else make_championship(union)
    as_union.post(page_of(of), {"give": "", "colleague": otto.pk, "kind": "organiser"})
    there = browser_of(otto)
    pages = {
        name: reverse(f"club_{which}{name}", args=[union.slug, of.pk]) for name in ("", "_edit", "_delete")
    }
    assert [there.get(page).status_code for page in pages.values()] == [200, 200, 403]
    assert pages["_delete"] not in there.get(pages[""]).content.decode()
    assert pages[""] in there.get("/desk/").content.decode()
    assert log_of(of)[0] == f"Uwe: “{of}”: Otto is an organiser"


def test_the_hosting_clubs_organisers_organise_where_the_union_lets_them(as_union, odder, otto, cup):
    helper = make_account("hans", odder, "helper")
    Tournament.objects.filter(pk=cup.pk).update(held_by=odder)
    setup = reverse("tournament_setup", args=[cup.code])
    assert browser_of(otto).get(setup).status_code == 403
    for said, opens in (("organise", 200), ("help", 403), ("organise", 200)):
        as_union.post(page_of(cup), {"hosting": said})
        assert [browser_of(one).get(setup).status_code for one in (otto, helper)] == [opens, 403]
    assert log_of(cup)[0] == "Uwe: The organisers of Odder run this tournament too"
    # Another hosting club has not been given anything.
    viby = make_club("Viby", odder.unions.get())
    form = as_union.get(setup).context["form"]
    values = {field.html_name: field.value() for field in form}
    typed = {name: "" if value is None else value for name, value in values.items() if value is not False}
    as_union.post(setup, typed | {"held_by": viby.pk})
    cup.refresh_from_db()
    assert (cup.held_by, cup.held_by_organises) == (viby, False)


def test_nobody_gets_into_a_tournament_by_a_new_password_for_its_official(uwe, cup, odder, otto):
    account = make_account("nora", odder, "helper")
    Account.objects.filter(pk=account.pk).update(made_by=odder)
    account.refresh_from_db()
    assert may_renew_password(otto, account)
    give(cup, account, uwe)
    assert not may_renew_password(otto, account)


def test_an_account_that_is_deleted_leaves_nothing_behind(otto, uwe, cup):
    give(cup, otto, uwe)
    otto.delete()
    assert not Official.objects.exists()
    assert browser_of(uwe).get(page_of(cup)).status_code == 200


def test_an_official_is_of_exactly_one_thing(otto, cup, season):
    held = {"account": otto, "kind": "helper", "given_by": "uwe", "given_at": timezone.now()}
    for of in ({}, {"tournament": cup, "season": season}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Official.objects.create(**held, **of)


@pytest.mark.parametrize(
    "sent", [{"give": ""}, {"invite": "", "new-username": "nora", "new-full_name": "Nora"}]
)
def test_a_role_without_effect_is_refused_and_nobody_is_written_to(as_union, otto, cup, sent):
    over = timezone.now() - timedelta(days=31)
    Tournament.objects.filter(pk=cup.pk).update(state="finished", finished_at=over)
    sent = sent | {"colleague": otto.pk, "kind": "helper", "new-kind": "helper"}
    page = as_union.post(page_of(cup), sent)
    form = page.context["new" if "invite" in sent else "form"]
    assert [*form.errors.values()] == [
        ["“Unionens cup” ended more than 30 days ago: a role there has no effect any more."]
    ]
    assert not Account.objects.filter(username="nora").exists()
    assert not cup.officials.exists()
    assert not Letter.objects.exists()


def test_an_official_neither_moves_the_last_day_of_a_season_nor_sets_up_evenings(otto, uwe, season, union):
    give(season, otto, uwe)
    address = reverse("club_season_edit", args=[union.slug, season.pk])
    sent = {
        "name": "Vinteren", "starts": season.starts, "ends": TODAY() + timedelta(days=300), "rule": season.rule,
        "best_of": "0", "least_evenings": "0", "least_deals": "0",
        "first": season.ends, "every": "1", "evening": "Aften 1", "entry_fee": "0",
    }  # fmt: skip
    there = browser_of(otto)
    assert 'name="evening"' not in there.get(address).content.decode()
    there.post(address, sent)
    stored = Season.objects.get(pk=season.pk)
    assert (stored.name, stored.ends) == ("Vinteren", season.ends)
    browser_of(uwe).post(address, sent | {"first": ""})
    assert Season.objects.get(pk=season.pk).ends == sent["ends"]
    assert not season.evenings.exists()


def test_an_official_is_offered_no_names_of_the_unions_other_clubs(otto, uwe, union, odder, cup):
    others = {make_account("vera", make_club("Viby", union)), make_account("ulf", union, "helper")}
    give(cup, otto, uwe)
    offered = {
        who: set(browser_of(who).get(page_of(cup)).context["form"].fields["colleague"].queryset)
        for who in (otto, uwe)
    }
    assert offered[uwe] == {uwe, otto} | others
    assert offered[otto] == {uwe, otto} | {one for one in others if one.username == "ulf"}
    # By their exact user name anybody is invited; by a part of it nobody.
    sent = {"invite": "", "new-has_account": "on", "new-kind": "helper"}
    there = browser_of(otto)
    assert there.post(page_of(cup), sent | {"new-username": "ver"}).status_code == 200
    assert there.post(page_of(cup), sent | {"new-username": "vera"}).status_code == 302
    # Nor is a name that was not offered taken from the form.
    vita = make_account("vita", make_club("Vejle", union))
    refused = there.post(page_of(cup), {"give": "", "colleague": vita.pk, "kind": "helper"})
    assert list(refused.context["form"].errors) == ["colleague"]
