"""Rounds keep who has a bye in them, as they were drawn.

Of rounds drawn before, whoever is here and sits in another round of the evening has a bye.
"""

from collections import Counter

from django.db import migrations, models

import tournaments.models.play


def find_byes(apps, _schema_editor):
    rounds = apps.get_model("tournaments", "Round").objects
    seats = apps.get_model("tournaments", "Seat").objects
    for round_ in rounds.exclude(state="closed").filter(tournament__format="individual"):
        seated = Counter(seats.filter(round=round_).values_list("table", flat=True))
        if len(set(seated.values())) != 1:
            continue  # with tables of three and of four everybody sits
        here = round_.tournament.entries.filter(status="present", seats__isnull=False)
        over = here.exclude(seats__round=round_).distinct()
        round_.byes = sorted(over.values_list("number", flat=True))
        round_.save(update_fields=["byes"])


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0024_sheets_on_paper")]

    operations = [
        migrations.AddField(
            model_name="round",
            name="byes",
            field=models.JSONField(
                blank=True, default=list, validators=[tournaments.models.play.check_entry_numbers]
            ),
        ),
        migrations.RunPython(find_byes, migrations.RunPython.noop),
    ]
