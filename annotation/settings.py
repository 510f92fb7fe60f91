"""Settings of Précis. Everything that differs between installations comes from environment variables.

Without ALLOWED_HOSTS the app is local: it answers on loopback names only, keeps its data in one folder and generates
its own secret key. Setting ALLOWED_HOSTS makes it public: a random SECRET_KEY is required, DEBUG is refused and all
requests are redirected to HTTPS.
"""

from importlib.util import find_spec
from pathlib import Path
from typing import Any

from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

import annotation.celery  # noqa: F401 - the application that announces jobs
from annotation.error_reports import report_errors
from annotation.logs import chosen_formatter
from annotation.start_checks import (
    TRUSTED_ORIGIN,
    check_secret,
    checked_database,
    checked_dsn,
    checked_hosts,
    checked_listener,
    checked_origins,
    checked_token,
    hsts_of,
    public_origin,
    tell_of_wrong_settings,
)
from common import environment
from common.environment import (  # noqa: F401  (STORED is a setting)
    CONSOLE,
    STORED,
    checked_url,
    mail_settings,
    static_folder,
    stored_files,
)
from common.extras import IS_PACKAGE
from common.outgoing.hosts import checked_keys, checked_receivers
from common.private_files import data_folder, local_secret
from maintenance.backups.retention import checked_folder, checked_keep, checked_recipients

tell_of_wrong_settings()
BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = data_folder(Path(environment.text("PRECIS_DATA_DIR") or BASE_DIR / "var"))

LOCAL_HOSTS = ["127.0.0.1", "localhost", "[::1]"]
PUBLIC = bool(environment.listed("ALLOWED_HOSTS"))
ALLOWED_HOSTS = [*LOCAL_HOSTS, *checked_hosts(environment.listed("ALLOWED_HOSTS"))]
PUBLIC_ORIGIN = public_origin(environment.text("PRECIS_PUBLIC_ORIGIN"), environment.listed("ALLOWED_HOSTS"))
CSRF_TRUSTED_ORIGINS = checked_origins(
    "CSRF_TRUSTED_ORIGINS", environment.listed("CSRF_TRUSTED_ORIGINS"), TRUSTED_ORIGIN
)
# Proxies of ours: only they are believed what they say about the client's address (common/client_address.py).
TRUSTED_PROXIES = environment.networks("PRECIS_TRUSTED_PROXIES")
DEBUG = environment.switch("DEBUG")
SECRET_KEY = environment.secret("SECRET_KEY")
if PUBLIC and DEBUG:
    raise ImproperlyConfigured("DEBUG=1 with ALLOWED_HOSTS set would show the code and data to everyone.")
if PUBLIC:
    check_secret(SECRET_KEY)
if not SECRET_KEY:
    SECRET_KEY = local_secret(DATA_DIR / "secret_key")

INSTALLED_APPS = [
    "annotation",
    "dashboard",
    "maintenance",
    "evaluation",
    "systems",
    "scoring",
    "protocols",
    "agreement",
    "edit_operations",
    "reports",
    "corpus",
    "ratings",
    "compressions",
    "crowd",
    "common",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django_htmx",
    "django_otp",
    "django_otp.plugins.otp_static",
    "django_otp.plugins.otp_totp",
    "csp",
    "drf_spectacular",
    "drf_spectacular_sidecar",
]

MIDDLEWARE = [
    "annotation.middleware.SeeRequests",
    "annotation.middleware.AcceptProbes",
    "annotation.middleware.CompressPages",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "annotation.middleware.ContentSecurityPolicy",
    "annotation.middleware.SandboxDownloads",
    "annotation.middleware.FrameTaskPages",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "annotation.middleware.NoteSessionUse",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "annotation.failures.AnswerFilesAway",
    "annotation.failures.LimitBodies",  # last, and so before all that reads a body: CSRF protection in process_view
]

ROOT_URLCONF = "annotation.urls"
CSRF_FAILURE_VIEW = "annotation.failures.csrf_failure"
WSGI_APPLICATION = "annotation.wsgi.application"

TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]


def _database() -> dict[str, Any]:
    url = environment.secret("DATABASE_URL") or f"sqlite:///{DATA_DIR / 'precis.sqlite3'}"
    config = checked_database(url, environment.secret("DATABASE_PASSWORD"))
    if config["ENGINE"] == "django.db.backends.sqlite3":
        # IMMEDIATE takes the write lock at the start of a transaction, so that two transactions that read first and
        # write later cannot deadlock. WAL allows reads meanwhile. Deleted rows are overwritten with zeros.
        config["OPTIONS"] = {
            "transaction_mode": "IMMEDIATE",
            "timeout": 30,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA cache_size=-65536; "
            "PRAGMA secure_delete=ON;",
        }
        config["TEST"] = {"NAME": DATA_DIR / "test.sqlite3"}  # a file, so that the threads of a test can share it
    else:
        # Few distinct statements are repeated often, so prepare them: PostgreSQL then plans each once per connection.
        config["OPTIONS"] = {"server_side_binding": True, "prepare_threshold": 5}
    return config


DATABASES = {"default": _database()}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
PASSWORD_RESET_TIMEOUT = 24 * 3600
# Mails: invitations and password resets. Without a server they are printed by the web server.
globals().update(mail_settings(environment.secret("PRECIS_EMAIL_URL"), environment.text("PRECIS_EMAIL_FROM")))
EMAIL_TIMEOUT = 10
SENDS_MAIL = globals()["EMAIL_BACKEND"] != CONSOLE
if PUBLIC and SENDS_MAIL and not PUBLIC_ORIGIN:
    raise ImproperlyConfigured(
        "Mails need the address of this installation, and ALLOWED_HOSTS has patterns only: set PRECIS_PUBLIC_ORIGIN to "
        "an address such as https://precis.example.org."
    )
SECOND_FACTOR_DEMANDED = environment.switch("PRECIS_SECOND_FACTOR")
OTP_TOTP_ISSUER = "Précis"
SESSION_ENGINE = "crowd.account_sessions"
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "crowd:campaigns"
LOGOUT_REDIRECT_URL = "login"

LANGUAGE_CODE = "en"
# Of the pages of participants, each under its own name; those of staff are in English. Catalogues: `make messages`.
LANGUAGES = [
    ("en", "English"),
    ("de", "Deutsch"),
    ("fr", "Français"),
    ("es", "Español"),
    ("ar", "العربية"),
    ("zh-hans", "简体中文"),
]
LOCALE_PATHS = [BASE_DIR / "locale"]
TIME_ZONE = "UTC"
USE_TZ = True

STATIC_URL = "static/"
STATIC_ROOT = data_folder(DATA_DIR / "staticfiles") if IS_PACKAGE else static_folder(BASE_DIR / "staticfiles")
STATICFILES_DIRS = [BASE_DIR / "static", ("docs", BASE_DIR / "docs" / "images")]
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = DEBUG
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "annotation.static_storage.ReadableStaticFiles"},
    # What belongs to the data beside the database: files of releases, of scores, and pipelines that were trained.
    **stored_files(DATA_DIR),
}
# Whether downloads from a bucket go there by a link instead of through the app, and how many bytes copies of its files
# may take in the data folder (common/stores/copies.py).
STORED_REDIRECT = environment.switch("PRECIS_S3_REDIRECT")
STORED_COPIES_BYTES = environment.number("PRECIS_S3_CACHE_MB", 2048, least=1) << 20

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "media-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}
X_FRAME_OPTIONS = "DENY"
# Platforms that may show the pages of participants in a frame (annotation/middleware.py).
FRAME_ANCESTORS = checked_origins("PRECIS_FRAME_ANCESTORS", environment.listed("PRECIS_FRAME_ANCESTORS"))
# The only hosts that are called (common/outgoing), by webhooks, for systems at an endpoint, with the key of each, and
# by uploads of releases. None, and nothing is ever sent.
WEBHOOK_RECEIVERS = checked_receivers("PRECIS_WEBHOOK_HOSTS", environment.listed("PRECIS_WEBHOOK_HOSTS"))
MODEL_RECEIVERS = checked_receivers("PRECIS_MODEL_HOSTS", environment.listed("PRECIS_MODEL_HOSTS"))
MODEL_KEYS = checked_keys("PRECIS_MODEL_KEYS", environment.secret("PRECIS_MODEL_KEYS"), MODEL_RECEIVERS)
PUBLISH_RECEIVERS = checked_receivers(
    "PRECIS_PUBLISH_HOSTS", environment.listed("PRECIS_PUBLISH_HOSTS", "huggingface.co, zenodo.org")
)
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_HTTPONLY = True
CSRF_COOKIE_HTTPONLY = True
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = PUBLIC
if PUBLIC:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_HSTS_SECONDS = 31_536_000
    SECURE_HSTS_INCLUDE_SUBDOMAINS, SECURE_HSTS_PRELOAD = hsts_of(environment.text("PRECIS_HSTS"))
# Whether all subdomains use HTTPS is for the owner of the domain to say: other sites may share it.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]

# Used for texts in the pipeline's language; an empty name means no parser.
_DEFAULT_SPACY_MODEL = "en_core_web_sm"
SPACY_MODEL = environment.text("PRECIS_SPACY_MODEL", _DEFAULT_SPACY_MODEL if find_spec(_DEFAULT_SPACY_MODEL) else "")
# A file of word vectors for ROUGE-WE (measures/metrics/vectors/files.py); empty for none.
EMBEDDINGS = environment.text("PRECIS_EMBEDDINGS")
# A folder with a model that reads texts for CONTEXT (measures/metrics/vectors/encoders.py); empty for none.
ENCODER = environment.text("PRECIS_ENCODER")
# What one person may do per minute, and how many may join by one link from one address (crowd/limits.py).
TASKS_PER_MINUTE = environment.number("PRECIS_TASKS_PER_MINUTE", 120, least=1)
# How often one token may call the API in a minute (crowd/api/endpoint.py).
API_CALLS_PER_MINUTE = environment.number("PRECIS_API_CALLS_PER_MINUTE", 600, least=1)
# What one account may begin or hold, and who may create campaigns (crowd/services/account_bounds.py).
CAMPAIGN_CREATORS = environment.listed("PRECIS_CAMPAIGN_CREATORS")
CAMPAIGNS_PER_DAY = environment.number("PRECIS_CAMPAIGNS_PER_DAY", 20, least=1)
INVITATIONS_PER_DAY = environment.number("PRECIS_INVITATIONS_PER_DAY", 50, least=1)
# How long jobs that have ended are kept (common/jobs.py).
JOBS_KEPT_DAYS = environment.number("PRECIS_JOBS_KEPT_DAYS", 90, least=1, most=36500)
JOBS_PER_ACCOUNT = environment.number("PRECIS_JOBS_PER_ACCOUNT", 40, least=1)
UPLOADS_MB_PER_DAY = environment.number("PRECIS_UPLOADS_MB_PER_DAY", 1024, least=1)
JOINS_PER_HOUR = environment.number("PRECIS_JOINS_PER_HOUR", 100, least=1)
# Nightly backups (maintenance/backups/nightly.py), and for whom every backup is encrypted.
BACKUP_DIR = checked_folder(environment.text("PRECIS_BACKUP_DIR"))
BACKUP_HOUR = environment.number("PRECIS_BACKUP_HOUR", 3, most=23)
BACKUP_KEEP = checked_keep(environment.text("PRECIS_BACKUP_KEEP"))
BACKUP_RECIPIENTS = checked_recipients(
    environment.text("PRECIS_BACKUP_AGE_RECIPIENT"), environment.text("PRECIS_BACKUP_GPG_RECIPIENT")
)
# Where limits are counted, if not in the database (common/rate_limits.py).
REDIS_URL = checked_url(
    "PRECIS_REDIS_URL", environment.secret("PRECIS_REDIS_URL"), {"redis", "rediss", "unix"}, "redis://HOST:6379/1"
)
UPLOAD_MAX_BYTES = 20 * 1024 * 1024
# The largest submission: a log of 1 MB (compressions/services/submission.py) and a text of 50,000 characters, encoded.
# Bodies up to this size are parsed in memory; only staff can send larger ones (annotation/failures.py).
DATA_UPLOAD_MAX_MEMORY_SIZE = FILE_UPLOAD_MAX_MEMORY_SIZE = 4 * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 1000
DATA_UPLOAD_MAX_NUMBER_FILES = 1
FILE_UPLOAD_PERMISSIONS, FILE_UPLOAD_DIRECTORY_PERMISSIONS = 0o600, 0o700

REST_FRAMEWORK: dict[str, Any] = {
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "common.api.problems.problem_answer",
    "UNAUTHENTICATED_USER": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Precis",  # in ASCII, as generators of clients make names of it
    "VERSION": "1",
    "SCHEMA_PATH_PREFIX": r"/api/v1",
    "SERVE_INCLUDE_SCHEMA": False,
    "COMPONENT_SPLIT_REQUEST": True,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    # Fields of one name that have different choices; each choice of words gets a name of its own.
    "ENUM_NAME_OVERRIDES": {
        "CampaignState": "crowd.models.CampaignState.choices",
        "JobState": "common.api.results.JOB_STATES",
        "ReleaseState": "corpus.api.answers.RELEASE_STATES",
        "ResultState": "common.api.results.RESULT_STATES",
        "PlanState": "agreement.api.plans.PLAN_STATES",
        "PoolEnum": "ratings.models.RaterPool.choices",
        "RatingFilePool": "ratings.models.ImportPool.choices",
        "ScoreRunKind": [("computed", "computed here"), ("imported", "imported")],
        "PayUnit": "crowd.models.campaign.PayUnit.choices",
    },
}

CELERY_BROKER_URL = checked_url(
    "CELERY_BROKER_URL",
    environment.secret("CELERY_BROKER_URL") or "filesystem://localhost",
    {"redis", "rediss", "redis+socket", "filesystem", "memory"},
    "redis://HOST:6379/0",
)
CELERY_TASK_IGNORE_RESULT = True
# Whether `manage.py beat` does the periodic work, and the file that it touches while it is alive.
BEAT_APART = environment.switch("PRECIS_BEAT")
BEAT_FILE = DATA_DIR / "beat"
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # a worker waits for its broker, however long that is away
# Every job is a row that a worker finds without an announcement, so whoever asks for one never waits long for a broker.
CELERY_TASK_PUBLISH_RETRY = False
if CELERY_BROKER_URL.startswith("filesystem:"):
    # A folder replaces the message broker; all processes on this machine share it.
    CELERY_BROKER_TRANSPORT = "annotation.file_queue:Transport"
    _queue = DATA_DIR / "queue"
    for _folder in (_queue / "messages", _queue / "control"):
        _folder.mkdir(parents=True, exist_ok=True)
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "data_folder_in": str(_queue / "messages"),
        "data_folder_out": str(_queue / "messages"),
        "control_folder": str(_queue / "control"),
        "polling_interval": 0.1,
    }
else:
    CELERY_BROKER_TRANSPORT_OPTIONS = {"socket_timeout": 3.0, "socket_connect_timeout": 3.0, "max_retries": 0}

# What is watched (docs/monitoring.md): health checks, metrics, logs, and reports of errors.
MIN_FREE_MB = environment.number("PRECIS_MIN_FREE_MB", 500)
MAX_JOB_AGE_MINUTES = environment.number("PRECIS_MAX_JOB_AGE_MINUTES", 30, least=1)
METRICS_TOKEN = checked_token("PRECIS_METRICS_TOKEN", environment.secret("PRECIS_METRICS_TOKEN"))
WORKER_METRICS = checked_listener("PRECIS_WORKER_METRICS", environment.text("PRECIS_WORKER_METRICS"))
LOG_REQUESTS = environment.switch("PRECIS_LOG_REQUESTS")
if _dsn := environment.secret("PRECIS_SENTRY_DSN"):
    report_errors(checked_dsn("PRECIS_SENTRY_DSN", _dsn))

chosen_formatter()  # refused here by name: the configuration of logging would say something else
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"private": {"()": "annotation.logs.chosen_formatter"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "private"}},
    "root": {"handlers": ["console"], "level": "WARNING"},
    "loggers": {
        # In place of Django's own handlers, which mail the whole request and print it with DEBUG.
        **{name: {"handlers": [], "propagate": True} for name in ("django", "django.server")},
        # A line for each request and each job, if they are asked for.
        "precis": {"level": "INFO" if LOG_REQUESTS else "WARNING"},
    },
}
