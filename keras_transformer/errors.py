"""The one kind of error that is told to the user in a line, without a traceback."""


class UserError(Exception):
    """Something that the person at the keyboard can mend: a missing file, a wrong setting.

    The message is one line and says what is wrong, where, and what would be right.
    """
