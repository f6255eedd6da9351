"""The application that `manage.py serve` runs."""

from django.conf import settings

from config.wsgi import application as program
from core.serving.asgi import Application
from core.serving.limits import Connections, LimitedProtocol

application = Application(program)
LimitedProtocol.connections_here = Connections(proxies=settings.PROXIES)
