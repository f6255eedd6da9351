"""A merge of two people is a record: within 60 days it is undone, and everything is where it was."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.utils import timezone

from clubs.mail.kinds import set_consent
from clubs.models import Account, ClubLogEntry, MainClub, Membership, Player, Transfer, UnionNumber
from core.errors import NotPossible
from tests.clubs.test_two_at_once import posted_at_once
from tests.evenings import make_evening, play_evening
from tests.factories import affiliate, make_club, make_player, make_tournament
from tests.tournaments.entries.merged import rows_of_people
from tournaments.changes.register import register_differences
from tournaments.entries import entering
from tournaments.entries.merging import forget_merges, keep_apart, merge, undo_merge
from tournaments.entries.personal_data import erase, known_of
from tournaments.exports.verify.derived import kept_differences
from tournaments.exports.verify.recount import differences
from tournaments.models import (
    Application,
    Award,
    Entry,
    LogEntry,
    MergedPlayer,
    OldEvent,
    OldPlace,
    PlayerMerge,
    Season,
    Tournament,
    TwoPeople,
)
from tournaments.models.people import UNDONE_WITHIN
from tournaments.seasons.ratings import ratings, update_ratings

pytestmark = pytest.mark.databases


@pytest.fixture
def now():
    return timezone.now()


@pytest.fixture
def union(club):
    union = make_club("Fyns Forbund")
    for one in (club, make_club("Viby")):
        affiliate(one, union)
    return union


@pytest.fixture
def viby(union):
    return union.clubs.get(name="Viby")


def enter(tournament, player):
    return entering.enter(tournament, player, club=None, account=None, now=timezone.now())


@pytest.fixture
def two(club, viby, union, alice, now):
    """Anna of Stilling, and the same Anna as Viby knows her, with something of everything that a person may have."""
    anna, anne = make_player("Anna Holm", club, 1), make_player("Anne Holm", viby, 1)
    Player.objects.filter(pk=anne.pk).update(
        email="anna@example.org", phone="20 30 40 50", language="da", birth_year=1950
    )
    anna.refresh_from_db()
    anne.refresh_from_db()
    Membership.objects.create(player=anna, club=union, joined=date(2022, 1, 1))
    Membership.objects.create(player=anne, club=union, number=7, joined=date(2021, 1, 1))
    set_consent(anne, ["result"], now=now)
    for number, player in enumerate((anna, anne), start=1):
        tournament = make_tournament(0, club=club, drawn=False, name=f"Aften {number}")
        enter(tournament, player)
        asked = {
            "key_hash": f"{number}" * 64,
            "state": "waiting",
            "asked_at": now,
            "name": player.name,
            "typed": player.name,
        }
        other = make_tournament(0, club=club, drawn=False, name=f"Turnering {number}")
        Application.objects.create(tournament=other, number=1, player=player, **asked)
        UnionNumber.objects.create(player=player, union=union, number=number)
    season = Season.objects.create(
        host=club, name="2026", starts=date(2026, 1, 1), ends=date(2026, 12, 31), rule="average"
    )
    Award.objects.create(season=season, title="Årets ombre", player=anne)
    event = OldEvent.objects.create(
        host=club, kind="title", name="DM", year=1999, entered_at=now, entered_by="alice"
    )
    OldPlace.objects.create(event=event, place=1, name="Anne Holm", player=anne)
    MainClub.objects.create(player=anne, club=viby, day=date(2026, 1, 1), chosen_by="alice", chosen_at=now)
    for player, origin in ((anna, club), (anne, viby)):
        asked = {"day": date(2026, 9, 1), "asked_by": "alice", "asked_at": now}
        Transfer.objects.create(player=player, origin=origin, club=union, **asked)
    return anna, anne


@pytest.fixture
def by(alice, now):
    """The program's owner: what a union's organiser may do is tried on the page."""
    alice.is_superuser = True
    alice.save()
    return {"account": alice, "now": now}


def wrong():
    found = [str(one) for tournament in Tournament.objects.all() for one in differences(tournament)]
    return [*found, *register_differences()]


def test_everything_is_where_it_was(two, by):
    before = rows_of_people()
    anna, anne = two
    merged = merge(anna, anne, **by)
    assert not Player.objects.filter(pk=anne.pk).exists()
    assert rows_of_people() != before
    assert undo_merge(merged, **by) == []
    assert rows_of_people() == before
    assert wrong() == []
    assert not MergedPlayer.objects.exists()


def test_everything_is_where_it_was_whichever_of_the_two_was_kept(two, by):
    before = rows_of_people()
    anna, anne = two
    assert undo_merge(merge(anne, anna, **by), **by) == []
    assert rows_of_people() == before
    assert wrong() == []


def test_both_clubs_and_the_evenings_see_it_in_their_logs(two, club, viby, union, by):
    merged = merge(*two, desk=union, **by)
    undo_merge(merged, **by)
    for text in (
        "{other} was {member}, listed twice: now one person",
        "{other} and {member} are two people again",
    ):
        logs = ClubLogEntry.objects.filter(text=text)
        assert set(logs.values_list("club__name", flat=True)) == {"Stilling", "Viby", "Fyns Forbund"}
    assert LogEntry.objects.filter(text__contains="again, not").get().tournament.name == "Aften 2"


def test_what_came_since_stays_with_who_remains_and_is_told_of(two, club, by):
    anna, anne = two
    merged = merge(anna, anne, **by)
    enter(make_tournament(0, club=club, drawn=False, name="Efter"), anna)
    assert undo_merge(merged, **by) == ["Efter has been entered since, and stays with Anna Holm."]
    assert sorted(anna.entries.values_list("tournament__name", flat=True)) == ["Aften 1", "Efter"]
    assert anne.entries.get().tournament.name == "Aften 2"


def test_what_was_changed_since_stays_as_it_is_and_is_told_of(two, viby, union, by):
    anna, anne = two
    merged = merge(anna, anne, **by)
    Player.objects.filter(pk=anna.pk).update(email="new@example.org")
    Membership.objects.filter(club=union, player=anna).update(number=70)
    make_player("Bo", union, 7)
    UnionNumber.objects.create(player=Player.objects.get(name="Bo"), union=union, number=2)
    Award.objects.all().delete()
    left = undo_merge(merged, **by)
    assert sorted(left) == [
        "Number 2 in Fyns Forbund now belongs to someone else.",
        "The email, phone or language of Anna Holm has been changed since.",
        "The membership (Anna Holm (Fyns Forbund)) has been changed since.",
        "The number in Fyns Forbund now belongs to someone else.",
        "The title has been removed since.",
    ]
    anna.refresh_from_db()
    assert (anna.email, anna.phone) == ("new@example.org", "")
    assert anne.memberships.get(club=union).number is None
    assert wrong() == []


@pytest.mark.parametrize(
    ("before", "objects_joined", "after"),
    [
        ((False, False), False, (False, False)),
        ((True, False), False, (True, False)),
        ((False, True), False, (False, True)),
        ((False, False), True, (True, True)),
    ],
)
def test_an_objection_after_the_merge_is_of_both(two, by, before, objects_joined, after):
    for player, objects in zip(two, before, strict=True):
        Player.objects.filter(pk=player.pk).update(has_objected=objects)
    merged = merge(*two, **by)
    if objects_joined:
        Player.objects.filter(pk=two[0].pk).update(has_objected=True)
    assert undo_merge(merged, **by) == []
    assert tuple(Player.objects.get(pk=player.pk).has_objected for player in two) == after


@pytest.mark.parametrize("joins_again", [False, True])
def test_a_membership_that_comes_back_though_it_was_ended_since_is_told_of(two, union, by, joins_again):
    anna, anne = two
    merged = merge(anna, anne, **by)
    anna.memberships.filter(club=union).update(left=date(2026, 11, 1))
    if joins_again:
        Membership.objects.create(player=anna, club=union, joined=date(2026, 11, 20))
    told = ["Anne Holm is a member of Fyns Forbund again, although the membership was ended after the merge."]
    assert undo_merge(merged, **by) == ([] if joins_again else told)
    assert anne.memberships.get(club=union).left is None


@pytest.mark.parametrize(("topics", "back"), [([], []), (["result"], ["result"])])
def test_an_agreement_taken_back_since_does_not_come_back(two, by, now, topics, back):
    anna, anne = two
    merged = merge(anna, anne, **by)
    set_consent(anna, topics, now=now)
    assert undo_merge(merged, **by) == []
    assert list(anne.agreements.values_list("topic", flat=True)) == back
    assert not anna.agreements.exists()


def test_it_is_undone_once(two, by):
    merged = merge(*two, **by)
    undo_merge(merged, **by)
    with pytest.raises(NotPossible, match="Alice undid this on"):
        undo_merge(merged, **by)
    assert PlayerMerge.objects.get().moved == {}


def test_who_was_joined_with_a_third_since_is_first_taken_apart_from_them(two, club, by):
    before = rows_of_people()
    anna, anne = two
    third = make_player("Anna H. Holm")
    with_third = rows_of_people()
    first = merge(anna, anne, **by)
    second = merge(third, anna, **by)
    with pytest.raises(
        NotPossible, match=r"Anna Holm has since been merged with Anna H\. Holm: undo that first"
    ):
        undo_merge(first, **by)
    assert (undo_merge(second, **by), undo_merge(first, **by)) == ([], [])
    assert rows_of_people() == with_third != before
    assert wrong() == []


def test_after_sixty_days_it_says_why_not_and_what_moved_is_forgotten(two, by, now):
    merged = merge(*two, **by)
    last = now + UNDONE_WITHIN
    forget_merges(last)
    assert PlayerMerge.objects.get().moved != {}
    with pytest.raises(NotPossible, match="more than 60 days ago"):
        undo_merge(merged, account=by["account"], now=last + timedelta(seconds=1))
    forget_merges(last + timedelta(seconds=1))
    assert PlayerMerge.objects.get().moved == {}
    assert wrong() == []


def test_on_the_last_day_it_is_undone(two, by, now):
    before = rows_of_people()
    left = undo_merge(merge(*two, **by), account=by["account"], now=now + UNDONE_WITHIN)
    assert left == ["The transfer to Fyns Forbund is withdrawn: ask again."]
    after = rows_of_people()
    changed = {name for name in after if after[name] != before[name]}
    assert changed == {"clubs.Transfer"}  # a question that nobody could answer is withdrawn
    assert list(Transfer.objects.values_list("player", "state")) == [
        (two[1].pk, "withdrawn"),
        (two[0].pk, "asked"),
    ]


def test_who_is_erased_is_forgotten_under_both_names_and_stays_so(two, by):
    anna, anne = two
    merged = merge(anna, anne, **by)
    assert [one["name"] for one in known_of(anna)["joined_with"]] == ["Anne Holm"]
    Transfer.objects.all().delete()
    Application.objects.all().delete()
    erase(anna, today=timezone.localdate(), **by)
    with pytest.raises(NotPossible, match="erased since"):
        undo_merge(merged, **by)
    for rows in rows_of_people().values():
        assert "Holm" not in str(rows)
    for model in (ClubLogEntry, LogEntry, PlayerMerge):
        assert "Holm" not in str(list(model.objects.values()))
    assert wrong() == []


def test_erasing_who_was_taken_apart_again_erases_nobody_else(two, by):
    anna, anne = two
    undo_merge(merge(anna, anne, **by), **by)
    assert [one["name"] for one in known_of(anne)["joined_with"]] == ["Anne Holm"]
    assert known_of(anna)["joined_with"] == []
    erase(anna, today=timezone.localdate(), **by)
    assert PlayerMerge.objects.get().name == "Anne Holm"
    assert LogEntry.objects.get(text__contains="again, not").params["name"] == "Anne Holm"
    erase(anne, today=timezone.localdate(), **by)
    assert PlayerMerge.objects.get().name == ""


@pytest.mark.parametrize("erased", [0, 1])
def test_an_erased_name_is_also_taken_out_of_the_lines_that_a_merge_wrote_at_the_others(
    two, union, by, erased
):
    undo_merge(merge(*two, desk=union, **by), **by)
    namesake = make_player(two[erased].name, union.clubs.get(name="Viby"), 40)
    enter(two[1 - erased].entries.get().tournament, namesake)
    name, other = two[erased].name, two[1 - erased].name
    erase(two[erased], today=timezone.localdate(), **by)
    for model in (LogEntry, ClubLogEntry):
        joined = [
            line for line in model.objects.all() if "listed twice" in line.text or " again" in line.text
        ]
        assert len(joined) > 1
        assert [line for line in joined if name in line.params.values()] == []
        assert all(other in line.params.values() for line in joined)
    # Other lines of the other one's evening are about somebody else.
    assert LogEntry.objects.filter(text__contains="entered as", params__player=name).count() == 1
    # The evenings that the merge moved are Anne's.
    erased_lines = LogEntry.objects.filter(text="Erased a name in earlier lines of the log")
    assert erased_lines.count() == (1 if erased == 0 else 0)
    assert wrong() == []


def test_who_is_two_people_with_one_of_two_is_so_with_who_remains(two, club, by):
    anna, anne = two
    for name, known in (("Karen", [anne]), ("Bo", [anna, anne])):
        other = make_player(name, club)
        for one in known:
            keep_apart(one, other, desk=club, **by)
    keep_apart(anna, anne, desk=club, **by)
    before = rows_of_people()
    merged = merge(anna, anne, **by)
    apart = TwoPeople.objects.values_list("one__name", "other__name", "said_by")
    assert sorted(apart) == [("Anna Holm", "Bo", "Alice"), ("Anna Holm", "Karen", "Alice")]
    assert undo_merge(merged, **by) == []
    assert rows_of_people() == before


def test_nobody_is_taken_apart_at_the_table(two, by):
    merged = merge(*two, **by)
    running = make_tournament(4, 1, club=make_club("Klub"))
    Entry.objects.filter(tournament=running, number=1).update(player=two[0])
    with pytest.raises(NotPossible, match="is playing in"):
        undo_merge(merged, **by)


@pytest.mark.parametrize("looks_between", [True, False])
def test_ratings_and_pages_over_the_years_are_of_two_people_again(
    client, club, viby, union, by, looks_between
):
    anna, anne = make_player("Anna Holm", club, 1), make_player("Anne Holm", viby, 1)
    for day, player in enumerate((anna, anne), start=1):
        others = [make_player(f"Spiller {day}{number}", club, 10 * day + number) for number in range(3)]
        evening = make_evening(
            [player, *others], club, by["account"], date=date(2026, 9, day), deals_per_round=4
        )
        play_evening(evening, by["account"], seed=day)

    def rated():
        update_ratings(union)
        pages = [client.get(f"/person/{player.pk}/").status_code for player in (anna, anne)]
        return ratings(union), pages, wrong(), list(kept_differences())

    before = rated()
    assert (before[0].keys() >= {anna.pk, anne.pk}, before[1]) == (True, [200, 200])
    merged = merge(anna, anne, **by)
    if looks_between:
        joined = rated()
        assert (anne.pk in joined[0], joined[1]) == (False, [200, 301])
        assert joined[0][anna.pk] != before[0][anna.pk]
        assert joined[2:] == ([], [])
    assert undo_merge(merged, **by) == []
    assert wrong() == []
    assert rated() == before
    assert before[2:] == ([], [])


@pytest.mark.django_db(transaction=True)
def test_what_belongs_to_something_removed_since_does_not_come_back(club):
    by = {"account": Account.objects.create_user("owner", is_superuser=True), "now": timezone.now()}
    anna, anne, third, fourth = (make_player(f"Anna {one}", club) for one in "ABCD")
    gone = make_club("Odense")
    for number, player in enumerate((anna, anne), start=1):
        UnionNumber.objects.create(player=player, union=gone, number=number)
    keep_apart(anne, third, desk=club, **by)
    merged = merge(anna, anne, **by)
    merge(fourth, third, **by)
    ClubLogEntry.objects.filter(club=gone).delete()
    gone.delete()
    assert undo_merge(merged, **by) == [
        "A detail cannot come back: what it belongs to has been removed since."
    ]
    assert sorted(Player.objects.values_list("name", flat=True)) == ["Anna A", "Anna B", "Anna D"]
    assert not UnionNumber.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_of_two_who_undo_or_join_at_once_one_does_and_the_other_is_told(club):
    union = make_club("Fyns Forbund")
    affiliate(club, union)
    owner = Account.objects.create_user("owner", is_superuser=True)
    one, other = make_player("Anna Holm", club, 1), make_player("Anna Holm", club, 2)
    doubles = "/clubs/fyns-forbund/doubles/"
    pairs = [f"{doubles}{one.pk}/{other.pk}/", f"{doubles}{other.pk}/{one.pk}/"] * 2
    answers = posted_at_once(owner, *[(page, {}) for page in pairs])
    assert {answer.status_code for answer in answers} == {302}
    merged = PlayerMerge.objects.get()
    answers = posted_at_once(owner, *[(f"{doubles}undo/{merged.pk}/", {})] * 3)
    assert {answer.status_code for answer in answers} == {302}
    assert Player.objects.filter(name="Anna Holm").count() == 2
    assert (
        ClubLogEntry.objects.filter(text="{other} and {member} are two people again", club=club).count() == 1
    )
