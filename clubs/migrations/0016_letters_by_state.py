from django.db import migrations, models


class Migration(migrations.Migration):
    """An index by which letters are counted again and again without reading them."""

    dependencies = [
        ("clubs", "0015_public_news"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="letter",
            index=models.Index(fields=["state"], name="letters_by_state"),
        ),
    ]
