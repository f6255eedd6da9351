"""What somebody wrote, between quotation marks: `{{ flag.words|quoted }}`."""

from django import template

from core import text

register = template.Library()
register.filter("quoted", text.quoted)
