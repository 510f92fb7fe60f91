"""The WSGI entry point for web servers."""

import os

from django.core.wsgi import get_wsgi_application

from common.private_files import data_files_close

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotation.settings")
application = get_wsgi_application()
data_files_close()
