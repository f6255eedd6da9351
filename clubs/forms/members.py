"""Members: adding, changing, leaving, and uploading a list of them."""

import hashlib
from collections.abc import Callable
from dataclasses import asdict
from datetime import date
from typing import Any

from django import forms
from django.conf import settings
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.import_plan import NEW
from clubs.mail.agreeing import topics_stopped
from clubs.mail.posting import is_set_up
from clubs.matching import Known
from clubs.member_fields import HIGHEST_NUMBER
from clubs.member_file import as_file
from clubs.members import Details, describe, details_of, holder_of
from clubs.models import Club, Membership, Topic
from core.forms import DayField, NameField, TableForm

FIELDS = ("name", "number", "joined", "email", "phone", "topics", "language", "has_objected")


class MemberForm(forms.Form):
    """What a club knows of a member: a newcomer, unless a membership is given."""

    name = NameField(label=gettext_lazy("Name"), max_length=200)
    number = forms.IntegerField(
        label=gettext_lazy("Member number"), min_value=1, max_value=HIGHEST_NUMBER, required=False
    )
    joined = DayField(label=gettext_lazy("Joined"))
    email = forms.EmailField(label=gettext_lazy("Email"), max_length=254, required=False)
    phone = NameField(
        label=gettext_lazy("Phone"), max_length=40, required=False, widget=forms.TextInput({"type": "tel"})
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
            choices=[("", gettext_lazy("as the club writes")), *settings.LANGUAGES],
            required=False,
        )
        self._say_what_is_not_sent(membership)
        self.club = club
        self.membership = membership

    def _say_what_is_not_sent(self, membership: Membership | None) -> None:
        told = self.fields["topics"]
        stopped = topics_stopped(membership.player.email) if membership and membership.player.email else {}
        if not is_set_up():
            told.help_text = _("Nothing can be sent yet: no mail server is set up (EMAIL_URL).")
        elif stopped:
            words = ", ".join(str(Topic(topic).label) for topic in stopped if topic in Topic.values)
            told.help_text = _("They unsubscribed themselves, whatever is ticked: %(topics)s.") % {
                "topics": words
            }

    @property
    def details(self) -> Details:
        """What was typed, once it is valid."""
        said = {field: self.cleaned_data[field] for field in FIELDS if field in self.fields}
        return Details(**said | {"topics": tuple(sorted(said["topics"]))})

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
    """A change to a member, refused if somebody else has changed them since the form was opened."""

    has_objected = forms.BooleanField(
        label=gettext_lazy("Wants no page about their evenings over the years"),
        required=False,
        help_text=gettext_lazy(
            "They count in totals, but are not named in any club’s list of records, winners or opponents."
        ),
    )

    def __init__(self, *args: Any, membership: Membership, **options: Any) -> None:
        self.before = details_of(membership)
        super().__init__(*args, membership=membership, initial=asdict(self.before), **options)

    @property
    def seen(self) -> str:
        """Sent along with the form: what it was opened on."""
        return hashlib.sha256(repr(self.before).encode()).hexdigest()

    def clean_joined(self) -> date:
        joined: date = self.cleaned_data["joined"]
        left = self.membership and self.membership.left
        if left and left < joined:
            day = date_format(left, "DATE_FORMAT")
            raise forms.ValidationError(_("They left on %(left)s, before this date.") % {"left": day})
        return joined

    def clean(self) -> dict[str, Any]:
        if self.data.get("seen") != self.seen:
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
    """A newcomer. Where they look like somebody known, it is asked whether they are."""

    def __init__(
        self, *args: Any, lookalikes: Callable[[str, str], tuple[Known, ...]], **options: Any
    ) -> None:
        """`lookalikes` finds who looks like somebody of a name and an e-mail address."""
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
            label=_("This looks like someone you already know. Who is it?"),
            required=False,
            widget=forms.RadioSelect(choices=[*choices, (NEW, _("someone new"))]),
        )
        self.fields = {"who": asked, **self.fields}
        self.known = next((known for known in alike if known.choice == self.data.get("who")), None)
        if self.known and self.known.is_member:
            self.add_error("who", _("%(name)s is already a member.") % {"name": self.known.name})
        elif self.known and not self.known.may_be_added:
            self.add_error(
                "who",
                _("Ask the union to add %(name)s: it can see both clubs.") % {"name": self.known.name},
            )
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

    def list_given(self) -> tuple[str, bytes, int]:
        """The name and the contents of the list, whichever way it came, and how many rows were put above it."""
        file = self.cleaned_data["file"]
        if file:
            return file.name, file.read(), 0
        return _("Typed names"), *as_file(self.cleaned_data["pasted"])
