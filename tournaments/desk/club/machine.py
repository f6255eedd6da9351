"""Page of a dedicated machine, started from a stick or SD card: Wi-Fi, printer, backups, clock, power.

Requests are carried out by a root service of the machine, a few seconds later: see `core.machine`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from zoneinfo import available_timezones

import segno
from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from clubs.roles import clubs_of
from clubs.views.guards import sign_in_required
from core.forms import field_of
from core.machine import Machine, MachineDoesNotAnswerError, ask_machine, read_machine
from core.pdf.store import a_pdf, for_visitor, pdf_answer
from core.serving.addresses import base_url
from tournaments.paper.notices import poster_pdf, wifi_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.http import HttpRequest, HttpResponse

    from clubs.views.guards import MemberRequest
    from core.machine import Stick, Wifi

LONGEST_WIFI_NAME = 32  # bytes
KEYBOARDS = {
    "dk": gettext_lazy("Danish"),
    "se": gettext_lazy("Swedish"),
    "no": gettext_lazy("Norwegian"),
    "fi": gettext_lazy("Finnish"),
    "is": gettext_lazy("Icelandic"),
    "fo": gettext_lazy("Faroese"),
    "gb": gettext_lazy("British"),
    "us": gettext_lazy("American"),
    "de": gettext_lazy("German"),
}
WIFI_PROBLEMS = {
    "no-card": gettext_lazy(
        "This computer has no Wi-Fi that works here. Connect it to a router with a cable; phones can then "
        "join the router’s Wi-Fi."
    ),
    "switched-off": gettext_lazy(
        "Wi-Fi is switched off. Look for a switch or a key with an aerial on the computer."
    ),
    "no-access-point": gettext_lazy(
        "This computer’s Wi-Fi can join a network, but cannot create one. Join the hall’s Wi-Fi, or "
        "connect a router with a cable."
    ),
    "not-open": gettext_lazy(
        "The Wi-Fi for phones did not start. Choose it again below; if that fails, join the hall’s Wi-Fi or connect a"
        " router with a cable."
    ),
    "not-joined": gettext_lazy(
        "The hall’s Wi-Fi cannot be reached. Check its name and password, or move closer to its router."
    ),
}
PROBLEMS = {
    "forgets": gettext_lazy(
        "Started from a DVD or an image, Spadille forgets everything when it is turned off. Use a USB stick for real"
        " evenings."
    ),
    "cut": gettext_lazy(
        "The computer was not shut down properly last time: the power failed, or the stick was pulled out. "
        "Every accepted report has been kept. Please use “Shut down” next time."
    ),
    "regained": gettext_lazy(
        "The stick had lost reports that it claimed to have stored. They were restored from the journal on "
        "the second stick, so nothing is missing. Take the backup home, and start on another stick before "
        "the next evening."
    ),
    "lost": gettext_lazy(
        "The stick has lost reports that it claimed to have stored. Do not continue playing: under “This "
        "computer” choose “Restore”, and there the journal on the second stick. Start on another stick "
        "before the next evening."
    ),
    "plain": gettext_lazy(
        "The data on this stick are not encrypted: that is chosen at the first start. Take the backup home, delete"
        " spadille.data in Windows, start again with encrypted data, and restore the backup."
    ),
    "two": gettext_lazy(
        "There are two Spadille sticks in this computer. Only the one it was started from is in use; pull the other"
        " out."
    ),
    "old": gettext_lazy(
        "This version is more than nine months old, and newer computers may refuse to start it. Copy the files of a new"
        " version over the old ones; your data are kept."
    ),
}
REASONS = {
    "wifi-refused": gettext_lazy(
        "The Wi-Fi could not be joined. Check its name and password. The earlier choice is in use again."
    ),
    "no-printer": gettext_lazy(
        "The printer does not answer. Is it on, and plugged in or on the same network?"
    ),
    "no-room": gettext_lazy(
        "There is no room for the backup. Delete older files in the folder BACKUPS on the stick."
    ),
    "not-restored": gettext_lazy(
        "It could not be restored: the file is damaged or from a newer version of Spadille. Nothing has "
        "changed."
    ),
    "stick-away": gettext_lazy("The other stick is no longer there. Plug it in again, and wait a moment."),
    "stick-not-written": gettext_lazy(
        "The other stick cannot be written to. Format it as FAT32 or exFAT, or use another."
    ),
}
DONE = {
    "shut_down": gettext_lazy(
        "The computer is turning itself off. Pull the stick out when the screen is dark."
    ),
    "region": gettext_lazy("Keyboard and time zone have been set."),
    "clock": gettext_lazy("The clock is set."),
    "wifi": gettext_lazy("The Wi-Fi has been changed."),
    "printer": gettext_lazy("A page with the Wi-Fi’s name is on its way to the printer."),
    "take_home": gettext_lazy(
        "The backup is in the folder BACKUPS on the stick. Shut down, then copy it to your own computer."
    ),
    "journal": gettext_lazy("Saved. Spadille has restarted with it."),
    "restore": gettext_lazy("Restored. What was here before is saved with the backups."),
}
# What every organiser may do; the rest is for the program's owner.
FOR_ORGANISERS = {"shut_down", "printer"}


class RegionForm(forms.Form):
    keyboard = forms.ChoiceField(label=gettext_lazy("Keyboard"))
    zone = forms.ChoiceField(label=gettext_lazy("Time zone"))

    def __init__(self, *args: Any, machine: Machine, **options: Any) -> None:
        super().__init__(*args, **options)
        keyboards = [(code, KEYBOARDS.get(code, code)) for code in machine.keyboards]
        zones = sorted(zone for zone in available_timezones() if zone.startswith(("Europe/", "Atlantic/")))
        field_of(self, "keyboard").choices = keyboards
        field_of(self, "zone").choices = [(zone, zone.partition("/")[2].replace("_", " ")) for zone in zones]
        self.fields["keyboard"].initial, self.fields["zone"].initial = machine.keyboard, machine.zone


class ClockForm(forms.Form):
    at = forms.DateTimeField(
        label=gettext_lazy("Date and time"),
        widget=forms.DateTimeInput({"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        input_formats=["%Y-%m-%dT%H:%M"],
    )

    def arguments(self) -> dict[str, str]:
        return {"at": f"{timezone.localtime(self.cleaned_data['at']):%Y-%m-%dT%H:%M}"}


class WifiForm(forms.Form):
    """An access point of its own, the hall's Wi-Fi, or none: one choice."""

    mode = forms.ChoiceField(
        label=gettext_lazy("Phones connect through"),
        choices=[
            ("own", gettext_lazy("this computer’s own Wi-Fi")),
            ("hall", gettext_lazy("the hall’s Wi-Fi, which this computer joins")),
            ("off", gettext_lazy("a router that this computer is connected to with a cable")),
        ],
        widget=forms.RadioSelect,
    )
    name = forms.CharField(
        label=gettext_lazy("Name of the hall’s Wi-Fi"), max_length=LONGEST_WIFI_NAME, required=False
    )
    password = forms.CharField(
        label=gettext_lazy("Its password"),
        required=False,
        strip=False,
        help_text=gettext_lazy("Leave it empty if the Wi-Fi has none."),
        widget=forms.TextInput({"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}),
    )

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        if password and not (
            password.isascii() and password.isprintable() and 8 <= len(password) <= 63
        ):  # WPA
            raise forms.ValidationError(_("A Wi-Fi password has 8 to 63 characters, without æ, ø and å."))
        return password

    def clean(self) -> dict[str, str]:
        told: dict[str, str] = self.cleaned_data
        name = told.get("name", "")
        if told.get("mode") == "hall" and not name and "name" not in self.errors:
            self.add_error("name", _("Type the name of the hall’s Wi-Fi."))
        elif len(name.encode()) > LONGEST_WIFI_NAME:
            self.add_error("name", _("That name is too long for a Wi-Fi."))
        return told

    def arguments(self) -> dict[str, str]:
        told = self.cleaned_data
        return {"mode": told["mode"]} if told["mode"] != "hall" else told


class PrinterForm(forms.Form):
    name = forms.ChoiceField(label=gettext_lazy("Printer"))

    def __init__(self, *args: Any, machine: Machine, **options: Any) -> None:
        super().__init__(*args, **options)
        field_of(self, "name").choices = [(name, name.replace("_", " ")) for name in machine.printers]
        self.fields["name"].initial = machine.usual_printer


class JournalForm(forms.Form):
    """The stick that the journal is written on; the empty choice ends it."""

    stick = forms.ChoiceField(label=gettext_lazy("Second stick"), required=False)

    def __init__(self, *args: Any, machine: Machine, **options: Any) -> None:
        super().__init__(*args, **options)
        field_of(self, "stick").choices = [(stick.id, _stick_text(stick)) for stick in machine.sticks]
        if machine.journal_chosen:
            field_of(self, "stick").choices.insert(0, ("", _("none: end the journal")))


class RestoreForm(forms.Form):
    """A backup from the stick, or the second stick's journal, in the place of all there is."""

    name = forms.ChoiceField(label=gettext_lazy("Restore from"))
    sure = forms.BooleanField(
        label=gettext_lazy("Replace everything that is here now"),
        error_messages={"required": gettext_lazy("Tick this if you are sure.")},
    )

    def __init__(self, *args: Any, machine: Machine, **options: Any) -> None:
        super().__init__(*args, **options)
        backups = [(name, name) for name in machine.backups_at_home]
        journal = [("journal", _("the journal on the second stick"))] if machine.journal_here else []
        field_of(self, "name").choices = [*journal, *backups]

    def arguments(self) -> dict[str, str]:
        return {"name": self.cleaned_data["name"]}


def _stick_text(stick: Stick) -> str:
    return _("%(label)s, %(size).1f GB") % {"label": stick.label or stick.id, "size": stick.size / 1e9}


def _forms(machine: Machine, verb: str, sent: Mapping[str, Any] | None) -> dict[str, forms.Form]:
    """A form for each verb that has arguments; the sent one is bound."""
    bound = {verb: sent}
    local = timezone.localtime().replace(second=0, microsecond=0)
    return {
        "wifi": WifiForm(
            bound.get("wifi"), initial={"mode": machine.wifi.mode, "name": machine.wifi.hall}, prefix="wifi"
        ),
        "printer": PrinterForm(bound.get("printer"), machine=machine, prefix="printer"),
        "journal": JournalForm(bound.get("journal"), machine=machine, prefix="journal"),
        "restore": RestoreForm(bound.get("restore"), machine=machine, prefix="restore"),
        "region": RegionForm(bound.get("region"), machine=machine, prefix="region"),
        "clock": ClockForm(bound.get("clock"), initial={"at": local}, prefix="clock"),
    }


def machine_or_404() -> Machine:
    machine = read_machine()
    if machine is None:
        raise Http404
    return machine


def wifi_code(wifi: Wifi) -> str:
    """A QR code by which a phone joins, as a data URI."""
    return str(segno.make(wifi_text(wifi), error="m", micro=False).svg_data_uri(border=2, scale=4, nl=False))


def problem_texts(machine: Machine) -> list[str]:
    """The machine's problems with instructions, for the desk."""
    codes = [WIFI_PROBLEMS.get(machine.wifi.problem), *(PROBLEMS.get(code) for code in machine.problems)]
    return [str(text) for text in codes if text]


def machine_context() -> dict[str, object]:
    """The context of the machine's part of the desk; empty on other machines."""
    machine = read_machine()
    if machine is None:
        return {}
    return {"machine": machine, "problems": problem_texts(machine), "wifi_code": wifi_code(machine.wifi)}


@never_cache
@sign_in_required
def desk_machine(request: MemberRequest) -> HttpResponse:
    """The page of the machine's state; a POST leaves a request, for which the page then waits."""
    owns = request.user.is_superuser
    if not owns and not clubs_of(request.user, organise=True).exists():
        raise PermissionDenied
    machine = machine_or_404()
    verb = request.POST.get("verb", "")
    shown = _forms(machine, verb, request.POST if request.method == "POST" else None)
    if request.method == "POST":
        if verb not in DONE or (verb not in FOR_ORGANISERS and not owns):
            raise PermissionDenied
        form = shown.get(verb)
        if form is None or form.is_valid():
            arguments = {} if form is None else getattr(form, "arguments", lambda: form.cleaned_data)()
            return _leave(request, verb, arguments)
    context = {
        "machine": machine,
        "forms": shown,
        "owns": owns,
        "problems": problem_texts(machine),
        "wifi_code": wifi_code(machine.wifi),
        "base": base_url(request),
        "clubs": clubs_of(request.user, organise=True),
        **_wish_context(machine, request.GET.get("wish", "")),
    }
    return render(request, "desk/club/machine.html", context)


def _wish_context(machine: Machine, wish: str) -> dict[str, object]:
    """The result of the request in the URL."""
    if not wish:
        return {}
    outcome = machine.outcome(wish)
    if outcome is None:
        return {"waits": True}
    if outcome.ok:
        return {"done": DONE.get(outcome.verb, "")}
    return {"failed": REASONS.get(outcome.reason) or _("That did not work. Try again in a minute.")}


def _leave(request: MemberRequest, verb: str, arguments: dict[str, str]) -> HttpResponse:
    try:
        wish = ask_machine(verb, **arguments)
    except MachineDoesNotAnswerError:
        messages.error(request, _("The computer does not answer. Wait a minute, and try again."))
        return redirect("desk_machine")
    if verb == "shut_down":
        return render(request, "desk/club/machine_off.html", {"text": DONE["shut_down"]})
    return redirect(f"{reverse('desk_machine')}?wish={wish}")


@a_pdf
@never_cache
@sign_in_required
@require_safe
def desk_machine_poster(request: HttpRequest, slug: str) -> HttpResponse:
    """The club's poster with the Wi-Fi that phones join, which the public one leaves out."""
    club = clubs_of(request.user, organise=True).filter(slug=slug).first()
    if club is None:
        raise PermissionDenied
    machine = machine_or_404()
    base = base_url(request)
    page, follow = (base + reverse(name, args=[club.slug]) for name in ("hall_club", "hall_follow"))
    wifi = machine.wifi if machine.wifi.is_open_to_phones else None
    return pdf_answer(
        request,
        lambda: poster_pdf(club, page, follow, wifi=wifi, **for_visitor(request)),
        club,
        _("Poster"),
        instead=reverse("desk_machine"),
    )


urlpatterns = [
    path("desk/machine/", desk_machine, name="desk_machine"),
    path("desk/machine/poster/<slug:slug>/", desk_machine_poster, name="desk_machine_poster"),
]
