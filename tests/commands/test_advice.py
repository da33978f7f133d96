"""Advice that the commands append to errors of the library."""

import pytest

from keras_transformer.commands.advice import advice
from keras_transformer.errors import NoRun, UserError


def test_an_error_of_the_library_gets_the_advice_for_its_class():
    hints = {NoRun: "give less"}
    with pytest.raises(UserError, match="^nothing: give less$"), advice(hints):
        raise NoRun("nothing")
    with pytest.raises(UserError, match="^other$"), advice(hints):
        raise UserError("other")
