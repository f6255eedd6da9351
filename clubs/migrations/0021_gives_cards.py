"""Everybody takes a playing card home from an evening, unless the club wants none."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("clubs", "0020_achievements_off")]

    operations = [
        migrations.AddField(
            model_name="club",
            name="gives_cards",
            field=models.BooleanField(default=True, verbose_name="everyone gets a card of the evening"),
        )
    ]
