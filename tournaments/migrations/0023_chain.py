"""A chain for each tournament that is there already, over all that is decided in it, and the seals of its tables."""

import django.db.models.deletion
from django.db import migrations, models

from tournaments.changes.chain import take_over


def begin_chains(apps, schema_editor):
    model = lambda name: apps.get_model("tournaments", name)
    for tournament in model("Tournament").objects.order_by("pk").iterator():
        take_over(tournament, model)


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0022_calls_have_keys'),
    ]

    operations = [
        migrations.AddField(
            model_name='table',
            name='seal',
            field=models.CharField(blank=True, max_length=40),
        ),
        migrations.AddField(
            model_name='tournament',
            name='chain_count',
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='tournament',
            name='chain_head',
            field=models.CharField(blank=True, max_length=64),
        ),
        migrations.AddField(
            model_name='tournament',
            name='chain_seal',
            field=models.CharField(blank=True, max_length=40),
        ),
        migrations.CreateModel(
            name='ChainLink',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('at', models.DateTimeField()),
                ('content', models.JSONField()),
                ('previous_hash', models.CharField(blank=True, max_length=64)),
                ('hash', models.CharField(max_length=64)),
                ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='chain', to='tournaments.tournament')),
            ],
            options={
                'ordering': ['tournament', 'number'],
                'constraints': [models.UniqueConstraint(fields=('tournament', 'number'), name='one_link_a_number')],
            },
        ),
        migrations.RunPython(begin_chains, migrations.RunPython.noop),
    ]
