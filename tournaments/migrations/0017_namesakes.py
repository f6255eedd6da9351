from collections import Counter

from django.db import migrations, models


def mark(apps, schema_editor):
    """In tournaments that are there already, those who have the very same name; other ways of showing names follow
    with the next player who is entered or renamed."""
    Entry = apps.get_model("tournaments", "Entry")
    names = list(Entry.objects.values_list("pk", "tournament", "player__name"))
    times = Counter((tournament, name.casefold()) for _pk, tournament, name in names)
    namesakes = [pk for pk, tournament, name in names if times[tournament, name.casefold()] > 1]
    for first in range(0, len(namesakes), 500):
        Entry.objects.filter(pk__in=namesakes[first : first + 500]).update(has_namesake=True)


class Migration(migrations.Migration):

    dependencies = [
        ("tournaments", "0016_called_off"),
    ]

    operations = [
        migrations.AddField(
            model_name="entry",
            name="has_namesake",
            field=models.BooleanField(default=False),
        ),
        migrations.RunPython(mark, migrations.RunPython.noop),
    ]
