"""Whatever changes an evening, or who is told of, every page over the years says at once: as if nothing were kept."""

from __future__ import annotations

from datetime import date

import pytest
from django.core.cache import cache
from django.db import transaction
from django.utils import timezone

from clubs.models import Club, Player
from tests.evenings import make_evening, play_evening
from tests.factories import affiliate, make_club, make_player, report
from tests.tournaments.hall.years.conftest import FIRST, SECOND, game
from tournaments.entries import personal_data
from tournaments.entries.merging import merge
from tournaments.ledger import Author
from tournaments.lifecycle import ending
from tournaments.lifecycle.ending import finish, reopen_tournament
from tournaments.lifecycle.playing import close_round, reopen_round
from tournaments.lifecycle.rulings import penalise
from tournaments.models import Table, Tournament
from tournaments.seasons import ratings
from tournaments.seasons.results import forget_everything

REASON = "fejl"
# What is kept of these is in the cache, which knows nothing of what is taken back.
KEPT = "rating", "own evening", "newest evening"


class World:
    """Three evenings of a club in a union: of four people, of whom Anna stands in the list twice, the first at all."""

    def __init__(self, people, play, club, alice, client):
        self.when = {"account": alice, "now": timezone.now()}
        self.alice, self.club, self.client = alice, club, client
        affiliate(club, make_club("Unionen"))
        self.oldest, self.middle = play(date(2025, 3, 1), FIRST), play(date(2026, 3, 1), SECOND)
        self.people = dict(zip(("anna", "bo", "carl", "dora"), (one.pk for one in people), strict=True))
        again = make_player("Anna Holm Jensen", club, 9)
        self.people["again"] = again.pk
        newest = make_evening([again, *people[1:]], club, alice, date=timezone.localdate())
        self.newest = play_evening(newest, alice)

    def person(self, name):
        return Player.objects.get(pk=self.people[name])

    def evening(self, name):
        return Tournament.objects.get(pk=getattr(self, name).pk)

    def read(self, wanted=()):
        """What every page says, by name; or those that are wanted."""
        pages = {name: address for name, address in self.pages().items() if not wanted or name in wanted}
        answers = {name: self.client.get(address) for name, address in pages.items()}
        return {
            name: answer.content.decode() if answer.status_code == 200 else ""
            for name, answer in answers.items()
        }

    def pages(self):
        """By name, one of each kind that looks further back than an evening, and what leads there."""
        own = self.oldest.entries.get(player__name__startswith="Anna").number
        anna, bo = self.people["anna"], self.people["bo"]
        return {
            "person": f"/person/{anna}/",
            "head to head": f"/person/{anna}/with/{bo}/",
            "own explorer": f"/person/{anna}/explorer/games.csv",
            "club's history": f"/club/{self.club.slug}/history/",
            "club's history of the year": f"/club/{self.club.slug}/history/?year=2025",
            "club's records": f"/club/{self.club.slug}/records/",
            "club's explorer": f"/club/{self.club.slug}/explorer/games.csv?by=contract&then=year",
            "union's history": "/club/unionen/history/",
            "clubs compared": "/club/unionen/clubs/",
            "rating": f"/club/{self.club.slug}/rating/",
            "own evening": f"/t/{self.oldest.code}/player/{own}/",
            "newest evening": f"/t/{self.newest.code}/",
        }

    def reopen(self):
        reopen_tournament(self.evening("oldest"), reason=REASON, **self.when)
        reopen_round(self.oldest.rounds.get(), reason=REASON, **self.when)

    def close(self):
        close_round(self.oldest.rounds.get(), force_reason=REASON, **self.when)
        finish(self.evening("oldest"), **self.when)

    def say(self, deal, result):
        table = Table.objects.select_related("round__tournament").get(round__tournament=self.oldest)
        answer = report(table, deal, result, base=1, reason=REASON, author=Author("desk", self.alice))
        assert answer.status == "accepted", answer.problems

    def corrected(self, deal, result):
        self.reopen()
        self.say(deal, result)
        self.close()


def corrected(world):
    world.corrected(1, game(1, "won", "solo", "S", tout="won"))


def ruled(world):
    world.corrected(2, {"ruled": [90, -30, -30, -30]})


def penalised(world):
    reopen_tournament(world.evening("oldest"), reason=REASON, **world.when)
    for entry in world.oldest.entries.order_by("number")[:2]:
        penalise(entry, tokens=-40 * entry.number, reason=REASON, round_=None, **world.when)
    finish(world.evening("oldest"), **world.when)


def reopened(world):
    world.reopen()


def called_off(world):
    ending.call_off(world.evening("oldest"), reason=REASON, **world.when)


def one_for_another(world):
    """As many evenings as before, and as many changes of them all together."""
    ending.call_off(world.evening("middle"), reason=REASON, **world.when)
    world.read()
    before = world.evening("oldest").version
    ending.call_off(world.evening("oldest"), reason=REASON, **world.when)
    ending.take_up_again(world.evening("middle"), **world.when)
    Tournament.objects.filter(pk=world.middle.pk).update(version=before)


def merged(world):
    merge(world.person("anna"), world.person("again"), **world.when)


def erased(world):
    personal_data.erase(
        world.person("bo"), account=world.alice, today=date(2026, 11, 22), now=world.when["now"]
    )


def objected(world):
    anna = world.person("anna")
    anna.has_objected = True
    anna.save()


def shown_by_number(world):
    club = Club.objects.get(pk=world.club.pk)
    club.name_style = Club.NameStyle.NUMBER
    club.save()


# What each changes, of all that is asked.
OF_EVERYBODY = {
    "person", "head to head", "own explorer", "club's history", "club's history of the year", "club's records",
    "club's explorer", "union's history",
}  # fmt: skip
EVENTS = {
    corrected: OF_EVERYBODY - {"own explorer"} | {"rating", "own evening"},
    ruled: {"person", "head to head", "own evening"},
    penalised: {"person", "own evening"},
    reopened: {"person", "club's history"},
    called_off: OF_EVERYBODY | {"own evening", "clubs compared"},
    one_for_another: {"person", "club's history", "own evening"},
    merged: {"person", "rating", "newest evening"},
    erased: {"head to head", "rating"},
    objected: {"person", "head to head", "own explorer", "own evening"},
    shown_by_number: {"person", "head to head", "own explorer", "club's history", "own evening"},
}


@pytest.mark.slow
def test_every_page_says_at_once_what_it_would_say_if_nothing_were_kept(
    people, play, club, alice, client, django_capture_on_commit_callbacks, monkeypatch
):
    """The evenings are played once for all; what an event has done is taken back."""
    monkeypatch.setattr(ratings, "LEAST_TABLES", 1)
    world = World(people, play, club, alice, client)
    before = world.read()
    stale, unmoved = {}, {}
    for event, moved in EVENTS.items():
        cache.clear()
        assert world.read(KEPT) == {name: before[name] for name in KEPT}
        with transaction.atomic():
            with django_capture_on_commit_callbacks(execute=True):
                event(world)
            now = world.read()
            cache.clear()
            forget_everything()
            truth = world.read()
            transaction.set_rollback(True)
        stale[event.__name__] = [name for name in truth if now[name] != truth[name]]
        unmoved[event.__name__] = [name for name in moved if truth[name] == before[name]]
    nothing = {event.__name__: [] for event in EVENTS}
    assert stale == nothing
    assert unmoved == nothing
