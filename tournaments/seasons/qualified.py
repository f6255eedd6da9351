"""Qualified players of a championship's stage: the email that asks whether they take part, and entering them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from django.conf import settings
from django.core import signing
from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from clubs.letter_models import Topic
from clubs.mail.kinds import LetterKind, LetterObsolete
from clubs.models import Club, Player
from core.errors import NotPossible
from core.sql import key_set
from tournaments.changes.locks import hold_each
from tournaments.changes.permissions import refuse_to_take_in
from tournaments.domain.formats import RANKING_PLAYERS
from tournaments.entries import entering
from tournaments.models import Championship, Entry, Qualifier, QualifierQuestion, Tournament
from tournaments.models.points import people_now
from tournaments.seasons.championships import choose_groups, groups_for
from tournaments.seasons.quotas import QualifiedTable, record_answer, write_about_stage

if TYPE_CHECKING:
    from datetime import date, datetime

    from clubs.models import Account, Letter
    from tournaments.models import Stage
    from tournaments.seasons.quotas import Person


SALT = "tournaments.qualified"
CHANGED = gettext_noop("It has changed in the meantime.")


def link_for(stage: int, player: int) -> str:
    """The path of the page on which a player answers, by primary keys."""
    return reverse("qualified_answer", args=[signing.dumps([stage, player], salt=SALT)])


def find_question(token: str) -> QualifierQuestion | None:
    """The question of a link; None for a link that is not ours, and where the question is withdrawn."""
    try:
        stage, person = signing.loads(token, salt=SALT)
    except (signing.BadSignature, ValueError, TypeError):
        return None
    player = people_now([person]).get(person)  # who may have been merged with another since
    found = QualifierQuestion.objects.select_related("stage__championship__host", "player")
    return found.filter(stage=stage, player=player).first()


class ShownQuestion(NamedTuple):
    """A question as its page shows it; `person` is None for a player who no longer qualifies, `answer` "" for none."""

    person: Person | None
    answer: str
    until: date
    is_over: bool

    @property
    def may_say_yes(self) -> bool:
        return self.person is not None and not self.answer and not self.is_over

    @property
    def may_say_no(self) -> bool:
        """Until the day also instead of a yes, but not once entered: then they withdraw from the tournament."""
        return (
            self.person is not None
            and self.answer != Qualifier.Answer.NO
            and not self.is_over
            and not self.person.is_entered
        )


def shown_question(question: QualifierQuestion, today: date) -> ShownQuestion:
    """The question with the stage's qualifiers and answers of this moment."""
    table = QualifiedTable(question.stage)
    people = {one.player: one for shown in table.shown_quotas for one in shown.going}
    recorded = table.recorded.get(question.player_id)
    answer = recorded.answer if recorded else ""
    return ShownQuestion(people.get(question.player_id), answer, question.until, question.until < today)


@transaction.atomic
def answer_by_link(question: QualifierQuestion, answer: str, *, now: datetime) -> None:
    """Record a player's own answer; repeating it changes nothing.

    A no is final, since the next in line is asked then. Raises NotPossible after the day, after a no, and where they do
    not qualify any more, or were erased since the link was read.
    """
    Championship.objects.select_for_update().filter(pk=question.stage.championship_id).first()
    there = QualifierQuestion.objects.select_related("stage__championship__host")
    found = there.filter(pk=question.pk).first()
    if found is None:
        raise NotPossible(_("This can no longer be changed here. Write to the organisers."))
    question = found
    asked = shown_question(question, timezone.localdate(now))
    if asked.answer == answer:
        return
    if not (asked.may_say_yes if answer == Qualifier.Answer.YES else asked.may_say_no):
        raise NotPossible(_("This can no longer be changed here. Write to the organisers."))
    record_answer(question.stage, question.player_id, answer, account=None, now=now)


class QualifiedLetter(LetterKind):
    """Asks a qualified player whether they take part, with the link to say so."""

    code = "qualified"
    name = gettext_lazy("question to those who qualify")
    topic = Topic.EVENING.value

    def template_context(self, letter: Letter) -> dict[str, Any]:
        questions = QualifierQuestion.objects.select_related("stage__championship__host", "player")
        question = questions.filter(stage=letter.facts["stage"], player=letter.player).first()
        asked = shown_question(question, timezone.localdate()) if question else None
        if question is None or asked is None or asked.person is None or asked.answer or asked.is_over:
            raise LetterObsolete(CHANGED)
        return {
            "stage": question.stage,
            "championship": question.stage.championship,
            "name": question.player.name,
            "why": asked.person.why,
            "until": question.until,
            "link": f"{settings.PUBLIC_URL}{link_for(question.stage_id, question.player_id)}",
        }


# Enter the qualified players of a championship's stage in its groups.


def where_to_enter(stage: Stage) -> list[Tournament]:
    """The tournaments that who qualifies can be entered in: the stage's groups, or where it has none, the host's own.

    An evening of one of a union's clubs is offered only once it is a group of the stage. Individual tournaments alone,
    in which nothing is drawn yet.
    """
    groups = set(stage.tournaments.not_called_off().values_list("pk", flat=True))
    if not groups and stage.number == 1:
        host = stage.championship.host_id
        groups = {
            one.pk for one in groups_for(stage.championship) if (one.stage_id, one.host_id) == (None, host)
        }
    found = Tournament.objects.filter(pk__in=key_set(groups), state=Tournament.State.SETUP, rounds=None)
    return list(found.filter(format__in=RANKING_PLAYERS).select_related("host").order_by("date", "pk"))


@transaction.atomic
def enter_qualified(
    stage: Stage, *, into: str = "", only_yes: bool = False, account: Account, now: datetime
) -> list[Entry]:
    """Enter who qualifies and is not entered yet, in one step; returns the new entries. Entering twice is once.

    They are entered in the stage's groups, the smallest first; or where it has none, in the tournament with the code
    `into`, which becomes its group if it is to have one. `only_yes` leaves out those who have not answered. Raises
    NotPossible while a tie is undecided, or where there is no tournament to enter them in.
    """
    Championship.objects.select_for_update().get(pk=stage.championship_id)
    has_groups = stage.tournaments.not_called_off().exists()
    open_ones = where_to_enter(stage)
    chosen = open_ones if has_groups else [one for one in open_ones if one.code == into]
    if not chosen:
        raise NotPossible(
            _("Nobody can be entered: the groups of the stage are drawn already.")
            if has_groups
            else _("Choose the tournament to enter them in."),
            "into",
        )
    refuse_to_take_in(account, stage.championship.host, [] if has_groups else chosen)
    hold_each(one.pk for one in chosen)
    table = QualifiedTable(stage)
    if table.is_tied:
        raise NotPossible(_("First decide the order of those with the same place."))
    if not has_groups and stage.groups == 1:
        choose_groups(stage.championship, [into], account=account, now=now)
    here = Entry.objects.filter(tournament__in=chosen).values_list("player", flat=True)
    there = set(here) | table.here.entered
    said_yes = {player for player, one in table.recorded.items() if one.answer == Qualifier.Answer.YES}
    wanted = [
        one for one in table.going if one.player not in there and (not only_yes or one.player in said_yes)
    ]
    players = Player.objects.in_bulk([one.player for one in wanted])
    clubs = Club.objects.in_bulk({one.club for one in wanted})
    sizes = {one.pk: one.entries.exclude(status=Entry.Status.WITHDRAWN).count() for one in chosen}
    made = []
    for one in wanted:
        group = min(chosen, key=lambda found: sizes[found.pk])
        sizes[group.pk] += 1
        made.append(
            entering.enter(group, players[one.player], club=clubs.get(one.club), account=account, now=now)
        )
    if made:
        text = gettext_noop("Entered qualified players ({players}) for “{stage}” of “{championship}”")
        write_about_stage(stage, account, text, now, players=len(made))
    return made
