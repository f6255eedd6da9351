"""Matches, tables and seats; what is reported, ruled and paid; boards; the chain."""

import django.core.serializers.json
import django.core.validators
import django.db.models.deletion
import tournaments.models.ledger
import core.text
import tournaments.models.events
import tournaments.models.play
from django.db import migrations, models

TABLES = [
    migrations.CreateModel(
        name='Penalty',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('tokens', models.IntegerField(verbose_name='tokens')),
            ('reason', models.CharField(max_length=200, verbose_name='reason')),
            ('ruled_by', models.CharField(max_length=150)),
            ('ruled_at', models.DateTimeField()),
            ('cancelled_at', models.DateTimeField(blank=True, null=True)),
            ('cancelled_by', models.CharField(blank=True, max_length=150)),
            ('cancel_reason', models.CharField(blank=True, max_length=200)),
            ('entry', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='penalties', to='tournaments.entry')),
            ('round', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='penalties', to='tournaments.round')),
            ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='penalties', to='tournaments.tournament')),
            ('team', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='penalties', to='tournaments.team')),
            ('match_points', models.IntegerField(default=0, verbose_name='match points')),
        ],
        options={
            'verbose_name_plural': 'penalties',
            'ordering': ['pk'],
            'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('entry__isnull', False), ('team__isnull', True)), models.Q(('entry__isnull', True), ('team__isnull', False)), _connector='OR'), name='a_penalty_is_a_players_or_a_teams'), models.CheckConstraint(condition=models.Q(('match_points', 0), models.Q(('team__isnull', False), ('tokens', 0)), _connector='OR'), name='match_points_are_ruled_to_a_team')],
        },
    ),
    migrations.CreateModel(
        name='Payment',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('number', models.PositiveIntegerField(verbose_name='number')),
            ('amount', models.PositiveBigIntegerField(validators=[django.core.validators.MinValueValidator(1)], verbose_name='amount')),
            ('paid_at', models.DateTimeField(blank=True, null=True)),
            ('ticked_by', models.CharField(blank=True, max_length=150)),
            ('payee', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='payments_received', to='tournaments.entry')),
            ('payer', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='payments_made', to='tournaments.entry')),
            ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='payments', to='tournaments.tournament')),
        ],
        options={
            'ordering': ['number'],
            'constraints': [models.UniqueConstraint(fields=('tournament', 'number'), name='one_payment_a_number'), models.CheckConstraint(condition=models.Q(('amount__gt', 0)), name='a_payment_is_of_something'), models.CheckConstraint(condition=models.Q(('payer__isnull', False), ('payee__isnull', False), _connector='OR'), name='the_box_does_not_pay_itself'), models.CheckConstraint(condition=models.Q(('payer__isnull', True), ('payee__isnull', True), models.Q(('payer', models.F('payee')), _negated=True), _connector='OR'), name='nobody_pays_themselves')],
        },
    ),
    migrations.CreateModel(
        name='Match',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('number', models.PositiveSmallIntegerField(verbose_name='number')),
            ('postponed_to', models.DateField(blank=True, null=True, verbose_name='postponed to')),
            ('awarded_home', models.PositiveSmallIntegerField(blank=True, null=True)),
            ('awarded_away', models.PositiveSmallIntegerField(blank=True, null=True)),
            ('awarded_reason', models.CharField(blank=True, max_length=200)),
            ('round', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='matches', to='tournaments.round')),
            ('away', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='away_matches', to='tournaments.team')),
            ('home', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='home_matches', to='tournaments.team')),
            ('ended_at', models.DateTimeField(blank=True, null=True)),
        ],
        options={
            'verbose_name_plural': 'matches',
            'ordering': ['number'],
            'constraints': [models.UniqueConstraint(fields=('round', 'number'), name='one_match_a_number'), models.UniqueConstraint(fields=('round', 'home'), name='one_home_match_a_round'), models.UniqueConstraint(fields=('round', 'away'), name='one_away_match_a_round'), models.CheckConstraint(condition=models.Q(('away__isnull', True), models.Q(('home', models.F('away')), _negated=True), _connector='OR'), name='nobody_meets_themselves')],
        },
    ),
    migrations.CreateModel(
        name='Table',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('number', models.PositiveSmallIntegerField(verbose_name='table')),
            ('deals', models.PositiveSmallIntegerField(verbose_name='deals')),
            ('first_dealer', models.PositiveSmallIntegerField(default=0)),
            ('secret', models.CharField(default=tournaments.models.play.make_secret, max_length=32, unique=True)),
            ('code', models.CharField(default=core.text.make_code, max_length=8, unique=True)),
            ('phone', models.CharField(blank=True, max_length=36)),
            ('phone_seen_at', models.DateTimeField(blank=True, null=True)),
            ('version', models.PositiveIntegerField(default=1)),
            ('last_hash', models.CharField(blank=True, max_length=64)),
            ('reports_count', models.PositiveIntegerField(default=0)),
            ('last_report_at', models.DateTimeField(blank=True, null=True)),
            ('ended_early_at', models.DateTimeField(blank=True, null=True)),
            ('ended_early_reason', models.CharField(blank=True, max_length=200)),
            ('round', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='tables', to='tournaments.round')),
            ('match', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='tables', to='tournaments.match')),
            ('folders', models.JSONField(blank=True, default=list, validators=[tournaments.models.play.check_folders])),
            ('turns', models.JSONField(blank=True, default=list)),
            ('seal', models.CharField(blank=True, max_length=40)),
        ],
        options={
            'ordering': ['number'],
            'constraints': [models.UniqueConstraint(fields=('round', 'number'), name='one_table_a_number'), models.CheckConstraint(condition=models.Q(('first_dealer__gte', 0), ('first_dealer__lte', 4)), name='first_dealer_has_a_seat')],
        },
    ),
    migrations.CreateModel(
        name='Seat',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('position', models.PositiveSmallIntegerField()),
            ('tokens', models.IntegerField(default=0)),
            ('agreed_at', models.DateTimeField(blank=True, null=True)),
            ('entry', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='seats', to='tournaments.entry')),
            ('round', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='seats', to='tournaments.round')),
            ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='seats', to='tournaments.table')),
        ],
        options={
            'ordering': ['position'],
            'constraints': [models.UniqueConstraint(fields=('table', 'position'), name='a_seat_is_one_entrys'), models.UniqueConstraint(fields=('round', 'entry'), name='an_entry_sits_once_a_round'), models.CheckConstraint(condition=models.Q(('position__gte', 0), ('position__lte', 4)), name='position_is_0_to_4')],
        },
    ),
    migrations.CreateModel(
        name='RevokedSecret',
        fields=[
            ('secret', models.CharField(max_length=32, primary_key=True, serialize=False)),
            ('revoked_at', models.DateTimeField()),
            ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='revoked_secrets', to='tournaments.table')),
        ],
    ),
    migrations.CreateModel(
        name='Report',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('sequence', models.PositiveIntegerField()),
            ('deal_number', models.PositiveSmallIntegerField()),
            ('revision', models.PositiveSmallIntegerField()),
            ('key', models.UUIDField()),
            ('result', models.JSONField(blank=True, encoder=django.core.serializers.json.DjangoJSONEncoder, null=True)),
            ('dealer', models.PositiveSmallIntegerField()),
            ('outcome', models.CharField(blank=True, max_length=20)),
            ('contract', models.CharField(blank=True, max_length=20)),
            ('declarer', models.PositiveSmallIntegerField(blank=True, null=True)),
            ('tokens', models.JSONField(blank=True)),
            ('parts', models.JSONField(blank=True)),
            ('source', models.CharField(choices=[('captain', 'captain'), ('desk', 'desk')], max_length=10)),
            ('author', models.CharField(blank=True, max_length=150)),
            ('reason', models.CharField(blank=True, max_length=200)),
            ('made_at', models.DateTimeField(blank=True, null=True)),
            ('recorded_at', models.DateTimeField()),
            ('previous_hash', models.CharField(blank=True, max_length=64)),
            ('hash', models.CharField(max_length=64)),
            ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='reports', to='tournaments.table')),
        ],
        options={
            'ordering': ['table', 'sequence'],
            'constraints': [models.UniqueConstraint(fields=('table', 'key'), name='sending_twice_is_sending_once'), models.UniqueConstraint(fields=('table', 'sequence'), name='one_report_a_place_in_the_chain'), models.UniqueConstraint(fields=('table', 'deal_number', 'revision'), name='one_report_a_revision')],
        },
    ),
    migrations.CreateModel(
        name='KeptReport',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('key', models.UUIDField()),
            ('item', models.JSONField()),
            ('why', models.CharField(max_length=20)),
            ('received_at', models.DateTimeField()),
            ('state', models.CharField(choices=[('waiting', 'waiting'), ('taken', 'taken in'), ('set_aside', 'set aside')], default='waiting', max_length=10)),
            ('decided_at', models.DateTimeField(blank=True, null=True)),
            ('decided_by', models.CharField(blank=True, max_length=150)),
            ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='kept_reports', to='tournaments.table')),
        ],
        options={
            'ordering': ['pk'],
            'constraints': [models.UniqueConstraint(fields=('table', 'key'), name='kept_once')],
        },
    ),
    migrations.CreateModel(
        name='Flag',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('kind', models.CharField(choices=[('call', 'calls the organiser'), ('later', 'deal to look at later'), ('conflict', 'another phone differs'), ('rare', 'rare, to be looked at')], max_length=10)),
            ('deal', models.PositiveSmallIntegerField(blank=True, null=True)),
            ('words', models.CharField(blank=True, max_length=200)),
            ('raised_at', models.DateTimeField()),
            ('settled_at', models.DateTimeField(blank=True, null=True)),
            ('settled_by', models.CharField(blank=True, max_length=150)),
            ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='flags', to='tournaments.table')),
            ('about', models.JSONField(blank=True, default=dict)),
            ('key', models.UUIDField(blank=True, null=True)),
        ],
        options={
            'ordering': ['-pk'],
            'constraints': [models.UniqueConstraint(fields=('table', 'key'), name='a_call_sent_twice_is_one')],
        },
    ),
    migrations.CreateModel(
        name='Deal',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('number', models.PositiveSmallIntegerField()),
            ('current', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='current_of', to='tournaments.report')),
            ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='dealt', to='tournaments.table')),
        ],
        options={
            'ordering': ['number'],
            'constraints': [models.UniqueConstraint(fields=('table', 'number'), name='one_deal_a_number'), models.CheckConstraint(condition=models.Q(('number__gte', 1)), name='deals_count_from_one')],
        },
    ),
    migrations.CreateModel(
        name='Photograph',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('file', models.CharField(max_length=60, unique=True)),
            ('attached_by', models.CharField(max_length=150)),
            ('attached_at', models.DateTimeField()),
            ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='photographs', to='tournaments.table')),
        ],
        options={
            'ordering': ['pk'],
        },
    ),
    migrations.CreateModel(
        name='FolderChange',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('deal_number', models.PositiveSmallIntegerField()),
            ('was', models.PositiveSmallIntegerField()),
            ('now', models.PositiveSmallIntegerField()),
            ('reason', models.CharField(max_length=200)),
            ('source', models.CharField(choices=[('captain', 'captain'), ('desk', 'desk')], max_length=10)),
            ('author', models.CharField(blank=True, max_length=150)),
            ('changed_at', models.DateTimeField()),
            ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='folder_changes', to='tournaments.table')),
        ],
        options={
            'ordering': ['pk'],
        },
    ),
    migrations.CreateModel(
        name='BoardSet',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('round_number', models.PositiveSmallIntegerField(verbose_name='round')),
            ('seed', models.CharField(default=tournaments.models.ledger.make_seed, max_length=64)),
            ('dealt_at', models.DateTimeField()),
            ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='board_sets_dealt', to='tournaments.tournament')),
        ],
        options={
            'ordering': ['round_number'],
            'constraints': [models.UniqueConstraint(fields=('tournament', 'round_number'), name='one_set_of_boards_a_round')],
        },
    ),
    migrations.CreateModel(
        name='FormerSeat',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('position', models.PositiveSmallIntegerField()),
            ('through', models.PositiveSmallIntegerField()),
            ('tokens', models.IntegerField(default=0)),
            ('entry', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='former_seats', to='tournaments.entry')),
            ('round', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='former_seats', to='tournaments.round')),
            ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='former_seats', to='tournaments.table')),
        ],
        options={
            'ordering': ['table', 'position', 'through', 'pk'],
        },
    ),
    migrations.CreateModel(
        name='SeatChange',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('sequence', models.PositiveSmallIntegerField()),
            ('change', models.JSONField()),
            ('reason', models.CharField(blank=True, max_length=200)),
            ('author', models.CharField(blank=True, max_length=150)),
            ('changed_at', models.DateTimeField()),
            ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='seat_changes', to='tournaments.table')),
        ],
        options={
            'ordering': ['table', 'sequence'],
            'constraints': [models.UniqueConstraint(fields=('table', 'sequence'), name='one_seat_change_a_place')],
        },
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
]
