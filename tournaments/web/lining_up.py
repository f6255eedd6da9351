"""Line-ups as a page sends them: all that are on it are stored together, or none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from core.errors import NotPossible
from core.http.steps import say_in_form
from tournaments.lifecycle.line_ups import line_up

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.http import HttpRequest

    from clubs.models import Account
    from tournaments.web.matches_form import LineUpForm


def lined_up(request: HttpRequest, forms: Sequence[LineUpForm], *, account: Account | None) -> bool:
    """Seat who was chosen on the forms that were sent; without an account it is a team's own captain.

    False if something is to be put right: it is said at its field.
    """
    sent = [form for form in forms if form.is_bound]
    wrong = [form for form in sent if not form.is_valid()]
    if wrong or not sent:
        return False
    with transaction.atomic():
        for form in sent:
            try:
                line_up(form.match, form.team, form.players, account=account, now=timezone.now())
            except NotPossible as refusal:
                transaction.set_rollback(True)
                if refusal.field in form.fields:
                    say_in_form(form, refusal)
                    return False
                messages.warning(request, refusal.message)
                return True
    messages.success(request, _("The line-up has been set."))
    return True
