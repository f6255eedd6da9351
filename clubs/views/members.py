"""Pages of a member: add, show, change, leave, come back; export of all members."""

import hashlib
from collections.abc import Callable
from dataclasses import asdict, replace
from datetime import date
from functools import partial
from io import BytesIO
from typing import Any

from django import forms
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import Truncator
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST
from django_tables2 import RequestConfig

from clubs.clubs import log_change
from clubs.import_plan import NEW
from clubs.mail.kinds import unsubscribed_topics
from clubs.mail.outbox import is_set_up
from clubs.matching import Known, similar_people
from clubs.member_jobs import EXPORT, ROWS_AT_ONCE, SAVED, of_club
from clubs.member_rows import HIGHEST_NUMBER, as_file
from clubs.members import (
    PRESENT,
    Details,
    MemberTable,
    add_member,
    change_member,
    describe,
    details_of,
    end_membership,
    export_members,
    holder_of,
    member_lines,
    memberships_of,
    resume_membership,
)
from clubs.models import Club, Membership, Player, Topic
from clubs.register import main_memberships, request_transfer
from clubs.roles import clubs_seen_by, may_see_members
from clubs.views.guards import MemberRequest, club_view
from core.forms import EARLIEST_YEAR, DayField, NameField, TableForm
from core.http.steps import handle_button, handle_form, posted_data
from core.jobs.queue import JobRequest, enqueue, remember_job
from core.tables.files import CONTENT_TYPES


def _membership(club: Club, pk: int) -> Membership:
    return get_object_or_404(Membership.objects.select_related("player", "club"), pk=pk, club=club)


@club_view()
def member_new(request: MemberRequest, club: Club) -> HttpResponse:
    form = NewMemberForm(
        posted_data(request),
        club=club,
        lookalikes=partial(similar_people, request.user, club),
        initial={"joined": timezone.localdate()},
    )

    def step_arguments() -> dict[str, object]:
        known, details = form.known, form.details
        player = Player.objects.get(pk=known.player) if known else None
        if known and player and known.known_to_union:
            details = replace(details, name=player.name)  # the same but for its spelling
        return {"details": details, "player": player}

    def success_message(made: Membership) -> str:
        return _("%(name)s is now a member.") % {"name": made.player}

    def typed_transfer() -> dict[str, object]:
        return {"day": form.details.joined, "number": form.details.number}

    asks = form.is_valid() and form.known is not None and not form.known.may_be_added
    if asks and form.known:
        theirs = Membership.objects.select_related("player", "club").get(pk=form.known.membership)
        told = _(
            "%(name)s’s club has been asked. Without an answer within two weeks the transfer takes place."
        )
        step, text = partial(request_transfer, theirs, club), told % {"name": form.known.name}
        done = handle_form(request, form, step, text, "club_transfers", club.slug, arguments=typed_transfer)
    else:
        done = handle_form(
            request,
            form,
            partial(add_member, club),
            success_message,
            "club",
            club.slug,
            arguments=step_arguments,
        )
    new = _("Add a member")
    context = {"club": club, "form": form, "title": new, "heading": new, "back": club.get_absolute_url()}
    return done or render(request, "clubs/form.html", context)


@club_view(helper=True)
def member(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    if not may_see_members(request.user, club):
        raise PermissionDenied
    membership = _membership(club, pk)
    seen, today, union = clubs_seen_by(request.user), timezone.localdate(), club.unions.first()
    in_several = membership.player.memberships.on(today).count() > 1
    main = (
        main_memberships(union, today).filter(player=membership.player).first()
        if union and in_several
        else None
    )
    context = {
        "club": club,
        "membership": membership,
        "in_several": in_several,
        # Which other club it is, a club learns only where it may look.
        "main": main
        and (main.club if main.club_id == club.pk or seen.contains(main.club) else _("another club")),
        "chosen": membership.player.main_clubs.filter(club__in=seen.order_by().values("pk")).select_related(
            "club"
        ),
        "memberships": membership.player.memberships.filter(club__in=seen)
        .select_related("club")
        .order_by("joined"),
        "numbers": membership.player.union_numbers.filter(union__in=club.itself_and_unions()).select_related(
            "union"
        ),
        "organises": request.organises,
    }
    return render(request, "clubs/member.html", context)


def member_context(club: Club, membership: Membership) -> dict[str, Any]:
    """The context of a form page about a member: club, title, path, and the member's page behind Cancel."""
    back = reverse("member", args=[club.slug, membership.pk])
    parents = [(back, Truncator(membership.player.name).chars(30))]
    return {"club": club, "title": membership.player, "parents": parents, "back": back}


@club_view()
def member_edit(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    membership = _membership(club, pk)
    form = ChangeMemberForm(posted_data(request), club=club, membership=membership)
    page, step = ("member", club.slug, pk), partial(change_member, membership)
    done = handle_form(request, form, step, _("Saved."), *page, arguments=lambda: {"details": form.details})
    context = {
        "form": form,
        "heading": _("Change %(name)s") % {"name": membership.player},
        "back": club.get_absolute_url(),
    }
    return done or render(request, "clubs/form.html", member_context(club, membership) | context)


@club_view()
def member_leave(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    membership = _membership(club, pk)
    form = LeaveForm(posted_data(request), initial={"left": timezone.localdate()})
    said = _("%(name)s has left.") % {"name": membership.player}
    done = handle_form(request, form, partial(end_membership, membership), said, "member", club.slug, pk)
    context = {
        "form": form,
        "heading": _("%(name)s leaves the club") % {"name": membership.player},
        "intro": _("Results and earlier tournaments are kept. This can be undone."),
    }
    return done or render(request, "clubs/form.html", member_context(club, membership) | context)


@require_POST
@club_view()
def member_return(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    membership = _membership(club, pk)
    said = _("%(name)s is a member again.") % {"name": membership.player}
    return handle_button(request, partial(resume_membership, membership), said, "member", club.slug, pk)


@club_view()
def members_export(request: MemberRequest, club: Club, kind: str) -> HttpResponse:
    """The members found and sorted as on the club's page, without its pages."""
    if kind not in CONTENT_TYPES:
        raise Http404
    who, query = request.GET.get("who", PRESENT), request.GET.get("q", "").strip()
    found = memberships_of(club, who=who, query=query, today=timezone.localdate())
    if found.count() > ROWS_AT_ONCE[kind]:
        about = {"kind": kind, "who": who, "query": query, "sort": request.GET.get("sort", "")}
        wish = JobRequest(EXPORT, of_club(club), get_language() or "en", about)
        job = enqueue(wish, account=request.user, now=timezone.now(), anew=True)
        remember_job(request, job)
        return redirect("desk_job", job.pk)
    table = MemberTable(found)
    RequestConfig(request, paginate=False).configure(table)
    headers = {"Content-Disposition": f'attachment; filename="{club.slug}.{kind}"'}
    export_members(file := BytesIO(), club, member_lines(table.data.data), kind)
    log_change(club, request.user, SAVED, now=timezone.now())
    return HttpResponse(file.getvalue(), content_type=CONTENT_TYPES[kind], headers=headers)


urlpatterns = [
    path("<slug:slug>/members.<slug:kind>", members_export, name="members_export"),
    path("<slug:slug>/members/new/", member_new, name="member_new"),
    path("<slug:slug>/members/<int:pk>/", member, name="member"),
    path("<slug:slug>/members/<int:pk>/edit/", member_edit, name="member_edit"),
    path("<slug:slug>/members/<int:pk>/leave/", member_leave, name="member_leave"),
    path("<slug:slug>/members/<int:pk>/return/", member_return, name="member_return"),
]


FIELDS = ("name", "number", "joined", "email", "phone", "birth_year", "topics", "language", "has_objected")


class MemberForm(forms.Form):
    """The form of a member's values: a new member, unless a membership is given."""

    name = NameField(label=gettext_lazy("Name"), max_length=200)
    number = forms.IntegerField(
        label=gettext_lazy("Member number"), min_value=1, max_value=HIGHEST_NUMBER, required=False
    )
    joined = DayField(label=gettext_lazy("Joined"))
    email = forms.EmailField(label=gettext_lazy("Email"), max_length=254, required=False)
    phone = NameField(
        label=gettext_lazy("Phone"), max_length=40, required=False, widget=forms.TextInput({"type": "tel"})
    )

    birth_year = forms.IntegerField(
        label=gettext_lazy("Year of birth"),
        min_value=EARLIEST_YEAR,
        required=False,
        help_text=gettext_lazy("Tells people of the same name apart. Only organisers see it."),
    )
    topics = forms.TypedMultipleChoiceField(
        label=gettext_lazy("Emails they have agreed to receive"),
        choices=Topic.choices,
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy(
            "Ask them first. Every email has an unsubscribe link, and only they can undo that."
        ),
    )

    def __init__(self, *args: Any, club: Club, membership: Membership | None = None, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["language"] = forms.ChoiceField(
            label=gettext_lazy("Language of these emails"),
            choices=[("", gettext_lazy("the club’s language")), *settings.LANGUAGES],
            required=False,
        )
        self._say_what_is_not_sent(membership)
        self.club = club
        self.membership = membership

    def _say_what_is_not_sent(self, membership: Membership | None) -> None:
        told = self.fields["topics"]
        stopped = (
            unsubscribed_topics(membership.player.email) if membership and membership.player.email else {}
        )
        if not is_set_up():
            told.help_text = _("Nothing can be sent yet: no mail server is set up (EMAIL_URL).")
        elif stopped:
            words = ", ".join(str(Topic(topic).label) for topic in stopped if topic in Topic.values)
            told.help_text = _("They have unsubscribed from these, whatever is ticked: %(topics)s.") % {
                "topics": words
            }

    @property
    def details(self) -> Details:
        """The values of a valid form."""
        said = {field: self.cleaned_data[field] for field in FIELDS if field in self.fields}
        return Details(**said | {"topics": tuple(sorted(said["topics"]))})

    def clean_birth_year(self) -> int | None:
        year: int | None = self.cleaned_data["birth_year"]
        if year is not None and year > timezone.localdate().year:
            raise forms.ValidationError(_("This year is in the future."))
        return year

    def clean_number(self) -> int | None:
        number: int | None = self.cleaned_data["number"]
        gone = self.membership and self.membership.left
        holder = None if gone else holder_of(self.club, number, besides=self.membership)
        if holder:
            raise forms.ValidationError(
                _("Number %(number)s belongs to %(name)s.") % {"number": number, "name": holder.player}
            )
        return number


class ChangeMemberForm(MemberForm):
    """A change to a member, refused if another user has changed them since the form was opened."""

    has_objected = forms.BooleanField(
        label=gettext_lazy("Wants no page about their evenings over the years"),
        required=False,
        help_text=gettext_lazy(
            "They count in totals, but are not named in any club’s list of records, winners, ratings or opponents."
        ),
    )

    def __init__(self, *args: Any, membership: Membership, **options: Any) -> None:
        self.before = details_of(membership)
        super().__init__(*args, membership=membership, initial=asdict(self.before), **options)

    @property
    def seen_input(self) -> SafeString:
        """The hidden input with the digest of the values that the page was opened with."""
        return format_html('<input type="hidden" name="seen" value="{}">', self.initial_digest)

    @property
    def initial_digest(self) -> str:
        """A digest of the initial values, submitted with the form to detect edits meanwhile."""
        return hashlib.sha256(repr(self.before).encode()).hexdigest()

    def clean_joined(self) -> date:
        joined: date = self.cleaned_data["joined"]
        left = self.membership and self.membership.left
        if left and left < joined:
            day = date_format(left, "DATE_FORMAT")
            raise forms.ValidationError(_("They left on %(left)s, before this date.") % {"left": day})
        return joined

    def clean(self) -> dict[str, Any]:
        if self.data.get("seen") != self.initial_digest:
            stored = asdict(self.before)
            objected = [self.fields["has_objected"].label] if stored.pop("has_objected") else []
            agreed = [Topic(topic).label for topic in stored.pop("topics")]
            now = ", ".join(str(value) for value in [*stored.values(), *agreed, *objected] if value)
            self.add_error(
                None,
                _(
                    "Someone else has changed this member in the meantime: %(now)s. Save again to "
                    "overwrite it."
                )
                % {"now": now},
            )
        return self.cleaned_data


class NewMemberForm(MemberForm):
    """Add a member. If they resemble a known person, the form requires a choice."""

    def __init__(
        self, *args: Any, lookalikes: Callable[[str, str], tuple[Known, ...]], **options: Any
    ) -> None:
        """`lookalikes` finds people similar to a name and an e-mail address."""
        super().__init__(*args, **options)
        self.lookalikes = lookalikes
        self.known: Known | None = None
        """The person known already that the newcomer is."""

    def clean(self) -> dict[str, Any]:
        name, email = self.cleaned_data.get("name", ""), self.cleaned_data.get("email", "")
        alike = self.lookalikes(name, email)
        if not alike:
            return self.cleaned_data
        choices = [(known.choice, describe(known)) for known in alike]
        asked = forms.CharField(
            label=_("This looks like someone already registered. Who is it?"),
            required=False,
            widget=forms.RadioSelect(choices=[*choices, (NEW, _("someone new"))]),
        )
        self.fields = {"who": asked, **self.fields}
        self.known = next((known for known in alike if known.choice == self.data.get("who")), None)
        if self.known and self.known.is_member:
            self.add_error("who", _("%(name)s is already a member.") % {"name": self.known.name})
        elif self.known is None and self.data.get("who") != NEW:
            self.add_error("who", _("Choose one."))
        return self.cleaned_data


class LeaveForm(forms.Form):
    left = DayField(
        label=gettext_lazy("Left on"), help_text=gettext_lazy("From this date they are no longer a member.")
    )


class UploadForm(TableForm):
    """A member list, and what it may not say."""

    file_label = gettext_lazy("The list, as Excel (.xlsx), OpenDocument (.ods) or CSV")
    pasted_label = gettext_lazy("Or type or paste names here, one per line")
    pasted_help = gettext_lazy("Rows copied from a spreadsheet with their headings are read like a file.")
    nothing_given = gettext_lazy("Choose a file, or type the names below.")

    joined = DayField(
        label=gettext_lazy("Joined, if the list does not say"),
        help_text=gettext_lazy("Used for new members only."),
    )
    of_union = forms.BooleanField(
        label=gettext_lazy("The list covers the whole union"),
        required=False,
        help_text=gettext_lazy(
            "One of its columns names each person’s club, and the clubs’ own lists are updated."
        ),
    )

    def list_given(self) -> tuple[str, bytes, int]:
        """The name and the contents of the list, uploaded or pasted, and how many rows were put above it."""
        file = self.cleaned_data["file"]
        if file:
            return file.name, file.read(), 0
        return _("Typed names"), *as_file(self.cleaned_data["pasted"])
