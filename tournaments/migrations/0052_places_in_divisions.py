"""Kept results say among how many a place is, and in which division: those of pairs and teams are counted again."""

from django.db import migrations, models
from django.db.models import Count, OuterRef, Subquery
from django.db.models.functions import Coalesce

BATCH = 500


def count_fields(apps, _schema_editor):
    tournaments = apps.get_model("tournaments", "Tournament").objects
    results = apps.get_model("tournaments", "EveningResult").objects
    in_teams = list(
        apps.get_model("tournaments", "Team").objects.order_by().values_list("tournament", flat=True).distinct()
    )
    for start in range(0, len(in_teams), BATCH):
        tournaments.filter(pk__in=in_teams[start : start + BATCH]).update(results_kept=False)
    there = results.filter(tournament=OuterRef("tournament")).order_by().values("tournament")
    count = there.annotate(count=Count("pk")).values("count")
    results.update(field=Coalesce(Subquery(count), 0))
    if in_teams:
        # Years count the evenings that were won: the first of a lower division was among those.
        apps.get_model("tournaments", "KeptYear").objects.all().delete()


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0051_empty_chairs")]

    operations = [
        migrations.AddField(
            model_name="eveningresult", name="field", field=models.PositiveIntegerField(default=0)
        ),
        migrations.AddField(
            model_name="eveningresult", name="division", field=models.PositiveSmallIntegerField(default=1)
        ),
        migrations.RunPython(count_fields, migrations.RunPython.noop),
    ]
