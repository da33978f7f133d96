"""The errors that are told to the user in a line, without a traceback."""


class UserError(Exception):
    """Something that the person at the keyboard can mend: a missing file, a wrong setting.

    The message is one line and says what is wrong, where, and what would be right.
    """


class CheckError(Exception):
    """An export does not give what its run directory gives."""


class RunMismatch(UserError):
    """A run directory from which training cannot resume as requested."""


class NoRun(UserError):
    """A directory without a run."""


class PathTaken(UserError):
    """A path that is in use and is not replaced."""


class TrainingDiverged(UserError):
    """A training whose loss is no longer a finite number."""
