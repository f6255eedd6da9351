from django.db import migrations, models

from tournaments.changes.register import begin


def begin_register(apps, schema_editor):
    begin(apps.get_model)


class Migration(migrations.Migration):
    """The register, a chain over the records that are no single tournament's; what there is begins it."""

    dependencies = [
        ("clubs", "0016_letters_by_state"),
        ("tournaments", "0054_even_threes_and_rankings"),
    ]

    operations = [
        migrations.CreateModel(
            name="RegisterHead",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("count", models.PositiveIntegerField(default=0)),
                ("head", models.CharField(blank=True, max_length=64)),
                ("seal", models.CharField(blank=True, max_length=40)),
            ],
        ),
        migrations.CreateModel(
            name="RegisterLink",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField(unique=True)),
                ("at", models.DateTimeField()),
                ("content", models.JSONField()),
                ("previous_hash", models.CharField(blank=True, max_length=64)),
                ("hash", models.CharField(max_length=64)),
            ],
            options={"ordering": ["number"]},
        ),
        migrations.RunPython(begin_register, migrations.RunPython.noop),
    ]
