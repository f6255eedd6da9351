"""All tables at once, for a database that is made anew: what the migrations that it replaces come to.

Of their other steps none is here, since they are about rows that were there. A database that has been through some of
those migrations goes on by them; they stay, and are never changed.
"""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    replaces = [
        ('jobs', '0001_initial'),
        ('jobs', '0002_asked_by_a_captain'),
        ('jobs', '0003_longer_languages'),
    ]

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Job',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=20)),
                ('thing', models.CharField(max_length=60)),
                ('about', models.JSONField(default=dict)),
                ('key', models.CharField(max_length=100)),
                ('language', models.CharField(max_length=10)),
                ('asked_at', models.DateTimeField()),
                ('state', models.CharField(choices=[('waiting', 'Waiting'), ('running', 'Running'), ('done', 'Done'), ('failed', 'Failed'), ('stopped', 'Stopped')], default='waiting', max_length=10)),
                ('done', models.PositiveIntegerField(default=0)),
                ('total', models.PositiveIntegerField(default=0)),
                ('version', models.CharField(blank=True, max_length=64)),
                ('worker', models.CharField(blank=True, max_length=100)),
                ('beats', models.PositiveBigIntegerField(default=0)),
                ('tries', models.PositiveSmallIntegerField(default=0)),
                ('stop_asked_by', models.CharField(blank=True, max_length=150)),
                ('begun_at', models.DateTimeField(null=True)),
                ('touched_at', models.DateTimeField(null=True)),
                ('ended_at', models.DateTimeField(null=True)),
                ('file', models.CharField(blank=True, max_length=100)),
                ('file_name', models.CharField(blank=True, max_length=300)),
                ('said', models.JSONField(default=dict)),
                ('error', models.CharField(blank=True, max_length=300)),
                ('asked_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='jobs', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-pk'],
                'indexes': [models.Index(fields=['kind', 'thing'], name='job_of_a_thing')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('state__in', ['waiting', 'running'])), fields=('key',), name='one_job_at_a_time')],
            },
        ),
    ]
