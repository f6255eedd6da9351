"""Clubs enter teams until a deadline, from their desk or by a link; the union's desk accepts, declines and rules."""

from __future__ import annotations

import html
import json
from datetime import timedelta

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.mail.kinds import render_letter
from clubs.models import Club, Letter, Player, Role
from core.errors import NotPossible
from tests.factories import affiliate, make_account, make_club, make_player, make_tournament
from tests.tournaments.exports.test_transfer import forget
from tournaments.entries.merging import merge, undo_merge
from tournaments.entries.personal_data import erase, known_of
from tournaments.entries.teams import (
    Lineup,
    change_team,
    database_clock,
    dissolve,
    withdraw_team,
)
from tournaments.exports.tournament_file import BadFile, export_tournament, import_tournament
from tournaments.exports.verify.recount import differences
from tournaments.lifecycle import team_entries as steps
from tournaments.lifecycle.league_mail import send_link
from tournaments.lifecycle.rulings import penalise
from tournaments.lifecycle.team_entries import (
    EnteredTeam,
    accept_entry,
    change_entry,
    decline_entry,
    enter_team,
    is_open,
    link_for,
    replace_link,
    rule_on_entry,
    set_deadline,
    withdraw_by_ruling,
    withdraw_entry,
)
from tournaments.models import Entry, TeamEntry, TeamEntryLink, TeamEntryPlayer, Tournament


@pytest.fixture
def union(club):
    union = make_club("Fyns Forbund")
    affiliate(club, union)
    return union


@pytest.fixture
def members(club):
    return [make_player(f"Spiller {number}", club, number) for number in range(1, 12)]


@pytest.fixture
def ulla(union):
    """She organises the union."""
    account = make_account("ulla", union)
    account.email = "ulla@example.org"
    account.save()
    return account


@pytest.fixture
def by_ulla(ulla):
    return {"account": ulla, "now": timezone.now()}


@pytest.fixture
def open_league(union, ulla, by_ulla):
    tournament = make_tournament(0, club=union, account=ulla, drawn=False, format="teams", deals_per_round=4)
    until = database_clock() + timedelta(days=2)
    set_deadline(tournament, teams_until=until, most_of_club=0, **by_ulla)
    tournament.refresh_from_db()
    return tournament


def team(members, first=0, name="Stilling 1", reserves=0, captain=0):
    players = members[first : first + 4]
    return EnteredTeam(name, "", players[captain], players, members[first + 4 : first + 4 + reserves])


@pytest.fixture
def entered(open_league, club, members, by_alice):
    return enter_team(open_league, club, team(members, reserves=1), **by_alice)


def wrong(tournament):
    return [str(one) for one in differences(Tournament.objects.get(pk=tournament.pk))]


def states(tournament):
    return list(tournament.team_entries.values_list("state", flat=True))


def refused(step, *args, **given):
    with pytest.raises(NotPossible) as caught, transaction.atomic():
        step(*args, **given)
    return caught.value.field, caught.value.message


def test_a_club_enters_changes_and_withdraws_a_team_until_the_deadline(entered, club, members, by_alice):
    league = entered.tournament
    assert [one.player for one in entered.players.all()] == members[:5]
    change_entry(entered, team(members, 1, captain=2), **by_alice)
    assert states(league) == ["changed"]
    assert entered.players.get(is_captain=True).player == members[3]
    withdraw_entry(entered, **by_alice)
    assert withdraw_entry(entered, **by_alice).state == "withdrawn"
    enter_team(league, club, team(members), **by_alice)
    assert states(league) == ["withdrawn", "entered"]
    assert [line.words for line in league.log.all()[:2]] == [
        "Stilling enters Stilling 1: Spiller 1, Spiller 2, Spiller 3, Spiller 4",
        "Stilling withdraws its entry of Stilling 1",
    ]
    assert wrong(league) == []


@pytest.mark.parametrize(("late", "open_still"), [(0, True), (0.999, True), (1, False), (60, False)])
def test_the_second_of_the_deadline_counts_and_the_next_does_not(open_league, monkeypatch, late, open_still):
    at = open_league.teams_until + timedelta(seconds=late)
    monkeypatch.setattr("tournaments.entries.teams.database_clock", lambda: at)
    assert is_open(open_league) is open_still


def test_the_database_s_clock_decides_and_not_that_of_a_server(open_league, club, members, by_alice):
    Tournament.objects.update(teams_until=database_clock() - timedelta(seconds=5))
    early = by_alice | {"now": timezone.now() - timedelta(hours=1)}
    assert "The deadline was" in refused(enter_team, open_league, club, team(members), **early)[1]
    Tournament.objects.update(teams_until=database_clock() + timedelta(seconds=30))
    late = by_alice | {"now": timezone.now() + timedelta(hours=1)}
    assert enter_team(open_league, club, team(members), **late).state == "entered"


def test_a_team_sent_by_two_phones_at_once_is_entered_once(open_league, club, members, by_alice):
    first = enter_team(open_league, club, team(members), **by_alice)
    assert enter_team(open_league, club, team(members), **by_alice) == first
    assert open_league.team_entries.count() == 1


def test_what_is_wrong_with_a_team_is_said_at_its_field(entered, club, members, by_alice):
    league = entered.tournament
    three = EnteredTeam("Stilling 2", "", members[5], members[5:8])
    assert refused(enter_team, league, club, three, **by_alice) == (
        "player_4", "A team here has 4 players: choose exactly that many.",
    )  # fmt: skip
    assert refused(enter_team, league, club, team(members, 4, "Stilling 2"), **by_alice) == (
        "player_1", "Spiller 5 is already in the line-up of Stilling 1.",
    )  # fmt: skip
    assert refused(enter_team, league, club, team(members, 5), **by_alice) == (
        "name", "Another one is already called Stilling 1.",
    )  # fmt: skip
    stranger = make_player("Charlie", make_club("Viby"))
    guests = EnteredTeam("Stilling 2", "", members[5], [*members[5:8], stranger])
    assert refused(enter_team, league, club, guests, **by_alice) == (
        "player_4", "Charlie is not a member of Stilling.",
    )  # fmt: skip
    twice = EnteredTeam("Stilling 2", "", members[5], members[5:9], [members[5]])
    assert refused(enter_team, league, club, twice, **by_alice)[0] == "reserve_1"
    outside = EnteredTeam("Stilling 2", "", members[0], members[5:9])
    assert refused(enter_team, league, club, outside, **by_alice)[0] == "captain"
    assert states(league) == ["entered"]


def test_the_desk_makes_a_team_of_an_entry_with_players_captain_and_link(entered, members, by_ulla):
    league = entered.tournament
    made = accept_entry(entered, division=2, **by_ulla)
    assert accept_entry(entered, division=1, **by_ulla) == made
    assert (made.name, made.club, made.division, bool(made.secret)) == ("Stilling 1", entered.club, 2, True)
    playing = made.members.order_by("number").values_list("player__name", "reserve")
    assert list(playing) == [(f"Spiller {number}", number == 5) for number in range(1, 6)]
    assert states(league) == ["accepted"]
    assert wrong(league) == []
    dissolve(made, **by_ulla)
    assert states(league) == ["entered"]
    assert wrong(league) == []


def test_no_more_of_a_club_play_in_a_division_than_the_union_allows(
    open_league, club, members, by_alice, by_ulla
):
    until = open_league.teams_until
    set_deadline(open_league, teams_until=until, most_of_club=1, **by_ulla)
    one, two = (
        enter_team(open_league, club, team(members, first, name), **by_alice)
        for first, name in ((0, "Stilling 1"), (4, "Stilling 2"))
    )
    accept_entry(one, division=1, **by_ulla)
    field, said = refused(accept_entry, two, division=1, **by_ulla)
    assert (field, said) == (
        "division", "Stilling already has 1 team in division 1, which is the limit.",
    )  # fmt: skip
    decline_entry(two, reason="kun et hold pr. klub", **by_ulla)
    assert states(open_league) == ["accepted", "declined"]
    assert "withdrawn or declined" in refused(accept_entry, two, division=2, **by_ulla)[1]
    assert wrong(open_league) == []


def test_after_the_deadline_only_the_desk_changes_a_team_and_its_reason_is_kept(
    entered, members, by_alice, by_ulla
):
    league = entered.tournament
    Tournament.objects.filter(pk=league.pk).update(teams_until=database_clock() - timedelta(minutes=1))
    assert refused(change_entry, entered, team(members, 1), **by_alice)[1].startswith("The deadline was")
    assert refused(withdraw_entry, entered, **by_alice)[1].startswith("The deadline was")
    assert refused(rule_on_entry, entered, team(members, 1), reason=" ", **by_ulla)[0] == "reason"
    rule_on_entry(entered, team(members, 1), reason="sygdom", **by_ulla)
    accept_entry(entered, division=1, **by_ulla)
    rule_on_entry(entered, team(members, 2), reason="endnu en", **by_ulla)
    kept = entered.rulings.values_list("what", "reason", "ruled_by")
    assert list(kept) == [("changed", "sygdom", "Ulla"), ("changed", "endnu en", "Ulla")]
    made = league.teams.get()
    regular = made.members.filter(reserve=False).order_by("player__pk")
    assert [one.player for one in regular] == members[2:6]
    withdraw_by_ruling(entered, reason="for få", **by_ulla)
    made.refresh_from_db()
    assert (made.withdrawn, states(league), entered.rulings.count()) == (True, ["accepted"], 3)
    assert league.log.filter(text__startswith="By a ruling").count() == 3


def test_club_and_captain_are_told_of_what_the_desk_decides(settings, entered, club, alice, members, by_ulla):
    settings.MAIL_SERVER = object()
    Club.objects.update(language="en")
    entered.refresh_from_db()
    alice.email = "alice@example.org"
    alice.save()
    Player.objects.filter(pk=members[0].pk).update(email="kaptajn@example.org")
    members[0].agreements.create(topic="evening", agreed_at=timezone.now())
    accept_entry(entered, division=1, **by_ulla)
    rule_on_entry(entered, team(members, 0, reserves=2), reason="sygdom", **by_ulla)
    told = Letter.objects.order_by("pk").values_list("kind", "to")
    assert list(told) == [
        ("team_entry", "alice@example.org"), ("team_captain", "kaptajn@example.org"),
    ] * 2  # fmt: skip
    letters = [render_letter(letter) for letter in Letter.objects.order_by("pk")]
    assert letters[0].subject == "Stilling 1 takes part in Efterårsturnering"
    assert "Fyns Forbund has accepted Stilling 1" in letters[1].text
    assert "Reason: sygdom" in letters[2].text
    assert "- Spiller 1 (captain of the team)" in letters[3].text


def test_a_club_s_link_goes_by_mail_and_is_replaced(settings, open_league, club, by_ulla):
    link = link_for(open_league, club)
    assert refused(send_link, link, to="viby@example.org", **by_ulla)[0] == "to"
    settings.MAIL_SERVER = object()
    for _pressed in range(2):
        send_link(link, to="viby@example.org", **by_ulla)
    (letter,) = Letter.objects.all()
    assert reverse("team_entries", args=[link.secret]) in render_letter(letter).text
    old = link.secret
    replace_link(link, **by_ulla)
    page = Client().get(reverse("team_entries", args=[old]))
    assert page.status_code == 404


def sent(members, **typed):
    fields = {f"player_{place}": str(one.pk) for place, one in enumerate(members[:4], 1)}
    return {"name": "Stilling 1", "place": "", "captain": "player_1"} | fields | typed


def text_of(answer):
    return html.unescape(answer.content.decode())


def test_by_its_link_a_club_enters_a_team_and_nothing_typed_is_lost(open_league, club, members, client):
    link = link_for(open_league, club)
    page = reverse("team_entries", args=[link.secret])
    assert "Enter a team" in text_of(client.get(page))
    three = sent(members, player_4="", name="Vore egne")
    answer = text_of(client.post(page, three))
    assert "A team here has 4 players: choose one here, too." in answer
    assert 'value="Vore egne"' in answer
    client.post(page, sent(members))
    entry = open_league.team_entries.get()
    assert [one.player for one in entry.players.all()] == members[:4]
    assert open_league.log.first().author == ""
    one = reverse("team_entry", args=[link.secret, 1])
    assert "It has been changed." in text_of(client.post(one, sent(members, place="Salen"), follow=True))
    client.post(one, {"do": "withdraw"})
    assert states(open_league) == ["withdrawn"]
    Tournament.objects.update(teams_until=database_clock() - timedelta(seconds=2))
    assert "The deadline was" in text_of(client.post(page, sent(members), follow=True))
    assert open_league.team_entries.count() == 1


def test_a_club_s_organiser_enters_teams_from_their_own_desk(open_league, club, members, as_alice):
    every = reverse("club_team_tournaments", args=[club.slug])
    here = reverse("club_team_entries", args=[club.slug, open_league.code])
    assert here in text_of(as_alice.get(every))
    as_alice.post(here, sent(members))
    assert open_league.team_entries.get().club == club
    assert open_league.log.first().author == "Alice"


def test_who_may_open_the_pages_of_entries(entered, club, ulla, alice, client):
    league = entered.tournament
    link = link_for(league, club)
    accounts = {
        "union's organiser": ulla,
        "union's helper": make_account("hans", league.host, Role.Kind.HELPER),
        "club's organiser": alice,
        "club's helper": make_account("hanne", club, Role.Kind.HELPER),
        "stranger": make_account("charlie"),
    }
    code = league.code
    pages = {
        "list": reverse("desk_team_entries", args=[code]),
        "rule": reverse("desk_team_entry_rule", args=[code, 1]),
        "links": reverse("desk_team_entry_links", args=[code]),
        "club": reverse("club_team_entries", args=[club.slug, code]),
        "link": reverse("team_entry", args=[link.secret, 1]),
    }
    found = {}
    for who, account in accounts.items():
        browser = Client()
        browser.force_login(account)
        found[who] = {name for name, page in pages.items() if browser.get(page).status_code == 200}
    assert found == {
        "union's organiser": {"list", "rule", "links", "club", "link"},
        "union's helper": {"list", "link"},
        "club's organiser": {"club", "link"},
        "club's helper": {"link"},
        "stranger": {"link"},
    }
    assert {name for name, page in pages.items() if client.get(page).status_code == 200} == {"link"}
    accept_entry(entered, division=1, account=ulla, now=timezone.now())
    captain = league.teams.get().secret
    assert client.get(reverse("team_entries", args=[captain])).status_code == 404


def test_the_desk_accepts_declines_and_rules_on_its_pages(open_league, club, members, by_alice, ulla):
    one = enter_team(open_league, club, team(members), **by_alice)
    two = enter_team(open_league, club, team(members, 4, "Stilling 2"), **by_alice)
    browser, code = Client(), open_league.code
    browser.force_login(ulla)
    page = browser.get(reverse("desk_team_entries", args=[code]))
    assert "2 teams are waiting for your decision." in text_of(page)
    browser.post(reverse("desk_team_entry_accept", args=[code, one.number]), {"division": "1"})
    assert "Say why" in text_of(browser.post(reverse("desk_team_entry_decline", args=[code, two.number])))
    browser.post(reverse("desk_team_entry_decline", args=[code, two.number]), {"reason": "fuldt"})
    assert states(open_league) == ["accepted", "declined"]
    rule = reverse("desk_team_entry_rule", args=[code, one.number])
    seen = sent(members[1:], reason="sygdom")
    answer = browser.post(rule, seen, follow=True)
    assert "The ruling now counts." in text_of(answer)
    number = open_league.teams.get().number
    for shown in (reverse("desk_team", args=[code, number]), reverse("hall_team", args=[code, number])):
        assert "sygdom" in text_of(browser.get(shown))


def test_entries_go_with_the_file_of_a_tournament_and_come_back_the_same(
    entered, club, members, by_alice, by_ulla
):
    league = entered.tournament
    enter_team(league, club, team(members, 5, "Stilling 2"), **by_alice)
    rule_on_entry(entered, team(members, 1), reason="sygdom", **by_ulla)
    accept_entry(entered, division=1, **by_ulla)
    league.refresh_from_db()
    text = export_tournament(league)
    forget(league)
    taken = import_tournament(text)
    assert export_tournament(taken) == text
    assert wrong(taken) == []
    data = json.loads(text)
    data["team_entries"][1]["players"][0]["name"] = "Charlie"
    forget(taken)
    with pytest.raises(BadFile, match="player 1: its player is not what was written down"):
        import_tournament(json.dumps(data))


def test_a_player_who_is_joined_with_another_or_erased_stays_in_the_team(
    entered, club, members, alice, by_alice
):
    kept = make_player("Spiller Et", club)
    merged = merge(kept, members[0], **by_alice)
    captain = entered.players.get(is_captain=True)
    assert captain.player == kept
    assert wrong(entered.tournament) == []
    undo_merge(merged, **by_alice)
    captain.refresh_from_db()
    assert captain.player == members[0]
    assert wrong(entered.tournament) == []
    (known,) = known_of(members[0])["entered_in_teams_of_clubs"]
    assert (known["club"], known["captain"], known["state"]) == ("Stilling", True, "entered")
    erase(Player.objects.get(pk=members[0].pk), account=alice, today=timezone.localdate(), now=timezone.now())
    assert "Spiller 1," not in str([line.words for line in entered.tournament.log.all()])
    assert wrong(entered.tournament) == []


def test_two_of_one_person_in_a_team_become_one_who_is_captain(entered, members, by_alice):
    merge(members[1], members[0], **by_alice)
    assert TeamEntryPlayer.objects.get(team_entry=entered, is_captain=True).player == members[1]
    assert entered.players.count() == 4


def test_a_club_outside_the_union_has_no_page_of_its_tournaments(open_league, client):
    viby = make_club("Viby")
    client.force_login(make_account("vera", viby))
    page = reverse("club_team_entries", args=[viby.slug, open_league.code])
    assert client.get(page).status_code == 404
    assert not TeamEntryLink.objects.exists()
    assert not Entry.objects.exists()
    assert not TeamEntry.objects.exists()


def test_a_club_that_has_left_the_union_enters_no_more_teams_by_its_link(
    open_league, entered, club, members, by_alice
):
    link = link_for(open_league, club)
    club.affiliations.update(left=timezone.localdate())
    said = "Stilling no longer belongs to Fyns Forbund: ask its organisers."
    assert refused(enter_team, open_league, club, team(members, 5, "Stilling 2"), **by_alice)[1] == said
    sent = {"name": "Stilling 2", "captain": "player_1"}
    sent |= {f"player_{place}": str(one.pk) for place, one in enumerate(members[5:9], start=1)}
    page = Client().post(reverse("team_entries", args=[link.secret]), sent, follow=True)
    assert said in html.unescape(page.content.decode())
    assert states(open_league) == ["entered"]
    assert withdraw_entry(entered, **by_alice).state == "withdrawn"


@pytest.mark.parametrize("until", ["0001-01-01T00:00", "9999-12-31T23:59"])
def test_a_deadline_in_a_year_that_cannot_be_is_told_at_its_field(open_league, ulla, until):
    there = Client()
    there.force_login(ulla)
    page = there.post(
        reverse("desk_team_entries_set", args=[open_league.code]), {"teams_until": until, "most_of_club": "0"}
    )
    assert page.context["form"].errors == {"teams_until": ["Check the year again."]}


def test_a_ruling_keeps_what_the_desk_has_changed_in_the_team(entered, club, members, ulla, by_ulla):
    made = accept_entry(entered, division=1, **by_ulla)
    first, *others, reserve = made.members.order_by("number")
    change_team(made, Lineup("Stilling A", club, 1, "", [*others, reserve], [first]), **by_ulla)
    there = Client()
    there.force_login(ulla)
    address = reverse("desk_team_entry_rule", args=[entered.tournament.code, entered.number])
    form = there.get(address).context["form"]
    sent = {field.html_name: field.value() or "" for field in form} | {"place": "Kroen", "reason": "Flyttet"}
    assert there.post(address, sent).status_code == 302
    made.refresh_from_db()
    assert (made.name, made.place) == ("Stilling A", "Kroen")
    assert [one.player for one in made.members.filter(reserve=False)] == members[1:5]
    assert [one.player for one in made.members.filter(reserve=True)] == members[:1]


def test_one_club_cannot_use_up_the_entries_by_entering_and_withdrawing(
    open_league, club, members, by_alice, monkeypatch
):
    monkeypatch.setattr(steps, "MOST_OF_CLUB", 2)
    for _time in range(2):
        withdraw_entry(enter_team(open_league, club, team(members), **by_alice), **by_alice)
    said = refused(enter_team, open_league, club, team(members), **by_alice)[1]
    assert said == "There are too many entries: ask the organiser."
    other = make_club("Odder", open_league.host)
    people = [make_player(f"Odder {number}", other, number) for number in range(1, 5)]
    assert enter_team(open_league, other, team(people, name="Odder 1"), **by_alice).number == 3


@pytest.mark.databases
def test_erasing_a_player_takes_the_name_out_of_rulings_and_answers(
    entered, club, members, alice, by_alice, by_ulla
):
    Player.objects.filter(pk=members[0].pk).update(name="Gudrun Holm Persen")
    accept_entry(entered, division=1, **by_ulla)
    league = Tournament.objects.get(pk=entered.tournament_id)
    reason = "Gudrun Holm Persen kom for sent"
    withdraw_by_ruling(entered, reason=reason, **by_ulla)
    again = enter_team(league, club, team(members, 5, "Stilling 2"), **by_alice)
    decline_entry(again, reason=reason, **by_ulla)
    penalty = penalise(league.entries.first(), tokens=-3, reason=reason, round_=None, **by_ulla)
    erase(Player.objects.get(pk=members[0].pk), account=alice, today=timezone.localdate(), now=timezone.now())
    for row in (again, penalty):
        row.refresh_from_db()
    found = {entered.rulings.get().reason, again.answer, penalty.reason}
    assert found == {"N.N. kom for sent"}
    assert "Persen" not in str(list(league.log.values_list("params", flat=True)))
    assert wrong(league) == []


def test_after_the_deadline_the_page_of_a_team_that_a_club_entered_changes_its_group_alone(
    entered, members, club, ulla, by_ulla
):
    made = accept_entry(entered, division=1, **by_ulla)
    league = entered.tournament
    Tournament.objects.update(teams_until=database_clock() - timedelta(minutes=1))
    players, reserve = made.members.filter(reserve=False), made.members.get(reserve=True)
    change = Lineup("Stilling 1", club, 1, "", [*players[:3], reserve], [players[3]])
    said = "A club entered this team, and the deadline has passed: change or withdraw it by a ruling."
    assert refused(change_team, made, change, **by_ulla)[1] == said
    assert refused(withdraw_team, made, reason="for få", **by_ulla)[1] == said
    there = Client()
    there.force_login(ulla)
    address = reverse("desk_team", args=[league.code, made.number])
    page = there.get(address)
    assert reverse("desk_team_entry", args=[league.code, entered.number]) in page.content.decode()
    assert reverse("desk_withdraw_team", args=[league.code, made.number]) not in page.content.decode()
    form = page.context["form"]
    sent = {field.html_name: field.value() or "" for field in form} | {"seen": form.stored_mark}
    assert all(f'name="{name}"' in page.content.decode() for name in sent)
    assert said in html.unescape(
        there.post(address, sent | {"name": "Stilling A"}, follow=True).content.decode()
    )
    made.refresh_from_db()
    assert (made.name, made.division) == ("Stilling 1", 1)
    assert there.post(address, sent | {"division": 2}).status_code == 302
    made.refresh_from_db()
    assert (made.name, made.division) == ("Stilling 1", 2)
    assert [one.player for one in made.members.filter(reserve=False)] == members[:4]
    withdraw_by_ruling(entered, reason="for få", **by_ulla)
    made.refresh_from_db()
    assert made.withdrawn
