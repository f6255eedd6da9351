"""Pages of clubs: the list of mine, one club, found, change, crest and colour."""

from functools import partial
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import get_language, gettext_lazy, gettext_noop
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from clubs.clubs import add_club, find_club, lock_table, log_change, people_in, with_member_counts
from clubs.crests import FELT, clear_look, safe_colour, set_look
from clubs.mail.outbox import count_failed
from clubs.members import PRESENT, MemberTable, memberships_of
from clubs.models import Club, Gives
from clubs.positions import parse_position
from clubs.register import add_to_union
from clubs.register_models import clubs_in
from clubs.roles import Visitor, clubs_of, may_add_club, may_see_members, unions_of
from clubs.views.guards import MemberRequest, club_view, sign_in_required
from core.forms import NameField, SeenForm
from core.http.steps import handle_button, take_step
from core.tables.columns import show_page

ROWS_ON_A_PAGE = 50


@sign_in_required
def clubs(request: MemberRequest) -> HttpResponse:
    mine = with_member_counts(clubs_of(request.user))
    return render(request, "clubs/clubs.html", {"clubs": mine, "may_add": may_add_club(request.user)})


@club_view(helper=True)
def club(request: MemberRequest, club: Club) -> HttpResponse:
    who, query = request.GET.get("who", PRESENT), request.GET.get("q", "").strip()
    memberships = memberships_of(club, who=who, query=query, today=timezone.localdate())
    table = MemberTable(
        memberships,
        exclude=["left"] if who == PRESENT else [],
        empty_text=_("No one was found.") if query else _("No one yet."),
    )
    show_page(table, request, ROWS_ON_A_PAGE)
    for name in ("phone", "email"):
        if not any(getattr(row.record.player, name) for row in table.page.object_list):
            table.columns.hide(name)
    theirs = with_member_counts(club.clubs.all())
    context = {
        "club": club,
        "clubs": theirs,
        "in_clubs": people_in(club.clubs.all()) if theirs else 0,
        "sees_members": may_see_members(request.user, club),
        "table": table,
        "who": who,
        "query": query,
        "organises": request.organises,
        "in_vain": count_failed(club) if request.organises else 0,
    }
    return render(request, "clubs/club.html", context)


@sign_in_required
def club_new(request: MemberRequest) -> HttpResponse:
    if not may_add_club(request.user):
        raise PermissionDenied
    form = ClubForm(request.POST or None, visitor=request.user)
    if request.method == "POST":
        with transaction.atomic():
            lock_table(Club)
            if form.is_valid():
                club = add_club(form.save(commit=False))
                if union := form.cleaned_data.get("union"):
                    add_to_union(
                        club, union, gives=Gives.EVERYTHING, account=request.user, now=timezone.now()
                    )
                messages.success(request, _("%(club)s is added.") % {"club": club})
                return redirect(club)
    new = _("Add a club")
    context = {"form": form, "title": new, "heading": new, "back": reverse("clubs")}
    return render(request, "clubs/form.html", context)


@club_view()
def club_edit(request: MemberRequest, club: Club) -> HttpResponse:
    if request.method == "POST":
        lock_table(Club)
    form = ClubForm(request.POST or None, instance=club, visitor=request.user)
    if request.method == "POST" and form.is_valid():
        if form.changed_data:
            form.save()
            log_change(club, request.user, gettext_noop("Changed the club’s details"), now=timezone.now())
        messages.success(request, _("Saved."))
        return redirect(club)
    club = Club.objects.get(pk=club.pk)  # the form has put what was typed into the other
    context = {
        "club": club,
        "form": form,
        "title": club,
        "heading": _("Change %(club)s") % {"club": club},
        "parents": [("", _("Change"))],
        "back": club.get_absolute_url(),
    }
    return render(request, "clubs/form.html", context)


urlpatterns = [
    path("", clubs, name="clubs"),
    path("new/", club_new, name="club_new"),
    path("<slug:slug>/", club, name="club"),
    path("<slug:slug>/edit/", club_edit, name="club_edit"),
]


class ClubForm(SeenForm, forms.ModelForm):
    """A new club, in a union if the visitor organises one, or a change to a club."""

    name = NameField(label=gettext_lazy("Name of the club"), max_length=120)

    class Meta:
        model = Club
        fields = [
            "name",
            "town",
            "position",
            "neighbours_km",
            "name_style",
            "shows_rating",
            "statistics",
            "shows_achievements",
            "gives_cards",
            "is_findable",
            "erase_after",
            "language",
        ]
        labels = {
            "town": gettext_lazy("Town"),
            "neighbours_km": gettext_lazy("Clubs are neighbours up to (km)"),
            "name_style": gettext_lazy("How players are named in the hall"),
            "shows_rating": gettext_lazy("The hall shows ratings"),
            "statistics": gettext_lazy("Evenings and players are counted over the years"),
            "shows_achievements": gettext_lazy("Achievements are shown"),
            "gives_cards": gettext_lazy("Everyone gets a card of the evening"),
            "is_findable": gettext_lazy("Search engines may list the club’s history and its players’ pages"),
            "erase_after": gettext_lazy("Years until erasing a former member is proposed"),
        }
        help_texts = {
            "neighbours_km": gettext_lazy(
                "The year shows when two clubs so close to each other play on the same day. It needs their positions. "
                "0: never."
            ),
            "name_style": gettext_lazy("On seat plans, standings and sheets that everyone can see."),
            "shows_rating": gettext_lazy("Compares players across all tournaments. It decides nothing."),
            "statistics": gettext_lazy(
                "Records, winners, and what each player declared and won over all evenings. Players "
                "who want no such page can opt out on their member page."
            ),
            "shows_achievements": gettext_lazy(
                "A first tout, ten evenings in a row: a dozen light-hearted badges, earned only by "
                "playing, on a player’s pages for the evening and for all years."
            ),
            "gives_cards": gettext_lazy(
                "A playing card to show, share and print: the winner gets Spadille, the second Manille. "
                "Nine evenings make a hand."
            ),
            "is_findable": gettext_lazy(
                "Otherwise only people with the address or a link can see them. A player’s page is "
                "listed only if all of their clubs allow it."
            ),
            "erase_after": gettext_lazy(
                "Counted from the day they left their last club. An organiser decides in each case. "
                "0: nobody is proposed; empty: what the union has chosen, or 5 years."
            ),
        }

    def __init__(self, *args: Any, visitor: Visitor, **options: Any) -> None:
        super().__init__(*args, **options)
        # A form without it leaves it as it is.
        self.fields["statistics"].required = False
        self.fields["language"] = forms.ChoiceField(
            label=gettext_lazy("Language of emails"),
            choices=settings.LANGUAGES,
            required=False,
            help_text=gettext_lazy("For members whose own language is not known."),
        )
        usual = settings.FIRST_LANGUAGE if self.instance.pk else get_language()
        self.initial["language"] = self.initial.get("language") or usual
        self.fields["town"] = NameField(label=gettext_lazy("Town"), max_length=80, required=False)
        self.fields["position"] = forms.CharField(
            label=gettext_lazy("Position on the map"),
            # A map's link is longer than what is stored of it.
            max_length=2000,
            required=False,
            help_text=gettext_lazy(
                "Where the club plays: 56.157, 10.211, or a link copied from OpenStreetMap or Google Maps. "
                "Used for distances between clubs only."
            ),
        )
        if self.instance.pk is None or not clubs_in(self.instance.pk).exists():
            del self.fields["neighbours_km"]
        else:
            self.fields["neighbours_km"].required = False
        unions = unions_of(visitor)
        if self.instance.pk is None and unions:
            owner = bool(getattr(visitor, "is_superuser", False))
            self.fields["union"] = forms.ModelChoiceField(
                unions,
                label=gettext_lazy("Union"),
                required=not owner,
                initial=None if owner else unions[0],
                empty_label=gettext_lazy("none") if owner else None,
                help_text=gettext_lazy(
                    "The union’s organisers can do everything for the club until it decides otherwise."
                ),
            )

    @property
    def is_of_stored(self) -> bool:
        return self.instance.pk is not None

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        other = find_club(name)
        if other and other != self.instance:
            raise forms.ValidationError(gettext_lazy("A club with this name already exists."))
        return name

    def clean_position(self) -> str:
        typed: str = self.cleaned_data["position"]
        try:
            return str(parse_position(typed)) if typed else ""
        except ValueError:
            raise forms.ValidationError(
                gettext_lazy(
                    "No position found. Type latitude and longitude with decimals, such as 56.157, 10.211, "
                    "or paste the full link from the map’s address bar."
                )
            ) from None

    def clean_neighbours_km(self) -> int:
        typed: int | None = self.cleaned_data["neighbours_km"]
        return self.instance.neighbours_km if typed is None else typed

    def clean_language(self) -> str:
        return self.cleaned_data["language"] or self.instance.language


@club_view()
def club_crest(request: MemberRequest, club: Club) -> HttpResponse:
    initial = {"colour": club.colour or FELT}
    form = CrestForm(request.POST or None, request.FILES or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        typed = {"picture": form.cleaned_data["picture"], "colour": form.cleaned_data["colour"]}
        if take_step(request, partial(set_look, club), _("Saved."), form, typed):
            return redirect("club_crest", club.slug)
    return render(request, "clubs/crest.html", {"club": club, "form": form})


@require_POST
@club_view()
def club_crest_remove(request: MemberRequest, club: Club) -> HttpResponse:
    return handle_button(
        request, partial(clear_look, club), _("Crest and colour have been removed."), "club_crest", club.slug
    )


urlpatterns += [
    path("<slug:slug>/crest/", club_crest, name="club_crest"),
    path("<slug:slug>/crest/remove/", club_crest_remove, name="club_crest_remove"),
]


class CrestForm(SeenForm, forms.Form):
    """A picture may be left out: the one that the club has stays."""

    not_stored = ("picture",)

    picture = forms.FileField(
        label=gettext_lazy("Crest"),
        required=False,
        allow_empty_file=True,
        widget=forms.FileInput(attrs={"accept": "image/png,image/jpeg,image/webp"}),
        help_text=gettext_lazy(
            "A PNG, JPEG or WebP of at most 2 MB. Without one, the club’s initial is shown on a shield."
        ),
    )
    colour = forms.CharField(
        label=gettext_lazy("Colour"),
        max_length=7,
        widget=forms.TextInput(attrs={"type": "color"}),
        help_text=gettext_lazy("The colour is darkened if needed, so that white text can be read on it."),
    )

    def clean_colour(self) -> str:
        try:
            return safe_colour(self.cleaned_data["colour"])
        except ValueError:
            raise forms.ValidationError(gettext_lazy("Choose a colour, such as #7a1f2b.")) from None
