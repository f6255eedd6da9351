from django.db import migrations, models


class Migration(migrations.Migration):
    """Ratings that are kept were counted by model 1: who asks for them next has them counted anew by today's."""

    dependencies = [
        ('tournaments', '0034_feats_of_evenings'),
    ]

    operations = [
        migrations.AddField(
            model_name='ratingstate',
            name='model',
            field=models.PositiveSmallIntegerField(default=1),
        ),
    ]
