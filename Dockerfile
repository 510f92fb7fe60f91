FROM python:3.11-slim-bookworm

ENV PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    PIP_NO_CACHE_DIR=1 \
    PIP_DISABLE_PIP_VERSION_CHECK=1

WORKDIR /app

COPY requirements.txt .
RUN pip install -r requirements.txt

COPY . .
# The static files are part of the image. The secret is for this one command and is kept nowhere.
RUN SECRET_KEY=only-to-collect-static-files PRECIS_DATA_DIR=/tmp/build \
    python manage.py collectstatic --noinput && rm -rf /tmp/build

# A volume mounted here takes over the owner of this folder.
RUN useradd --system --uid 10001 --home-dir /var/lib/precis --create-home precis
ENV PRECIS_DATA_DIR=/var/lib/precis
USER precis

EXPOSE 8000
CMD ["python", "-m", "gunicorn", "annotation.wsgi:application", \
     "--config", "python:annotation.gunicorn_conf", "--bind", "0.0.0.0:8000", "--workers", "2"]
