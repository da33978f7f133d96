"""Exceptions that the commands report by their message alone, without a traceback."""


class UserError(Exception):
    """An error that the user can fix, such as a missing file or an invalid setting.

    The message is one line. It says what is wrong, where, and what is expected.
    """


class CheckError(Exception):
    """An export that cannot be loaded, or whose output differs from that of its run directory."""


class RunMismatch(UserError):
    """A run directory from which training cannot resume as requested."""


class RunLocked(UserError):
    """A run directory that another process is writing to."""


class NoRun(UserError):
    """A directory without a run."""


class PathTaken(UserError):
    """A path that is in use and is not replaced."""


class TrainingDiverged(UserError):
    """A training run whose loss is no longer a finite number."""
