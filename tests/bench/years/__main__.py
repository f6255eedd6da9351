"""`python -m tests.bench.years`: see the package."""

import sys

from tests.bench.years import main

# Collecting static files starts processes that read this file again.
if __name__ == "__main__":
    main(sys.argv[1:])
