import django.db.models.deletion
from django.db import migrations, models


def forget_years(apps, _editor):
    """They are counted again when they are read: they say less of each club now, and know their evenings otherwise."""
    apps.get_model("tournaments", "KeptYear").objects.all().delete()


class Migration(migrations.Migration):

    dependencies = [
        ('clubs', '0011_shows_achievements'),
        ('tournaments', '0042_entering_from_home'),
    ]

    operations = [
        migrations.RunPython(forget_years, migrations.RunPython.noop),
        migrations.RemoveConstraint(
            model_name='keptyear',
            name='one_row_a_year',
        ),
        migrations.AddField(
            model_name='keptyear',
            name='part',
            field=models.CharField(blank=True, default='', max_length=120),
            preserve_default=False,
        ),
        migrations.AddConstraint(
            model_name='keptyear',
            constraint=models.UniqueConstraint(fields=('around', 'part', 'year'), name='one_row_a_year'),
        ),
        migrations.CreateModel(
            name='MergedPlayer',
            fields=[
                ('number', models.PositiveBigIntegerField(primary_key=True, serialize=False)),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='former_numbers', to='clubs.player')),
            ],
        ),
    ]
