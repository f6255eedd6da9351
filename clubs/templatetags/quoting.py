"""What somebody wrote, between quotation marks: `{{ flag.words|quoted }}`."""

from django import template

from clubs import quoting

register = template.Library()
register.filter("quoted", quoting.quoted)
