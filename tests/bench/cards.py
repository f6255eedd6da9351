"""What drawing seat cards costs; how many on photographs are certain, how many of those are wrong, what reading costs.

Photographs are made from the real PDF (`tests.photographs`) of fourteen hands at three levels, ten cards whole and six
cut apart in turns, by seeds that no number was fitted on. `CARDS_PHOTOGRAPHS` says how many, `CARDS_SEED` from which
seed on. Where a reading asks whether somebody fills the boxes that are meant, that is answered, and the photograph read
once more. A card is certain where both of its boxes are. What is wrong is printed with its seed.
"""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING

from tests.bench.stage import empty_folder, python

if TYPE_CHECKING:
    from tournaments.models import Tournament
    from tournaments.reporting.reader.cards import Cards

PEOPLE, PHOTOGRAPHS, HELD_BACK = 100, 42, 600_000
DRAWN = (20, 110, 1000)
# How often somebody is here, has paid, and has cancelled a tick by filling its box.
HERE_TICKED, PAID_TICKED, CANCELLED = 0.7, 0.5, 0.04
BY = "http://192.168.1.24:8000"


class Tally:
    """Cards that lay there: certain ones, certain and wrong ones, asked ones, those told of as not readable."""

    def __init__(self) -> None:
        self.cards = self.certain = self.wrong = self.asked = self.told = self.silent = 0

    def said(self) -> str:
        share = 100 * self.certain / max(self.cards, 1)
        return (
            f"{self.cards:5} cards, {share:5.1f} % certain, {self.wrong} certain and wrong, {self.asked} asked,"
            f" {self.told} told of, {self.silent} neither"
        )


def count(tallies: list[Tally], read: Cards | None, meant: dict[int, tuple[bool, bool]]) -> list[int]:
    """Count a photograph's cards; the numbers of those that are certain and wrong."""
    found = {person.number: person for person in read.people} if read else {}
    unread = [name.table for name in (*read.covered, *read.small)] if read else []
    # Whose code cannot be read is told by how many there are; a photograph without a card, as a whole.
    nameless = read.unnamed if read else len(meant)
    wrong = []
    for number, true in meant.items():
        person = found.get(number)
        certain = person is not None and None not in {person.here, person.paid}
        is_wrong = person is not None and any(
            read_as not in {None, said}
            for read_as, said in zip((person.here, person.paid), true, strict=True)
        )
        is_told = person is None and (number in unread or nameless > 0)
        nameless -= person is None and number not in unread
        for tally in tallies:
            tally.cards += 1
            tally.certain += certain
            tally.wrong += is_wrong
            tally.asked += person is not None and not certain
            tally.told += is_told
            tally.silent += person is None and not is_told
        if is_wrong:
            wrong.append(number)
    return wrong


def render() -> None:
    """In a process of its own, on a database of its own: print the figures."""
    import cv2
    import django

    django.setup()
    from django.core.management import call_command

    call_command("prepare", verbosity=0)
    cv2.setNumThreads(1)
    _draw()
    _read()


def _entered(people: int) -> Tournament:
    """An evening with a fee, for so many of a club's."""
    from tests.factories import make_account, make_club, make_tournament

    club = make_club(f"Club of {people}")
    account = make_account(f"organiser of {people}", club)
    return make_tournament(people, club=club, account=account, drawn=False, entry_fee=50)


def _printed(tournament: Tournament) -> bytes:
    from django.utils import timezone

    from core.pdf.files import pdf_of
    from tournaments.paper.door import card_pages

    return pdf_of(card_pages(tournament, base_url=BY, printed_at=timezone.localtime()), "Seat cards")


def _draw() -> None:
    """What drawing the cards of so many players costs."""
    _printed(_entered(4))  # what a process makes once
    for people in DRAWN:
        tournament = _entered(people)
        begun = time.process_time()
        made = _printed(tournament)
        took = time.process_time() - begun
        print(
            f"drawing {people} cards: {took:.2f} s of CPU, {1000 * took / people:.0f} ms each,"
            f" {len(made) / 1000:.0f} kB"
        )


def _read() -> None:
    import numpy as np

    from tests.photographs.camera import LEVELS, photographed
    from tests.photographs.cards import ON_CLOTH, VOID, laid_out, ticked_cards
    from tests.photographs.hands import HANDS
    from tests.photographs.made import page_of
    from tournaments.paper.door import A_PAGE
    from tournaments.reporting.reader.cards import read_cards
    from tournaments.reporting.reader.results import HERE, PAID, card_layout

    tournament = _entered(PEOPLE)
    pdf, layout = _printed(tournament), card_layout(fee=True)
    numbers = list(
        tournament.entries.order_by("player__sorted_as", "number").values_list("number", flat=True)
    )
    printed = [page_of(pdf, page) for page in range(1, PEOPLE // A_PAGE + 1)]
    tallies: dict[str, Tally] = {}
    took: list[float] = []
    questions = 0
    hands, levels, first = list(HANDS), list(LEVELS), int(os.environ.get("CARDS_SEED", HELD_BACK))
    photographs = int(os.environ.get("CARDS_PHOTOGRAPHS", PHOTOGRAPHS))
    for nth in range(photographs):
        hand, level = hands[nth % len(hands)], levels[nth // len(hands) % len(levels)]
        # Each hand meets both ways of lying at each level, one after the other.
        apart = (nth + nth // (len(hands) * len(levels))) % 2 == 1
        random = np.random.default_rng(first + nth)
        page = int(random.integers(len(printed)))
        lying = numbers[page * A_PAGE : page * A_PAGE + (ON_CLOTH if apart else A_PAGE)]
        chosen: list[dict[str, str]] = []
        for _number in lying:
            ticks = {
                key: key
                for key, share in ((HERE, HERE_TICKED), (PAID, PAID_TICKED))
                if random.random() < share
            }
            # Who fills what is meant cancels nothing by filling.
            chosen.append(
                {
                    key: VOID if random.random() < CANCELLED and hand != "filler" else value
                    for key, value in ticks.items()
                }
            )
        drawn = ticked_cards(printed[page], chosen, HANDS[hand], random)
        picture = photographed(laid_out(drawn, len(lying), random) if apart else drawn, LEVELS[level], random)
        begun = time.process_time()
        read = read_cards(picture, lambda _name: layout)
        took.append(time.process_time() - begun)
        if read and read.fills:
            questions += 1
            read = read_cards(picture, lambda _name: layout, fills=hand == "filler")
        meant = {
            number: (ticks.get(HERE) == HERE, ticks.get(PAID) == PAID)
            for number, ticks in zip(lying, chosen, strict=True)
        }
        about = ["all", f"level {level}", f"hand {hand}", "cut apart" if apart else "whole page"]
        for number in count([tallies.setdefault(one, Tally()) for one in about], read, meant):
            print(f"WRONG seed {first + nth} {hand} {level} no. {number}: {meant[number]}", file=sys.stderr)
        if nth % 14 == 13:
            print(f"… {nth + 1} photographs: {tallies['all'].said()}", file=sys.stderr, flush=True)
    for one, tally in sorted(tallies.items()):
        print(f"{one:20} {tally.said()}")
    took.sort()
    print(f"asked whether ticks are filled: {questions} of {photographs} photographs")
    print(f"reading: {took[len(took) // 2]:.2f} s of CPU a photograph, {took[-1]:.2f} at most")


def main() -> None:
    with empty_folder() as folder:
        made = python("-m", "tests.bench.cards", folder=folder, DJANGO_SETTINGS_MODULE="config.settings")
    print(made.stdout, end="")


if __name__ == "__main__":
    render()
