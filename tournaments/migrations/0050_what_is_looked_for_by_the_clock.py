from django.db import migrations, models


class Migration(migrations.Migration):
    """Indexes by which what is looked for again and again is found, however many years lie behind."""

    dependencies = [
        ("tournaments", "0049_how_phones_were_told"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="round",
            index=models.Index(
                condition=models.Q(("date__isnull", False), ("state", "drawn")),
                fields=["date"],
                name="rounds_to_come_by_day",
            ),
        ),
        migrations.AddIndex(
            model_name="tournament",
            index=models.Index(fields=["state", "finished_at"], name="tournaments_by_end"),
        ),
    ]
