"""Run one check as the command does."""

from maintenance.checks.registry import Finding, Look, Verdict, checks, run

WRONG, FINE, UNSEEN = Verdict.WRONG, Verdict.FINE, Verdict.UNSEEN


def look_at(name: str, **look: object) -> Finding:
    (found,) = [each for each in checks() if each.name == name]
    return run(found, Look(**look))  # type: ignore[arg-type]
