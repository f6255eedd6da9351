"""Pages of a union's register: its people on any day, their numbers, counts that are kept."""

from functools import partial

from django import forms
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_POST

from clubs.models import Club
from clubs.register.people import count_members, differences, give_numbers, keep_count, register_of
from clubs.views.guards import MemberRequest, club_view
from core.forms import DayField
from core.http.steps import handle_button, take_step

ROWS_ON_A_PAGE = 50
MOST_COUNTS = 20


@club_view()
def register(request: MemberRequest, club: Club) -> HttpResponse:
    """Everybody who belongs to the union's clubs on a day, found by name or number."""
    today = timezone.localdate()
    form = DayForm(request.GET if "day" in request.GET else None, initial={"day": today})
    day = form.cleaned_data["day"] if form.is_valid() else today
    query = request.GET.get("q", "").strip()
    page = Paginator(register_of(club, day, query), ROWS_ON_A_PAGE).get_page(request.GET.get("page"))
    counted = count_members(club, day)
    context = {
        "club": club,
        "form": form,
        "day": day,
        "query": query,
        "page": page,
        "counted": counted,
        "members": sum(one.main or 0 for one in counted),
        "kept": club.counts.all()[:MOST_COUNTS],
    }
    return render(request, "clubs/register.html", context)


@require_POST
@club_view()
def register_number(request: MemberRequest, club: Club) -> HttpResponse:
    def said(people: int) -> str:
        text = ngettext("%(people)d person got a number.", "%(people)d people got a number.", people)
        return text % {"people": people}

    return handle_button(request, partial(give_numbers, club), said, "club_register", club.slug)


@require_POST
@club_view()
def register_count(request: MemberRequest, club: Club) -> HttpResponse:
    form = DayForm(request.POST)
    if form.is_valid():
        take_step(request, partial(keep_count, club, form.cleaned_data["day"]), _("The count is kept."))
    return redirect("club_register", club.slug)


@club_view()
def count(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    """A count as it was kept, and where the lists of members now differ from it."""
    kept = get_object_or_404(club.counts.select_related("union"), pk=pk)
    context = {
        "club": club,
        "count": kept,
        "members": sum(row["main"] or 0 for row in kept.rows),
        "differences": sorted(differences(kept)),
    }
    return render(request, "clubs/count.html", context)


urlpatterns = [
    path("<slug:slug>/register/", register, name="club_register"),
    path("<slug:slug>/register/numbers/", register_number, name="club_register_number"),
    path("<slug:slug>/register/count/", register_count, name="club_register_count"),
    path("<slug:slug>/register/counts/<int:pk>/", count, name="club_count"),
]


class DayForm(forms.Form):
    """The day that the register is shown for."""

    day = DayField(label=gettext_lazy("Members on"))
