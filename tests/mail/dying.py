"""A process that is killed at a chosen step of its work on the disk."""

import os
import signal

from adjudicator.store import disk


def fork_and_die(work, at):
    """Do the work in a forked process that is killed before the step; returns whether it came to its end."""
    child = os.fork()
    if child == 0:
        count = 0

        def step(_name, _path):
            nonlocal count
            count += 1
            if count == at:
                os.kill(os.getpid(), signal.SIGKILL)

        disk.step = step
        try:
            work()
            os._exit(0)
        except BaseException:
            os._exit(3)
    _pid, status = os.waitpid(child, 0)
    assert status == 0 or os.WIFSIGNALED(status), status
    return status == 0
