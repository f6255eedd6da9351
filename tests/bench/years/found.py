"""What there is to ask about in made years: by what a bench wants, not by key."""

from __future__ import annotations

from functools import cached_property
from random import Random

from django.db.models import Count
from django.test import Client

from clubs.models import Account, Club, Player, Role
from tests.bench.years.crowds import CROWD, LARGE, crowd
from tests.bench.years.event import store
from tests.bench.years.formats import Making
from tests.bench.years.people import People
from tournaments.demo import USERNAME
from tournaments.models import Entry, Season, Seat, Tournament


class Found:
    """The union's organiser with a browser, and the largest of everything."""

    def __init__(self) -> None:
        self.account = Account.objects.get(username=USERNAME)
        self.union = Club.objects.get(slug="union")

    @property
    def browser(self) -> Client:
        browser = Client()
        browser.force_login(self.account)
        return browser

    def beginner(self) -> Account:
        """An organiser whose club has nothing yet; made now, for whoever takes it back."""
        club = Club.objects.create(name="Nyklubben", slug="nyklubben")
        account = Account.objects.create(username="nybegynder")
        Role.objects.create(account=account, club=club, kind=Role.Kind.ORGANISER)
        return account

    def crowd(self, players: int) -> Tournament:
        """The tournament of so many players; made now if there is none."""
        name = CROWD.format(players=players)
        if not Tournament.objects.filter(name=name).exists():
            making = Making(People(self.union, self.account, []), 1)
            making.codes |= set(Tournament.objects.values_list("code", flat=True))
            store([crowd(making, players, Random(f"1 crowd {players}"))])
        return Tournament.objects.get(name=name)

    @cached_property
    def busiest(self) -> Entry:
        """An entry of who has played most."""
        most = Entry.objects.values("player").annotate(times=Count("pk")).order_by("-times").first()
        played = Entry.objects.filter(player=most["player"], tournament__state=Tournament.State.FINISHED)
        return played.select_related("tournament", "player", "club").order_by("-tournament__date").first()

    def met_most(self, player: int) -> int:
        """With whom somebody has sat at most tables."""
        tables = Seat.objects.filter(entry__player=player).order_by().values("table")
        others = Seat.objects.filter(table__in=tables).exclude(entry__player=player).order_by()
        counted = others.values("entry__player").annotate(times=Count("pk")).order_by("-times")
        return int(counted.values_list("entry__player", flat=True)[0])

    @cached_property
    def longest_season(self) -> Season:
        return Season.objects.annotate(times=Count("evenings")).order_by("-times").first()

    @cached_property
    def shortest_season(self) -> Season:
        return Season.objects.annotate(times=Count("evenings")).order_by("times").first()

    @cached_property
    def large_club(self) -> Club:
        return Club.objects.get(slug=LARGE)

    @cached_property
    def member(self) -> Player:
        return Player.objects.filter(memberships__club=self.large_club).order_by("pk").first()

    def finished(self, deals: int) -> list[str]:
        """Codes of the newest finished tournaments with so many deals together."""
        found, left = [], deals
        finished = Tournament.objects.filter(state=Tournament.State.FINISHED)
        counted = finished.annotate(deals=Count("rounds__tables__dealt")).order_by("-pk")
        for code, many in counted.values_list("code", "deals")[:2000].iterator():
            if left <= 0:
                break
            found.append(code)
            left -= many
        return found
