from django.db import migrations, models

SOURCES = [("captain", "captain"), ("desk", "desk"), ("program", "program")]


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0056_halves_in_old_results")]

    operations = [
        migrations.AlterField(
            model_name=model, name="source", field=models.CharField(choices=SOURCES, max_length=10)
        )
        for model in ("folderchange", "report")
    ]
