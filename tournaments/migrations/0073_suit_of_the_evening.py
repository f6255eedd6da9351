"""Kept results have the suit of the card of the evening: all of them are counted again."""

from django.db import migrations, models


def count_again(apps, _schema_editor):
    apps.get_model("tournaments", "Tournament").objects.update(results_kept=False)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0072_quotas")]

    operations = [
        migrations.AddField(
            model_name="eveningresult",
            name="suit",
            field=models.CharField(blank=True, default="", max_length=1),
        ),
        migrations.RunPython(count_again, migrations.RunPython.noop),
    ]
