"""What is stored as data, in the reader's language."""

from django import template

from tournaments.chain import short_head
from tournaments.ledger.scoresheet import flag_words
from tournaments.words.reasons import reason_words

register = template.Library()
register.filter("reason_words", reason_words)
register.filter("flag_words", flag_words)
register.filter("short_head", short_head)
