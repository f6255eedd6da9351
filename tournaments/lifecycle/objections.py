"""Objections as records: made by a team's link or at the desk, withdrawn by who made them, decided by the desk."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from clubs.letter_models import OF_ORGANISERS, Topic
from clubs.mail.kinds import LetterKind, LetterObsolete
from clubs.mail.outbox import Addressed, enqueue_letters
from clubs.models import Club
from clubs.register import enqueue_for_organisers
from core.errors import NotPossible, clean_reason
from core.log_messages import author_name
from core.text import clean_text
from tournaments.changes.locks import locked
from tournaments.changes.log import write_down
from tournaments.lifecycle.ending import leave_time_after_a_correction
from tournaments.models import Entry, Objection, Table, Team
from tournaments.models.leagues import LONGEST_WORDS

if TYPE_CHECKING:
    from datetime import datetime

    from clubs.models import Account, Letter
    from tournaments.models import Tournament

# Open objections of one team, player or club; all of theirs; and all of a tournament.
MOST_OPEN, MOST_OF_ONE, MOST_OF_TOURNAMENT = 5, 30, 500


@dataclass(frozen=True)
class Subject:
    """The subject of an objection, with the numbers of the round, the table and the deal."""

    about: str
    round_number: int | None = None
    table_number: int | None = None
    deal_number: int | None = None


@transaction.atomic
def make_objection(
    tournament: Tournament,
    who: Team | Entry | Club,
    subject: Subject,
    *,
    words: str,
    account: Account | None,
    now: datetime,
) -> Objection:
    """Store an objection; the same one sent twice is stored once.

    Raises NotPossible at `words`, `round_number`, `table_number` or `deal_number`, and once the standings are final.
    """
    tournament = locked(tournament)
    if why := why_not_object(tournament):
        raise NotPossible(why)
    words = clean_text(words)
    if not words:
        raise NotPossible(_("Say what is wrong, in a few words."), "words")
    if len(words) > LONGEST_WORDS:
        raise NotPossible(_("Use at most %(most)d characters.") % {"most": LONGEST_WORDS}, "words")
    _refuse_subject(tournament, subject)
    by: dict[str, Any] = {"team": None, "entry": None, "club": None}
    by["team" if isinstance(who, Team) else "entry" if isinstance(who, Entry) else "club"] = who
    every = tournament.objections.filter(**by)
    own = every.filter(state=Objection.State.OPEN)
    if same := own.filter(words=words, **vars(subject)).first():
        return same
    if own.count() >= MOST_OPEN:
        raise NotPossible(_("There are open objections already: wait until they are decided."))
    if every.count() >= MOST_OF_ONE or tournament.objections.count() >= MOST_OF_TOURNAMENT:
        raise NotPossible(_("There have been too many objections: ask the organiser."))
    last = tournament.objections.aggregate(last=Max("number"))["last"] or 0
    made = Objection.objects.create(
        tournament=tournament,
        number=last + 1,
        words=words,
        made_by=author_name(account),
        made_at=now,
        **by,
        **vars(subject),
    )
    _write(made, gettext_noop("Objection {number} by {who}: {words}"), account, now, words=words)
    return made


def why_not_object(tournament: Tournament) -> str:
    """Why no objection can be made, in words; "" where it can."""
    if tournament.is_called_off:
        return _("The tournament is over.")
    if tournament.is_finished:
        return _("The standings are final: no more objections can be made.")
    return ""


def _refuse_subject(tournament: Tournament, subject: Subject) -> None:
    kinds = Objection.About
    if subject.round_number is None and subject.about != kinds.STANDINGS:
        raise NotPossible(_("Choose the round."), "round_number")
    if subject.round_number and not tournament.rounds.filter(number=subject.round_number).exists():
        raise NotPossible(_("There is no such round."), "round_number")
    if subject.about == kinds.DEAL and subject.table_number is None:
        raise NotPossible(_("Type the number of the table."), "table_number")
    if subject.about == kinds.DEAL and subject.deal_number is None:
        raise NotPossible(_("Type the number of the deal."), "deal_number")
    if subject.table_number is None:
        return
    of_round = {"round__tournament": tournament, "round__number": subject.round_number}
    table = Table.objects.filter(number=subject.table_number, **of_round).first()
    if table is None:
        raise NotPossible(_("There is no such table in this round."), "table_number")
    if subject.deal_number is not None and not 1 <= subject.deal_number <= table.deals:
        text = _("The table plays %(deals)d deals.")
        raise NotPossible(text % {"deals": table.deals}, "deal_number")


@transaction.atomic
def withdraw_objection(objection: Objection, *, account: Account | None, now: datetime) -> Objection:
    """Withdraw an open objection, by who made it; twice is once."""
    objection = _locked_objection(objection)
    if objection.is_open:
        objection.state, objection.decided_at = Objection.State.WITHDRAWN, now
        objection.decided_by = author_name(account)
        objection.save(update_fields=["state", "decided_at", "decided_by"])
        _write(objection, gettext_noop("Objection {number} by {who} is withdrawn"), account, now)
    return objection


@transaction.atomic
def decide_objection(
    objection: Objection, *, upheld: bool, answer: str, account: Account, now: datetime
) -> Objection:
    """Decide an open objection, and tell who made it. Players have time to look at what was decided.

    Raises NotPossible at `answer` where there is none.
    """
    objection = _locked_objection(objection)
    try:
        answer = clean_reason(answer)
    except NotPossible as refusal:
        raise NotPossible(refusal.message, "answer") from None
    if not objection.is_open:
        raise NotPossible(_("The objection has been decided or withdrawn in the meantime."))
    objection.state = Objection.State.UPHELD if upheld else Objection.State.REJECTED
    objection.answer, objection.decided_by, objection.decided_at = answer, author_name(account), now
    objection.save(update_fields=["state", "answer", "decided_by", "decided_at"])
    text = gettext_noop("Objection {number} by {who} is rejected: {answer}")
    if upheld:
        text = gettext_noop("Objection {number} by {who} is upheld: {answer}")
    _write(objection, text, account, now, answer=answer)
    leave_time_after_a_correction(objection.tournament, account=account, now=now)
    _post_decision(objection)
    return objection


def _locked_objection(objection: Objection) -> Objection:
    """The objection as it is stored, with its tournament locked; raises NotPossible once the standings are final."""
    tournament = locked(objection.tournament)
    found = Objection.objects.select_related("team", "entry__player", "club").get(pk=objection.pk)
    found.tournament = tournament
    if found.is_open and (why := why_not_object(tournament)):
        raise NotPossible(why)
    return found


def _write(objection: Objection, text: str, account: Account | None, now: datetime, **params: object) -> None:
    said = {"number": objection.number, "who": objection.who, **params}
    write_down(objection.tournament, account, text, now=now, about=[objection], **said)


# Letters to who objected.

CHANGED = gettext_noop("It has changed in the meantime.")


class ObjectionDecided(LetterKind):
    """The letter to players that an objection of theirs, or of their team, was decided."""

    code = "objection"
    name = gettext_lazy("an objection is decided")
    topic = Topic.EVENING.value

    def template_context(self, letter: Letter) -> dict[str, Any]:
        found = Objection.objects.select_related("tournament__host", "team", "entry__player", "club")
        objection = found.filter(pk=letter.facts["objection"]).first()
        if objection is None or objection.state != letter.facts["state"]:
            raise LetterObsolete(CHANGED)
        return {"objection": objection, "tournament": objection.tournament}


class ClubObjectionDecided(ObjectionDecided):
    """The letter to the organisers of a club that its objection was decided."""

    code = "objection_club"
    name = gettext_lazy("a club’s objection is decided")
    topic = OF_ORGANISERS


def _post_decision(objection: Objection) -> None:
    facts = {"objection": objection.pk, "state": objection.state}
    key, host = f"objection {objection.pk} {objection.state}", objection.tournament.host
    if objection.club is not None:
        enqueue_for_organisers(ClubObjectionDecided.code, objection.club, facts, key=f"{key} account")
        return
    whose = {"team": objection.team} if objection.team else {"pk": objection.entry_id}
    entries = Entry.objects.filter(player__agreements__topic=Topic.EVENING, **whose)
    entries = entries.exclude(status=Entry.Status.WITHDRAWN, team=None).select_related("player")
    letters = [Addressed(entry.player, f"{key} entry {entry.pk}", facts) for entry in entries]
    enqueue_letters(ObjectionDecided.code, letters, club=host)
