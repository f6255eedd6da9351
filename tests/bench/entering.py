"""Two hundred members say yes by their links at the same moment, and there are 64 places.

On SQLite with one server, then on PostgreSQL with two processes: how many are in, whether anybody is in twice or has
overtaken, seconds of a core for each, and how long the slowest waited (on a machine that does nothing else).
"""

from __future__ import annotations

import json
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from urllib.parse import urlencode
from urllib.request import HTTPRedirectHandler, Request, build_opener

from tests import services
from tests.bench.stage import cpu_seconds, empty_folder, python, running

MEMBERS, PLACES = 200, 64

EVENING = f"""
import django; django.setup()
import json
from datetime import date, timedelta
from django.core.management import call_command
call_command("prepare", verbosity=0)
from django.utils import timezone
from clubs.models import Membership, Player
from tests.factories import make_tournament, player_name
from tournaments.lifecycle.registration import decisions as deciding
from tournaments.models.base import FromHome
now = timezone.now()
day = timezone.localdate() + timedelta(days=7)
tournament = make_tournament(0, date=day, entering=FromHome(is_on=True, places={PLACES}).to_json())
club, keys = tournament.host, []
account = club.roles.get().account
for index in range({MEMBERS}):
    player = Player.objects.create(name=f"{{player_name(index)}} {{index}}")
    Membership.objects.create(player=player, club=club, number=index + 1, joined=date(2020, 1, 1))
    keys.append(deciding.invite(tournament, player, club, account=account, now=now)[1])
print(json.dumps([tournament.code, *keys]))
"""
FOUND = """
import django; django.setup()
import json
from tournaments.exports.verify.recount import differences
from tournaments.models import Application, Entry, Tournament
tournament = Tournament.objects.get()
turns = list(Application.objects.order_by("turn").values_list("state", flat=True))
entries = list(Entry.objects.order_by("number").values_list("player", flat=True))
in_order = list(Application.objects.filter(state="entered").order_by("turn").values_list("player", flat=True))
print(json.dumps([turns, entries, in_order, list(map(str, differences(tournament)))]))
"""


class Stays(HTTPRedirectHandler):
    """An answer that leads on is the answer."""

    def redirect_request(self, *_told: object) -> None:
        return None


def say_yes(address: str, together: Barrier) -> tuple[int, float]:
    """Status, and seconds it took."""
    token = "a" * 32
    body = urlencode({"do": "yes", "csrfmiddlewaretoken": token}).encode()
    asked = Request(address, body, {"Cookie": f"csrftoken={token}"})  # noqa: S310 - our own server
    together.wait()
    begun = time.perf_counter()
    try:
        status = int(build_opener(Stays).open(asked, timeout=120).status)
    except OSError as error:
        status = getattr(error, "code", 0)
    return status, time.perf_counter() - begun


def measure(name: str, folder: str, **environment: str) -> None:
    settings = environment | {"DJANGO_SETTINGS_MODULE": "config.settings"}
    made = python("-c", EVENING, folder=folder, **settings)
    code, *keys = json.loads(made.stdout.splitlines()[-1])
    together = Barrier(MEMBERS)
    with running(folder, **environment) as (address, process), ThreadPoolExecutor(MEMBERS) as pool:
        before = cpu_seconds(process)
        answers = list(pool.map(lambda key: say_yes(f"{address}/t/{code}/entry/{key}/", together), keys))
        spent = cpu_seconds(process) - before
    found = python("-c", FOUND, folder=folder, **settings)
    turns, entries, in_order, differ = json.loads(found.stdout.splitlines()[-1])
    kept = turns == sorted(turns, key=lambda state: state != "entered") and entries == in_order
    print(
        f"{name}: {Counter(status for status, _took in answers)} answers; {len(entries)} in, "
        f"{len(entries) - len(set(entries))} twice, {turns.count('waiting')} wait, "
        f"order {'kept' if kept else 'BROKEN'}, {len(differ)} differences; "
        f"{1000 * spent / MEMBERS:.1f} ms of a core each, the slowest after "
        f"{max(took for _status, took in answers):.1f} s"
    )


def main() -> None:
    with empty_folder() as folder:
        measure("SQLite", folder)
    with services.both(durable=True) as where, empty_folder() as folder:
        measure("PostgreSQL", folder, **where)
