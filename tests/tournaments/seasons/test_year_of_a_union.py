"""A union's year, from the import of its list to its clubs' dues: every role tries each step before one takes it."""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta
from html import unescape
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.db import transaction
from django.test import Client
from django.utils import timezone

from clubs.models import Club, Letter, Membership, Player, Transfer
from tests.evenings import make_evening, play_evening
from tests.factories import (
    decide_as_it_stands,
    make_account,
    make_club,
    make_player,
    make_tournament,
)
from tests.tournaments.people.test_points_lists import FORM as POINTS
from tests.tournaments.seasons.test_season import play
from tournaments.changes.register import register_differences
from tournaments.entries import entering
from tournaments.exports.verify.recount import differences
from tournaments.lifecycle.drawing import draw
from tournaments.lifecycle.ending import finish, reopen_tournament
from tournaments.lifecycle.home_matches import score_of, start_match
from tournaments.lifecycle.rulings import end_match, penalise
from tournaments.lifecycle.team_entries import EnteredTeam, accept_entry, enter_team, link_for
from tournaments.models import (
    Championship,
    Entry,
    Match,
    PlayerMerge,
    Season,
    Statement,
    TeamEntry,
    Tournament,
)
from tournaments.people.points_lists import shown_rows
from tournaments.seasons import championships
from tournaments.seasons.quotas import QualifiedTable

# Eleven clubs of five members each; the first is the one whose organiser and helper try everything.
CLUBS = (
    "Assens", "Bogense", "Faaborg", "Haarby", "Kerteminde", "Middelfart", "Nyborg", "Odense", "Otterup", "Ringe",
    "Svendborg",
)  # fmt: skip
FIRST_NAMES = ("Anna", "Bo", "Carl", "Dora", "Erik")
MEMBER_LIST = "Navn;Klub;Nr\n" + "".join(
    f"{name} {club};{club};{number}\n" for club in CLUBS for number, name in enumerate(FIRST_NAMES, start=1)
)

# The union's organiser and helper, an official of the union's league and championship with a role in another club, the
# first club's organiser and helper, a captain with a team's link, a player with an account and no role, a stranger.
ROLES = ("organiser", "helper", "official", "club", "staff", "captain", "player", "stranger")
# What each of them gets: a status, or "in" where the browser is sent to sign in. Who has no link tries a wrong one.
UNION_ALONE = "302 403 403 403 403 in 403 in"
UNION_PAGE = "200 403 403 403 403 in 403 in"
OFFICIALS_TOO = "302 403 302 403 403 in 403 in"
BY_LINK = "404 404 404 404 404 302 404 404"
EXPECTED = {
    "open the import": UNION_PAGE,
    "upload the union's list": UNION_ALONE,
    "open the dry run": UNION_PAGE,
    "import it": UNION_ALONE,
    "count on 1 October": UNION_ALONE,
    "open the count": UNION_PAGE,
    "open who may be one person twice": UNION_PAGE,
    "merge two": UNION_ALONE,
    "undo the merge": UNION_ALONE,
    "ask for a transfer": "302 403 403 302 403 in 403 in",
    "grant the transfer": UNION_ALONE,
    "open the officials": UNION_PAGE,
    "make an official": UNION_ALONE,
    "set the deadline for teams": OFFICIALS_TOO,
    "make the clubs' links": OFFICIALS_TOO,
    "open the club's teams": "200 403 403 200 403 in 403 in",
    "enter a team at the club's desk": "302 403 403 302 403 in 403 in",
    "enter a team by link": BY_LINK,
    "enter a team a second too late": BY_LINK,
    "accept a team": OFFICIALS_TOO,
    "plan the rounds": "302 302 302 403 403 in 403 in",
    "set the days": OFFICIALS_TOO,
    "give each match its day": OFFICIALS_TOO,
    "open a match by link": "404 404 404 404 404 200 404 404",
    "propose three days": BY_LINK,
    "choose a day": BY_LINK,
    "refuse all days": BY_LINK,
    "choose a day in the last 24 hours": BY_LINK,
    "start a match by link": BY_LINK,
    "agree to a result": BY_LINK,
    "open a match at the desk": "200 200 200 403 403 in 403 in",
    "preview the results' letter": "200 403 200 403 403 in 403 in",
    "send the results": OFFICIALS_TOO,
    "object by link": BY_LINK,
    "open the objections": "200 200 200 403 403 in 403 in",
    "reject the objection": OFFICIALS_TOO,
    "set how the points list counts": UNION_ALONE,
    "publish the list": UNION_ALONE,
    "publish it again": UNION_ALONE,
    "read the published list": "200 200 200 200 200 200 200 200",
    "make an official of the championship": UNION_ALONE,
    "set the quotas": OFFICIALS_TOO,
    "open who qualifies": "200 200 200 403 403 in 403 in",
    "record a no": OFFICIALS_TOO,
    "enter who qualifies": OFFICIALS_TOO,
    "print who qualifies": "200 200 200 403 403 in 403 in",
    "record an objection": OFFICIALS_TOO,
    "finish in spite of it": OFFICIALS_TOO,
    "uphold the objection": OFFICIALS_TOO,
    "finish": OFFICIALS_TOO,
    "set the fees": UNION_ALONE,
    "make the statements": UNION_ALONE,
    "tick a statement paid": UNION_ALONE,
    "print a statement": "200 403 403 200 403 in 403 in",
}


def send(browser: Client, address: str, typed: dict[str, Any] | None) -> Any:
    return browser.get(address) if typed is None else browser.post(address, typed)


def outcome(answer: Any) -> str:
    signs_in = answer.status_code == 302 and answer.headers["Location"].startswith("/clubs/login/")
    return "in" if signs_in else str(answer.status_code)


class Year:
    """The union, the browsers of all roles, the clock, and what each role got at each step."""

    def __init__(self, clock: Any) -> None:
        self.clock = clock
        self.union = make_club("Fyns Forbund")
        self.clubs = [make_club(name, self.union) for name in CLUBS]
        self.accounts = {
            "organiser": make_account("ulla", self.union),
            "helper": make_account("hans", self.union, "helper"),
            "official": make_account("otto", self.clubs[-1], "helper"),
            "club": make_account("alice", self.clubs[0]),
            "staff": make_account("stina", self.clubs[0], "helper"),
            "player": make_account("pia"),
        }
        # Each from an address of its own: only so many sheets are printed for one.
        self.browsers = {role: Client(REMOTE_ADDR=f"192.0.2.{n}") for n, role in enumerate(ROLES, start=1)}
        self.got: dict[str, str] = {}

    def on(self, moment: str) -> None:
        """Let it be this moment, and everybody with an account sign in."""
        self.clock.move_to(datetime.fromisoformat(moment).replace(tzinfo=ZoneInfo("Europe/Copenhagen")))
        for role, account in self.accounts.items():
            self.browsers[role].force_login(account)

    @property
    def by(self) -> dict[str, Any]:
        """The union's organiser, now."""
        return {"account": self.accounts["organiser"], "now": timezone.now()}

    def step(
        self,
        name: str,
        address: str,
        typed: dict[str, Any] | None = None,
        *,
        by: str = "organiser",
        secret: str = "",
    ) -> Any:
        """Let every role try a step, note what each gets and undo it; then let one take it."""
        got = []
        for role, browser in self.browsers.items():
            own = address if role == "captain" or not secret else address.replace(secret, "x" * len(secret))
            with transaction.atomic():
                got.append(outcome(send(browser, own, typed)))
                transaction.set_rollback(True)
        self.got[name] = " ".join(got)
        return send(self.browsers[by], address, typed)

    def by_link(self, name: str, secret: str, path: str, typed: dict[str, Any] | None = None) -> Any:
        return self.step(name, f"/c/{path.format(secret)}", typed, by="captain", secret=secret)

    def members_of(self, club: Club) -> list[Player]:
        return [
            one.player for one in club.memberships.filter(left=None).select_related("player").order_by("pk")
        ]


@pytest.fixture
def year(db, monkeypatch, settings, time_machine) -> Year:
    """The year begins in August, on whatever day the test runs; the database's clock is that of the year."""
    settings.MAIL_SERVER = object()
    monkeypatch.setattr("tournaments.entries.teams.database_clock", timezone.now)
    time_machine.move_to(datetime(2026, 8, 15, 18, tzinfo=ZoneInfo("Europe/Copenhagen")))
    return Year(time_machine)


def hidden(answer: Any, name: str) -> str:
    """The value of a hidden input of a page."""
    found = re.search(rf'name="{name}" value="([^"]*)"', answer.content.decode())
    assert found
    return found[1]


def memberships() -> list[tuple[str, str, date | None]]:
    found = Membership.objects.order_by("club__name", "player__name", "pk")
    return list(found.values_list("club__name", "player__name", "left"))


def import_the_list(year: Year) -> None:
    page = "/clubs/fyns-forbund/import/"
    year.step("open the import", page)
    typed = {"pasted": MEMBER_LIST, "joined": "2020-01-01", "of_union": "on"}
    dry_run = year.step("upload the union's list", page, typed).headers["Location"]
    shown = year.step("open the dry run", dry_run)
    assert memberships() == []
    year.step("import it", dry_run, {"seen": hidden(shown, "seen")})
    assert memberships() == [(club, f"{name} {club}", None) for club in CLUBS for name in FIRST_NAMES]


def count_in_october(year: Year) -> None:
    year.step("count on 1 October", "/clubs/fyns-forbund/register/count/", {"day": "2026-10-01"})
    count = year.union.counts.get()
    assert (count.day, [row["main"] for row in count.rows]) == (date(2026, 10, 1), [5] * len(CLUBS))
    year.step("open the count", f"/clubs/fyns-forbund/register/counts/{count.pk}/")


def merge_and_undo(year: Year) -> None:
    first = Player.objects.get(name="Erik Assens")
    second = make_player("Erik Assens", year.clubs[1], 9)
    Player.objects.filter(pk__in=[first.pk, second.pk]).update(phone="20304050")
    before = memberships()
    page = year.step("open who may be one person twice", "/clubs/fyns-forbund/doubles/")
    assert f"/doubles/{first.pk}/{second.pk}/" in page.content.decode()
    year.step("merge two", f"/clubs/fyns-forbund/doubles/{first.pk}/{second.pk}/", {})
    assert list(Player.objects.filter(name="Erik Assens")) == [first]
    merged = PlayerMerge.objects.get()
    year.step("undo the merge", f"/clubs/fyns-forbund/doubles/undo/{merged.pk}/", {})
    assert memberships() == before
    Membership.objects.filter(player=second).update(left=date(2026, 10, 2))


def transfer(year: Year) -> None:
    """Erik goes from Odense to Assens at the turn of the year."""
    erik = Membership.objects.get(player__name="Erik Odense")
    typed = {"name": "Erik Odense", "joined": "2027-01-01", "who": f"same-{erik.pk}"}
    year.step("ask for a transfer", "/clubs/assens/members/new/", typed, by="club")
    asked = Transfer.objects.get()
    assert (asked.origin, asked.club, asked.state) == (erik.club, year.clubs[0], "asked")
    # Assens has asked and does not answer; the old club's own organiser would, here the union does.
    year.step("grant the transfer", f"/clubs/odense/transfers/{asked.pk}/answer/", {"yes": ""})
    erik.refresh_from_db()
    assert (erik.left, erik.player.memberships.get(club=year.clubs[0]).joined) == (
        date(2027, 1, 1),
        date(2027, 1, 1),
    )


def enter_teams(year: Year) -> Tournament:
    """Eleven clubs enter a team: at a desk, by link, by the function; the last one is a second too late at first."""
    league = make_tournament(
        0, club=year.union, account=year.accounts["organiser"], drawn=False, name="Fynsserien", format="teams",
        deals_per_round=4, date=date(2026, 10, 20), begins_at=time(19),
    )  # fmt: skip
    desk = f"/desk/t/{league.code}/"
    year.step("open the officials", f"{desk}officials/")
    chosen = {"give": "", "colleague": str(year.accounts["official"].pk), "kind": "organiser"}
    year.step("make an official", f"{desk}officials/", chosen)
    until = {"teams_until": "2026-10-10T20:00", "most_of_club": "1"}
    year.step("set the deadline for teams", f"{desk}teams/entries/set/", until)
    year.step("make the clubs' links", f"{desk}teams/entries/links/", {"do": "make"})
    league.refresh_from_db()

    def typed(club: Club) -> dict[str, Any]:
        players = year.members_of(club)[:4]
        chosen = {f"player_{place}": player.pk for place, player in enumerate(players, start=1)}
        return {"name": f"{club} 1", "place": f"{club} Kro", "captain": "player_1", **chosen}

    first, second, *others, last = year.clubs
    of_club = f"/clubs/assens/teams/{league.code}/"
    year.step("open the club's teams", of_club)
    year.step("enter a team at the club's desk", of_club, typed(first), by="club")
    year.by_link("enter a team by link", link_for(league, second).secret, "teams/{}/", typed(second))
    for club in others:
        players = year.members_of(club)[:4]
        enter_team(league, club, EnteredTeam(f"{club} 1", f"{club} Kro", players[0], players, []), **year.by)
    year.on("2026-10-10T20:01:01")
    secret = link_for(league, last).secret
    year.by_link("enter a team a second too late", secret, "teams/{}/", typed(last))
    page = year.browsers["captain"].get(f"/c/teams/{secret}/").content.decode()
    assert "The deadline was 10 October 2026 20:00" in page
    assert TeamEntry.objects.filter(tournament=league).count() == len(CLUBS) - 1
    year.on("2026-10-10T19:00")
    year.browsers["captain"].post(f"/c/teams/{secret}/", typed(last))
    year.step("accept a team", f"{desk}teams/entries/1/accept/", {"division": "1"})
    for entry in TeamEntry.objects.filter(tournament=league, number__gt=1).select_related(
        "tournament", "club"
    ):
        accept_entry(entry, division=1, **year.by)
    assert league.teams.count() == len(CLUBS)
    return league


def plan_the_season(year: Year, league: Tournament) -> None:
    """Eleven rounds, a fortnight between them, each match on a day of its own."""
    Entry.objects.filter(tournament=league).update(status=Entry.Status.PRESENT)
    decide_as_it_stands(league)
    desk = f"/desk/t/{league.code}/"
    year.step("plan the rounds", f"{desk}teams/rounds/", {})
    league.refresh_from_db()
    draw(league, seed=7, **year.by)
    days = {
        f"day_{number}": (league.date + timedelta(weeks=2 * (number - 1))).isoformat()
        for number in range(1, len(CLUBS) + 1)
    }
    year.step("set the days", f"{desk}matches/days/", days)
    year.step("give each match its day", f"{desk}matches/own-days/", {})
    matches = Match.objects.filter(round__tournament=league, away__isnull=False)
    assert (matches.count(), matches.filter(day=None).count()) == (55, 0)


def match_of(league: Tournament, round_number: int, place: int) -> Match:
    """One of the round's matches; who sits out in it has none."""
    found = Match.objects.filter(round__tournament=league, round__number=round_number, away__isnull=False)
    return found.select_related("round__tournament", "home", "away").order_by("number")[place]


def postpone_three(year: Year, league: Tournament) -> None:
    """Of round 2: one match moves to a day that the other team chooses, one stays, for one it is too late."""
    proposed = {
        "do": "propose", "reason": "To er bortrejst", "day_1": "2026-11-05", "day_2": "2026-11-06",
        "day_3": "2026-11-07", "hour_2": "18:30",
    }  # fmt: skip
    moved, stays, late = (match_of(league, 2, place) for place in range(3))
    browser = year.browsers["captain"]

    def path(match: Match) -> str:
        return f"team/{{}}/match/2/{match.number}/"

    def proposal(match: Match) -> int:
        return match.postponements.get(state="open").pk

    year.by_link("open a match by link", moved.home.secret, path(moved))
    year.by_link("propose three days", moved.home.secret, path(moved), proposed)
    for match in (stays, late):
        browser.post(f"/c/{path(match).format(match.home.secret)}", proposed)
    chosen = {"do": "accept", "day": "1"}
    year.by_link("choose a day", moved.away.secret, path(moved), chosen | {"proposal": proposal(moved)})
    answer = {"do": "refuse", "answer": "Ingen af dem", "proposal": proposal(stays)}
    year.by_link("refuse all days", stays.away.secret, path(stays), answer)
    year.on("2026-11-02T19:00:01")
    too_late = chosen | {"proposal": proposal(late)}
    year.by_link("choose a day in the last 24 hours", late.away.secret, path(late), too_late)
    days = [(one.own_day, one.begins_at) for one in (match_of(league, 2, place) for place in range(3))]
    own, usual = (date(2026, 11, 6), time(18, 30)), (date(2026, 11, 3), None)
    assert days == [own, usual, usual]


def play_a_round(year: Year, league: Tournament) -> None:
    """Captains start and agree to one match; the results of the round go by letter to who wants them."""
    reader = Entry.objects.filter(tournament=league).first().player
    Player.objects.filter(pk=reader.pk).update(email="anna@example.org")
    reader.agreements.create(topic="results", agreed_at=timezone.now())
    first, *others = (match_of(league, 1, place) for place in range(5))
    path = f"team/{{}}/match/1/{first.number}/"
    year.by_link("start a match by link", first.home.secret, f"{path}start/", {})
    for match in others:
        start_match(match, **year.by)
    for match in (first, *others):
        for table in match.tables.select_related("round__tournament", "match"):
            play(table)
    home, away = score_of(match_of(league, 1, 0)).tokens
    result = {"home": home, "away": away}
    year.by_link("agree to a result", first.home.secret, f"{path}result/", result)
    assert match_of(league, 1, 0).ended_at is None
    year.browsers["captain"].post(f"/c/{path.format(first.away.secret)}result/", result)
    assert match_of(league, 1, 0).ended_at is not None
    for match in others:
        end_match(match, **year.by)
    desk = f"/desk/t/{league.code}/"
    year.step("open a match at the desk", f"{desk}round/1/match/{first.number}/")
    preview = year.step("preview the results' letter", f"{desk}matches/mail/1/")
    assert f"{first.home} – {first.away}" in unescape(preview.content.decode())
    year.step("send the results", f"{desk}matches/mail/1/", {})
    assert [letter.player for letter in Letter.objects.filter(kind="round_played")] == [reader]


def object_in_the_league(year: Year, league: Tournament) -> None:
    typed = {"about": "match", "round_number": "1", "words": "Bord 1 spillede uden anfører"}
    year.by_link("object by link", match_of(league, 1, 0).away.secret, "team/{}/objections/", typed)
    page = f"/desk/t/{league.code}/objections/"
    year.step("open the objections", page)
    answer = {"answer": "Det må de gerne", "rejected": ""}
    year.step("reject the objection", f"{page}1/decide/", answer)
    assert [(one.state, one.answer) for one in league.objections.all()] == [("rejected", "Det må de gerne")]


def play_three_ladders(year: Year) -> list[Season]:
    """Three seasons of one evening each, with four players of four clubs."""
    ladders = []
    for place, name in enumerate(("Nord", "Syd", "Øst")):
        season = Season.objects.create(
            host=year.union, name=name, starts=date(2026, 9, 1), ends=date(2027, 5, 31)
        )
        players = [Player.objects.get(name=f"{FIRST_NAMES[place]} {club}") for club in CLUBS[:4]]
        evening = make_evening(
            players, year.union, year.accounts["organiser"], name=f"{name}mesterskab", date=date(2026, 12, 1),
            season=season, tie_breaks=["lot"],
        )  # fmt: skip
        play_evening(evening, year.accounts["organiser"], seed=place)
        ladders.append(season)
    return ladders


def publish_twice(year: Year, ladders: list[Season]) -> None:
    """A penalty that is ruled after the first list is in the second one alone."""
    desk = "/clubs/fyns-forbund/points/"
    form = POINTS | {"tables_union": "4: 10 5 2"}
    year.step("set how the points list counts", f"{desk}edit/", form)
    year.step("publish the list", f"{desk}publish/", {"day": "2026-12-06"})
    first = year.union.published_lists.get()

    def places(published: Any) -> list[tuple[str, int]]:
        return [(row.name, row.place) for row in shown_rows(published, published.rows.all())]

    before = places(first)
    evening = ladders[0].evenings.get()
    winner = evening.results.select_related("entry__player").get(place=1).entry
    evening = reopen_tournament(evening, reason="Fejl i regnskabet", **year.by)
    penalise(winner, tokens=-500, reason="Forkert regnskab", round_=None, **year.by)
    finish(Tournament.objects.get(pk=evening.pk), **year.by)
    year.on("2026-12-13T18:00")
    year.step("publish it again", f"{desk}publish/", {"day": "2026-12-13"})
    second = year.union.published_lists.get(day=date(2026, 12, 13))
    assert places(first) == before
    assert (winner.player.name, 1) in before
    assert winner.player.name not in dict(places(second))
    year.step("read the published list", second.get_absolute_url())


def qualify(year: Year, ladders: list[Season]) -> Tournament:
    """The best two of each ladder; one says no, and the next of that ladder comes."""
    final = Tournament.objects.create(
        host=year.union, name="Fynsmesterskab", date=date(2027, 1, 6), deals_per_round=4, deals_at_three=3,
        rounds_planned=1, tie_breaks=["lot"],
    )  # fmt: skip
    decide_as_it_stands(final)
    championship = championships.store(
        Championship(host=year.union),
        {"name": "Fynsmesterskabet", "date": date(2027, 1, 6)},
        [{"name": "Finale", "groups": 1, "sessions": 1, "deals": 4}],
        **year.by,
    )
    page = f"/clubs/fyns-forbund/championships/{championship.pk}/"
    chosen = {"give": "", "colleague": str(year.accounts["official"].pk), "kind": "organiser"}
    year.step("make an official of the championship", f"{page}officials/", chosen)
    page += "stages/1/qualified/"
    quotas: dict[str, Any] = {"names": ""}
    for number, season in enumerate(ladders, start=1):
        quotas |= {f"quota-{number}-source": f"season-{season.pk}", f"quota-{number}-places": "2"}
    year.step("set the quotas", f"{page}edit/", quotas)
    stage = championship.stages.get()
    before = [one.player for one in QualifiedTable(stage).going]
    assert len(before) == 6
    year.step("open who qualifies", page)
    year.step("record a no", f"{page}answer/", {"player": before[0], "answer": "no"})
    going = [one.player for one in QualifiedTable(stage).going]
    assert (len(going), before[0] in going, set(before[1:]) <= set(going)) == (6, False, True)
    # An official of the championship alone takes in a tournament of the union that is its group.
    championships.choose_groups(championship, [final.code], **year.by)
    year.step("enter who qualifies", f"{page}enter/", {"into": final.code})
    assert set(final.entries.values_list("player", flat=True)) == set(going)
    year.step("print who qualifies", f"{page}qualified.pdf")
    return final


def play_the_final(year: Year, final: Tournament) -> None:
    """An objection holds the standings back until it is decided."""
    year.on("2027-01-06T18:00")
    for entry in final.entries.select_related("tournament", "player"):
        entering.check_in(entry, present=True, **year.by)
    final.refresh_from_db()
    draw(final, seed=7, **year.by)
    final.refresh_from_db()
    final = play_evening(final, year.accounts["organiser"], finished=False)
    desk = f"/desk/t/{final.code}/"
    typed = {"entry": str(final.entries.first().pk), "about": "standings", "words": "Jeg er talt forkert"}
    year.step("record an objection", f"{desk}objections/new/", typed)
    year.step("finish in spite of it", f"{desk}finish/", {"minutes": "0"})
    final.refresh_from_db()
    assert not final.is_finished
    year.step("uphold the objection", f"{desk}objections/1/decide/", {"answer": "Rettet", "upheld": ""})
    year.step("finish", f"{desk}finish/", {"minutes": "0"})
    final.refresh_from_db()
    assert final.is_finished


def collect_the_dues(year: Year) -> None:
    year.on("2027-01-15T18:00")
    desk, count = "/clubs/fyns-forbund/dues/", year.union.counts.get()
    fees = {
        "per_member": "75", "least": "400", "per_team": "200", "votes": "1: 1\n20: 2", "days": "30", "pay_to": "1234",
    }  # fmt: skip
    year.step("set the fees", f"{desk}fees/", fees)
    page = f"{desk}new/{count.pk}/"
    teams = {f"teams-{club.pk}": "1" for club in year.clubs}
    seen = year.browsers["organiser"].post(page, teams | {"look": ""})
    year.step("make the statements", page, teams | {"seen": hidden(seen, "seen")})
    statement = Statement.objects.get(club=year.clubs[0])
    # Five members at 75 kroner are less than the least fee; a team is 200.
    assert (Statement.objects.count(), statement.members, statement.total) == (len(CLUBS), 5, 60000)
    year.step("tick a statement paid", f"{desk}{statement.pk}/paid/", {"paid": ""})
    statement.refresh_from_db()
    assert (statement.state, statement.paid_on) == ("paid", date(2027, 1, 15))
    year.step("print a statement", f"/clubs/assens/statements/{statement.pk}/statement.pdf", by="club")


@pytest.mark.slow
def test_a_unions_year_and_who_may_take_each_of_its_steps(year: Year) -> None:
    year.on("2026-08-15T18:00")
    import_the_list(year)
    year.on("2026-10-01T18:00")
    count_in_october(year)
    merge_and_undo(year)
    transfer(year)
    league = enter_teams(year)
    plan_the_season(year, league)
    year.on("2026-10-20T19:30")
    play_a_round(year, league)
    object_in_the_league(year, league)
    postpone_three(year, league)
    year.on("2026-12-01T18:00")
    ladders = play_three_ladders(year)
    year.on("2026-12-06T18:00")
    publish_twice(year, ladders)
    final = qualify(year, ladders)
    play_the_final(year, final)
    collect_the_dues(year)
    assert year.got == EXPECTED
    for tournament in Tournament.objects.all():
        assert [str(one) for one in differences(tournament)] == []
    assert [str(one) for one in register_differences()] == []
