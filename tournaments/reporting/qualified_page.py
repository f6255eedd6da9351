"""The page on which a player who qualifies says, by the link of the letter, whether they take part."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.shortcuts import redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from core.errors import NotPossible
from core.http.responses import hide_address
from core.throttle import by_address, count_attempt, is_throttled
from tournaments.models import Qualifier
from tournaments.seasons.qualifier_questions import answer_by_link, find_question, shown_question

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

ANSWERS = (Qualifier.Answer.YES.value, Qualifier.Answer.NO.value)
# A valid link is never refused; so many others a minute are looked up for one address.
WRONG_LINKS = 30


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def qualified_answer(request: HttpRequest, secret: str) -> HttpResponse:
    """The question and its buttons. A GET records nothing: programs that check links in mail open the page, too."""
    guesser = by_address("qualified-link", request.META.get("REMOTE_ADDR", ""))
    question = find_question(secret)
    if question is None:
        many = is_throttled(guesser, most=WRONG_LINKS)
        count_attempt(guesser)
        unknown = {"problem": _("Open it from the email again, or write to the organisers.")}
        return hide_address(render(request, "hall/link_unknown.html", unknown, status=429 if many else 404))
    answer = request.POST.get("answer", "")
    if request.method == "POST":
        try:
            if answer in ANSWERS:
                answer_by_link(question, answer, now=timezone.now())
        except NotPossible as refusal:
            messages.warning(request, refusal.message)
        return hide_address(redirect("qualified_answer", secret))
    context = {
        "club": question.stage.championship.host,
        "stage": question.stage,
        "championship": question.stage.championship,
        "player": question.player,
        "asked": shown_question(question, timezone.localdate()),
    }
    return hide_address(render(request, "captain/qualified.html", context))


urlpatterns = [path("c/qualified/<str:secret>/", qualified_answer, name="qualified_answer")]
