import tournaments.models.events
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0032_sums_of_deals")]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="prize_things",
            field=models.JSONField(
                blank=True, default=list, validators=[tournaments.models.events.check_things]
            ),
        ),
    ]
