import django.core.validators
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0052_places_in_divisions")]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="least_share",
            field=models.PositiveSmallIntegerField(
                default=0,
                validators=[django.core.validators.MaxValueValidator(100)],
                verbose_name="least share of the deals",
            ),
        ),
    ]
