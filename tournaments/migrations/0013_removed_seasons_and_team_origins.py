"""What is there already is not removed; teams made before do not say who they were, and are known by their name."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("clubs", "0003_shows_rating"),
        ("tournaments", "0012_team_links"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="championship",
            name="one_championship_a_name",
        ),
        migrations.RemoveConstraint(
            model_name="season",
            name="one_season_a_name",
        ),
        migrations.AddField(
            model_name="championship",
            name="removed_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="season",
            name="removed_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="team",
            name="origin",
            field=models.CharField(blank=True, max_length=40),
        ),
        migrations.AddConstraint(
            model_name="championship",
            constraint=models.UniqueConstraint(
                condition=models.Q(("removed_at", None)),
                fields=("host", "name"),
                name="one_championship_a_name",
            ),
        ),
        migrations.AddConstraint(
            model_name="season",
            constraint=models.UniqueConstraint(
                condition=models.Q(("removed_at", None)), fields=("host", "name"), name="one_season_a_name"
            ),
        ),
    ]
