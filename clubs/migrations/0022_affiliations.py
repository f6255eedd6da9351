"""A club belongs to several unions, each since a day, and chooses what each gets; a club's only union is the first."""

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import F, Min, Q
from django.utils import timezone


def keep_unions(apps, _schema_editor):
    """Each club has been in its union for as long as anybody knows: since its first member joined."""
    club, affiliation = apps.get_model("clubs", "Club"), apps.get_model("clubs", "Affiliation")
    today = timezone.localdate()
    rows = club.objects.exclude(union=None).order_by("pk").annotate(first=Min("memberships__joined"))
    affiliation.objects.bulk_create(
        affiliation(club_id=pk, union_id=union, joined=min(first or today, today), gives="everything")
        for pk, union, first in rows.values_list("pk", "union", "first")
    )


GIVES = [
    ("nothing", "nothing"),
    ("names", "names and numbers of its members"),
    ("everything", "everything"),
]
KEY = models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")


class Migration(migrations.Migration):
    dependencies = [("clubs", "0021_gives_cards")]

    operations = [
        migrations.CreateModel(
            name="Affiliation",
            fields=[
                ("id", KEY),
                ("joined", models.DateField(verbose_name="joined")),
                ("left", models.DateField(blank=True, null=True, verbose_name="left")),
                (
                    "gives",
                    models.CharField(
                        choices=GIVES, default="nothing", max_length=10, verbose_name="what the union gets"
                    ),
                ),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="affiliations",
                        to="clubs.club",
                    ),
                ),
                (
                    "union",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="affiliated", to="clubs.club"
                    ),
                ),
            ],
            options={
                "ordering": ["joined", "pk"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=Q(("left", None)), fields=("club", "union"), name="one_affiliation_at_a_time"
                    ),
                    models.CheckConstraint(
                        condition=Q(("left", None), ("left__gte", F("joined")), _connector="OR"),
                        name="a_club_leaves_after_joining",
                    ),
                    models.CheckConstraint(
                        condition=~Q(club=F("union")), name="no_club_is_its_own_union"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="AffiliationOffer",
            fields=[
                ("id", KEY),
                ("offered_by", models.CharField(max_length=150)),
                ("offered_at", models.DateTimeField()),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="union_offers", to="clubs.club"
                    ),
                ),
                (
                    "union",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="club_offers", to="clubs.club"
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
                "constraints": [
                    models.UniqueConstraint(fields=("club", "union"), name="one_invitation_a_club")
                ],
            },
        ),
        migrations.RunPython(keep_unions, migrations.RunPython.noop),
        migrations.RemoveField(model_name="club", name="union"),
    ]
