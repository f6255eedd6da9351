"""What the program itself had written down in somebody's language becomes data: rare deals, days, prizes and kinds of
calls in the log. What two phones differed about was stored as a sentence alone and stays one; reports cannot be changed
and are read as they are (`words.reasons`)."""

import re
from datetime import timedelta
from itertools import chain

from django.conf import settings
from django.db import migrations, models
from django.utils.formats import date_format
from django.utils.translation import gettext, override

from core.former_texts import current_text
from scoring.words import BONUS_NAMES, CONTRACT_NAMES
from tournaments.domain.amounts import read_kroner

# What the rules engine warned of, with what fills each text.
WARNINGS = {
    "solo_in_spades": "A solo in spades: was it declared as a spade solo? That has another price.",
    "bonus_undecided": "{bonus} was bid, and not made by what is reported. Is that right?",
    "pool_odd": "The ante alone is {ante}. Was there less in the pool?",
    "rare_contract": "{contract} is rare. Is that right?",
    "rare_tout": "A tout is rare. Is that right?",
    "rare_matadors": "Nine matadors are rare. Is that right?",
    "rare_tricks": "Such tricks are rare. Are they right?",
}
NAMES = {"bonus": BONUS_NAMES, "contract": CONTRACT_NAMES}
KINDS = ("calls the organiser", "deal to look at later", "another phone differs", "rare, to be looked at")
PLAYED_ON = "Round {round}: {match} is played on {day}"
PRIZES = "The prizes by place are now {amounts} kroner"
SETTLED = "Round {round}, table {table}: settled “{words}”"
FORMAT = "Set-up: the format is now {value}"
FORMATS = {"individual": "individual", "pairs": "pairs (makkerpar)", "teams": "teams of four (hold)"}
# Days before and after a line of the log that its match may have been put off to.
EARLIEST, LATEST = -40, 800


def in_every_language(say):
    """What `say` says in each of the program's languages."""
    for language in dict(settings.LANGUAGES):
        with override(language):
            yield from say()


def wordings(text):
    """A text as it was written in the active language: in English as it was then."""
    return dict.fromkeys((text, gettext(current_text(text))))


def sentences():
    """Every warning as it may have been written, as (words or pattern, what is stored)."""
    for code, text in WARNINGS.items():
        for translated in wordings(text):
            yield from patterns(code, text, translated)


def patterns(code, text, translated):
    if "{ante}" in text:
        before, after = map(re.escape, translated.split("{ante}"))
        yield re.compile(f"{before}(?P<ante>[0-9]+){after}"), {"code": code, "params": {}}
        return
    name = next((name for name in NAMES if f"{{{name}}}" in text), "")
    for value, called in NAMES.get(name, {"": ""}).items():
        words = translated.format(**{name: gettext(called)} if name else {})
        params = {name: value} if name else {}
        yield re.compile(re.escape(words)), {"code": code, "params": params}


def warnings_in(words, known):
    """The warnings that a flag's words are made of; None where they are not those, or were cut off."""
    found = []
    while words:
        for pattern, stored in known:
            if matched := pattern.match(words):
                numbers = {name: int(value) for name, value in matched.groupdict().items()}
                found.append(stored | {"params": stored["params"] | numbers})
                words = words[matched.end() :].lstrip()
                break
        else:
            return None
    return found


def read_rare_deals(apps, schema_editor):
    Flag = apps.get_model("tournaments", "Flag")
    known = list(in_every_language(sentences))
    for flag in Flag.objects.filter(kind="rare").exclude(words="").iterator():
        found = warnings_in(flag.words, known)
        if found:
            Flag.objects.filter(pk=flag.pk).update(words="", about={"warnings": found})


def read_log(apps, schema_editor):
    LogEntry = apps.get_model("tournaments", "LogEntry")
    kinds = dict(in_every_language(lambda: [(words, kind) for kind in KINDS for words in wordings(kind)]))
    known = list(in_every_language(sentences))

    def words_of(line, told):
        if told in kinds:
            return {"word": kinds[told]}
        return {"word": "rare, to be looked at"} if warnings_in(told, known) else told

    def amounts_of(line, told):
        try:
            return {"kroner": [read_kroner(amount) for amount in told.split(" + ")]}
        except ValueError:
            return told

    readers = {
        PLAYED_ON: ("day", day_of),
        PRIZES: ("amounts", amounts_of),
        SETTLED: ("words", words_of),
        FORMAT: ("value", lambda line, told: {"word": FORMATS[told]} if told in FORMATS else told),
    }
    for line in LogEntry.objects.filter(text__in=readers).iterator():
        name, read = readers[line.text]
        told = line.params.get(name)
        stored = read(line, told) if isinstance(told, str) else told
        if stored != told:
            LogEntry.objects.filter(pk=line.pk).update(params=line.params | {name: stored})


def day_of(line, told):
    """The day as data: the one near the line that is written so in one of the languages."""
    near = (line.at.date() + timedelta(days) for days in chain(range(LATEST), range(-1, EARLIEST, -1)))
    for day in near:
        if told in (day.isoformat(), *in_every_language(lambda: [date_format(day, "DATE_FORMAT")])):
            return {"day": day.isoformat()}
    return told


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0018_seats_change_in_play")]

    operations = [
        migrations.AddField(
            model_name="flag",
            name="about",
            field=models.JSONField(blank=True, default=dict),
        ),
        migrations.RunPython(read_rare_deals, migrations.RunPython.noop),
        migrations.RunPython(read_log, migrations.RunPython.noop),
    ]
