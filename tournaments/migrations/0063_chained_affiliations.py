"""Which clubs belong to which unions is in the register, as it was in the clubs' own rows."""

from django.db import migrations

from tournaments.changes.register import chain_kind


def chain_affiliations(apps, _schema_editor):
    chain_kind("Affiliation", apps.get_model)


class Migration(migrations.Migration):
    dependencies = [("clubs", "0022_affiliations"), ("tournaments", "0062_season_deals")]

    operations = [migrations.RunPython(chain_affiliations, migrations.RunPython.noop)]
