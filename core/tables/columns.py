"""Columns and paging of tables on pages (django-tables2)."""

import django_tables2 as tables
from django.http import HttpRequest
from django_tables2 import RequestConfig

NUMBER = {"td": {"class": "number"}, "th": {"class": "number"}}
NAME = {"td": {"class": "name"}, "th": {"class": "name"}}
CONTACT = {"td": {"class": "contact"}, "th": {"class": "contact"}}
DAY = {"td": {"class": "day"}, "th": {"class": "day"}}


def show_page(table: tables.Table, request: HttpRequest, rows: int) -> None:
    """Sort a table by the query parameters, and select the requested page of `rows`; the last if there is none."""
    RequestConfig(request, paginate=False).configure(table)
    table.paginate(per_page=rows)
    table.page = table.paginator.get_page(request.GET.get("page"))
