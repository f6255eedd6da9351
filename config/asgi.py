"""The application that `manage.py serve` runs: the program, behind what listens for it."""

from config.listening import Listener
from config.wsgi import application as program

application = Listener(program)
