"""Cited paragraphs of the rules, as links to where they stand."""

from django import template
from django.utils.html import format_html

from tournaments.domain.rule_text import paragraph_address

register = template.Library()


@register.filter
def cited(paragraph: str) -> str:
    """ "union §4.1" as a link to that paragraph; what is no paragraph of ours as it stands."""
    address = paragraph_address(paragraph)
    return format_html('<a class="cited" href="{}">{}</a>', address, paragraph) if address else paragraph
