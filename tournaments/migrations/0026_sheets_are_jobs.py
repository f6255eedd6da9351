"""Sheets in the making are jobs like any other; those that waited are made, those that were made are known of."""

from django.db import migrations

STATES = {"waiting": "waiting", "rendering": "waiting", "ready": "done", "failed": "failed"}


def move(apps, _schema_editor):
    Job = apps.get_model("jobs", "Job")
    for sheets in apps.get_model("tournaments", "SheetJob").objects.order_by("pk"):
        Job.objects.create(
            kind="sheets",
            thing=f"round {sheets.round_id}",
            about={"sheet": sheets.kind, "table": sheets.table_number, "base_url": sheets.base_url},
            key=f"sheets before jobs {sheets.pk}",
            language=sheets.language,
            asked_by_id=sheets.asked_by_id,
            asked_at=sheets.asked_at,
            state=STATES[sheets.state],
            total=sheets.total,
            version=str(sheets.tournament_version),
            begun_at=sheets.asked_at,
            ended_at=sheets.touched_at if sheets.state in ("ready", "failed") else None,
            # The file lies in another folder than those of jobs: it is offered to be made anew.
            file=sheets.file,
            error=sheets.error,
        )


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0025_byes_as_drawn"), ("jobs", "0001_initial")]

    operations = [
        migrations.RunPython(move, migrations.RunPython.noop, elidable=True),
        migrations.DeleteModel(name="SheetJob"),
        # Of the library that sheets waited in before.
        migrations.RunSQL("DROP TABLE IF EXISTS django_tasks_database_dbtaskresult", migrations.RunSQL.noop),
    ]
