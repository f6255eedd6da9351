"""Tables of three keep which chair is empty, as it was shown when it was worked out from the table's place."""

from django.db import migrations, models

CHAIRS, SMALL_TABLE = 4, 3
BATCH = 500


def keep_shown_chairs(apps, _schema_editor):
    tables = apps.get_model("tournaments", "Table").objects
    small = tables.annotate(seated=models.Count("seats")).filter(seated=SMALL_TABLE)
    keys = {chair: [] for chair in range(CHAIRS)}
    before, nth = None, 0
    rows = small.order_by("round", "number").values_list("pk", "round", "round__number")
    for pk, round_, number in rows.iterator():
        nth = nth + 1 if round_ == before else 0
        before = round_
        keys[(CHAIRS - number - nth) % CHAIRS].append(pk)
    for chair, pks in keys.items():
        for start in range(0, len(pks), BATCH):
            tables.filter(pk__in=pks[start : start + BATCH]).update(empty_chair=chair)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0050_what_is_looked_for_by_the_clock")]

    operations = [
        migrations.AddField(
            model_name="table",
            name="empty_chair",
            field=models.PositiveSmallIntegerField(blank=True, null=True),
        ),
        migrations.RunPython(keep_shown_chairs, migrations.RunPython.noop),
    ]
