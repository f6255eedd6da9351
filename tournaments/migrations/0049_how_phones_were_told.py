from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0048_lists_for_the_door"),
    ]

    operations = [
        migrations.CreateModel(
            name="PushTally",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "outcome",
                    models.CharField(
                        choices=[
                            ("sent", "Sent"),
                            ("refused", "Refused"),
                            ("too late", "Too Late"),
                            ("gone", "Gone"),
                        ],
                        max_length=10,
                        unique=True,
                    ),
                ),
                ("number", models.PositiveBigIntegerField(default=0)),
                ("last_at", models.DateTimeField()),
            ],
        ),
        migrations.AddIndex(
            model_name="pushsubscription",
            index=models.Index(fields=["endpoint_print"], name="phones_by_address"),
        ),
    ]
