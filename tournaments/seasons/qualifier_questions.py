"""The letter that asks qualified players whether they take part, and the answer by its link."""

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
from core.errors import NotPossible
from tournaments.models import Championship, Qualifier, QualifierQuestion
from tournaments.models.points import people_now
from tournaments.seasons.quotas import QualifiedTable, record_answer

if TYPE_CHECKING:
    from datetime import date, datetime

    from clubs.models import Letter
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
