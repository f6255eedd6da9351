"""A photograph of the table's paper slip, attached with the captain's link."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt

from core.errors import NotPossible
from core.http.responses import quiet
from core.http.steps import say_in_form
from tournaments.ledger.photographs import attach
from tournaments.ledger.queries import LinkRevoked, table_by_secret
from tournaments.models import Table
from tournaments.web.photograph_form import PhotographForm

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


@csrf_exempt  # the secret in the address is the credential, there is no session
@never_cache
def captain_photograph(request: HttpRequest, secret: str) -> HttpResponse:
    """Attach one while the table is open; the captain sees how many there are, not the pictures."""
    try:
        table = table_by_secret(secret)
    except (Table.DoesNotExist, LinkRevoked):
        return redirect("captain", secret)  # which says what to do now
    if table.is_over:
        return redirect("captain", secret)
    form = PhotographForm(request.POST, request.FILES) if request.method == "POST" else PhotographForm()
    if form.is_valid():
        try:
            attach(table, form.cleaned_data["photograph"], None, now=timezone.now())
        except NotPossible as refusal:
            say_in_form(form, refusal, "photograph")
        else:
            messages.success(request, _("The photograph is attached; the organiser can see it."))
            return redirect("captain_photograph", secret)
    context = {"table": table, "secret": secret, "form": form, "photographs": table.photographs.all()}
    return quiet(render(request, "captain/photograph.html", context))
