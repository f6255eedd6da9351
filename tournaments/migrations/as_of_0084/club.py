"""The register; merges, statements and erasures; teams entered by clubs; officials and objections."""

import django.core.validators
import django.db.models.deletion
import django.db.models.expressions
import tournaments.models.club
import tournaments.models.play
from django.conf import settings
from django.db import migrations, models

TABLES = [
    migrations.CreateModel(
        name='RegisterHead',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('count', models.PositiveIntegerField(default=0)),
            ('head', models.CharField(blank=True, max_length=64)),
            ('seal', models.CharField(blank=True, max_length=40)),
        ],
    ),
    migrations.CreateModel(
        name='RegisterLink',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('number', models.PositiveIntegerField(unique=True)),
            ('at', models.DateTimeField()),
            ('content', models.JSONField()),
            ('previous_hash', models.CharField(blank=True, max_length=64)),
            ('hash', models.CharField(max_length=64)),
        ],
        options={
            'ordering': ['number'],
        },
    ),
    migrations.CreateModel(
        name='PlayerMerge',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('kept', models.PositiveBigIntegerField(db_index=True)),
            ('gone', models.PositiveBigIntegerField(db_index=True)),
            ('name', models.CharField(blank=True, max_length=200)),
            ('moved', models.JSONField(default=dict)),
            ('merged_by', models.CharField(max_length=150)),
            ('merged_at', models.DateTimeField()),
            ('undone_by', models.CharField(blank=True, max_length=150)),
            ('undone_at', models.DateTimeField(blank=True, null=True)),
            ('desk', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='player_merges', to='clubs.club')),
        ],
        options={
            'ordering': ['-pk'],
            'constraints': [models.UniqueConstraint(condition=models.Q(('undone_at', None)), fields=('gone',), name='one_merge_at_a_time')],
        },
    ),
    migrations.CreateModel(
        name='TwoPeople',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('said_by', models.CharField(max_length=150)),
            ('said_at', models.DateTimeField()),
            ('one', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='clubs.player')),
            ('other', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='clubs.player')),
        ],
        options={
            'verbose_name_plural': 'two people',
            'ordering': ['pk'],
            'constraints': [models.UniqueConstraint(fields=('one', 'other'), name='two_people_once'), models.CheckConstraint(condition=models.Q(('one__lt', models.F('other'))), name='two_people_in_order')],
        },
    ),
    migrations.CreateModel(
        name='UnionFees',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('per_member', models.PositiveIntegerField(default=0, validators=[django.core.validators.MaxValueValidator(1000000)])),
            ('least', models.PositiveIntegerField(default=0, validators=[django.core.validators.MaxValueValidator(1000000)])),
            ('per_team', models.PositiveIntegerField(default=0, validators=[django.core.validators.MaxValueValidator(1000000)])),
            ('votes', models.JSONField(blank=True, default=tournaments.models.club.usual_votes, validators=[tournaments.models.club.check_votes])),
            ('days', models.PositiveSmallIntegerField(default=30, validators=[django.core.validators.MaxValueValidator(365)])),
            ('pay_to', models.CharField(blank=True, max_length=200)),
            ('union', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='fees', to='clubs.club')),
        ],
    ),
    migrations.CreateModel(
        name='Statement',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('number', models.PositiveIntegerField(verbose_name='number')),
            ('members', models.PositiveIntegerField(verbose_name='members')),
            ('teams', models.PositiveIntegerField(verbose_name='teams')),
            ('votes', models.PositiveIntegerField(verbose_name='votes')),
            ('per_member', models.PositiveIntegerField()),
            ('for_members', models.PositiveBigIntegerField()),
            ('per_team', models.PositiveIntegerField()),
            ('for_teams', models.PositiveBigIntegerField()),
            ('total', models.PositiveBigIntegerField()),
            ('due', models.DateField(verbose_name='due')),
            ('pay_to', models.CharField(blank=True, max_length=200)),
            ('made_by', models.CharField(max_length=150)),
            ('made_at', models.DateTimeField()),
            ('state', models.CharField(choices=[('open', 'open'), ('paid', 'paid')], default='open', max_length=10)),
            ('paid_on', models.DateField(blank=True, null=True)),
            ('reminders', models.PositiveSmallIntegerField(default=0)),
            ('reminded_at', models.DateTimeField(blank=True, null=True)),
            ('club', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='statements', to='clubs.club')),
            ('count', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='statements', to='clubs.membercount')),
            ('union', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='statements_made', to='clubs.club')),
        ],
        options={
            'ordering': ['-number'],
            'constraints': [models.UniqueConstraint(fields=('union', 'number'), name='one_statement_a_number'), models.UniqueConstraint(fields=('count', 'club'), name='one_statement_a_club_and_count'), models.CheckConstraint(condition=models.Q(('total', django.db.models.expressions.CombinedExpression(models.F('for_members'), '+', models.F('for_teams')))), name='a_statement_adds_up'), models.CheckConstraint(condition=models.Q(models.Q(('paid_on', None), ('state', 'open')), models.Q(('paid_on__isnull', False), ('state', 'paid')), _connector='OR'), name='a_paid_statement_has_its_day')],
        },
    ),
    migrations.CreateModel(
        name='ErasureProposal',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('left', models.DateField()),
            ('proposed_at', models.DateTimeField()),
            ('kept_until', models.DateField(blank=True, null=True)),
            ('kept_by', models.CharField(blank=True, max_length=150)),
            ('club', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='erasure_proposals', to='clubs.club')),
            ('player', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='erasure_proposal', to='clubs.player')),
        ],
        options={
            'ordering': ['left', 'pk'],
        },
    ),
    migrations.CreateModel(
        name='HandOver',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('keys', models.TextField(blank=True, max_length=400, verbose_name='who has which key')),
            ('things', models.TextField(blank=True, max_length=400, verbose_name='where cards, chips and the cash box are')),
            ('backup', models.TextField(blank=True, max_length=400, verbose_name='where the backup is')),
            ('more', models.TextField(blank=True, max_length=400, verbose_name='what else the next organiser must know')),
            ('changed_by', models.CharField(max_length=150)),
            ('changed_at', models.DateTimeField()),
            ('club', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='hand_over', to='clubs.club')),
        ],
    ),
    migrations.CreateModel(
        name='TeamEntry',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('number', models.PositiveSmallIntegerField(verbose_name='number')),
            ('name', models.CharField(blank=True, max_length=80, verbose_name='name')),
            ('place', models.CharField(blank=True, max_length=120, verbose_name='plays at home at')),
            ('state', models.CharField(choices=[('entered', 'entered'), ('changed', 'changed'), ('withdrawn', 'withdrawn'), ('accepted', 'accepted'), ('declined', 'declined')], default='entered', max_length=10)),
            ('answer', models.CharField(blank=True, max_length=200)),
            ('entered_at', models.DateTimeField()),
            ('changed_at', models.DateTimeField()),
            ('club', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='team_entries', to='clubs.club', verbose_name='club')),
            ('team', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='team_entry', to='tournaments.team')),
            ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='team_entries', to='tournaments.tournament')),
        ],
        options={
            'verbose_name_plural': 'team entries',
            'ordering': ['number'],
            'constraints': [models.UniqueConstraint(fields=('tournament', 'number'), name='one_team_entry_a_number'), models.UniqueConstraint(condition=models.Q(('state__in', ['entered', 'changed', 'accepted']), models.Q(('name', ''), _negated=True)), fields=('tournament', 'name'), name='one_team_entry_a_name')],
        },
    ),
    migrations.CreateModel(
        name='TeamEntryLink',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('secret', models.CharField(default=tournaments.models.play.make_secret, max_length=32, unique=True)),
            ('club', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='team_entry_links', to='clubs.club')),
            ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='team_entry_links', to='tournaments.tournament')),
        ],
        options={
            'constraints': [models.UniqueConstraint(fields=('tournament', 'club'), name='one_team_entry_link_a_club')],
        },
    ),
    migrations.CreateModel(
        name='TeamEntryPlayer',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('place', models.PositiveSmallIntegerField()),
            ('is_reserve', models.BooleanField(default=False)),
            ('is_captain', models.BooleanField(default=False)),
            ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='team_entries', to='clubs.player')),
            ('team_entry', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='players', to='tournaments.teamentry')),
        ],
        options={
            'ordering': ['place', 'pk'],
            'constraints': [models.UniqueConstraint(fields=('team_entry', 'player'), name='a_player_once_a_team_entry'), models.UniqueConstraint(condition=models.Q(('is_captain', True)), fields=('team_entry',), name='one_captain_a_team_entry')],
        },
    ),
    migrations.CreateModel(
        name='TeamEntryRuling',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('what', models.CharField(choices=[('changed', 'the team was changed'), ('withdrawn', 'the team was withdrawn'), ('back', 'the team was brought back'), ('dissolved', 'the team was dissolved')], max_length=10)),
            ('reason', models.CharField(max_length=200)),
            ('ruled_by', models.CharField(max_length=150)),
            ('ruled_at', models.DateTimeField()),
            ('team_entry', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='rulings', to='tournaments.teamentry')),
        ],
        options={
            'ordering': ['pk'],
        },
    ),
    migrations.CreateModel(
        name='Official',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('kind', models.CharField(choices=[('organiser', 'organiser'), ('helper', 'helper')], max_length=10, verbose_name='role')),
            ('given_by', models.CharField(max_length=150)),
            ('given_at', models.DateTimeField()),
            ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='officials', to=settings.AUTH_USER_MODEL)),
            ('championship', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='officials', to='tournaments.championship')),
            ('season', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='officials', to='tournaments.season')),
            ('tournament', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='officials', to='tournaments.tournament')),
            ('hall', models.CharField(blank=True, default='', max_length=30, verbose_name='hall')),
        ],
        options={
            'ordering': ['-kind', 'account__username'],
            'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('championship', None), ('season', None), ('tournament__isnull', False)), models.Q(('championship', None), ('season__isnull', False), ('tournament', None)), models.Q(('championship__isnull', False), ('season', None), ('tournament', None)), _connector='OR'), name='an_official_of_one_thing'), models.UniqueConstraint(fields=('account', 'tournament'), name='one_official_a_tournament'), models.UniqueConstraint(fields=('account', 'season'), name='one_official_a_season'), models.UniqueConstraint(fields=('account', 'championship'), name='one_official_a_championship'), models.CheckConstraint(condition=models.Q(('hall', ''), models.Q(('kind', 'helper'), ('tournament__isnull', False)), _connector='OR'), name='a_helper_in_one_hall')],
        },
    ),
    migrations.CreateModel(
        name='Objection',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('number', models.PositiveSmallIntegerField(verbose_name='number')),
            ('about', models.CharField(choices=[('match', 'a match'), ('deal', 'a deal'), ('standings', 'the standings'), ('line_up', 'a line-up')], max_length=10)),
            ('round_number', models.PositiveSmallIntegerField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(60)])),
            ('table_number', models.PositiveSmallIntegerField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(1)])),
            ('deal_number', models.PositiveSmallIntegerField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(80)])),
            ('words', models.CharField(max_length=500)),
            ('made_by', models.CharField(blank=True, max_length=150)),
            ('made_at', models.DateTimeField()),
            ('state', models.CharField(choices=[('open', 'open'), ('upheld', 'upheld'), ('rejected', 'rejected'), ('withdrawn', 'withdrawn')], default='open', max_length=10)),
            ('answer', models.CharField(blank=True, max_length=200)),
            ('decided_by', models.CharField(blank=True, max_length=150)),
            ('decided_at', models.DateTimeField(blank=True, null=True)),
            ('club', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='objections', to='clubs.club')),
            ('entry', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='objections', to='tournaments.entry')),
            ('team', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='objections', to='tournaments.team')),
            ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='objections', to='tournaments.tournament')),
        ],
        options={
            'ordering': ['number'],
            'constraints': [models.UniqueConstraint(fields=('tournament', 'number'), name='one_objection_a_number'), models.CheckConstraint(condition=models.Q(models.Q(('club', None), ('entry', None), ('team__isnull', False)), models.Q(('club', None), ('entry__isnull', False), ('team', None)), models.Q(('club__isnull', False), ('entry', None), ('team', None)), _connector='OR'), name='an_objection_is_by_one')],
        },
    ),
]
