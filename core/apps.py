from django.apps import AppConfig
from django.db.backends.signals import connection_created


class CoreConfig(AppConfig):
    name = "core"

    def ready(self) -> None:
        from core.database import keep_transactions_open, read_sooner  # when the apps are there
        from core.form_errors import use_own_words  # before any form is defined
        from core.journal import status  # registers them

        connection_created.connect(read_sooner)
        keep_transactions_open()
        use_own_words()
