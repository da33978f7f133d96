"""Advice that the commands append to errors of the library."""

import pytest

from keras_transformer.commands.advice import advice
from keras_transformer.errors import UserError


class Special(UserError):
    """An error whose arguments are not its message alone."""

    def __init__(self, size, limit):
        super().__init__(f"{size} is larger than {limit}")


def test_an_error_of_the_library_gets_the_advice_for_its_class():
    hints = {Special: "give less"}
    with pytest.raises(Special, match="^3 is larger than 2: give less$"), advice(hints):
        raise Special(3, 2)
    with pytest.raises(UserError, match="^other$"), advice(hints):
        raise UserError("other")
