# Spadille on a Debian or Ubuntu machine with Python 3.11, git and make; everything else is installed here.
#
#   make demo    look at it: a union with clubs, players and tournaments, in data/demo
#   make serve   run it on your club's own data, in data/club
#   make test    everything that must be right
#   make bench   figures, on demand

SHELL := /bin/bash
PORT ?= 8000
DATA ?= data
PYTHON := .venv/bin/python
export PORT

# Debian packages: for PDFs; for the tests' browser, pictures of PDFs, translations, and the servers of a union.
RUN_PACKAGES := python3-venv libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0 fonts-dejavu-core
TEST_PACKAGES := chromium libatomic1 poppler-utils gettext postgresql redis-server

.PHONY: demo serve test check lint types audit browser bench messages screenshots lock install install-dev clean

demo: install
	SPADILLE_DATA="$(DATA)/demo" $(PYTHON) manage.py demo --serve

serve: install
	SPADILLE_DATA="$(DATA)/club" $(PYTHON) manage.py serve

install: .venv/.packages-run .venv/.installed

install-dev: .venv/.packages-run .venv/.packages-test .venv/.installed-dev

# $(call debian,packages): install those that are missing, as root or with sudo; else say what to type.
define debian
	@missing=$$(for package in $(1); do \
	  dpkg-query -W -f '$${Status}\n' $$package 2>/dev/null | grep -q 'ok installed' || echo $$package; done); \
	missing=$$(echo $$missing); \
	if [ -n "$$missing" ]; then \
	  if [ "$$(id -u)" = 0 ]; then run=; elif command -v sudo >/dev/null; then run=sudo; else \
	    echo "Spadille needs some packages of your system. Type this as root, then start again:"; \
	    echo "    apt-get update && apt-get install --yes --no-install-recommends $$missing"; exit 1; fi; \
	  echo "Installing $$missing"; \
	  $$run apt-get update -qq && \
	  $$run env DEBIAN_FRONTEND=noninteractive apt-get install --yes -qq --no-install-recommends $$missing >/dev/null || exit 1; \
	fi
endef

.venv/.packages-run: Makefile
	$(call debian,$(RUN_PACKAGES))
	@mkdir -p .venv && touch $@

.venv/.packages-test: Makefile
	$(call debian,$(TEST_PACKAGES))
	@mkdir -p .venv && touch $@

# python3.11 by name, or a python3 that is 3.11.
.venv/bin/python: | .venv/.packages-run
	@python=$$(command -v python3.11 || command -v python3); \
	$$python -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' || \
	  { echo "Spadille needs Python 3.11; $$python is $$($$python --version)."; exit 1; }; \
	echo "Making .venv"; $$python -m venv .venv

.venv/.installed: requirements.lock | .venv/bin/python
	@echo "Installing Python packages"
	@$(PYTHON) -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@touch $@

.venv/.installed-dev: requirements-dev.lock | .venv/bin/python
	@echo "Installing Python packages for the tests"
	@$(PYTHON) -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.lock
	@touch $@ .venv/.installed

test: install-dev check
	SPADILLE_DATA="$(DATA)/test" $(PYTHON) -m pytest -q -n 2 --dist loadfile tests/scoring --cov --cov-report=term-missing:skip-covered
	SPADILLE_DATA="$(DATA)/test" $(PYTHON) -m pytest -q -n 2 --dist loadfile --ignore tests/scoring -m "not browser"
	SPADILLE_DATA="$(DATA)/test" $(PYTHON) -m tests.services $(PYTHON) -m pytest -q -n 2 --dist loadfile tests/tournaments tests/clubs
	# Two browsers at once; where that was too slow for one of them, what failed must pass alone.
	SPADILLE_DATA="$(DATA)/test" $(PYTHON) -m pytest -q -n 2 --dist loadfile -m browser || \
	  SPADILLE_DATA="$(DATA)/test" $(PYTHON) -m pytest -q --last-failed --last-failed-no-failures none -m browser

check: lint types audit

lint: install-dev
	.venv/bin/ruff format --check --quiet .
	.venv/bin/ruff check --quiet .
	.venv/bin/lint-imports
	.venv/bin/djlint --quiet --lint templates
	SPADILLE_DATA="$(DATA)/test" $(PYTHON) manage.py makemigrations --check --dry-run

types: install-dev
	SPADILLE_DATA="$(DATA)/test" .venv/bin/mypy

# Known holes in the libraries we lock, as far as advisories can be reached; says so where they cannot.
audit: install-dev
	$(PYTHON) -m tests.audit

bench: install-dev
	SPADILLE_DATA="$(DATA)/bench" $(PYTHON) -m tests.bench

messages: install-dev
	cd locale/.. && .venv/bin/django-admin makemessages --locale da --no-obsolete --ignore .venv --ignore data --add-location file
	.venv/bin/django-admin compilemessages --ignore .venv

screenshots: install-dev
	SPADILLE_DATA="$(DATA)/screenshots" $(PYTHON) -m tests.browser.screenshots

# Names, versions and hashes only; needs the `uv` command.
lock:
	uv pip compile --quiet --generate-hashes --no-header --python-version 3.11 pyproject.toml -o requirements.lock
	uv pip compile --quiet --generate-hashes --no-header --python-version 3.11 --group dev -c requirements.lock pyproject.toml -o requirements-dev.lock

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis data/test data/bench data/screenshots
