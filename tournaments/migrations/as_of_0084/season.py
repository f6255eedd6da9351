"""Deals of a season, match days and postponed matches, points lists, quotas and who qualifies."""

import django.core.validators
import django.db.models.deletion
import tournaments.models.events
import tournaments.models.leagues
import tournaments.models.points
from django.db import migrations, models

TABLES = [
    migrations.CreateModel(
        name='SeasonDeal',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('round_number', models.PositiveSmallIntegerField()),
            ('folder', models.PositiveSmallIntegerField()),
            ('place', models.PositiveSmallIntegerField()),
            ('reason', models.CharField(choices=[('spread', 'the tables differ most'), ('unfound', 'nobody found the contract'), ('defence', 'a narrow defence')], max_length=10)),
            ('about', models.JSONField(default=dict)),
            ('line', models.JSONField(default=dict)),
            ('is_dropped', models.BooleanField(default=False, verbose_name='left out')),
            ('comment', models.TextField(blank=True, max_length=500, verbose_name='comment')),
            ('season', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='deals', to='tournaments.season')),
            ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='season_deals', to='tournaments.tournament')),
        ],
        options={
            'ordering': ['place', 'pk'],
            'constraints': [models.UniqueConstraint(fields=('season', 'tournament', 'round_number', 'folder'), name='a_deal_once_a_season')],
        },
    ),
    migrations.CreateModel(
        name='FixtureWish',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('day', models.DateField(blank=True, null=True)),
            ('is_hard', models.BooleanField(default=False)),
            ('other', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tournaments.team')),
            ('team', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='fixture_wishes', to='tournaments.team')),
            ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='fixture_wishes', to='tournaments.tournament')),
        ],
        options={
            'verbose_name_plural': 'fixture wishes',
            'ordering': ['pk'],
            'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('day__isnull', False), ('other__isnull', True)), models.Q(('day__isnull', True), ('other__isnull', False), models.Q(('team', models.F('other')), _negated=True)), _connector='OR'), name='a_wish_is_of_a_day_or_of_another_team'), models.UniqueConstraint(fields=('team', 'day'), name='one_wish_a_team_and_day'), models.UniqueConstraint(fields=('team', 'other'), name='one_wish_of_two_teams')],
        },
    ),
    migrations.CreateModel(
        name='MatchConfirmation',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('home_tokens', models.IntegerField()),
            ('away_tokens', models.IntegerField()),
            ('confirmed_at', models.DateTimeField()),
            ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='confirmations', to='tournaments.match')),
            ('team', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='confirmations', to='tournaments.team')),
        ],
        options={
            'ordering': ['pk'],
            'constraints': [models.UniqueConstraint(fields=('match', 'team'), name='one_confirmation_a_team')],
        },
    ),
    migrations.CreateModel(
        name='Postponement',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('days', models.JSONField(validators=[tournaments.models.leagues.check_days])),
            ('place', models.CharField(blank=True, max_length=120)),
            ('reason', models.CharField(max_length=200)),
            ('state', models.CharField(choices=[('open', 'waiting for an answer'), ('accepted', 'accepted'), ('refused', 'refused'), ('withdrawn', 'withdrawn'), ('overtaken', 'overtaken by a decision of the organiser')], default='open', max_length=10)),
            ('chosen', models.DateField(blank=True, null=True)),
            ('answer', models.CharField(blank=True, max_length=200)),
            ('asked_at', models.DateTimeField()),
            ('answered_at', models.DateTimeField(blank=True, null=True)),
            ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='postponements', to='tournaments.match')),
            ('team', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='postponements', to='tournaments.team')),
        ],
        options={
            'ordering': ['-pk'],
            'constraints': [models.UniqueConstraint(condition=models.Q(('state', 'open')), fields=('match',), name='one_open_postponement_a_match')],
        },
    ),
    migrations.CreateModel(
        name='PointsRule',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('steps', models.JSONField(default=tournaments.models.points.usual_steps, validators=[tournaments.models.points.check_steps])),
            ('weights', models.JSONField(blank=True, default=dict, validators=[tournaments.models.points.check_weights])),
            ('best_of', models.PositiveSmallIntegerField(default=0, validators=[django.core.validators.MaxValueValidator(100)])),
            ('least_evenings', models.PositiveSmallIntegerField(default=0, validators=[django.core.validators.MaxValueValidator(100)])),
            ('union', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='points_rule', to='clubs.club')),
        ],
    ),
    migrations.CreateModel(
        name='PublishedList',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('day', models.DateField(verbose_name='day')),
            ('published_at', models.DateTimeField()),
            ('author', models.CharField(max_length=150)),
            ('rule', models.JSONField()),
            ('players', models.PositiveIntegerField()),
            ('divided_by', models.PositiveBigIntegerField(default=1)),
            ('digest', models.CharField(max_length=64)),
            ('union', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='published_lists', to='clubs.club')),
        ],
        options={
            'ordering': ['-day', '-pk'],
            'constraints': [models.UniqueConstraint(fields=('union', 'day'), name='one_list_a_day')],
        },
    ),
    migrations.CreateModel(
        name='PublishedRow',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('person', models.PositiveBigIntegerField(db_index=True)),
            ('place', models.PositiveIntegerField()),
            ('shared', models.BooleanField(default=False)),
            ('total', models.PositiveBigIntegerField()),
            ('played', models.PositiveIntegerField()),
            ('parts', models.JSONField()),
            ('club', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='clubs.club')),
            ('published', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='rows', to='tournaments.publishedlist')),
        ],
        options={
            'ordering': ['place', 'pk'],
            'indexes': [models.Index(fields=['published', 'place', 'id'], name='published_rows_by_place')],
            'constraints': [models.UniqueConstraint(fields=('published', 'person'), name='one_published_row_a_person')],
        },
    ),
    migrations.CreateModel(
        name='PointsTable',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('kind', models.CharField(choices=[('evening', 'club evenings'), ('union', 'the union’s own tournaments'), ('championship', 'championships'), ('teams', 'pairs and teams')], max_length=12)),
            ('field', models.PositiveSmallIntegerField(validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(1000)])),
            ('points', models.JSONField(validators=[tournaments.models.events.check_points])),
            ('union', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='points_tables', to='clubs.club')),
        ],
        options={
            'ordering': ['kind', 'field'],
            'constraints': [models.UniqueConstraint(fields=('union', 'kind', 'field'), name='one_points_table_a_field')],
        },
    ),
    migrations.CreateModel(
        name='Qualifier',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('by_hand', models.PositiveSmallIntegerField(blank=True, null=True)),
            ('answer', models.CharField(blank=True, choices=[('', 'no answer yet'), ('yes', 'takes part'), ('no', 'does not take part')], default='', max_length=3)),
            ('is_first', models.BooleanField(default=False)),
            ('said_by', models.CharField(max_length=150)),
            ('said_at', models.DateTimeField()),
            ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='qualified', to='clubs.player')),
            ('stage', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='qualifiers', to='tournaments.stage')),
        ],
        options={
            'ordering': ['by_hand', 'pk'],
            'constraints': [models.UniqueConstraint(fields=('stage', 'player'), name='one_qualifier_a_player_and_stage')],
        },
    ),
    migrations.CreateModel(
        name='Quota',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('number', models.PositiveSmallIntegerField(validators=[django.core.validators.MinValueValidator(1)])),
            ('source', models.CharField(choices=[('season', 'the ladder of a season'), ('tournament', 'the standings of a tournament'), ('list', 'a published points list'), ('hand', 'chosen by hand')], max_length=12)),
            ('places', models.PositiveSmallIntegerField(validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(200)])),
            ('each_club', models.BooleanField(default=False)),
            ('published', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tournaments.publishedlist')),
            ('season', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tournaments.season')),
            ('stage', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='quotas', to='tournaments.stage')),
            ('tournament', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tournaments.tournament')),
        ],
        options={
            'ordering': ['number'],
            'constraints': [models.UniqueConstraint(fields=('stage', 'number'), name='one_quota_a_number'), models.CheckConstraint(condition=models.Q(models.Q(('published', None), ('season__isnull', False), ('source', 'season'), ('tournament', None)), models.Q(('published', None), ('season', None), ('source', 'tournament'), ('tournament__isnull', False)), models.Q(('published__isnull', False), ('season', None), ('source', 'list'), ('tournament', None)), models.Q(('published', None), ('season', None), ('source', 'hand'), ('tournament', None)), _connector='OR'), name='a_quota_has_its_source')],
        },
    ),
    migrations.CreateModel(
        name='QualifierQuestion',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('until', models.DateField()),
            ('asked_at', models.DateTimeField()),
            ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='clubs.player')),
            ('stage', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='questions', to='tournaments.stage')),
        ],
        options={
            'constraints': [models.UniqueConstraint(fields=('stage', 'player'), name='one_question_a_player_and_stage')],
        },
    ),
    migrations.CreateModel(
        name='EveningPlaces',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('groups', models.TextField()),
            ('tournament', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='places', to='tournaments.tournament')),
        ],
    ),
    migrations.CreateModel(
        name='FolderAnalysis',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('round_number', models.PositiveSmallIntegerField()),
            ('folder', models.PositiveSmallIntegerField()),
            ('cards', models.CharField(max_length=64)),
            ('rules', models.CharField(max_length=64)),
            ('found', models.JSONField(null=True)),
            ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='folder_analyses', to='tournaments.tournament')),
        ],
        options={
            'ordering': ['round_number', 'folder'],
            'constraints': [models.UniqueConstraint(fields=('tournament', 'round_number', 'folder'), name='one_analysis_a_folder')],
        },
    ),
]
