#!/usr/bin/env python
"""Django's command line for Spadille."""

import sys

from config.command import run

if __name__ == "__main__":
    run(sys.argv)
