"""End a child process when its supervisor is gone, whatever the cause.

Only the supervisor holds the write end of a pipe; every child holds the read end and blocks on it. Nothing is ever
written: the read returns when the write end is closed, which the kernel does even if the supervisor was killed by
SIGKILL. This works on both Linux and macOS.
"""

import os
import signal
import threading
import time

FD_VARIABLE = "PRECIS_SUPERVISOR_FD"
GRACE_SECONDS = 10.0


def guard_against_orphaning(grace: float = GRACE_SECONDS) -> None:
    """Start watching the pipe named in the environment, if there is one."""
    number = os.environ.get(FD_VARIABLE)
    if number is None:
        return
    threading.Thread(target=_end_with_supervisor, args=(int(number), grace), name="orphan guard", daemon=True).start()


def _end_with_supervisor(fd: int, grace: float) -> None:
    while os.read(fd, 1):
        pass
    main = threading.main_thread().ident
    assert main is not None
    signal.pthread_kill(main, signal.SIGTERM)
    time.sleep(grace)
    os._exit(1)
