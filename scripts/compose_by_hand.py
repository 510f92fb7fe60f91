"""Run the services of docker-compose.yml without Docker, each as closed as there, and use the site that they are.

On the server of the first way (scripts/deploy_as_documented.py), whose services are stopped before. Each command and
each health check runs as it is written, with its environment, under an account other than root, with a root file system
that it cannot write to and with the volumes, memory files, capabilities and limits that the file says. The names of
services lead to this server. What images would bring (the app, PostgreSQL, Redis, Caddy) is what Debian brings.
"""

import json
import re
import shlex
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml
from throwaway_root import Failed, Root

ROOT = Path(__file__).resolve().parent.parent
VALUES = {"PRECIS_SUBNET": "127.0.0.0/8"}  # the network of the services here
# What .env.example wants in files. A password may have signs that an address could not.
SECRETS = {
    "secret_key": "kP8sYw2Lq0vXn5TzR7uFdJ3hBc9MeGa1oQi6WxZtUyVbNrSjHlDfCgKmEp4A",
    "postgres_password": "0f5e:3a9c/7b1d@2846",
}
VARIABLE = re.compile(r"\$\$|\$\{(\w+)(?::([-+?])([^}]*))?\}")
ORDER = ("db", "redis", "migrate", "web", "worker", "beat", "front")
ACCOUNTS = {"db": "postgres", "redis": "redis"}
DEFAULT_COMMANDS = {"front": ["caddy", "run", "--config", "/etc/caddy/Caddyfile", "--adapter", "caddyfile"]}
PATHS = "/opt/venv/bin:/usr/lib/postgresql/15/bin:/usr/local/bin:/usr/bin:/bin"
MOUNTS = "/run/compose"
HEALTHY_SECONDS = 90
# As the entry point of the image makes a database, which needs no rights either.
NEW_DATABASE = f"""
install -d -o postgres -g postgres -m 700 {MOUNTS}/database
install -o postgres -m 600 /dev/stdin {MOUNTS}/password <<<{SECRETS["postgres_password"]}
cd /
runuser -u postgres -- /usr/lib/postgresql/15/bin/initdb --pgdata {MOUNTS}/database --username precis \\
    --auth scram-sha-256 --pwfile {MOUNTS}/password --no-sync >/dev/null
echo "host all all all scram-sha-256" >>{MOUNTS}/database/pg_hba.conf
runuser -u postgres -- bash -c 'echo "create database precis" \\
    | /usr/lib/postgresql/15/bin/postgres --single -D {MOUNTS}/database postgres >/dev/null'
"""


def use_compose(root: Root, site: str, password: str) -> None:
    """Start the services in their order, wait until they say that they are well, and use the site."""
    services = read_services(dict(env_file()) | VALUES | {"ALLOWED_HOSTS": site})
    services["front"]["environment"]["PRECIS_FRONT_OPTIONS"] = "local_certs"  # nobody outside could vouch for it
    prepare(root)
    try:
        for name in ORDER:
            start(root, name, services[name])
            print(f"    | {name} runs as {services[name]['user']} and is well", flush=True)
        exec_in = transient("web-exec", services["web"], waiting=True)
        root.run(
            f"{exec_in} DJANGO_SUPERUSER_PASSWORD='{password}' "
            "python manage.py createsuperuser --noinput --username admin --email you@example.org"
        )
        root.run(f"{exec_in} python manage.py shell -c {shlex.quote(DEMONSTRATION)}")
        root.run(f"{exec_in} python manage.py simulate_crowd demo --editors 6 --raters 6 --for-release")
        trusted = f"SSL_CERT_FILE={MOUNTS}/certificates/caddy/pki/authorities/local/root.crt"
        root.run(f"{trusted} python3 /opt/precis/scripts/deployed_site.py https://{site} admin '{password}'")
        no_file_was_wanted_elsewhere(root)
    except Failed as failure:
        units = " ".join(f"--unit compose-{name}" for name in ORDER)
        raise Failed(f"{failure}\n{root.run(f'journalctl --no-pager --lines 80 {units}')}") from failure


DEMONSTRATION = """
from django.contrib.auth.models import User
from dashboard.simulation.demo import demo_campaign
demo_campaign(User.objects.get(username="admin"))
"""


def read_services(values: Mapping[str, str]) -> dict[str, Any]:
    """Return the services with their variables filled in, as Compose reads them beside an .env that says this."""

    def filled(match: re.Match[str]) -> str:
        if match[0] == "$$":
            return "$"
        value, other = values.get(match[1], ""), match[3] or ""
        return (other if value else "") if match[2] == "+" else value or other

    text = VARIABLE.sub(filled, (ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
    compose = yaml.safe_load(text)
    services: dict[str, Any] = compose["services"]
    for name, service in services.items():
        own = {
            key: values.get(key) if value is None else value for key, value in service.get("environment", {}).items()
        }
        service["environment"] = {key: value for key, value in own.items() if value is not None}
        service["files"] = {each: compose["secrets"][each]["file"] for each in service.get("secrets", [])}
        service["name"] = name
    return services


def env_file() -> Iterator[tuple[str, str]]:
    for line in (ROOT / ".env.example").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            name, _, value = line.partition("=")
            yield name, value


def prepare(root: Root) -> None:
    """Stop what listens on the same ports, and make the folders and accounts that Docker would make."""
    names = " ".join(ORDER)
    root.run(
        f"""systemctl stop precis-web precis-worker@1 precis-beat caddy redis-server postgresql
        echo 127.0.0.1 {names} >>/etc/hosts
        groupadd --gid 10001 compose; useradd --uid 10001 --gid 10001 --no-create-home compose
        mkdir -p /app /opt/venv /data {MOUNTS}
        install -d -o 10001 -g 10001 -m 700 {MOUNTS}/var {MOUNTS}/backups {MOUNTS}/certificates
        install -d -m 700 /opt/precis/secrets
        {"; ".join(f"echo '{value}' >/opt/precis/secrets/{name}" for name, value in SECRETS.items())}
        {NEW_DATABASE}"""
    )
    # Caddy's image has `nc`.
    root.run("apt-get install --yes -qq netcat-openbsd >/dev/null", network=True)
    # As Docker sets it for its networks.
    root.outside("echo 0 >/proc/sys/net/ipv4/ip_unprivileged_port_start")


def start(root: Root, name: str, service: dict[str, Any]) -> None:
    command = service.get("command") or DEFAULT_COMMANDS.get(name) or image_command()
    once = service.get("restart") == "no"
    root.run(f"{transient(name, service, waiting=once)} {shlex.join(command)}")
    if once:
        return
    check = service["healthcheck"]["test"]
    checked = check[1:] if check[0] == "CMD" else ["/bin/sh", "-c", check[1]]
    asking = f"{transient(f'{name}-health', service, waiting=True)} {shlex.join(checked)}"
    ends = time.monotonic() + HEALTHY_SECONDS
    while True:
        root.run(f"systemctl is-active --quiet compose-{name}")
        try:
            root.run(asking)
        except Failed:
            if time.monotonic() > ends:
                raise
            time.sleep(0.5)
        else:
            return


def image_command() -> list[str]:
    """Return what the image of the app runs if nothing else is said."""
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", "")
    command: list[str] = json.loads(text.rpartition("\nCMD ")[2])
    return command


def transient(name: str, service: dict[str, Any], *, waiting: bool) -> str:
    """Return the command that runs another one as closed as the service is."""
    properties = [
        f"User={ACCOUNTS.get(service['name'], 'compose')}",
        "ReadOnlyPaths=/",
        "ReadWritePaths=/dev/shm",
        "CapabilityBoundingSet=" + " ".join(f"CAP_{each}" for each in service.get("cap_add", [])),
        "NoNewPrivileges=yes",
        f"MemoryMax={service['mem_limit'].upper()}",
        f"TasksMax={service['pids_limit']}",
        f"TimeoutStopSec={service.get('stop_grace_period', '10s')}",
        *mounts(service),
    ]
    if service["image"].startswith("precis:"):
        properties += ["BindReadOnlyPaths=/opt/precis:/app", "BindReadOnlyPaths=/opt/precis/.venv:/opt/venv"]
        properties += ["WorkingDirectory=/app"]
    environment = {"PATH": PATHS, "HOSTNAME": "precis", "PYTHONDONTWRITEBYTECODE": "1", **service["environment"]}
    if service["name"] == "db":
        environment["PGDATA"] = "/var/lib/postgresql/data"
    given = [f"--property={each}" for each in properties]
    given += [f"--setenv={name}={value}" for name, value in environment.items()]
    how = ["--wait", "--pipe", "--collect"] if waiting else ["--service-type=exec"]
    unit = [] if waiting else [f"--unit=compose-{name}"]
    # `env` finds the program in the PATH of the container, and not in that of whoever starts it.
    return shlex.join(["systemd-run", "--quiet", *how, *unit, *given, "/usr/bin/env"])


def mounts(service: dict[str, Any]) -> Iterator[str]:
    for volume in service.get("volumes", []):
        source, target, *mode = volume.split(":")
        place = f"/opt/precis/{source[2:]}" if source.startswith("./") else f"{MOUNTS}/{source}"
        if mode == ["ro"]:
            yield f"BindReadOnlyPaths={place}:{target}"
        else:
            yield f"BindPaths={place}:{target}"
            yield f"ReadWritePaths={target}"
    for name, file in service["files"].items():
        yield f"BindReadOnlyPaths={file.replace('./', '/opt/precis/', 1)}:/run/secrets/{name}"
    for each in service.get("tmpfs", []):
        yield f"TemporaryFileSystem={each}"


def no_file_was_wanted_elsewhere(root: Root) -> None:
    """No service tried to write where it cannot."""
    for name in ORDER:
        said = root.run(f"journalctl --no-pager --unit compose-{name} | grep -i 'read-only file system' || true")
        if said:
            raise Failed(f"{name} wanted to write elsewhere:\n{said}")
