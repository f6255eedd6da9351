"""Achievements are off in a club until it wants them; those that exist keep what they have."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("clubs", "0019_wording")]

    operations = [
        migrations.AlterField(
            model_name="club",
            name="shows_achievements",
            field=models.BooleanField(default=False, verbose_name="achievements are shown"),
        )
    ]
