"""What somebody wrote, between the quotation marks of the reader's language."""

from django.utils.translation import gettext as _


def quoted(text: object) -> str:
    return _("“%(text)s”") % {"text": text}
