# The image of Précis: the app, its packages with their hashes, and no compiler, pip or tests.
#
#   docker build --build-arg PRECIS_PARSER=... .      a spaCy pipeline in the image: a requirement of pip, such as
#       "en_core_web_sm @ https://.../en_core_web_sm-3.8.0-py3-none-any.whl", or a folder here, such as parser/en
#
# scripts/pin_images.sh names the images that others make by their digests.
ARG PYTHON_IMAGE=python:3.11-slim-bookworm
ARG CADDY_IMAGE=caddy:2

# The front: Caddy, which may write its certificates without being root. Docker lets every account listen on the ports of
# the web, so it needs no right for that either.
FROM ${CADDY_IMAGE} AS front
RUN setcap -r /usr/bin/caddy && chown 10001:10001 /data
USER 10001:10001

FROM ${PYTHON_IMAGE} AS build
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
WORKDIR /app
RUN python -m venv --without-pip /opt/venv
COPY requirements.txt .
# Wheels only: nothing that is installed runs a program of its own to be built.
RUN pip --python /opt/venv/bin/python install --require-hashes --only-binary :all: --requirement requirements.txt
COPY . .
ARG PRECIS_PARSER=""
# Whoever builds says which version of a parser, and spaCy, its only requirement, is there.
# hadolint ignore=DL3013
RUN mkdir /opt/parser && if [ -d "${PRECIS_PARSER}" ]; then cp -r "${PRECIS_PARSER}/." /opt/parser; \
    elif [ -n "${PRECIS_PARSER}" ]; then pip --python /opt/venv/bin/python install --no-deps "${PRECIS_PARSER}"; fi
# The static files are part of the image. The secret is for this one command and is kept nowhere.
RUN SECRET_KEY=only-to-collect-static-files PRECIS_DATA_DIR=/tmp/build \
    /opt/venv/bin/python manage.py collectstatic --noinput && rm -rf /tmp/build parser \
    && /opt/venv/bin/python -m compileall -q .

FROM ${PYTHON_IMAGE}
# tini collects ended processes; age encrypts backups. Their versions are those of the Debian release.
# hadolint ignore=DL3008
RUN apt-get update && apt-get install --yes --no-install-recommends age tini && rm -rf /var/lib/apt/lists/* \
    && pip uninstall --yes --quiet --root-user-action=ignore setuptools wheel pip \
    && groupadd --system --gid 10001 precis \
    && useradd --system --uid 10001 --gid precis --home-dir /var/lib/precis --shell /usr/sbin/nologin precis \
    && install --directory --owner precis --group precis --mode 700 /var/lib/precis /var/backups/precis
COPY --from=build /opt/venv /opt/venv
COPY --from=build /opt/parser /opt/parser
COPY --from=build /app /app
WORKDIR /app
# Volumes that are mounted there take over the owner of these folders.
ENV PATH=/opt/venv/bin:$PATH PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 PRECIS_DATA_DIR=/var/lib/precis
USER 10001:10001
EXPOSE 8000
ENTRYPOINT ["/usr/bin/tini", "--"]
CMD ["python", "-m", "gunicorn", "annotation.wsgi:application", \
     "--config", "python:annotation.gunicorn_conf", "--bind", "0.0.0.0:8000", "--workers", "2"]
