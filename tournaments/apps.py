from django.apps import AppConfig
from django.db.models.signals import post_migrate


class TournamentsConfig(AppConfig):
    name = "tournaments"

    def ready(self) -> None:
        # Their receivers need the models, which are loaded by now.
        from tournaments.changes import register
        from tournaments.entries import merging
        from tournaments.ledger import deal_sums
        from tournaments.lifecycle.registration import places
        from tournaments.models import append_only

        register.listen()
        post_migrate.connect(append_only.protect_reports, sender=self)
