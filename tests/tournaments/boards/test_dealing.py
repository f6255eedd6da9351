"""Boards are dealt by a shuffle that anyone can repeat."""

import json
from collections import Counter
from hashlib import sha256

import pytest
from django.core.management import CommandError, call_command

from scoring.cards import FULL_PACK
from scoring.seats import Role
from tournaments.boards.dealing import deal_folder, fingerprint

SEED = "skovby 2026"


def by_the_recipe(seed, number):
    """The recipe of `dealing.py` once more, as somebody else would write it."""
    pack = [suit + rank for suit in "SHDC" for rank in "KQJ765432A"]
    numbers = []
    for block in range(50):
        digest = sha256(f"{seed}/{number}/{block}".encode()).hexdigest()
        numbers += [int(digest[at : at + 8], 16) for at in range(0, 64, 8)]
    numbers.reverse()
    for i in reversed(range(1, 40)):
        n = numbers.pop()
        while n >= 4294967296 - 4294967296 % (i + 1):
            n = numbers.pop()
        pack[i], pack[n % (i + 1)] = pack[n % (i + 1)], pack[i]
    return pack


def test_the_written_example():
    folder = deal_folder(SEED, 17)
    assert [" ".join(hand) for hand in folder.hands] == [
        "S3 CJ C4 DQ HQ CK HK S6 H3",
        "S5 SJ D7 H5 D4 CQ S4 SK H7",
        "C6 CA D6 D3 DK HA DJ C7 D2",
    ]
    assert " ".join(folder.talon) == "H2 H4 SQ SA DA HJ H6 S7 C3 S2 D5 C2 C5"
    assert fingerprint(SEED) == "be4c4aa1796ed4294bd862900904fea01c0a1a61b29d21905644526d3c253172"


@pytest.mark.parametrize("number", [1, 2, 17, 40, 80])
def test_another_program_deals_the_same(number):
    folder = deal_folder(SEED, number)
    assert [card for hand in (*folder.hands, folder.talon) for card in hand] == by_the_recipe(SEED, number)


def test_every_folder_is_the_whole_pack_in_nines_and_thirteen():
    for number in range(1, 81):
        folder = deal_folder(SEED, number)
        assert [len(hand) for hand in (*folder.hands, folder.talon)] == [9, 9, 9, 13]
        assert Counter(card for hand in (*folder.hands, folder.talon) for card in hand) == Counter(FULL_PACK)


def test_seeds_and_folders_have_cards_of_their_own():
    talons = {deal_folder(seed, number).talon for seed in ("a", "b", "A") for number in range(1, 41)}
    assert len(talons) == 120


def test_every_card_lies_everywhere_equally_often():
    """40 cards in 4 heaps over 4,000 folders; 3 x 39 degrees of freedom: over 190 once in 100,000 seeds."""
    heaps = Counter()
    for number in range(1, 4001):
        folder = deal_folder("evenly", number)
        for heap, cards in enumerate((*folder.hands, folder.talon)):
            heaps.update((heap, card) for card in cards)
    expected = [900, 900, 900, 1300]
    squared = sum(
        (heaps[heap, card] - expected[heap]) ** 2 / expected[heap] for heap in range(4) for card in FULL_PACK
    )
    assert 60 < squared < 190


def test_the_hand_of_a_role():
    folder = deal_folder(SEED, 1)
    assert [folder.hand(role) for role in (Role.FH, Role.MH, Role.BH)] == list(folder.hands)
    with pytest.raises(ValueError, match="not in tuple"):
        folder.hand(Role.IDLE)


def test_the_command_deals_a_set_again_from_its_seed(capsys):
    call_command("boards", seed=SEED, folders=17, json=True)
    told = json.loads(capsys.readouterr().out)
    assert told["fingerprint"] == fingerprint(SEED)
    last = told["folders"][-1]
    assert last["folder"] == 17
    assert [*last["FH"], *last["MH"], *last["BH"], *last["talon"]] == by_the_recipe(SEED, 17)
    call_command("boards", seed=SEED, folders=17)
    assert f"  talon {' '.join(last['talon'])}" in capsys.readouterr().out
    with pytest.raises(CommandError, match="1 to 1000"):
        call_command("boards", folders=0)
