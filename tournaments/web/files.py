"""Files as answers, named so that they can be told apart in a folder of downloads."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils.http import content_disposition_header
from django.utils.text import slugify

LONGEST = 150
PDF = "application/pdf"
HTML = "text/html; charset=utf-8"
TEXT = "text/plain; charset=utf-8"


def file_name(*said: object, kind: str) -> str:
    """What the file is of, in words with their own letters, and its ending."""
    return f"{slugify(' '.join(map(str, said)), allow_unicode=True)[:LONGEST]}.{kind}"


def a_file_of(
    data: bytes | str, content_type: str, *said: object, kind: str = "pdf", attached: bool = False
) -> HttpResponse:
    """The file, shown by the browser, or kept by it where `attached`."""
    header = content_disposition_header(attached, file_name(*said, kind=kind))
    return HttpResponse(data, content_type=content_type, headers={"Content-Disposition": header})
