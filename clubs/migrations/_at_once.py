"""Making many tables in one step of a migration."""

from django.db.migrations.operations.base import Operation


class CreateAll(Operation):
    """Several `CreateModel`, of which none needs one that comes behind it.

    Django draws up all models that a new one has to do with after each single operation: of 46 tables that are made
    one by one the first is drawn up 45 times. Here they are drawn up once, when all are known.
    """

    def __init__(self, *models):
        self.models = models

    def deconstruct(self):
        return type(self).__name__, list(self.models), {}

    def state_forwards(self, app_label, state):
        vars(state).pop("apps", None)
        for model in self.models:
            model.state_forwards(app_label, state)

    def database_forwards(self, app_label, schema_editor, from_state, to_state):
        for model in self.models:
            model.database_forwards(app_label, schema_editor, from_state, to_state)

    def database_backwards(self, app_label, schema_editor, from_state, to_state):
        for model in reversed(self.models):
            model.database_backwards(app_label, schema_editor, from_state, to_state)

    def describe(self):
        return f"Create {len(self.models)} models"
