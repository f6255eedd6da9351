"""The application that `manage.py serve` runs."""

from django.conf import settings

from config.wsgi import application as program
from core.serving.asgi import Application
from core.serving.limits import Connections, LimitedProtocol
from tournaments.changes.versions import read_versions
from tournaments.ledger import changed_at_the_end

application = Application(program, read_versions, together=changed_at_the_end)
LimitedProtocol.end_streams = application.streams.close
LimitedProtocol.connections_here = Connections(proxies=settings.PROXIES)
