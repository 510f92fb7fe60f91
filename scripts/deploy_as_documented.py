"""Run the commands of docs/deployment.md, from an empty server to a site, and use that site.

The page is what is run: each block of its first way, in order, as root, under a real systemd on a throw-away copy of
this computer's files (scripts/throwaway_root.py). What has to be different here is listed below and printed.
"""

import argparse
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from compose_by_hand import use_compose
from documented_blocks import Block, documented_blocks
from run_tests import IN_CI, apt_install, interruptible, warn
from throwaway_root import Failed, Root, throwaway_root, what_is_missing

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/deployment.md"
WAY = "The first way: Debian and systemd"
SITE = "precis.example.org"
PASSWORD = "correct horse battery staple"  # noqa: S105
SOURCE = "/run/source"
# On this computer's network: package registries. Everything else has loopback only.
ONLINE = ("apt-get ", "-m pip install")
TREEBANK = "1\tTwo\ttwo\tNUM\tCD\t_\t2\tnummod\t_\t_\n2\tmen\tman\tNOUN\tNNS\t_\t3\tnsubj\t_\t_\n" + (
    "3\twent\tgo\tVERB\tVBD\t_\t0\troot\t_\t_\n4\thome\thome\tADV\tRB\t_\t3\tadvmod\t_\t_\n\n"
)
CADDY_ROOT = "/var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt"


@dataclass(frozen=True)
class Replaced:
    """Words of the page that would not work here, and those that stand for them."""

    words: str
    by: str
    why: str


REPLACED = (
    Replaced("https://git.example.org/precis.git", f"file://{SOURCE}", "the code that is checked is the one here"),
    Replaced("smtps://precis:PASSWORD@mail.example.org", "smtp+plain://127.0.0.1", "no mail leaves this computer"),
    Replaced(
        "PRECIS_WEB=127.0.0.1:8000",
        "PRECIS_WEB=127.0.0.1:8000 PRECIS_FRONT_OPTIONS=local_certs",
        "Caddy signs the certificate itself, since nobody reaches it from outside",
    ),
    Replaced("en_ewt-ud-train.conllu", "/run/treebank.conllu", "a treebank of one sentence"),
    Replaced("--language en --output", "--language en --steps 5 --output", "five steps of training are enough to see"),
)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keep", action="store_true", help="wait for Enter before everything is thrown away")
    asked = parser.parse_args()
    if IN_CI and not Path("/lib/systemd/systemd").exists():
        apt_install("systemd")
    if reason := what_is_missing():
        warn(f"The documented deployment was NOT CHECKED: {reason}.")
        return 1
    blocks = documented_blocks(PAGE, WAY)
    began = time.monotonic()
    with throwaway_root() as root:
        try:
            deploy(root, blocks)
            use(root)
        except Failed as failure:
            print(f"\nFAILED: {failure}\n{messages(root)}", file=sys.stderr)
            return 1
        finally:
            if asked.keep:
                input(f"nsenter --target {root.process} --all bash; Enter throws it all away ")
    listing(blocks)
    print(f"The commands of {PAGE.relative_to(ROOT)} lead to a site that works ({time.monotonic() - began:.0f} s).")
    return 0


def deploy(root: Root, blocks: list[Block]) -> None:
    """Run the blocks on a server whose name leads to itself and which takes mails."""
    root.run(f"echo 127.0.0.1 {SITE} >>/etc/hosts")
    root.put("/run/treebank.conllu", (TREEBANK * 60).encode())
    put_source(root)
    unused = {each.words for each in REPLACED}
    for block in blocks:
        if not block.reason:
            unused -= {each.words for each in REPLACED if each.words in block.commands}
            run(root, block)
    if unused:
        raise Failed(f"{PAGE.name} no longer says what would be replaced: {unused}")


def put_source(root: Root) -> None:
    """Give the root a repository with the files as they are here, committed or not, tagged as the page wants them."""
    with tempfile.TemporaryDirectory() as folder:
        git = ("git", "-c", "user.name=check", "-c", "user.email=check@localhost")
        listed = subprocess.run(
            [*git, "ls-files", "-z", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, check=True
        )
        there = b"\0".join(name for name in listed.stdout.split(b"\0") if (ROOT / name.decode()).is_file())
        packed = subprocess.run(
            ["tar", "-c", "--null", "--files-from=-"], cwd=ROOT, input=there, capture_output=True, check=True
        )
        subprocess.run(["tar", "-x", "-C", folder], input=packed.stdout, check=True)
        said = re.search(r'__version__ = "(.+)"', (ROOT / "measures/__init__.py").read_text(encoding="utf-8"))
        version = said[1] if said else ""
        commands = ["init --quiet", "add --all", "commit --quiet --message=here", f"tag v{version}"]
        for command in map(str.split, commands):
            subprocess.run([*git, *command], cwd=folder, check=True)
        bare = subprocess.run(["tar", "-c", "-C", f"{folder}/.git", "."], capture_output=True, check=True)
    root.run(f"mkdir {SOURCE} && tar -x -C {SOURCE} --no-same-owner", given=bare.stdout)


def run(root: Root, block: Block) -> None:
    """Run one block; a command that asks for a password is told one."""
    commands = block.commands
    for each in REPLACED:
        commands = commands.replace(each.words, each.by)
    for words, prepare in PREPARED.items():
        if words in commands:
            root.run(prepare)
    print(f"\n### {block.heading}\n{commands.rstrip()}", flush=True)
    began = time.monotonic()
    if "createsuperuser" in commands:
        said = root.answer(commands, [("Password: ", PASSWORD), ("Password (again): ", PASSWORD)])
    else:
        said = root.run(commands, network=any(each in commands for each in ONLINE), seconds=600)
    shown = said.strip().splitlines()[-12:]
    print(*(f"    | {line}" for line in shown), f"    {time.monotonic() - began:.1f} s", sep="\n", flush=True)


TRUSTED = f"""
install -D -m 644 {CADDY_ROOT} /usr/local/share/ca-certificates/caddy.crt
update-ca-certificates >/dev/null
"""
# What stands in for the world outside, before the block that needs it.
PREPARED = {
    "sendtestemail": "systemd-run --quiet --unit mails python3 -W ignore -u -m smtpd -n -c DebuggingServer 127.0.0.1:25"
    "\nfor _ in $(seq 50); do bash -c 'echo >/dev/tcp/127.0.0.1/25' 2>/dev/null && break; sleep 0.2; done",
    f"https://{SITE}": TRUSTED,
}


def use(root: Root) -> None:
    """Check what the commands have led to."""
    for name, check in CHECKS.items():
        print(f"Checked: {name} ... ", end="", flush=True)
        began = time.monotonic()
        check(root)
        print(f"yes ({time.monotonic() - began:.1f} s)", flush=True)


def mail_came(root: Root) -> None:
    root.run("journalctl --unit mails --no-pager | grep -q 'To: you@example.org'")


def site_works(root: Root) -> None:
    """Log in, make a campaign, and have a release frozen by the worker, over the encrypted connection."""
    root.run(TRUSTED + DEMONSTRATION)
    root.run(f"python3 /opt/precis/scripts/deployed_site.py https://{SITE} admin '{PASSWORD}'")


DEMONSTRATION = """
precis-manage shell -c '
from django.contrib.auth.models import User
from dashboard.simulation.demo import demo_campaign
demo_campaign(User.objects.get(username="admin"))'
precis-manage simulate_crowd demo --editors 6 --raters 6 --for-release
"""


def rights_are_few(root: Root) -> None:
    """The services cannot write to their own code, and hold no capabilities."""
    for unit in ("precis-web", "precis-worker@1", "precis-beat"):
        process = root.run(f"systemctl show --property MainPID --value {unit}").strip()
        status = root.run(f"cat /proc/{process}/status")
        wrong = [each for each in ("CapEff:\t0000000000000000", "NoNewPrivs:\t1", "Seccomp:\t2") if each not in status]
        if wrong:
            raise Failed(f"{unit} does not have {wrong}")
        touch = f"nsenter --target {process} --mount --setuid $(id -u precis) --setgid $(id -g precis) touch"
        root.run(f"{touch} /var/lib/precis/probe; rm /var/lib/precis/probe")
        for path in ("/opt/precis/probe", "/usr/probe", "/etc/precis/probe", "/home/probe"):
            root.run(f"! {touch} {path} 2>/dev/null")
    root.run("[ $(stat -c %a /etc/precis/precis.env) = 600 ]")


def units_are_sound(root: Root) -> None:
    """No mistake in a unit, and few ways out of it: 10 is open, 0 is closed."""
    units = "precis-web.service precis-worker@1.service precis-beat.service precis.target"
    said = root.run(f"systemd-analyze verify {units} 2>&1 | grep -i precis || true")
    if said:
        raise Failed(f"systemd-analyze verify says:\n{said}")
    for unit in ("precis-web.service", "precis-worker@1.service", "precis-beat.service"):
        root.run(f"systemd-analyze security --threshold=25 --no-pager {unit} >/dev/null")


def restarts_and_stops(root: Root) -> None:
    """A killed server comes back, and all end within their time when told to, without being killed."""
    before = root.run("systemctl show --property MainPID --value precis-web").strip()
    root.run("systemctl kill --signal=KILL --kill-whom=main precis-web")
    anew = f"[ $(systemctl show -p MainPID --value precis-web) != {before} ]"
    asked = "curl -fs -o /dev/null -H 'X-Forwarded-Proto: https' http://127.0.0.1:8000/health/"
    root.run(f"for _ in $(seq 100); do {anew} && {asked} && exit 0; sleep 0.2; done; exit 1")
    services = "precis-web precis-worker@1 precis-beat"
    root.run(f"systemctl reload precis-web; systemctl stop precis.target; systemctl stop {services}", seconds=150)
    for unit in services.split():
        result = root.run(f"systemctl show --property Result,ActiveState {unit}")
        if "Result=success" not in result or "ActiveState=inactive" not in result:
            raise Failed(f"{unit} did not stop as it should: {result}")


def compose_works(root: Root) -> None:
    use_compose(root, SITE, PASSWORD)


CHECKS: dict[str, Callable[[Root], None]] = {
    "the mail came": mail_came,
    "login, a campaign, and a release frozen by the worker, over TLS": site_works,
    "the units are sound and closed": units_are_sound,
    "the services have few rights": rights_are_few,
    "what is killed comes back, and what is stopped ends": restarts_and_stops,
    "the services of docker-compose.yml, each as closed as there": compose_works,
}


def listing(blocks: list[Block]) -> None:
    print()
    for each in REPLACED:
        print(f"replaced here: {each.words} by {each.by} ({each.why})")
    for block in blocks:
        if block.reason:
            print(f"not run here: {block.commands.splitlines()[0]} … ({block.reason})")


def messages(root: Root) -> str:
    return root.run("journalctl --no-pager --lines 60 --output short-monotonic | cut -c1-300 || true")


if __name__ == "__main__":
    interruptible(main)
