from django.apps import AppConfig
from django.db.models.signals import post_migrate


class TournamentsConfig(AppConfig):
    name = "tournaments"

    def ready(self) -> None:
        # Their receivers need the models, which are loaded by now.
        from tournaments.changes import register  # noqa: PLC0415
        from tournaments.entries import merging  # noqa: F401, PLC0415
        from tournaments.ledger import deal_sums  # noqa: F401, PLC0415
        from tournaments.lifecycle.registration import places  # noqa: F401, PLC0415
        from tournaments.models import append_only  # noqa: PLC0415

        register.listen()
        post_migrate.connect(append_only.protect_reports, sender=self)
