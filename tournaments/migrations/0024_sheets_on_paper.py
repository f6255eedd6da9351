"""What was here moved tasks of a library that is no longer used; names of migrations stay."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0023_chain")]

    operations = []
