"""The table of a club's members."""

import django_tables2 as tables
from django.utils.translation import gettext_lazy as _

from clubs.models import Membership
from core.tables.columns import CONTACT, DAY, NAME, NUMBER


class MemberTable(tables.Table):
    number = tables.Column(_("No."), attrs=NUMBER)
    name = tables.Column(
        _("Name"),
        accessor="player__name",
        order_by=("player__sorted_as", "pk"),
        linkify=("member", {"slug": tables.A("club__slug"), "pk": tables.A("pk")}),
        attrs=NAME,
    )
    phone = tables.Column(_("Phone"), accessor="player__phone", default="", attrs=CONTACT)
    email = tables.Column(_("Email"), accessor="player__email", default="", attrs=CONTACT)
    joined = tables.DateColumn(verbose_name=_("Joined"), format="SHORT_DATE_FORMAT", attrs=DAY)
    left = tables.DateColumn(verbose_name=_("Left"), format="SHORT_DATE_FORMAT", default="", attrs=DAY)

    class Meta:
        model = Membership
        fields = ["number", "name", "phone", "email", "joined", "left"]
        order_by = "name"
        attrs = {"class": "members"}
