"""Sheets that were asked for before the program was brought up to date are made after it: their task has moved."""

from django.db import migrations

BEFORE, AFTER = "tournaments.sheets.jobs.make_sheets", "tournaments.paper.jobs.make_sheets"


def move(apps, _schema_editor):
    tasks = apps.get_model("django_tasks_database", "DBTaskResult")
    tasks.objects.filter(task_path=BEFORE).update(task_path=AFTER)


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0023_chain"),
        ("django_tasks_database", "0021_conditional_partial_index_ordering"),
    ]

    operations = [migrations.RunPython(move, migrations.RunPython.noop)]
