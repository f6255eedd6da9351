"""Every setting, read from the environment once, with a default that serves a laptop in a hall.

The table of settings is in docs/reference/settings.md. A wrong value stops the start with its name, never later.
"""

import os
import sys
from pathlib import Path

from csp.constants import NONE, SELF
from environs import env, validate

from config import environment, version
from core import languages
from core.monitoring import logs

BASE_DIR = Path(__file__).resolve().parent.parent
# What is typed before a command's name: an installed package has none of what it was made of.
# The Debian package has a command of its own for what its service has.
COMMAND = (
    "manage.py" if (BASE_DIR / "pyproject.toml").exists() else env.str("SPADILLE_COMMAND", default="spadille")
)

VERSION = version.VERSION
DEBUG = env.bool("DEBUG", default=False)
DATA_DIR = environment.data_folder(env.str("SPADILLE_DATA", default=str(BASE_DIR / "data")))
PORT = env.int("PORT", default=8000, validate=validate.Range(1, 65535))
# How often `serve` backs the database up into the data folder; 0: never.
BACKUP_MINUTES = env.int("BACKUP_MINUTES", default=15, validate=validate.Range(0, 10_000))
# Of backups older than a day, one per day is retained for this many days, one per month for this many months; 0:
# forever.
BACKUP_DAYS = env.int("BACKUP_DAYS", default=31, validate=validate.Range(0, 100_000))
BACKUP_MONTHS = env.int("BACKUP_MONTHS", default=0, validate=validate.Range(0, 10_000))
# A second copy of all stored rows, written within a second: a folder on another disk or another machine.
JOURNAL = environment.journal(env.str("JOURNAL", default=""))

# The folder through which a machine started from our stick or card reports its state and takes requests for root.
MACHINE = environment.machine(env.str("MACHINE", default=""))

# The address in QR codes; empty: the host of the request, or this laptop's address.
PUBLIC_URL = environment.public_url(env.str("PUBLIC_URL", default=""))
# An https address means that a proxy terminates TLS; then every request must come over https.
HTTPS = PUBLIC_URL.startswith("https://")
PROXIES: list[str] = environment.proxies(env.list("PROXIES", default=["127.0.0.1", "::1"]))

SECRET_KEY, *SECRET_KEY_FALLBACKS = environment.secret_keys(env.list("SECRET_KEY", default=[]), DATA_DIR)
RENEW_SECRET_KEY = environment.renew_secret_key
# A laptop in a hall is reached by whatever address the hall's Wi-Fi gives it today.
ALLOWED_HOSTS: list[str] = environment.hosts(
    env.list("ALLOWED_HOSTS", default=environment.own_hosts(PUBLIC_URL) if HTTPS else ["*"])
)
CSRF_TRUSTED_ORIGINS: list[str] = env.list("CSRF_TRUSTED_ORIGINS", default=[PUBLIC_URL] if HTTPS else [])
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = HTTPS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
SECURE_SSL_REDIRECT = HTTPS
SECURE_REDIRECT_EXEMPT = [r"^health/$"]  # requested on the machine itself
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if HTTPS else 0
# Other names of the domain, and browsers' own lists, are for who runs the domain to decide.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]

INSTALLED_APPS = [
    "core",  # first: the words of fields are there before any form is defined
    "tournaments",  # before auth: its commands are taken instead of those of the same name
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.humanize",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.forms",  # its templates, of which `templates/django` has some otherwise
    "django_htmx",
    "django_tables2",
    "axes",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "scoring",
    "clubs",
    "core.jobs",
]

# Paths with pages for people, who get an error page; the API and the requests of our scripts get JSON or text.
PAGE_PATHS = ["/desk/", "/clubs/"]
API_PATH, SCRIPT_PATH = "/api/", "/c/"
# An address of these names has no page around it, such as a picture's.
URLS_WITHOUT_PAGE = {"desk_photograph"}
MIDDLEWARE = [
    "core.middleware.mark_as_ours",
    "core.middleware.see_behind_proxy",
    "core.middleware.tell_programs",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "core.monitoring.metrics.watch",
    "core.middleware.SamePolicy",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "core.middleware.refuse_what_did_not_come",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "clubs.first_page.lead_to_first_page",
    "core.middleware.explain_wrong_method",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "axes.middleware.AxesMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "core.middleware.ExplainTrouble",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "builtins": ["core.templatetags.partials"],
            "loaders": [
                (
                    "core.templatetags.partials.Loader",
                    [
                        "django.template.loaders.filesystem.Loader",
                        "django.template.loaders.app_directories.Loader",
                    ],
                )
            ],
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

FORM_RENDERER = "django.forms.renderers.TemplatesSetting"

DATABASES = {"default": environment.database(env.str("DATABASE_URL", default=""), DATA_DIR)}
if not DATABASES["default"]["ENGINE"].endswith("postgresql"):
    # django-tables2 imports a field of PostgreSQL and does without it after an ImportError. With psycopg every process
    # would start 9 % later and take 9 MB more (measured), and nothing here uses it.
    sys.modules.setdefault("django.contrib.postgres.fields", None)  # type: ignore[arg-type]
CACHES = environment.caches(env.str("CACHE_URL", default=""), DATA_DIR)
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Whether webhooks may be delivered to private addresses: the hall's network and this machine.
WEBHOOKS_TO_PRIVATE = env.bool("WEBHOOKS_TO_PRIVATE", default=False)

# Whether phones can subscribe to push messages; browsers allow it over https only.
PUSH = environment.push(asked=env.bool("PUSH", default=HTTPS), https=HTTPS)
# The push services that may receive them: those of the browsers, each with its subdomains.
PUSH_SERVICES: list[str] = environment.push_services(
    env.list("PUSH_SERVICES", default=[*environment.BROWSERS_OWN])
)

# Metrics besides those of the machine: functions of the time that yield metric families.
STATUS_PROBES = ["tournaments.ledger.status.metric_families"]
# What backups and the journal have to know of the models: see `core.data_hooks`.
DATA_HOOKS = "tournaments.ledger.data_hooks.TournamentData"
# What can be a job, and where it is written how: see `core.jobs.kinds`.
JOB_KINDS = {
    "verify": "tournaments.exports.verify.jobs.RecountJob",
    "anew": "tournaments.exports.verify.jobs.CountedAnew",
    "members": "clubs.member_jobs.SavedMembers",
    "plan": "clubs.member_jobs.PlannedImport",
    "import": "clubs.member_jobs.ImportedMembers",
    "backup": "tournaments.desk.club.server.BackupOfEverything",
    "sheets": "tournaments.paper.kinds.Sheets",
    "door": "tournaments.paper.door.DoorPaper",
    "money": "tournaments.paper.money.MoneyPaper",
    "folders": "tournaments.boards.analysis.AnalysedFolders",
    "deals": "tournaments.seasons.deals.ChosenDeals",
    "log": "tournaments.desk.club.log.SavedLog",
    "ratings": "tournaments.seasons.ratings.RecalculatedRatings",
    "yearbook": "tournaments.paper.yearbook.Yearbook",
    "paper": "tournaments.reporting.scans.upload.ReadSheets",
    "site": "tournaments.exports.site.publishing.WebSite",
}

# What each entry of a tournament won on the same cards, for its standings.
SAME_CARDS = "tournaments.boards.results.play_by_entry"

# Who takes letters, and who they are from; without it nothing is mailed, and pages say so.
MAIL_SERVER = environment.server(env.str("EMAIL_URL", default=""), PUBLIC_URL)
EMAIL_FROM = environment.sender(env.str("EMAIL_FROM", default=""), MAIL_SERVER)
# What can be a letter, and where it is written how: see `clubs.mail.kinds`.
LETTER_KINDS = {
    "trial": "clubs.mail.kinds.Trial",
    "news": "clubs.mail.letters.NewsOfTheSeason",
    "transfer": "clubs.register.TransferNews",
    "invitation": "clubs.mail.letters.Invitation",
    "password": "clubs.mail.letters.ForgottenPassword",
    "forgotten": "clubs.mail.letters.PasswordAskedFor",
    "address": "clubs.mail.letters.OwnAddress",
    "seat": "tournaments.lifecycle.mail.SeatTomorrow",
    "results": "tournaments.lifecycle.mail.Results",
    "entry_link": "tournaments.lifecycle.registration.mail.EntryLink",
    "entry_partner": "tournaments.lifecycle.registration.mail.EntryPartner",
    "entry_news": "tournaments.lifecycle.registration.mail.EntryNews",
    "entry_asks": "tournaments.lifecycle.mail.SomebodyAsks",
    "official": "tournaments.lifecycle.officials.OfficialNews",
    "qualified": "tournaments.seasons.qualified.QualifiedLetter",
    "statement": "tournaments.seasons.dues.StatementNews",
    "match_day": "tournaments.lifecycle.league_mail.MatchDayLetter",
    "round_played": "tournaments.lifecycle.league_mail.RoundPlayed",
    "objection": "tournaments.lifecycle.objections.ObjectionDecided",
    "objection_club": "tournaments.lifecycle.objections.ClubObjectionDecided",
    "team_entry": "tournaments.lifecycle.league_mail.TeamEntryNews",
    "team_captain": "tournaments.lifecycle.league_mail.TeamCaptainNews",
    "team_link": "tournaments.lifecycle.league_mail.TeamEntryInvitation",
}

SESSION_ENGINE = "core.http.sessions"
AUTH_USER_MODEL = "clubs.Account"
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 10},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "desk"
LOGOUT_REDIRECT_URL = "home"
AXES_FAILURE_LIMIT = 8
AXES_COOLOFF_TIME = 0.25  # hours
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_WHITELIST_CALLABLE = "clubs.sign_in.is_known_browser"
AXES_VERBOSE = False
AXES_ENABLE_ACCESS_FAILURE_LOG = True  # organisers see who tried to sign in
AXES_RESET_ON_SUCCESS = True
AXES_LOCKOUT_TEMPLATE = "clubs/locked_out.html"

# Accounts are made by organisers: of allauth there are the second factor, sessions and reauthentication. Its
# pages for signing in, signing up and passwords have no address here; ours are, and they are throttled.
ACCOUNT_ADAPTER = "clubs.sign_in.AccountAdapter"
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_RATE_LIMITS = False  # counted by `core.throttle`, in what all processes share
ACCOUNT_FORMS = {"reauthenticate": "clubs.views.second_factor_forms.PasswordAgainForm"}
MFA_ADAPTER = "clubs.sign_in.FactorAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_ALLOW_UNVERIFIED_EMAIL = True  # no signing up: clubs create the accounts
MFA_TOTP_ISSUER = "Spadille"
MFA_TOTP_TOLERANCE = 1  # a phone's clock may be half a minute off
MFA_FORMS = {
    "authenticate": "clubs.views.second_factor_forms.CodeForm",
    "reauthenticate": "clubs.views.second_factor_forms.CodeAgainForm",
}
# Without https a browser lends its keys on this very machine alone.
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not HTTPS
# Who must use a second factor: no one, or (`unions`) organisers of unions and owners of the program.
SECOND_FACTOR = env.str("SECOND_FACTOR", default="", validate=validate.OneOf(("", "unions")))
# The password is required again after this many minutes, before an action that cannot be undone; 0: never.
PASSWORD_AGAIN_MINUTES = env.int("PASSWORD_AGAIN_MINUTES", default=15, validate=validate.Range(0, 10_000))

# The code of the first page: `serve` gives it to its processes while there is no organiser.
FIRST_PAGE_SECRET = os.environ.get("SPADILLE_FIRST_PAGE_SECRET", "")

LANGUAGE_CODE = "en"
LANGUAGES = languages.languages(BASE_DIR / "locale")
# The language of letters and of sorting where neither the club nor the person has chosen one.
FIRST_LANGUAGE = env.str(
    "FIRST_LANGUAGE", default="da", validate=validate.OneOf([code for code, _name in LANGUAGES])
)
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
LOCALE_PATHS = [BASE_DIR / "locale"]
TIME_ZONE = environment.time_zone(env.str("TIME_ZONE", default="Europe/Copenhagen"))
USE_TZ = True
FORMAT_MODULE_PATH = "config.formats"

STATIC_URL = "static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = DATA_DIR / "static"
STATIC_ROOT.mkdir(exist_ok=True)  # until files are collected into it, WhiteNoise finds it empty
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "core.http.static_files.ModuleStaticFilesStorage"},
}
WHITENOISE_KEEP_ONLY_HASHED_FILES = True
MEDIA_ROOT = DATA_DIR / "files"

FILE_UPLOAD_MAX_MEMORY_SIZE = 5 * 1024 * 1024
DATA_UPLOAD_MAX_MEMORY_SIZE = 5 * 1024 * 1024
# Every row of an imported member list may be a question with an answer (core.tables.spreadsheet.MOST_ROWS).
DATA_UPLOAD_MAX_NUMBER_FIELDS = 5100

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    },
}
# A captain's address is a secret: it may not travel to another site with a click.
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"

DJANGO_TABLES2_TEMPLATE = "table.html"

# What comes later may build on what comes first.
PRINT_STYLE_SHEETS = [BASE_DIR / "tournaments/paper" / name for name in ("sheets.css", "to_keep.css")]
# The sources of printed sheets: their digest is part of the cache key of a PDF.
PRINT_SOURCES = [BASE_DIR / "tournaments/paper", BASE_DIR / "templates/paper"]

VERSION_IN_WORDS = version.version_in_words()
# The digest of the program's sources, part of the cache key of pages.
PRINT_OF_PROGRAM = environment.version_of_program
# The token with which `/metrics` can be read; empty: no metrics are collected.
METRICS_TOKEN = environment.token("METRICS_TOKEN", env.str("METRICS_TOKEN", default=""))
# Seconds between two signs of life of a stream of events: a proxy may close what is silent for a minute.
STREAM_HEARTBEAT = env.float("STREAM_HEARTBEAT", default=15.0, validate=validate.Range(0.1, 60))
# Requests slower than this many seconds are logged with their queries; 0: none.
SLOW_SECONDS = env.float("SLOW_SECONDS", default=2.0, validate=validate.Range(0, 3600))
# Where errors are reported besides the log.
logs.tell_errors(env.str("SENTRY_DSN", default=""), VERSION)
LOG_FORMAT = env.str("LOG_FORMAT", default="lines", validate=validate.OneOf(("lines", "json")))
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "lines": {"()": "core.monitoring.logs.Lines"},
        "json": {"()": "core.monitoring.logs.JsonLines"},
    },
    "filters": {"strangers": {"()": lambda: logs.without_trace_of_strangers}},
    "handlers": {
        "console": {"class": "logging.StreamHandler", "formatter": LOG_FORMAT, "filters": ["strangers"]}
    },
    "root": {"handlers": ["console"], "level": "WARNING"},
    # A refused request is no fault of the program, and its address may be a captain's secret.
    "loggers": {"django.request": {"level": "ERROR"}},
}

environment.refuse_unknown(os.environ, env.dump())
