from django.apps import AppConfig


class ClubsConfig(AppConfig):
    name = "clubs"

    def ready(self) -> None:
        # Every form's fields, before any form is made.
        from clubs.forms.words import use_own_words  # noqa: PLC0415

        use_own_words()
