"""The dry run of a union's list: 1,200 rows over 40 clubs, known, new, changed, moved and doubtful.

CPU seconds of one process, the median of five: reading and comparing, and with the page that shows it.
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import replace
from random import Random
from statistics import median

from tests.bench.stage import empty_folder, setup_django

CLUBS, ROWS, TIMES, SEED = 40, 1_200, 5, 31
FIRST = "Anna Bo Carl Dora Eva Finn Gerda Hans Ida Jens Karen Lars Mette Niels Orla Poul Rikke Søren Tove Ulla".split()
LAST = "Andersen Bang Christensen Dam Eriksen Friis Hansen Iversen Jensen Krogh Lund Madsen Nielsen Olsen".split()


def main() -> None:
    with empty_folder() as folder:
        setup_django(folder)
        _measure()


def _measure() -> None:
    from django.template.loader import render_to_string
    from django.utils import timezone

    from clubs.lists.choice import ListTable, guess
    from clubs.member_import import dry_run, run_context, store_chosen_rows
    from clubs.member_rows import UNION_FIELDS, as_members

    union, account, text = _union_and_list(Random(SEED))
    table = ListTable.read(text.encode(), UNION_FIELDS)
    file = replace(as_members(table, guess(table)), of_union=True)
    now = timezone.now()
    upload = store_chosen_rows(union, account, "union.csv", file, joined=now.date(), now=now)
    planning, with_page = [], []
    for _time in range(TIMES):
        begun = time.process_time()
        run = dry_run(upload)
        planning.append(time.process_time() - begun)
        html = render_to_string("clubs/import_dry_run.html#plan", run_context(upload, run))
        with_page.append(time.process_time() - begun)
    counts = Counter(str(line.kind.value) for line in run.plan.lines)
    print(f"{ROWS:,} rows, {CLUBS} clubs: {dict(sorted(counts.items()))}")
    print(
        f"dry run {median(planning):.2f} s, with its page of {len(html) / 1000:.0f} kB {median(with_page):.2f} s"
    )


def make_members(random: Random, clubs: int, members: int):
    """A union with so many clubs and their members: the union, its clubs, the players' primary keys."""
    from datetime import date

    from clubs.models import Membership, Player
    from tests.factories import affiliate, make_club

    union = make_club("Unionen")
    made = [make_club(f"Klub {place}") for place in range(clubs)]
    for club in made:
        affiliate(club, union)
    players = Player.objects.bulk_create(
        Player(name=_name(random), email=f"p{place}@example.dk") for place in range(members)
    )
    Membership.objects.bulk_create(
        Membership(player=player, club=made[place % clubs], number=place + 1, joined=date(2020, 1, 1))
        for place, player in enumerate(players)
    )
    return union, made, [player.pk for player in players]


def _name(random: Random) -> str:
    return f"{random.choice(FIRST)} {random.choice(FIRST)} {random.choice(LAST)}"


def _union_and_list(random: Random) -> tuple[object, object, str]:
    """A union whose clubs have three quarters of the list's people, some of them in another club than it says."""
    from datetime import date

    from clubs.models import Account, Club, Membership, Player
    from tests.factories import affiliate, make_club

    union = make_club("Unionen")
    account = Account.objects.create_user("ulla")
    clubs = [make_club(f"Klub {place}") for place in range(CLUBS)]
    for club in clubs:
        affiliate(club, union)
    lines = ["Navn;Klub;Nr;Mail;Telefon;Indmeldt"]
    players, memberships = [], []
    for place in range(ROWS):
        name = _name(random)
        club = clubs[place % CLUBS]
        email, phone = f"p{place}@example.dk", f"{20_000_000 + place}"
        joined = f"{1 + place % 28}.{1 + place % 12}.{1990 + place % 30}"
        fate = place % 20
        if fate < 15:
            known = Player(name=name, email=email, phone=phone)
            players.append(known)
            of: Club = clubs[(place + 7) % CLUBS] if fate == 0 else club
            day, month, year = map(int, joined.split("."))
            memberships.append(
                Membership(player=known, club=of, number=place + 1, joined=date(year, month, day))
            )
        if fate == 0:
            joined = ""
        if fate == 1:
            phone = f"{30_000_000 + place}"
        written = "Ukendt klub" if fate == 19 else club.name
        lines.append(f"{name};{written};{place + 1};{email};{phone};{joined}")
    Player.objects.bulk_create(players)
    Membership.objects.bulk_create(memberships)
    return union, account, "\n".join(lines) + "\n"
