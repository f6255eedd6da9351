from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0079_journeys_alike'),
    ]

    operations = [
        migrations.AddField(
            model_name='tournament',
            name='imported_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
    ]
