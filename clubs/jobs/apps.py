from django.apps import AppConfig


class JobsConfig(AppConfig):
    name = "clubs.jobs"
    label = "jobs"
