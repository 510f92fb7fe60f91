"""The faults that `stage_faults.py` stages, one after the other."""

from fault_stage import Fault, Stage
from faults_in_jobs import (
    backup_without_room,
    in_mid_job,
    kill_postgres_under,
    kill_redis_under,
    kill_stopped_worker,
    release_without_room,
)
from faults_in_submissions import (
    AWAY_SECONDS,
    SLOW_SECONDS,
    away,
    fill_the_disk,
    in_mid_submit,
    kill_front,
    kill_postgres,
    kill_web_master,
    kill_web_worker,
    kill_worker,
    lose_redis,
    silent,
    slow_the_disk,
    stop_the_database,
    with_a_job_asked_for,
)

from tests.support.jobs_under_way import KINDS


def has_postgres(stage: Stage) -> bool:
    return stage.installation.postgres is not None


SUBMIT, KILLED = "mid-submit", "kill -9"
FAULTS = [
    Fault(f"{KILLED}: a web process", SUBMIT, in_mid_submit(kill_web_worker)),
    Fault(f"{KILLED}: the web server's first process", SUBMIT, in_mid_submit(kill_web_master)),
    Fault(f"{KILLED}: the worker", SUBMIT, in_mid_submit(kill_worker)),
    Fault(f"{KILLED}: the front", SUBMIT, in_mid_submit(kill_front)),
    Fault(f"{KILLED}: Redis", SUBMIT, in_mid_submit(lose_redis)),
    Fault(f"{KILLED}: PostgreSQL", SUBMIT, in_mid_submit(kill_postgres), has_postgres),
    Fault("full disk of the database", SUBMIT, in_mid_submit(fill_the_disk, pause=0)),
    Fault(f"database stands still for {SLOW_SECONDS:.0f} s", SUBMIT, in_mid_submit(stop_the_database)),
    Fault(
        f"slow disk, 0.5 s for each fsync, for {2 * SLOW_SECONDS:.0f} s",
        SUBMIT,
        in_mid_submit(slow_the_disk),
        lambda stage: stage.slow_flag is not None,
    ),
    Fault(f"Redis away for {AWAY_SECONDS:.0f} s", "mid-submit, and a job asked for", with_a_job_asked_for(away)),
    Fault(
        f"Redis silent for {2 * SLOW_SECONDS:.0f} s", "mid-submit, and a job asked for", with_a_job_asked_for(silent)
    ),
    Fault(
        f"{KILLED}: the worker", "mid-freeze, not helped", in_mid_job("freeze", kill_stopped_worker, is_patient=True)
    ),
    *(Fault(f"{KILLED}: the worker", f"mid-{name}", in_mid_job(name, kill_stopped_worker)) for name in KINDS),
    *(
        Fault(f"{KILLED}: PostgreSQL", f"mid-{name}", in_mid_job(name, kill_postgres_under), has_postgres)
        for name in KINDS
    ),
    *(
        Fault(f"{KILLED}: Redis", f"mid-{name}", in_mid_job(name, kill_redis_under, loses_runner=False))
        for name in KINDS
    ),
    Fault("full disk of the data folder", "a freeze, and again with room", release_without_room),
    Fault("full disk of the data folder", "a backup, and again with room", backup_without_room),
]
