from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('clubs', '0010_statistics_over_the_years'),
    ]

    operations = [
        migrations.AddField(
            model_name='club',
            name='shows_achievements',
            field=models.BooleanField(default=True, verbose_name='achievements are shown'),
        ),
    ]
