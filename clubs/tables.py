"""Tables that people sort and page through."""

import django_tables2 as tables
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django_tables2 import RequestConfig

from clubs.models import Membership

NUMBER = {"td": {"class": "number"}, "th": {"class": "number"}}
NAME = {"td": {"class": "name"}, "th": {"class": "name"}}
CONTACT = {"td": {"class": "contact"}, "th": {"class": "contact"}}
DAY = {"td": {"class": "day"}, "th": {"class": "day"}}


def show_page(table: tables.Table, request: HttpRequest, rows: int) -> None:
    """Sort a table as the address asks, and show the page of `rows` it asks for; if there is none, the last."""
    RequestConfig(request, paginate=False).configure(table)
    table.paginate(per_page=rows)
    table.page = table.paginator.get_page(request.GET.get("page"))


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
    email = tables.Column(_("E-mail"), accessor="player__email", default="", attrs=CONTACT)
    joined = tables.DateColumn(verbose_name=_("Joined"), format="SHORT_DATE_FORMAT", attrs=DAY)
    left = tables.DateColumn(verbose_name=_("Left"), format="SHORT_DATE_FORMAT", default="", attrs=DAY)

    class Meta:
        model = Membership
        fields = ["number", "name", "phone", "email", "joined", "left"]
        order_by = "name"
        attrs = {"class": "members"}
