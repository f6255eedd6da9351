"""All tables at once, for a database that is made anew: what the migrations that it replaces come to.

Of their other steps none is here, since they are about rows that were there. A database that has been through some of
those migrations goes on by them; they stay, and are never changed.
"""

import django.contrib.auth.models
import django.contrib.auth.validators
import django.db.models.deletion
import django.db.models.functions.text
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

from clubs.migrations._at_once import CreateAll


class Migration(migrations.Migration):

    replaces = [
        ('clubs', '0001_initial'),
        ('clubs', '0002_club_log'),
        ('clubs', '0003_shows_rating'),
        ('clubs', '0004_offers_and_makers'),
        ('clubs', '0005_nobody_signed_in_as_author'),
        ('clubs', '0006_what_is_kept_of_names'),
        ('clubs', '0007_sample_clubs'),
        ('clubs', '0008_players_by_name'),
        ('clubs', '0009_crests'),
        ('clubs', '0010_statistics_over_the_years'),
        ('clubs', '0011_shows_achievements'),
        ('clubs', '0012_letters'),
        ('clubs', '0013_languages_and_news'),
        ('clubs', '0014_programs'),
        ('clubs', '0015_public_news'),
    ]

    initial = True

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [CreateAll(
        migrations.CreateModel(
            name='Player',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=200, verbose_name='name')),
                ('email', models.EmailField(blank=True, max_length=254, verbose_name='e-mail')),
                ('phone', models.CharField(blank=True, max_length=40, verbose_name='phone')),
                ('ends', models.BigIntegerField(default=0, editable=False)),
                ('letters', models.BigIntegerField(default=0, editable=False)),
                ('sorted_as', models.TextField(default='', editable=False)),
                ('sought', models.TextField(default='', editable=False)),
                ('has_objected', models.BooleanField(default=False, verbose_name='no page over the years')),
                ('language', models.CharField(blank=True, max_length=10, verbose_name='language of letters')),
            ],
            options={
                'ordering': [django.db.models.functions.text.Lower('name'), 'pk'],
                'indexes': [models.Index(fields=['letters'], name='players_by_letters'), models.Index(fields=['ends'], name='players_by_ends'), models.Index(django.db.models.functions.text.Lower('email'), name='players_by_email'), models.Index(fields=['sorted_as', 'id'], name='players_by_name')],
            },
        ),
        migrations.CreateModel(
            name='Club',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=120, unique=True, verbose_name='name')),
                ('slug', models.SlugField(max_length=40, unique=True, verbose_name='short name in addresses')),
                ('town', models.CharField(blank=True, max_length=80, verbose_name='town')),
                ('name_style', models.CharField(choices=[('full', 'full name'), ('initial', 'first name and initial'), ('number', 'number only')], default='full', max_length=10, verbose_name='how players are named in the hall')),
                ('union', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='clubs', to='clubs.club', verbose_name='union')),
                ('shows_rating', models.BooleanField(default=True, verbose_name='the hall shows ratings')),
                ('colour', models.CharField(blank=True, editable=False, max_length=7)),
                ('crest', models.CharField(blank=True, editable=False, max_length=16)),
                ('is_findable', models.BooleanField(default=False, verbose_name='search engines may find these pages')),
                ('statistics', models.CharField(choices=[('everywhere', 'on its own pages, its union’s, and its players’'), ('club', 'on its own pages alone'), ('nowhere', 'nowhere')], default='everywhere', max_length=10, verbose_name='statistics over the years')),
                ('shows_achievements', models.BooleanField(default=True, verbose_name='achievements are shown')),
                ('language', models.CharField(blank=True, max_length=10, verbose_name='language of letters')),
            ],
            options={
                'ordering': ['name'],
            },
        ),
        migrations.CreateModel(
            name='Account',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('password', models.CharField(max_length=128, verbose_name='password')),
                ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                ('is_superuser', models.BooleanField(default=False, help_text='Designates that this user has all permissions without explicitly assigning them.', verbose_name='superuser status')),
                ('username', models.CharField(error_messages={'unique': 'A user with that username already exists.'}, help_text='Required. 150 characters or fewer. Letters, digits and @/./+/-/_ only.', max_length=150, unique=True, validators=[django.contrib.auth.validators.UnicodeUsernameValidator()], verbose_name='username')),
                ('first_name', models.CharField(blank=True, max_length=150, verbose_name='first name')),
                ('last_name', models.CharField(blank=True, max_length=150, verbose_name='last name')),
                ('email', models.EmailField(blank=True, max_length=254, verbose_name='email address')),
                ('is_staff', models.BooleanField(default=False, help_text='Designates whether the user can log into this admin site.', verbose_name='staff status')),
                ('is_active', models.BooleanField(default=True, help_text='Designates whether this user should be treated as active. Unselect this instead of deleting accounts.', verbose_name='active')),
                ('date_joined', models.DateTimeField(default=django.utils.timezone.now, verbose_name='date joined')),
                ('password_is_temporary', models.BooleanField(default=False, verbose_name='password is temporary')),
                ('groups', models.ManyToManyField(blank=True, help_text='The groups this user belongs to. A user will get all permissions granted to each of their groups.', related_name='user_set', related_query_name='user', to='auth.group', verbose_name='groups')),
                ('user_permissions', models.ManyToManyField(blank=True, help_text='Specific permissions for this user.', related_name='user_set', related_query_name='user', to='auth.permission', verbose_name='user permissions')),
                ('made_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='accounts_made', to='clubs.club')),
            ],
            options={
                'verbose_name': 'user',
                'verbose_name_plural': 'users',
                'abstract': False,
            },
            managers=[
                ('objects', django.contrib.auth.models.UserManager()),
            ],
        ),
        migrations.CreateModel(
            name='MemberImport',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('file_name', models.CharField(max_length=200)),
                ('contents', models.JSONField(default=dict)),
                ('joined', models.DateField()),
                ('made_at', models.DateTimeField()),
                ('applied_at', models.DateTimeField(blank=True, null=True)),
                ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='imports', to=settings.AUTH_USER_MODEL)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='imports', to='clubs.club')),
            ],
            options={
                'ordering': ['-made_at'],
            },
        ),
        migrations.CreateModel(
            name='Membership',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField(blank=True, null=True, verbose_name='member number')),
                ('joined', models.DateField(verbose_name='joined')),
                ('left', models.DateField(blank=True, null=True, verbose_name='left')),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='memberships', to='clubs.club')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='memberships', to='clubs.player')),
            ],
            options={
                'ordering': ['number', 'pk'],
                'constraints': [models.UniqueConstraint(condition=models.Q(('left', None)), fields=('club', 'number'), name='one_member_a_number'), models.UniqueConstraint(condition=models.Q(('left', None)), fields=('club', 'player'), name='one_membership_at_a_time'), models.CheckConstraint(condition=models.Q(('left', None), ('left__gte', models.F('joined')), _connector='OR'), name='leaves_after_joining')],
                'indexes': [models.Index(fields=['player', 'club'], name='memberships_by_player')],
            },
        ),
        migrations.CreateModel(
            name='Role',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('organiser', 'organiser'), ('helper', 'helper')], max_length=10, verbose_name='role')),
                ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='roles', to=settings.AUTH_USER_MODEL)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='roles', to='clubs.club')),
            ],
            options={
                'ordering': ['club__name', 'account__username'],
                'constraints': [models.UniqueConstraint(fields=('account', 'club'), name='one_role_a_club')],
            },
        ),
        migrations.CreateModel(
            name='ClubLogEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField()),
                ('author', models.CharField(blank=True, max_length=150)),
                ('text', models.CharField(max_length=200)),
                ('params', models.JSONField(blank=True, default=dict)),
                ('account', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='log', to='clubs.club')),
            ],
            options={
                'verbose_name_plural': 'club log entries',
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='RoleOffer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('organiser', 'organiser'), ('helper', 'helper')], max_length=10)),
                ('offered_by', models.CharField(max_length=150)),
                ('offered_at', models.DateTimeField()),
                ('declined_at', models.DateTimeField(blank=True, null=True)),
                ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='offers', to=settings.AUTH_USER_MODEL)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='offers', to='clubs.club')),
            ],
            options={
                'ordering': ['pk'],
                'constraints': [models.UniqueConstraint(fields=('account', 'club'), name='one_offer_a_club')],
            },
        ),
        migrations.CreateModel(
            name='SampleClub',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('removed_at', models.DateTimeField(blank=True, null=True)),
                ('club', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='sample', to='clubs.club')),
                ('players', models.ManyToManyField(related_name='+', to='clubs.player')),
            ],
        ),
        migrations.CreateModel(
            name='Crest',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('picture', models.BinaryField()),
                ('club', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='picture', to='clubs.club')),
            ],
        ),
        migrations.CreateModel(
            name='Stop',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('address_print', models.CharField(max_length=32)),
                ('topic', models.CharField(blank=True, max_length=10)),
                ('stopped_at', models.DateTimeField()),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('address_print', 'topic'), name='one_stop_a_topic')],
            },
        ),
        migrations.CreateModel(
            name='Agreement',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('topic', models.CharField(choices=[('evening', 'the draw and their seat, the day before an evening'), ('results', 'results, when an evening is over'), ('news', 'news of the season')], max_length=10)),
                ('agreed_at', models.DateTimeField()),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='agreements', to='clubs.player')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('player', 'topic'), name='one_agreement_a_topic')],
            },
        ),
        migrations.CreateModel(
            name='Letter',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=20)),
                ('to', models.CharField(max_length=254)),
                ('language', models.CharField(max_length=10)),
                ('facts', models.JSONField(default=dict)),
                ('key', models.CharField(max_length=100, null=True, unique=True)),
                ('state', models.CharField(choices=[('waiting', 'waits'), ('sending', 'is being sent'), ('sent', 'sent'), ('failed', 'came back'), ('given up', 'given up')], default='waiting', max_length=10)),
                ('posted_at', models.DateTimeField()),
                ('until', models.DateTimeField()),
                ('tries', models.PositiveSmallIntegerField(default=0)),
                ('next_try', models.DateTimeField()),
                ('taken_at', models.DateTimeField(null=True)),
                ('sent_at', models.DateTimeField(null=True)),
                ('error', models.CharField(blank=True, max_length=200)),
                ('answer', models.CharField(blank=True, max_length=300)),
                ('is_hidden', models.BooleanField(default=False)),
                ('account', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='posted', to=settings.AUTH_USER_MODEL)),
                ('club', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='posted', to='clubs.club')),
                ('player', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='posted', to='clubs.player')),
            ],
            options={
                'ordering': ['-pk'],
                'indexes': [models.Index(condition=models.Q(('state', 'waiting')), fields=['next_try'], name='letters_due'), models.Index(condition=models.Q(('state', 'sending')), fields=['taken_at'], name='letters_being_sent'), models.Index(fields=['club', '-id'], name='letters_of_a_club'), models.Index(condition=models.Q(('is_hidden', False), ('state__in', ['failed', 'given up'])), fields=['club'], name='letters_in_vain'), models.Index(fields=['posted_at'], name='letters_by_age'), models.Index(fields=['to'], name='letters_to_an_address')],
            },
        ),
        migrations.CreateModel(
            name='News',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('subject', models.CharField(max_length=120)),
                ('text', models.TextField(max_length=10000)),
                ('written_by', models.CharField(max_length=150)),
                ('written_at', models.DateTimeField()),
                ('posted', models.PositiveIntegerField(default=0)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='news', to='clubs.club')),
                ('is_public', models.BooleanField(default=False)),
            ],
            options={
                'verbose_name_plural': 'news',
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='ProgramKey',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=80, verbose_name='name')),
                ('digest', models.CharField(max_length=64, unique=True)),
                ('begins', models.CharField(max_length=12)),
                ('scopes', models.JSONField(default=list)),
                ('made_by', models.CharField(max_length=150)),
                ('made_at', models.DateTimeField()),
                ('used_at', models.DateTimeField(blank=True, null=True)),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='keys', to='clubs.club')),
            ],
            options={
                'ordering': ['ended_at', '-pk'],
            },
        ),
        migrations.CreateModel(
            name='Webhook',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('url', models.URLField(max_length=300, verbose_name='address')),
                ('secret', models.CharField(max_length=100)),
                ('events', models.JSONField(default=list)),
                ('made_by', models.CharField(max_length=150)),
                ('made_at', models.DateTimeField()),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='webhooks', to='clubs.club')),
            ],
            options={
                'ordering': ['pk'],
                'constraints': [models.UniqueConstraint(fields=('club', 'url'), name='an_address_is_told_once')],
            },
        ),
        migrations.CreateModel(
            name='Message',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('event', models.CharField(max_length=30)),
                ('body', models.TextField()),
                ('made_at', models.DateTimeField()),
                ('state', models.CharField(choices=[('waiting', 'waits'), ('sending', 'is being sent'), ('sent', 'sent'), ('given up', 'given up')], default='waiting', max_length=10)),
                ('tries', models.PositiveSmallIntegerField(default=0)),
                ('next_try', models.DateTimeField()),
                ('taken_at', models.DateTimeField(null=True)),
                ('sent_at', models.DateTimeField(null=True)),
                ('came_to', models.CharField(blank=True, max_length=200)),
                ('webhook', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='messages', to='clubs.webhook')),
            ],
            options={
                'ordering': ['-pk'],
                'indexes': [models.Index(condition=models.Q(('state', 'waiting')), fields=['next_try'], name='messages_due'), models.Index(condition=models.Q(('state', 'sending')), fields=['taken_at'], name='messages_being_sent'), models.Index(fields=['webhook', '-id'], name='messages_of_an_address')],
            },
        ),
        migrations.CreateModel(
            name='ProgramAnswer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.UUIDField()),
                ('asked', models.CharField(max_length=64)),
                ('answer', models.JSONField()),
                ('at', models.DateTimeField(db_index=True)),
                ('key', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='answers', to='clubs.programkey')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('key', 'name'), name='one_answer_a_name')],
            },
        ),
    )]
