import tournaments.models.play
from django.db import migrations, models


def give_each_its_own(apps, schema_editor):
    """Teams that are there already get a link each: a default is worked out once for all of them."""
    Team = apps.get_model("tournaments", "Team")
    for team in Team.objects.all():
        team.secret = tournaments.models.play.make_secret()
        team.save(update_fields=["secret"])


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0011_boards'),
    ]

    operations = [
        migrations.AddField(
            model_name='team',
            name='secret',
            field=models.CharField(default='', max_length=32),
            preserve_default=False,
        ),
        migrations.RunPython(give_each_its_own, migrations.RunPython.noop),
        migrations.AlterField(
            model_name='team',
            name='secret',
            field=models.CharField(default=tournaments.models.play.make_secret, max_length=32, unique=True),
        ),
    ]
