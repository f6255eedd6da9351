from django.db import migrations, models

import tournaments.models.play


class Migration(migrations.Migration):
    """How tables of three are shared and what that costs; the standings that a round was drawn by."""

    dependencies = [("tournaments", "0053_least_share")]

    operations = [
        migrations.AddField(
            model_name="round",
            name="ranking",
            field=models.JSONField(
                blank=True, default=list, validators=[tournaments.models.play.check_entry_numbers]
            ),
        ),
        migrations.AddField(
            model_name="tournament",
            name="draw_prices",
            field=models.JSONField(blank=True, default=dict),
        ),
        migrations.AddField(
            model_name="tournament",
            name="even_threes",
            field=models.BooleanField(default=True),
        ),
    ]
